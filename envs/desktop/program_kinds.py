"""What a desktop's programs are for, as the system's own menu entries say: mail, files, the web, films."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from omnipilot.envs.types.words_origin import OriginKind

ENTRIES = (Path("/usr/local/share/applications"), Path("/usr/share/applications"))
"""Where the system keeps its menu entries; those of a user's home may be anybody's."""
_KINDS: Mapping[str, OriginKind] = {
    "Email": "mail",
    "WebBrowser": "web",
    "FileManager": "file",
    "TextEditor": "file",
    "WordProcessor": "file",
    "Spreadsheet": "file",
    "Presentation": "file",
    "Viewer": "file",
    "Video": "film",
}
"""Category of the menu specification → what the words in such a program's windows are."""


def origin_of_program(name: str) -> str:
    """Where the words in a program's windows come from, by the name of its command or in the menu; "" if unknown."""
    return _kinds().get(name.casefold(), "")


@cache
def _kinds() -> Mapping[str, OriginKind]:
    found: dict[str, OriginKind] = {}
    for path in (path for folder in reversed(ENTRIES) for path in sorted(folder.glob("*.desktop"))):
        found |= dict(read_entry(path.read_text(encoding="utf-8", errors="replace")))
    return found


def read_entry(text: str) -> Iterator[tuple[str, OriginKind]]:
    """The names of a menu entry's program, in lower case, each with the kind of its words; nothing if it has none."""
    entry = text.partition("[Desktop Entry]")[2].partition("\n[")[0]
    told = dict(line.split("=", 1) for line in entry.splitlines() if "=" in line and not line.startswith("#"))
    kind = next((_KINDS[one] for one in told.get("Categories", "").split(";") if one in _KINDS), None)
    if kind is None:
        return
    try:
        command = shlex.split(told.get("Exec", ""))[:1]
    except ValueError:
        command = []
    for name in (*(Path(one).name for one in command), told.get("StartupWMClass", ""), told.get("Name", "")):
        if name:
            yield name.casefold(), kind
