"""Spreadsheet's goals, played through its screen; and what formulas give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sim_desktop_goals import Goal, Play, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import TypeText
from omnipilot.envs.sim.apps.desktop.formulas import cell, format_value, place_of, sort_rows, values
from omnipilot.envs.sim.state.desktop_data import Sheet
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import WorldState

GRID = "sheets/sheet/grid"


def sheet(state: WorldState, name: str) -> Sheet:
    return next(sheet for sheet in state.account.sheets if sheet.name == name)


def open_sheet(desktop: Hands, state: WorldState, name: str) -> None:
    desktop.type("sheets/search", name)
    desktop.tap(f"sheets/list/{sheet(state, name).id}")


def put(desktop: Hands, place: str, text: str) -> None:
    reach(desktop, f"{GRID}/{place}", f"{GRID}/{place[0]}{max(1, min(8, int(place[1:])))}")
    desktop.tap(f"{GRID}/{place}")
    desktop.do(TypeText(text, submit=True))


def column(one: Sheet, letter: str) -> list[float]:
    found = values(one.cells)
    return [v for row in range(1, 40) if isinstance(v := found.get(f"{letter}{row + 1}", ""), float)]


def amounts(state: WorldState, name: str) -> list[float]:
    return column(sheet(state, name), "D")


def last(one: Sheet) -> int:
    return max(place_of(key)[1] for key in one.cells) + 1


def total(name: str, formula: str) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        open_sheet(desktop, start, name)
        end = last(sheet(start, name))
        put(desktop, f"D{end + 2}", formula.format(end=end))

    return play


def value(start: WorldState, now: WorldState, name: str) -> float | str:
    return values(sheet(now, name).cells).get(f"D{last(sheet(start, name)) + 2}", "")


def sort(name: str, letter: str, how: str) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        open_sheet(desktop, start, name)
        desktop.tap(f"{GRID}/{letter}1", f"sheets/sheet/{how}")

    return play


def count_of(state: WorldState, name: str, thing: str) -> str:
    cells = sheet(state, name).cells
    return next((cells.get(f"C{key[1:]}", "") for key, held in cells.items() if held == thing), "")


def clear(desktop: Hands, start: WorldState) -> None:
    open_sheet(desktop, start, "Hours week 11")
    desktop.tap(f"{GRID}/F4", "sheets/sheet/clear")


def fresh(desktop: Hands, _: WorldState) -> None:
    desktop.tap("sheets/new")
    for place, text in (("A1", "12"), ("A2", "30"), ("B1", "=A1*A2-60"), ("B2", "=MAX(A1:B1)")):
        put(desktop, place, text)


def thing_in(start: WorldState) -> str:
    return sheet(start, "Stock south").cells["A5"]


def change_stock(name: str) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        open_sheet(desktop, start, name)
        put(desktop, "C5", "77")

    return play


GOALS = (
    Goal(
        "add the expenses of May",
        total("Expenses May", "=SUM(D2:D{end})"),
        lambda start, now: (
            value(start, now, "Expenses May") == pytest.approx(sum(column(sheet(start, "Expenses May"), "D")))
        ),
        total("Expenses March", "=SUM(D2:D{end})"),
    ),
    Goal(
        "average of test 3",
        total("Grades 8a", "=AVERAGE(D2:D{end})"),
        lambda start, now: (
            value(start, now, "Grades 8a")
            == pytest.approx(sum(grades := column(sheet(start, "Grades 8a"), "D")) / len(grades))
        ),
        total("Grades 8a", "=AVERAGE(C2:C{end})"),
    ),
    Goal(
        "the warmest evening",
        total("Readings attic", "=MAX(D2:D{end})"),
        lambda start, now: value(start, now, "Readings attic") == max(column(sheet(start, "Readings attic"), "D")),
    ),
    Goal(
        "sort the stock by its count, highest first",
        sort("Stock north", "C", "sort-down"),
        lambda _, now: (counts := column(sheet(now, "Stock north"), "C")) == sorted(counts, reverse=True),
        sort("Stock north", "D", "sort-down"),
    ),
    Goal(
        "correct one count",
        change_stock("Stock south"),
        lambda start, now: count_of(now, "Stock south", thing_in(start)) == "77",
        change_stock("Stock south hall"),
    ),
    Goal(
        "empty one cell",
        clear,
        lambda start, now: set(sheet(start, "Hours week 11").cells) - set(sheet(now, "Hours week 11").cells) == {"F4"},
    ),
    Goal(
        "make a sheet that calculates",
        fresh,
        lambda _, now: any(
            values(s.cells).get("B2") == 300.0 and s.cells["B1"] == "=A1*A2-60" for s in now.account.sheets
        ),
    ),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "sheets")


def test_what_was_typed_is_kept_when_another_cell_is_chosen_or_the_sheet_left() -> None:
    world, _, desktop = hands()
    desktop.open("sheets")
    open_sheet(desktop, world.state(), "Grades 7b")
    desktop.tap(f"{GRID}/F1")
    desktop.do(TypeText("Extra"))
    desktop.tap(f"{GRID}/F2")
    assert sheet(world.state(), "Grades 7b").cells["F1"] == "Extra"
    desktop.do(TypeText("=B2+1"))
    desktop.tap("sheets/sheet/back")
    assert sheet(world.state(), "Grades 7b").cells["F2"] == "=B2+1"


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("=A1+A2*2", "6"),
        ("=(A1+A2)*2", "7"),
        ("=-A1+.5", "-0.5"),
        ("=SUM(A1:A3, 10)", "13.5"),
        ("=average(a1:a2)", "1.75"),
        ("=MIN(A1:A2)-MAX(A1:A2)", "-1.5"),
        ("=COUNT(A1:A4)", "2"),
        ("=A1/(A2-2.5)", "#DIV/0!"),
        ("=A3+1", "#VALUE!"),
        ("=Z1", "#REF!"),
        ("=A41", "#REF!"),
        ("=B1", "#CYCLE!"),
        ("=__import__(1)", "#ERROR!"),
        ("=OPEN(A1)", "#NAME?"),
        ("=1 2", "#ERROR!"),
        ("=", "#ERROR!"),
        ("=" + "(" * 200 + "1" + ")" * 200, "#DEEP!"),
        ("=AVERAGE(A9:A12)", "#DIV/0!"),
        ("=A9", "0"),
    ],
)
def test_formulas(formula: str, result: str) -> None:
    cells = FrozenTable({"A1": "1", "A2": "2.5", "A3": "words", "B1": formula})
    assert format_value(values(cells)["B1"]) == result


@given(st.text(alphabet="=+-*/(),:.AB129SUMIN ", max_size=30))
def test_whatever_is_typed_has_a_value(text: str) -> None:
    found = values(FrozenTable({"A1": "3", "B2": f"={text}"}))["B2"]
    assert isinstance(found, float) or found.startswith("#")


def test_sorting_keeps_rows_together_and_what_stands_below() -> None:
    rows = [("head", "n"), ("b", "10"), ("a", "9"), ("c", "x"), ("", ""), ("sum", "=SUM(B2:B4)")]
    cells = FrozenTable({cell(i, r): text for r, row in enumerate(rows) for i, text in enumerate(row) if text})
    done = sort_rows(cells, 1, False, 1)
    assert [(done[f"A{r}"], done[f"B{r}"]) for r in (1, 2, 3, 4)] == [
        ("head", "n"),
        ("a", "9"),
        ("b", "10"),
        ("c", "x"),
    ]
    assert values(done)["B6"] == 19.0
