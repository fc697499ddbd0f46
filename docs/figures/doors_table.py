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
        package: whose version is told. made_by: the target of `make` whose environment has it.
        pictures, sound, rewards, forks: what it carries, in words.
        demonstrations: how many are played through it.
    """

    title: str
    package: str
    made_by: str
    pictures: str
    sound: str
    rewards: str
    forks: str
    demonstrations: int = 40


DOORS = {
    "gym": Door("Gymnasium", "gymnasium", "test", "yes", "no", "each step", "no"),
    "mcp": Door("MCP", "mcp", "test", "yes", "yes", "no; `score` on request", "yes"),
    "inspect": Door("Inspect", "inspect-ai", "doors", "yes", "no", "at the end", "no"),
    "openenv": Door("OpenEnv", "openenv", "doors", "yes", "yes", "each step", "no"),
    "trl": Door("TRL", "trl", "doors", "yes", "no", "at the end", "no"),
}


def table() -> str:
    """The table: a row for each door whose demonstrations were run."""
    found: dict[str, dict[str, Any]] = json.loads(FOUND.read_text(encoding="utf-8"))
    head = (
        "door",
        "package",
        "demonstrations that came to the same",
        "run by",
        "pictures",
        "sound",
        "rewards",
        "forks",
    )
    rows = [head, ("---",) * len(head)]
    for name, door in DOORS.items():
        if name in found:
            one = found[name]
            same = f"{one['same']} of {door.demonstrations}"
            rows.append(
                (
                    door.title,
                    f"`{door.package}` {one['version']}",
                    same,
                    f"`make {'test-doors' if door.made_by == 'doors' else 'test-all'}`, Python {one['python']}",
                    door.pictures,
                    door.sound,
                    door.rewards,
                    door.forks,
                )
            )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def filled(page: str) -> str:
    """The page with its table."""
    before, _, rest = page.partition("<!-- doors -->\n")
    return f"{before}<!-- doors -->\n\n{table()}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
