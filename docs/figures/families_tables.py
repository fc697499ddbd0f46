"""`python docs/figures/families_tables.py`: writes the tables of docs/families.md from the records of the families."""

from __future__ import annotations

import re
from pathlib import Path

from omnipilot.grounders import Family
from omnipilot.grounders.families import families as pointing
from omnipilot.grounders.families.unsupported import ELSEWHERE
from omnipilot.memory.models.evidence import WAYS
from omnipilot.planners.native import NativeFamily
from omnipilot.planners.native.families.table import UNREAD
from omnipilot.planners.native.families.table import families as acting

PAGE = Path(__file__).resolve().parents[1] / "families.md"
HANDED = "calls that the server hands over"


def tables() -> dict[str, str]:
    """The tables by the names of their places in the page."""
    return {
        "acting": _table(
            ("family", "asked", "an answer that is read", "its verbs", "numbers", "how sure"), map(_acts, acting())
        ),
        "unread": _table(("models", "why"), [(ids, why) for ids, why in UNREAD.values()]),
        "elsewhere": _table(("models", "why"), [(", ".join(ids), why) for ids, why in ELSEWHERE.values()]),
        "pointing": _table(
            ("family", "asked", "an answer that is read", "refuses", "numbers", "corners", "how sure"),
            map(_points, pointing()),
        ),
    }


def filled(page: str) -> str:
    """The page with its tables."""
    for name, table in tables().items():
        before, _, rest = page.partition(f"<!-- {name} -->\n")
        page = f"{before}<!-- {name} -->\n\n{table}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    return page


def _acts(family: NativeFamily) -> tuple[str, ...]:
    layout = family.layout
    words = "in our words" if layout.ours else "in its authors' words"
    past = "past replies" if layout.history == "turns" else "past actions as a list"
    images = "1 picture" if layout.images == 1 else f"{layout.images} pictures"
    verbs = ", ".join(dict.fromkeys(name.removeprefix("pyautogui.") for name in family.actions))
    return (
        f"`{family.name}`",
        f"{words}; {past}, {images}",
        _code(family.example) if family.example else HANDED,
        verbs,
        _space(family),
        _sure(family),
    )


def _points(family: Family) -> tuple[str, ...]:
    layout = family.layout
    words = (
        f"by a file: {layout.needs}" if layout.takes_template else "in our words" if layout.ours else "in its own words"
    )
    refusals = ", ".join(f"`{word}`" for word in family.syntax.refusals)
    return (
        f"`{family.name}`",
        words,
        _code(family.syntax.write(500, 250)),
        refusals,
        _space(family),
        family.syntax.rule.described(),
        _sure(family),
    )


def _space(family: Family | NativeFamily) -> str:
    return f"{family.space}, y first" if family.order == "yx" else str(family.space)


def _sure(family: Family | NativeFamily) -> str:
    note = f". {family.note[:1].upper()}{family.note[1:]}" if family.note else ""
    return f"**{family.evidence}**, {family.checked}: {family.source}{note}"


def _code(text: str) -> str:
    ticks = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, room = "`" * (ticks + 1), " " * bool(ticks)
    return f"{fence}{room}{' '.join(text.split())}{room}{fence}"


def _table(head: tuple[str, ...], rows: object) -> str:
    lines = [head, tuple("---" for _ in head), *rows]  # type: ignore[misc]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def evidence() -> str:
    """What the words for evidence mean."""
    return "\n".join(f"- **{word}**: {what}" for word, what in WAYS.items())


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
