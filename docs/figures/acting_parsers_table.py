"""`python docs/figures/acting_parsers_table.py`: writes how released parsers read small answers, and how ours do.

What the released ones returned is in `acting_parsers.py`; ours are asked here.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path

from acting_parsers import PARSERS, Reading, ReleasedParser

from omnipilot.envs import Intent, Point, Size
from omnipilot.memory import MalformedReply
from omnipilot.planners.native.families.table import get

PAGE = Path(__file__).resolve().parents[1] / "acting-parsers.md"
SCREEN = Size(1000, 1000)
PLACE = "acting-parsers"


def ours(parser: ReleasedParser, read: Reading) -> str:
    """What our family makes of the answer, in words; "" if it is refused."""
    name, _, arguments = read.said[1:].partition(" ")
    said = ((name, arguments),) if read.said.startswith("@") else read.said
    try:
        intents = get(parser.family).parse(said, SCREEN, SCREEN)[0]
    except MalformedReply:
        return ""
    return "; ".join(map(in_words, intents))


def in_words(intent: Intent) -> str:
    """An action: its kind, and what was set of its fields, with places in pixels of the screen."""
    given = []
    for field in fields(intent):
        value = getattr(intent, field.name)
        usual = field.default_factory() if field.default_factory is not MISSING else field.default
        if value != usual and value is not None:
            given.append(f"{field.name}={_value(value)}")
    return f"{intent.kind}({', '.join(given)})"


def table() -> str:
    """The table of all parsers."""
    lines = ["| released parser | answer | it returns | ours | |", "| --- | --- | --- | --- | --- |"]
    for parser in PARSERS:
        first = f"`{parser.family}`: {parser.where}, `{parser.function}`"
        for read in parser.reads:
            cells = (first, _code(read.said), _code(read.returned), _code(ours(parser, read)) or "refused", read.why)
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
            first = ""
    return "\n".join(lines)


def filled(page: str) -> str:
    """The page with the table."""
    before, _, rest = page.partition(f"<!-- {PLACE} -->\n")
    return f"{before}<!-- {PLACE} -->\n\n{table()}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}"


def _value(value: object) -> str:
    if isinstance(value, Point):
        return f"({_pixel(value.x)}, {_pixel(value.y)})"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) if all(isinstance(one, str) for one in value) else str(value)
    return f"{value:g}" if isinstance(value, float) else repr(value)


def _pixel(share: float) -> int:
    """A whole pixel, cut as most of the released parsers cut."""
    return int(share * SCREEN.width + 1e-6)


def _code(text: str) -> str:
    if not text:
        return ""
    ticks = "``" if "`" in text else "`"
    room = " " if "`" in text else ""
    shown = " ".join(text.replace("```", "``").split()) if ticks == "`" else " ".join(text.split())
    fence = "````" if "```" in text else ticks
    return f"{fence}{room}{shown}{room}{fence}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
