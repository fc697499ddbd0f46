"""How the site reads docstrings: an extension of griffe (mkdocs.yml), which wants one name a line; ours have several.

    Attributes:
        low, high: its ends. level: of confidence, in 0.5..1.

is read as three attributes: `low` and `high`, with the same words, and `level`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

try:
    from griffe import Extension
except ImportError:  # the tests of what is read need none
    Extension = object

NAMED = ("Args", "Attributes")
"""Sections with an entry for each name."""
_SECTION = re.compile(r"( *)(Args|Attributes|Raises|Returns|Yields):")
_NAMES = r"\**[\w.]+(?:, \**[\w.]+)*"
_ENTRY = re.compile(rf"({_NAMES}):(?: +|$)")
_FURTHER = re.compile(rf"(?<=[.;!?)`]) +({_NAMES}): +")


def regroup(text: str, known: Collection[str]) -> str:
    """A docstring with one name in each entry of its sections.

    Args:
        known: names of the parameters or attributes; within an entry, only these begin another.
    """
    lines, found = text.split("\n"), []
    while lines:
        line = lines.pop(0)
        found.append(line)
        if (section := _SECTION.fullmatch(line.rstrip())) is None:
            continue
        block = []
        while lines and (not lines[0].strip() or lines[0].startswith(section[1] + " ")):
            block.append(lines.pop(0))
        after: list[str] = []
        while block and not block[-1].strip():
            after.insert(0, block.pop())
        if section[2] in ("Returns", "Yields"):
            found += [
                re.sub(r"^(\s*)(\w+):(?=\s)", r"\1`\2`:", one) if at == 0 else one for at, one in enumerate(block)
            ]
        else:
            found += _one_each(block, known, section[2] == "Raises")
        found += after
    return "\n".join(found)


def entry_names(text: str) -> Iterator[str]:
    """What a docstring names in its sections of parameters and attributes, once it is regrouped."""
    inside = ""
    for line in text.split("\n"):
        if (section := _SECTION.fullmatch(line.rstrip())) is not None:
            inside = section[1] + "    " if section[2] in NAMED else ""
        elif inside and line.startswith(inside) and line[len(inside)] != " ":
            yield line.partition(":")[0].strip()
        elif line.strip() and not line.startswith(inside or "\0"):
            inside = ""


def _one_each(block: list[str], known: Collection[str], raised: bool) -> Iterator[str]:
    indent = next((len(line) - len(line.lstrip()) for line in block if line.strip()), 0)
    entries: list[list[str]] = []
    for line in block:
        if entries and (not line.strip() or line[: indent + 1].isspace()):
            entries[-1].append(line)
        else:
            entries.append([line])
    for entry in entries:
        joined = " ".join(" ".join(entry).split())
        if _ENTRY.match(joined) is None or any(re.match(r"\s*([-*|]|\d\.) ", one) for one in entry[1:]):
            yield from entry
            continue
        for names, words in _groups(joined, known, raised):
            yield from (f"{' ' * indent}{name}: {words}" for name in names.split(", "))


def _groups(entry: str, known: Collection[str], raised: bool) -> Iterator[tuple[str, str]]:
    """The names of an entry with what is said of them, one group after the other."""
    first = _ENTRY.match(entry)
    assert first is not None
    names, start = first[1], first.end()
    for further in _FURTHER.finditer(entry, start):
        if all(one[:1].isupper() if raised else one in known for one in further[1].split(", ")):
            yield names, entry[start : further.start()]
            names, start = further[1], further.end()
    yield names, entry[start:]


class OneNameALine(Extension):  # type: ignore[misc]
    """Regroups the docstrings of a package before they are read."""

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """Regroup all of a package."""
        for inner in list(pkg.members.values()):
            if not inner.is_alias:
                self.regroup_in(inner)

    def regroup_in(self, one: Any) -> None:
        """Regroup the docstrings of a module, a class or a function, and of what is in it."""
        if one.docstring is not None:
            known = {parameter.name for parameter in getattr(one, "parameters", ())}
            if one.is_class:
                known |= set(one.members) | set(one.inherited_members)
            one.docstring.value = regroup(one.docstring.value, known)
        for inner in list(one.members.values()):
            if not inner.is_alias:
                self.regroup_in(inner)
