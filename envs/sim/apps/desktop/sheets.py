"""Spreadsheet, on the desktop: sheets of cells with formulas. Edits are saved at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.desktop.formulas import COLUMNS, ROWS, cell, format_value, place_of, sort_rows, values
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import fresh_id
from omnipilot.envs.sim.state.desktop_data import Sheet
from omnipilot.envs.sim.state.phone_data import day_of, spoken_date
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import Field, View, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, Widget, WordsFrom
from omnipilot.envs.sim.ui.controls import Button, IconButton
from omnipilot.envs.sim.ui.display_widgets import Divider, Label
from omnipilot.envs.sim.ui.grid import CellGrid, TableRow, data_table
from omnipilot.envs.sim.ui.navigation import arrive, back, both, focus, forget, remember
from omnipilot.envs.sim.ui.panels import empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.types.words_origin import write_origin

FORMULA, CHOSEN, SEARCH = "sheets/sheet/formula", "sheets/sheet/chosen", "sheets/search"


@lru_cache(maxsize=16)
def _texts(cells: FrozenTable[str]) -> tuple[tuple[str, ...], ...]:
    found = values(cells)
    return tuple(
        tuple(format_value(found.get(cell(column, row), "")) for column in range(len(COLUMNS))) for row in range(ROWS)
    )


def write(sheet: Sheet, reference: str, text: str) -> Sheet:
    """The sheet with `text` in a cell; an empty text clears it."""
    text = text.strip()
    return replace(sheet, cells=sheet.cells.set(reference, text) if text else sheet.cells.without(reference))


def _change(id: str, change: Callable[[Sheet], Sheet]) -> Do:
    """Change a sheet and, if it differs, its time of saving."""

    def do(state: WorldState) -> WorldState:
        sheet: Sheet | None = state.account.find("sheets", id)
        if sheet is None or change(sheet).cells == sheet.cells:
            return state
        return state.own(state.account.put(replace(change(sheet), saved=state.time)))

    return do


def _chosen(state: WorldState) -> str:
    return str(state.desktop.values.get(CHOSEN, "A1"))


def keep(id: str) -> Do:
    """Store the formula bar's text in the selected cell."""

    def do(state: WorldState) -> WorldState:
        draft = state.desktop.fields.get(FORMULA)
        if draft is None:
            return state
        state = _change(id, lambda sheet: write(sheet, _chosen(state), draft.text))(state)
        return forget("desktop", FORMULA)(state)

    return do


def choose(id: str, reference: str) -> Do:
    """Select another cell, storing the text typed for the previous one. Typing replaces the cell's content."""

    def do(state: WorldState) -> WorldState:
        state = remember("desktop", CHOSEN, reference)(keep(id)(state))
        sheet: Sheet | None = state.account.find("sheets", id)
        text = sheet.cells.get(reference, "") if sheet else ""
        state = state.on("desktop", fields=state.desktop.fields.set(FORMULA, Field(text, len(text), 0)))
        return focus("desktop", FORMULA)(state)

    return do


def _enter(id: str) -> Do:
    """Enter in the formula bar: store the text and go to the cell below."""

    def do(state: WorldState) -> WorldState:
        column, row = place_of(_chosen(state))
        return choose(id, cell(column, min(row + 1, ROWS - 1)))(state)

    return do


def _sort(id: str, down: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        column = place_of(_chosen(state))[0]
        return _change(id, lambda sheet: replace(sheet, cells=sort_rows(sheet.cells, column, down, 1)))(state)

    return both(keep(id), do)


def open_sheet(id: str) -> Do:
    """Show a sheet with its first cell selected."""
    return both(forget("desktop", "sheets/sheet/"), arrive("desktop", "sheets", View("list"), View("sheet", id)))


def _new(state: WorldState) -> WorldState:
    account = state.account
    paths = {sheet.path for sheet in account.sheets}
    name = next(f"Untitled {n}" for n in range(1, len(paths) + 2) if f"Sheets/Untitled {n}" not in paths)
    sheet = Sheet(fresh_id("sheet", account.sheets), "Sheets", name, FrozenTable(), state.time)
    return open_sheet(sheet.id)(state.own(account.put(sheet)))


def _list(ctx: Ctx) -> Widget:
    wanted = ctx.typed(SEARCH).strip().lower()
    records = [
        TableRow(
            id=f"sheets/list/{sheet.id}",
            cells=(sheet.name, sheet.folder, spoken_date(day_of(ctx.state.start + sheet.saved))),
            do=open_sheet(sheet.id),
            icon="table",
            origin=write_origin("file", sheet.path),
        )
        for sheet in sorted(ctx.account.sheets, key=lambda sheet: (sheet.name.lower(), sheet.folder))
        if wanted in sheet.name.lower()
    ]
    head = Row(
        (TextField(SEARCH, "Search sheets", flex=1), Button("sheets/new", "New sheet", _new, "plus", "filled")), 12
    )
    heads = (("Name", 5), ("Folder", 3), ("Changed", 2))
    body = data_table("sheets/list", heads, records) if records else empty("No sheet has this name")
    return Column((PaddedBox(head, (16, 12)), Divider(), body))


def _sheet(ctx: Ctx) -> Widget:
    sheet: Sheet | None = ctx.account.find("sheets", ctx.arg)
    leave = IconButton("sheets/sheet/back", "back", "All sheets", both(keep(ctx.arg), back("desktop", "sheets")))
    if sheet is None:
        return Column((Row((leave,)), empty("This sheet is no longer there")))
    chosen = _chosen(ctx.state)
    column, row = place_of(chosen)
    clear = both(forget("desktop", FORMULA), _change(sheet.id, lambda sheet: write(sheet, chosen, "")))
    tools = Row(
        (
            leave,
            Label(sheet.name, 16, "bold", role="heading", flex=1),
            Button("sheets/sheet/sort-up", f"Sort by {chosen[0]}, A to Z", _sort(sheet.id, False), "up", "outline"),
            Button("sheets/sheet/sort-down", f"Sort by {chosen[0]}, Z to A", _sort(sheet.id, True), "down", "outline"),
            IconButton("sheets/sheet/clear", "trash", "Clear the cell", clear),
        ),
        8,
    )
    name = PaddedBox(Label(chosen, 14, "bold", align="center", id="sheets/sheet/cell"), (8, 8), theme.TINT, 6, width=56)
    field = TextField(FORMULA, "Formula or value", sheet.cells.get(chosen, ""), submit=_enter(sheet.id), flex=1)
    done = IconButton("sheets/sheet/enter", "check", "Enter", keep(sheet.id), theme.ACCENT)
    origin = write_origin("file", sheet.path)
    bar = WordsFrom(field, origin)
    grid = WordsFrom(
        CellGrid(
            "sheets/sheet/grid",
            _texts(sheet.cells),
            COLUMNS,
            lambda row, column: choose(sheet.id, cell(column, row)),
            (row, column),
        ),
        origin,
    )
    return Column(
        (PaddedBox(tools, (8, 6)), PaddedBox(Row((name, bar, done), 8), (12, 6), theme.PAGE), Divider(), grid, Gap(1))
    )


def _heading(ctx: Ctx) -> str:
    sheet: Sheet | None = ctx.account.find("sheets", ctx.arg) if ctx.arg else None
    return f"{sheet.name} - Spreadsheet" if sheet else "Spreadsheet"


SHEETS = App(
    "sheets",
    "Spreadsheet",
    "table",
    (30, 122, 70),
    "desktop",
    {"list": _list, "sheet": _sheet},
    (140, 40, 980, 640),
    _heading,
)
