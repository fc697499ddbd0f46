"""Google-style docstrings, split into text and arguments: planners see what the authors of actions wrote.

The package docstring-parser reads ours alike, but would be one more dependency of the core for some twenty lines.
"""

from __future__ import annotations

import inspect
import re

_SECTION = re.compile(r"^(Args|Arguments|Attributes|Parameters|Returns|Raises|Yields|Example|Examples):\s*$")
_ENTRY = re.compile(r"^(\s+)([\w, ]+?)(?:\s*\([^)]*\))?:\s*(.*)$")


def sections(doc: str | None) -> tuple[str, dict[str, str]]:
    """The text before the sections of a Google-style docstring, and the entries of `Args` or `Attributes` by name."""
    text: list[str] = []
    entries: dict[str, str] = {}
    section, names, depth = "", [""], 0
    for line in inspect.cleandoc(doc or "").splitlines():
        heading, entry = _SECTION.match(line), _ENTRY.match(line)
        if heading or (section and line and not line.startswith(" ")):
            section = heading.group(1) if heading else ""
            names, depth = [], 0
        if heading:
            continue
        if not section:
            text.append(line)
        elif section in ("Args", "Arguments", "Attributes", "Parameters"):
            if entry and (not depth or len(entry.group(1)) <= depth):
                depth = len(entry.group(1))
                names = [name.strip() for name in entry.group(2).split(",")]
                entries |= dict.fromkeys(names, entry.group(3).strip())
            elif line.strip():
                entries |= {name: f"{entries[name]} {line.strip()}".strip() for name in names if name in entries}
    return " ".join(" ".join(text).split()), entries
