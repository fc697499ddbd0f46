"""`python docs/figures/architecture_picture.py docs/pictures/architecture.png`: the picture of docs/architecture.md.

The exhibits, and what each brings through the door, are read from their records.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import typer
from grounders_picture import PALE, PALE_RED, Sheet
from picture_board import MARK, MUTED, REACHED

from omnipilot.envs.installed_plugins import installed_plugins
from omnipilot.envs.plugin import TABLES, Plugin
from omnipilot.envs.sim.render.text import measure


class Room(NamedTuple):
    """A room: its name, what it does, and what lies in it."""

    name: str
    does: str
    holds: str


ROOMS = (
    (
        Room(
            "bench",
            "judges",
            "runs, sweeps and ablations; suites, pointing and scores; the graph evaluator; intervals and the report; "
            "the command line; a journal that holds all of it",
        ),
    ),
    (Room("agents", "act", "the episode loop; single, by-function and by-environment systems; names become objects"),),
    (
        Room("planners", "decide", "any LLM, by calls, JSON or code; native GUI models; baselines"),
        Room("grounders", "point", "models served or in process; marks, OCR, cascades, votes"),
    ),
    (
        Room(
            "memory",
            "remembers",
            "messages; the timeline of screens, sound and film; the gate; model clients; readers of replies, speech "
            "and motion",
        ),
    ),
    (
        Room(
            "envs",
            "is",
            "verbs, places, media, observations; the browser, a desktop, a phone over adb, machines elsewhere, a toy "
            "phone; several as one world",
        ),
    ),
)
"""The rooms of the engine, the upper ones import the lower ones."""
EDGE, GAP = 20, 12
ENGINE, DOOR, EXHIBITS = (EDGE, 500), (556, 168), (760, 530)
"""Left edge and width of the three columns."""
TOP, ROW, COLUMNS = 122, 54, 2
WHITE = (255, 255, 255)


def brings(plugin: Plugin) -> str:
    """What a plug-in brings, by the names of its tables: "2 suites, 1 score"."""
    counts = {table: len(getattr(plugin, table)) for table in TABLES if table != "miniatures"}
    return ", ".join(f"{count} {word(table, count)}" for table, count in counts.items() if count)


def word(table: str, count: int) -> str:
    """The name of a table, as of one thing where there is one."""
    single = {"memories": "memory", "families": "family", "pointing": "pointing suite", "speech": "speech"}
    several = {"pointing": "pointing suites"}
    return several.get(table, table) if count > 1 else single.get(table, table.removesuffix("s"))


def architecture() -> Sheet:
    """The picture: 1310 pixels wide, as tall as the exhibits need."""
    ours = [one.plugin for one in installed_plugins().working if one.ours]
    rows = -(-(len(ours) + 1) // COLUMNS)
    bottom = TOP + rows * (ROW + GAP) - GAP
    sheet = Sheet(1310, bottom + 40)
    sheet.text(EDGE, 20, "The engine, the door, and the exhibits around it", 20, bold=True)
    about = (
        "Imports go down only, and from exhibits to the engine only. An exhibit can be deleted and the engine's tests "
        "pass; one folder and one line of pyproject.toml add another to every command."
    )
    sheet.words(EDGE, 50, about, 1270)
    _engine(sheet, bottom)
    _door(sheet, bottom)
    _exhibits(sheet, ours)
    return sheet


def _engine(sheet: Sheet, bottom: int) -> None:
    left, width = ENGINE
    sheet.text(left, TOP - 26, "The engine", 15, bold=True)
    tall = (bottom - TOP - GAP * (len(ROOMS) - 1)) // len(ROOMS)
    for floor, rooms in enumerate(ROOMS):
        y = TOP + floor * (tall + GAP)
        wide = (width - GAP * (len(rooms) - 1)) // len(rooms)
        for number, room in enumerate(rooms):
            x = left + number * (wide + GAP)
            sheet.box(x, y, wide, tall, PALE, REACHED)
            sheet.text(x + 14, y + 10, room.name, 16, bold=True)
            sheet.text(x + 24 + measure(room.name, 16, "bold"), y + 11, room.does, 15, soft=True)
            sheet.words(x + 14, y + 38, room.holds, wide - 28, 14)


def _door(sheet: Sheet, bottom: int) -> None:
    left, width = DOOR
    sheet.text(left, TOP - 26, "The door: one record", 15, bold=True)
    sheet.box(left, TOP, width, bottom - TOP, PALE_RED, MARK)
    sheet.text(left + 14, TOP + 12, "Plugin", 16, bold=True)
    y = TOP + 40
    for table in (*TABLES, "doctor", "presets"):
        sheet.text(left + 14, y, table, 13, soft=True)
        y += 21
    middle = (TOP + bottom) // 2
    sheet.arrow(EXHIBITS[0] - 6, middle, left + width + 6, middle)
    sheet.arrow(left - 6, middle, ENGINE[0] + ENGINE[1] + 6, middle)


def _exhibits(sheet: Sheet, ours: list[Plugin]) -> None:
    left, width = EXHIBITS
    sheet.text(left, TOP - 26, "Exhibits: ours, and yours by the same door", 15, bold=True)
    wide = (width - GAP * (COLUMNS - 1)) // COLUMNS
    for number, (name, note) in enumerate(
        [(one.name, brings(one)) for one in ours] + [("yours", "one record, one entry point")]
    ):
        x, y = left + number % COLUMNS * (wide + GAP), TOP + number // COLUMNS * (ROW + GAP)
        mine = number == len(ours)
        sheet.box(x, y, wide, ROW, PALE_RED if mine else WHITE, MARK if mine else MUTED)
        sheet.text(x + 14, y + 7, name, 15, bold=True, width=wide - 28)
        sheet.text(x + 14, y + 29, note, 13, soft=True, width=wide - 28)


def main(out: Path) -> None:
    """Write the picture."""
    out.write_bytes(architecture().png())


if __name__ == "__main__":
    typer.run(main)
