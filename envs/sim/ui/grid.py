"""Widgets in rows and columns: a grid of equal cells, spreadsheet cells, a table of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget, WordsFrom
from omnipilot.envs.sim.ui.controls import NO_STATES, SELECTED, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Control, Do, MenuItem

HEAD, ROW, MARGIN = 28, 28, 40


@dataclass(slots=True, eq=False)
class Wall(Widget):
    """Children in columns of equal width, row after row: galleries, dial pads, the days of a month.

    Each row is as high as its highest child, or `height`. Example, the days of a month that begins on a Wednesday:

        Wall([Gap(), Gap(), *(Button(f"calendar/month/{day}", str(day), open_day(day)) for day in days)], 7, 4)
    """

    children: Sequence[Widget]
    columns: int
    gap: int = 8
    height: int | None = None

    def _row_height(self, row: Sequence[Widget], each: int) -> int:
        return self.height or max(child.fit(each)[1] for child in row)

    def _rows(self) -> list[Sequence[Widget]]:
        return [self.children[i : i + self.columns] for i in range(0, len(self.children), self.columns)]

    def _measure(self, width: int) -> tuple[int, int]:
        each, rows = (width - self.gap * (self.columns - 1)) // self.columns, self._rows()
        return width, sum(self._row_height(row, each) for row in rows) + self.gap * max(0, len(rows) - 1)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """From the top left; rows out of view are skipped."""
        each, (_, top, _, bottom) = (w - self.gap * (self.columns - 1)) // self.columns, p.clips[-1]
        end = min(bottom, y + max(h, self.fit(w)[1]))
        for row in self._rows():
            height = self._row_height(row, each)
            if y < end and y + height > top:
                for i, child in enumerate(row):
                    child.place(p, x + i * (each + self.gap), y, each, height)
            y += height + self.gap


@dataclass(slots=True, eq=False)
class CellGrid(Widget):
    """A spreadsheet: column heads that stay, numbered rows that scroll, one selected cell.

    Cells are elements of role "cell", named "B4" with their text as value and the id `<id>/B4`; numbers stand at the
    right. Example:

        CellGrid("sheet", (("Item", "Price"), ("Pens", "3.20")), "AB", pick, selected=(1, 1))

    Attributes:
        cells: texts by row; a row may be shorter than `heads`.
        heads: names of the columns.
        do: action of a tap on (row, column), both from 0. double: the same for a double click.
        widths: of each column in pixels; columns that do not fit are cut off.
    """

    id: str
    cells: Sequence[Sequence[str]]
    heads: Sequence[str]
    do: Callable[[int, int], Do]
    selected: tuple[int, int] | None = None
    widths: Sequence[int] = ()
    double: Callable[[int, int], Do] | None = None
    menu: Callable[[int, int], tuple[MenuItem, ...]] | None = None
    flex: int = field(default=1, kw_only=True)

    def _measure(self, width: int) -> tuple[int, int]:
        return width, HEAD + ROW * len(self.cells)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Column heads on top, then the visible rows."""
        each = max(1, (w - MARGIN) // max(1, len(self.heads)))
        widths = list(self.widths) or [each] * len(self.heads)
        p.rect(x, y, w, HEAD, theme.BAR)
        left = x + MARGIN
        for name, width in zip(self.heads, widths, strict=True):
            p.text(left + (width - measure(name, 12, "bold")) // 2, y + 6, name, theme.MUTED, 12, "bold", width)
            p.element("columnheader", name, p.seen(left, y, width, HEAD))
            left += width
        top, view = y + HEAD, h - HEAD
        most = max(0, ROW * len(self.cells) - view)
        offset = min(max(p.device.scrolls.get(f"{self.id}/scroll", 0), 0), most)
        if view <= 0 or not p.push_clip(x, top, w, view):
            return
        p.rect(x, top, w, view, theme.CARD)
        p.scroller(f"{self.id}/scroll", p.clips[-1], offset, most)
        for row in range(offset // ROW, min(len(self.cells), (offset + view) // ROW + 1)):
            self._row(p, row, x, top - offset + row * ROW, widths)
        if most:
            bar = max(24, view * view // (ROW * len(self.cells)))
            p.rect(x + w - 6, top + (view - bar) * offset // most, 4, bar, theme.BORDER, 2)
        p.pop_clip()

    def _row(self, p: Painter, row: int, x: int, y: int, widths: Sequence[int]) -> None:
        number = str(row + 1)
        p.rect(x, y, MARGIN, ROW, theme.BAR)
        p.text(x + (MARGIN - measure(number, 12)) // 2, y + 6, number, theme.MUTED, 12)
        left = x + MARGIN
        for column, width in enumerate(widths):
            text = self.cells[row][column] if column < len(self.cells[row]) else ""
            name, chosen = f"{self.heads[column]}{number}", self.selected == (row, column)
            r = p.seen(left, y, width, ROW)
            if r is not None:
                tap, double = self.do(row, column), self.double(row, column) if self.double else None
                menu = self.menu(row, column) if self.menu else ()
                control = Control(f"{self.id}/{name}", r, name, tap, double, menu)
                p.control(control, "cell", SELECTED if chosen else NO_STATES, text)
                p.rect(left, y + ROW - 1, width, 1, theme.LINE)
                p.rect(left + width - 1, y, 1, ROW, theme.LINE)
                if chosen:
                    p.rect(left, y, width, ROW, theme.SELECTED, 0, theme.ACCENT)
                shift = max(6, width - 8 - measure(text, 14)) if _is_number(text) else 6
                p.text(left + shift, y + (ROW - line_height(14)) // 2, text, theme.INK, 14, width=width - shift - 2)
            left += width


def _is_number(text: str) -> bool:
    return text.strip().lstrip("-+€$£").rstrip("%").replace(".", "", 1).replace(",", "").isdigit()


@dataclass(slots=True, eq=False, kw_only=True)
class TableRow:
    """One line of a table. Attributes as in `Tile`; the first of `cells` is its name.

    Attributes:
        origin: where its words come from; "" for the app.
    """

    id: str
    cells: Sequence[str]
    do: Do | None = None
    double: Do | None = None
    icon: str = ""
    menu: tuple[MenuItem, ...] = ()
    payload: str = ""
    drop: Callable[[WorldState, str], WorldState] | None = None
    selected: bool = False
    bold: bool = False
    origin: str = ""


def data_table(
    id: str, heads: Sequence[tuple[str, int]], records: Sequence[TableRow], sort: Callable[[int], Do] | None = None
) -> Widget:
    """Records with aligned columns under heads that stay; it scrolls. A file list, a call log, an order book.

    Args:
        id: ids of the heads are `<id>/sort/<name>`, of the scroll container `<id>/scroll`.
        heads: name and share of the width of each column.
        records: the lines.
        sort: action of a click on a head, if heads sort.

    Example:
        data_table("files/list", (("Name", 3), ("Changed", 2)), [Record(id="files/list/d1", cells=("Budget", "Mon"))])
    """
    tops: list[Widget] = []
    for i, (name, share) in enumerate(heads):
        label = Label(name, 12, "bold", theme.MUTED, role=None if sort else "columnheader", flex=share)
        if sort is not None:
            tops.append(Tile(f"{id}/sort/{name.lower()}", name, label, sort(i), role="columnheader", flex=share))
        else:
            tops.append(label)
    lines: list[Widget] = []
    for record in records:
        parts: list[Widget] = []
        for i, ((_, share), text) in enumerate(zip(heads, record.cells, strict=True)):
            color = theme.INK if i == 0 else theme.MUTED
            cell: Widget = Label(text, 14, "bold" if record.bold and not i else "regular", color, flex=share)
            if i == 0:
                cell = Label(text, 14, "bold" if record.bold else "regular", color, role=None, flex=1)
                lead = (Glyph(record.icon, 18, theme.ACCENT), Gap(10)) if record.icon else ()
                cell = Row((*lead, cell), flex=share)
            parts.append(cell)
        content = Column((PaddedBox(Row(parts, 12), (16, 8)), Divider()))
        line: Widget = Tile(
            record.id,
            record.cells[0],
            content,
            record.do,
            "row",
            record.double,
            record.menu,
            record.payload,
            record.drop,
            record.selected,
            value=" · ".join(record.cells[1:]),
        )
        lines.append(WordsFrom(line, record.origin) if record.origin else line)
    return Column(
        (
            PaddedBox(Row(tops, 12), (16, 6), theme.BAR),
            Divider(),
            ScrollView(f"{id}/scroll", Column(lines, alike=True)),
        ),
        flex=1,
    )
