"""The code of parts that are not omnipilot's: a digest of its source, by which a run notices that it was edited."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions, version
from pathlib import Path

from omnipilot.agents.assembly.part_names import is_object, split_object
from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.spec import PartSpec

DIGITS = 12
INSTALLED = frozenset({"site-packages", "dist-packages"})
"""The folders, wherever they are, in which packages are installed, as opposed to those in which they are written."""
_SESSION = "__main__"
_OURS = "omnipilot"
_READ: dict[str, tuple[ModuleSpec, bytes]] = {}


def codes(parts: Iterable[tuple[PartSpec, Registry]]) -> dict[str, str]:
    """The code of each part that is not omnipilot's, and of those that it is made of, as "planner mine:Mine".

    Args:
        parts: each with where it is found by name.
    """
    return {name: code for name, target in foreign_parts(parts) if (code := code_of(target))}


def foreign_parts(parts: Iterable[tuple[PartSpec, Registry]]) -> Iterator[tuple[str, str]]:
    """The parts that are not omnipilot's, and those that they are made of: "planner mine:Mine", "module:attribute".

    Args:
        parts: each with where it is found by name.
    """
    for whole, registry in parts:
        for one in whole.walk():
            if not registry.is_ours(one.name) and is_object(target := registry.target(one.name)):
                yield f"{registry.kind} {one.name}", target


def code_of(target: str) -> str:
    """The code behind "module:attribute": a digest of the source, or the installed package with its version.

    The source is the module's file; of a module in a package, every Python file of the outermost package; and the
    modules and packages beside it that these import. Of a class of this session, it is that of its methods. Nothing is
    imported. Other files that the code reads are not among it.

    Returns:
        "" for what belongs to omnipilot or to Python, and where there is no source.
    """
    module, attribute = split_object(target) if is_object(target) else ("", "")
    outermost = module.partition(".")[0]
    if not outermost or outermost == _OURS or outermost in sys.stdlib_module_names:
        return ""
    if outermost == _SESSION:
        return _digest(_methods(attribute))
    places = _places(outermost)
    installed = any(INSTALLED & set(place.parts) for place in places)
    if installed and (packages := _packages().get(outermost)):
        return ", ".join(f"{name} {version(name)}" for name in sorted(set(packages)))
    return _digest(_sources(outermost, places, alone=installed))


@cache
def _packages() -> Mapping[str, list[str]]:
    """Which packages brought each module; read once, since that takes a while."""
    return packages_distributions()


def _digest(sources: Iterable[tuple[str, bytes]]) -> str:
    """A digest of names and contents; "" where there are none."""
    found = dict(sources)
    told = "".join(f"{name}\n{hashlib.sha256(found[name]).hexdigest()}\n" for name in sorted(found))
    return hashlib.sha256(told.encode()).hexdigest()[:DIGITS] if found else ""


def _places(module: str) -> list[Path]:
    """The file of a module that is in no package, or the folders of a package; none where it is not found."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return [Path(folder).resolve() for folder in spec.submodule_search_locations]
    return [Path(spec.origin).resolve()] if spec.origin else []


def _sources(outermost: str, places: Iterable[Path], alone: bool) -> Iterator[tuple[str, bytes]]:
    """The files of a module or package, and of those beside it that they import: names in their folder, and contents.

    Args:
        places: of the outermost one. alone: without those beside it.
    """
    found: dict[str, list[Path]] = {outermost: list(places)}
    left = [outermost]
    while left:
        for place in found[left.pop()]:
            for path in _files(place):
                name = path.relative_to(place.parent).as_posix()
                try:
                    content = _content(name, path)
                except OSError:
                    continue
                yield name, content
                for imported in () if alone else _imported(content):
                    if imported not in found and (beside := _beside(place.parent, imported)):
                        found[imported] = [beside]
                        left.append(imported)


def _files(place: Path) -> list[Path]:
    """A module's file, or the Python files of a package; not those of hidden folders."""
    if not place.is_dir():
        return [place]
    inner = (path for path in place.rglob("*.py") if path.is_file())
    return sorted(path for path in inner if not any(one[0] == "." for one in path.relative_to(place).parts))


def _beside(folder: Path, module: str) -> Path | None:
    """A module or package of this name in a folder, but omnipilot."""
    if module == _OURS:
        return None
    file = folder / f"{module}.py"
    inner = folder / module
    return file if file.is_file() else inner if (inner / "__init__.py").is_file() else None


def _content(name: str, path: Path) -> bytes:
    """A file's content; of a module that this process has imported, what it was when it was first asked since then."""
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    spec = getattr(sys.modules.get(module), "__spec__", None)
    if spec is None or spec.origin is None or Path(spec.origin).resolve() != path:
        return path.read_bytes()
    known = _READ.get(module)
    if known is None or known[0] is not spec:
        # Another record since it was imported anew, as by `importlib.reload`.
        _READ[module] = known = spec, path.read_bytes()
    return known[1]


@lru_cache(256)
def _imported(source: bytes) -> frozenset[str]:
    """The outermost names of the modules that a file imports; none where it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


def _methods(attribute: str) -> Iterator[tuple[str, bytes]]:
    """The source of the functions of a class of this session, and of its bases there; of a function, its own."""
    part: object = sys.modules[_SESSION]
    for name in attribute.split("."):
        part = getattr(part, name, None)
    owners = [one for one in inspect.getmro(part) if one.__module__ == _SESSION] if inspect.isclass(part) else []
    functions = {f"{owner.__qualname__}.{name}": it for owner in owners for name, it in vars(owner).items()}
    for name, function in functions.items() if owners else [(attribute, part)]:
        if inspect.isfunction(function):
            try:
                yield name, inspect.getsource(function).encode()
            except (OSError, TypeError):
                continue
