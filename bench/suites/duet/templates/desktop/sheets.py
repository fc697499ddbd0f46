"""Sub-tasks of `duet` in Spreadsheet, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import front, on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, OpenApp, Ref, TypeText
from omnipilot.envs.sim.apps.desktop.formulas import COLUMNS, cell, format_value, sort_rows, values
from omnipilot.envs.sim.state.desktop_data import Sheet
from omnipilot.envs.sim.state.world_state import WorldState

TABLES = ("Stock", "Grades", "Hours")
GRID = "sheets/sheet/grid"


def _rows(sheet: Sheet) -> list[list[str]]:
    """The typed cells row by row, headings first."""
    last = max(int(key[1:]) for key in sheet.cells)
    return [[sheet.cells.get(cell(i, row), "") for i in range(len(COLUMNS))] for row in range(last)]


def _pick(draw: TaskSampler, state: WorldState, kinds: tuple[str, ...]) -> Sheet:
    return draw.pick("sheets", [sheet for sheet in state.account.sheets if sheet.name.split()[0] in kinds])


def _opened(sheet: Sheet) -> Judge:
    return Judge("sheet opened", front("desktop", "sheets", "sheet", sheet.id))


def _open(sheet: Sheet) -> list[Intent]:
    return [OpenApp("Spreadsheet"), Click(Ref(f"sheets/list/{sheet.id}"))]


def _put_number(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    sheet, number = _pick(draw, state, TABLES), given["number"]
    rows = _rows(sheet)
    row = draw.randrange(1, len(rows))
    column = draw.choice([i for i, head in enumerate(rows[0]) if i and head and head != "Shelf"])
    at = cell(column, row)
    bare = replace(sheet, cells=sheet.cells.without(at))
    wanted = bare.cells.set(at, number)

    def put(case: Case) -> Verdict:
        now = case.state.account.find("sheets", sheet.id)
        wrong = strays(case, "sheets", draw)
        hit = now is not None and now.cells == wanted
        return Verdict(float(hit and not wrong), f"{at}: {now and now.cells.get(at)!r}; touched besides: {wrong}")

    typed: Intent = TypeText(number, submit=True)
    return Piece(
        JudgeGraph.chain([_opened(sheet), Judge("number put in", put)]),
        state.own(state.account.put(bare)),
        lambda _: on_desktop(*_open(sheet), Click(Ref(f"{GRID}/{at}")), typed),
        {"sheet": sheet.name, "head": rows[0][column], "row": rows[row][0]},
        alternative=lambda _: on_desktop(
            OpenApp("Spreadsheet"),
            TypeText(sheet.name, Ref("sheets/search")),
            Click(Ref(f"sheets/list/{sheet.id}")),
            Click(Ref(f"{GRID}/{at}")),
            TypeText(number, Ref("sheets/sheet/formula")),
            Click(Ref("sheets/sheet/enter")),
        ),
    )


PUT_NUMBER = Template(
    "put-number",
    'on the desktop, open the sheet "{sheet}" in Spreadsheet and put {number} into the empty cell for "{head}" in the '
    'row of "{row}"',
    "desktop",
    "sheets",
    _put_number,
    {"number": "text"},
    alone=lambda draw, _: {"number": str(draw.randrange(110, 190))},
)


def _total(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    sheet = _pick(draw, state, ("Expenses",))
    last = len(_rows(sheet))
    at = f"D{last + 1}"
    sum_ = sum(float(sheet.cells[f"D{row}"]) for row in range(2, last + 1))

    def written(case: Case) -> Verdict:
        now = case.state.account.find("sheets", sheet.id)
        value = values(now.cells).get(at) if now else None
        kept = now is not None and now.cells.without(at) == sheet.cells
        hit = isinstance(value, float) and abs(value - sum_) < 0.005
        wrong = strays(case, "sheets", draw)
        return Verdict(float(hit and kept and not wrong), f"{at}: {value}, wanted {sum_}; the rest kept: {kept}")

    def moves(text: str) -> list[Intent]:
        return [Click(Ref(f"{GRID}/{at}")), TypeText(text, submit=True)]

    return Piece(
        JudgeGraph.chain([_opened(sheet), Judge("sum written", written)]),
        state,
        lambda _: on_desktop(*_open(sheet), *moves(f"=SUM(D2:D{last})")),
        {"sheet": sheet.name, "cell": at},
        Resource("text/number", format_value(sum_), f'the sum that {at} of "{sheet.name}" shows'),
        lambda _: on_desktop(*_open(sheet), *moves(format_value(sum_))),
    )


TOTAL = Template(
    "total",
    'on the desktop, open the sheet "{sheet}" in Spreadsheet and write the sum of all its amounts into the cell {cell}',
    "desktop",
    "sheets",
    _total,
    output="text/number",
    dimension="semantic understanding",
)


def _look_up(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    sheet = _pick(draw, state, (*TABLES, "Readings"))
    rows = _rows(sheet)
    row = draw.randrange(1, len(rows))
    column = draw.choice([i for i, head in enumerate(rows[0]) if i and head and head != "Shelf"])
    name = f"{rows[0][0]} {rows[row][0]}" if rows[0][0] == "Day" else rows[row][0]
    return Piece(
        JudgeGraph((_opened(sheet),)),
        state,
        lambda _: on_desktop(*_open(sheet)),
        {"sheet": sheet.name, "head": rows[0][column], "row": name},
        Resource("text/number", rows[row][column], f'the "{rows[0][column]}" of "{name}"'),
        lambda _: on_desktop(
            OpenApp("Spreadsheet"), TypeText(sheet.name, Ref("sheets/search")), Click(Ref(f"sheets/list/{sheet.id}"))
        ),
    )


LOOK_UP = Template(
    "look-up",
    'on the desktop, open the sheet "{sheet}" in Spreadsheet and look up "{head}" of "{row}"',
    "desktop",
    "sheets",
    _look_up,
    output="text/number",
    lasts=False,
)


def _sort(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    sheet = _pick(draw, state, ("Stock", "Grades"))
    rows = _rows(sheet)
    columns = [i for i, head in enumerate(rows[0]) if i and head and head != "Shelf"]

    def highest(column: int) -> list[list[str]]:
        return sorted(rows[1:], key=lambda row: -int(row[column]))

    single = [i for i in columns if highest(i)[0][i] != highest(i)[1][i]]
    # Equal highest numbers in each of the columns are all but impossible; the name would then be ambiguous.
    column = draw.choice(single or columns)
    wanted = [int(row[column]) for row in highest(column)]

    def in_order(case: Case) -> Verdict:
        now = case.state.account.find("sheets", sheet.id)
        found = _rows(now)[1:] if now else []
        same = sorted(found) == sorted(rows[1:])
        hit = same and [int(row[column]) for row in found] == wanted
        wrong = strays(case, "sheets", draw)
        return Verdict(float(hit and not wrong), f"rows kept: {same}; first: {found[:1]}; touched besides: {wrong}")

    assert sort_rows(sheet.cells, column, True, 1) != sheet.cells
    return Piece(
        JudgeGraph.chain([_opened(sheet), Judge("sorted", in_order)]),
        state,
        lambda _: on_desktop(
            *_open(sheet), Click(Ref(f"{GRID}/{cell(column, 1)}")), Click(Ref("sheets/sheet/sort-down"))
        ),
        {"sheet": sheet.name, "head": rows[0][column], "first": rows[0][0].lower()},
        Resource("text/word", highest(column)[0][0], f"the {rows[0][0].lower()} in its first row"),
    )


SORT = Template(
    "sort-sheet",
    'on the desktop, open the sheet "{sheet}" in Spreadsheet and sort its rows by "{head}", the highest number first',
    "desktop",
    "sheets",
    _sort,
    output="text/word",
    dimension="semantic understanding",
)


TEMPLATES = (PUT_NUMBER, TOTAL, LOOK_UP, SORT)
