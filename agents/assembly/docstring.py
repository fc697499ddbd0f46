"""Docstrings of things that are not imported: their source is found and parsed instead."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

MOST_MODULES = 4
"""Modules that are read for one name: a package may re-export it from elsewhere."""


def first_docstring_line(target: str) -> str:
    """The first line of a docstring, "" if there is none or its source cannot be found.

    Args:
        target: a class or function, as "module:attribute". The packages around the module are imported, as Python does
            to find it; the module itself is not.
    """
    module, _, name = target.partition(":")
    for _ in range(MOST_MODULES):
        tree = _parse(module)
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
                return (ast.get_docstring(node) or "").partition("\n")[0]
        found = _origin(tree, name)
        if found is None:
            return ""
        module, name = found
    return ""


def _parse(module: str) -> ast.Module:
    """The syntax tree of a module; an empty one if its source cannot be found."""
    try:
        spec = importlib.util.find_spec(module)
        source = Path(spec.origin).read_text(encoding="utf-8") if spec is not None and spec.origin else ""
        return ast.parse(source)
    except Exception:
        # The packages around a plug-in's module are foreign code, which may raise anything; a list goes on without it.
        return ast.parse("")


def _origin(tree: ast.Module, name: str) -> tuple[str, str] | None:
    """The module that a name is imported from, and its name there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return node.module, alias.name
    return None
