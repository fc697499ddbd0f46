"""Lazy exports (PEP 562): a package loads its names on first use, so that importing it imports none of its modules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from os.path import isfile, join
from types import ModuleType
from typing import Any


def _has_package(module: ModuleType, name: str) -> bool:
    return any(isfile(join(folder, name, "__init__.py")) for folder in module.__path__)


def lazy_exports(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """The values of `__all__`, `__getattr__` and `__dir__` for a package's `__init__`.

    The exported names are those imported under `if TYPE_CHECKING:`. Type checkers and editors read that block directly;
    here it is parsed, and each name is imported on first access.

    A name that a package within has, too (`run` of `omnipilot.bench`), is put in its place at once: that package would
    stand there as soon as anybody imports it. Such a name has to come from a module that loads nothing heavy.

    Args:
        package: its `__name__`.

    Raises:
        ImportError: the package is there without its source.
        AttributeError: from `__getattr__`, if the package does not export the name.
    """
    module = sys.modules[package]
    assert module.__spec__ is not None and module.__spec__.loader is not None
    source = module.__spec__.loader.get_source(package)  # type: ignore[attr-defined]
    if source is None:
        raise ImportError(
            f"{package} is installed without its source, from which its names are read; install the wheel"
        )
    module_of = {
        alias.name: statement.module
        for node in ast.parse(source).body
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Not cached here: after a test patches the name where it is defined, the patch would remain.
        return getattr(import_module(str(module_of[name])), name)

    def list_names() -> list[str]:
        return sorted({*vars(module), *module_of})

    for name, source_module in module_of.items():
        if source_module != package and _has_package(module, name):
            import_module(f"{package}.{name}")
            setattr(module, name, load(name))
    return sorted(module_of), load, list_names
