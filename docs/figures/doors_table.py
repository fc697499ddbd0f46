"""`python docs/figures/doors_table.py`: writes the table of docs/doors.md from what the tests of the doors found.

`make doors-table` runs those tests first, each in the environment that has its package.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "doors.md"
FOUND = Path(__file__).resolve().parent / "doors.json"
"""By door: the package's `version`, the demonstrations that came to the `same`, and the `python` that ran them."""


@dataclass(frozen=True)
class Door:
    """A door, as the table shows it.

    Attributes:
        package: whose version is told. made_by: the target of `make` that runs its demonstrations.
        score: how much of the score its clients are told. pictures, sound, rewards, forks: what it carries, in words.
        shows_all: every answer shows all devices. demonstrations: how many are played through it.
    """

    title: str
    package: str
    made_by: str
    score: str
    pictures: str
    sound: str
    rewards: str
    forks: str
    shows_all: bool = True
    demonstrations: int = 40


DOORS = {
    "gym": Door("Gymnasium", "gymnasium", "test-all", "share, success", "yes", "no", "each step", "no"),
    "mcp": Door("MCP", "mcp", "test-all", "all, by `--score`", "yes", "yes", "no", "by `--fork`"),
    "inspect": Door("Inspect", "inspect-ai", "test-doors", "share, sub-goals", "yes", "no", "at the end", "no"),
    "openenv": Door("OpenEnv", "openenv", "test-doors", "share, success", "yes", "yes", "each step", "no"),
    "trl": Door(
        "TRL",
        "trl",
        "test-doors",
        "share, as the reward",
        "of the device acted on",
        "no",
        "at the end",
        "no",
        shows_all=False,
    ),
}


def table() -> str:
    """The table: a row for each door whose demonstrations were run."""
    found: dict[str, dict[str, Any]] = json.loads(FOUND.read_text(encoding="utf-8"))
    head = ("door", "package", "demonstrations", "tested by", "score", "pictures", "sound", "rewards", "forks")
    rows = [head, ("---",) * len(head)]
    for name, door in DOORS.items():
        if name in found:
            one = found[name]
            package = f"`{door.package}` {one['version']}"
            same = f"{one['same']} of {door.demonstrations} the same"
            ran = f"`make {door.made_by}`, Python {one['python']}"
            carried = (door.score, door.pictures, door.sound, door.rewards, door.forks)
            rows.append((door.title, package, same, ran, *carried))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def filled(page: str) -> str:
    """The page with its table."""
    before, _, rest = page.partition("<!-- doors -->\n")
    return f"{before}<!-- doors -->\n\n{table()}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
