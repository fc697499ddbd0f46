"""Sub-tasks of `duet` that create a sheet in Spreadsheet, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.moves import fresh, on_desktop
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, OpenApp, Ref, TypeText
from omnipilot.envs.sim.apps.desktop.formulas import NUMBER, format_value, values
from omnipilot.envs.sim.state.world_state import WorldState


def _new_sheet(
    draw: TaskSampler, texts: list[str], cells: Mapping[str, str], done: str
) -> tuple[JudgeGraph, list[Intent]]:
    """Judges and moves for a new sheet with these texts in A1, A2 …; `cells` is its expected final content."""
    draw.claim("new sheets", str(len(draw.claimed("new sheets"))))

    def made(case: Case) -> bool:
        window = case.state.desktop.front
        known = case.start.account.find("sheets", window.view.arg) if window else None
        return window is not None and window.app == "sheets" and window.view.name == "sheet" and known is None

    def filled(case: Case) -> Verdict:
        found = [
            {key: format_value(value) for key, value in values(new.cells).items()} for new in fresh(case, "sheets")
        ]
        hit = dict(cells) in found and len(list(filter(None, found))) <= len(draw.claimed("new sheets"))
        return Verdict(float(hit), f"new sheets: {found}")

    first, *others = texts
    moves: list[Intent] = [
        OpenApp("Spreadsheet"),
        Click(Ref("sheets/new")),
        TypeText(first, Ref("sheets/sheet/formula"), submit=True),
    ]
    return JudgeGraph.chain([Judge("sheet made", made), Judge(done, filled)]), [
        *moves,
        *(TypeText(text, submit=True) for text in others),
    ]


def _list_three(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    texts = [given[name] for name in ("first", "second", "third")]
    # As the sheet shows it: a code such as 0099 that is typed is the number 99 there.
    shown = [format_value(float(text)) if NUMBER.fullmatch(text) else text for text in texts]
    graph, moves = _new_sheet(draw, texts, {f"A{n}": text for n, text in enumerate(shown, 1)}, "cells filled")
    return Piece(graph, state, lambda _: on_desktop(*moves))


LIST_THREE = Template(
    "list-three",
    "on the desktop, make a new sheet in Spreadsheet and type {first} into A1, {second} into A2 and {third} into A3",
    "desktop",
    "sheets",
    _list_three,
    {"first": "text", "second": "text", "third": "text"},
    alone=lambda draw, _: dict(
        zip(("first", "second", "third"), draw.sample(("Rope", "Tent", "Fan", "Crate"), 3), strict=True)
    ),
)


def _add_up(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    texts = [given[name] for name in ("first", "second", "third")]
    sum_ = format_value(sum(float(text) for text in texts))
    cells = {f"A{n}": format_value(float(text)) for n, text in enumerate(texts, 1)}
    graph, moves = _new_sheet(draw, [*texts, "=A1+A2+A3"], {**cells, "A4": sum_}, "sum written")
    words = Resource("text/number", sum_, "the sum that A4 shows")
    return Piece(graph, state, lambda _: on_desktop(*moves), output=words)


ADD_UP = Template(
    "add-up",
    "on the desktop, make a new sheet in Spreadsheet, type {first} into A1, {second} into A2 and {third} into A3, and "
    "write their sum into A4",
    "desktop",
    "sheets",
    _add_up,
    {"first": "text/number", "second": "text/number", "third": "text/number"},
    "text/number",
    lambda draw, _: {name: str(draw.randrange(11, 99)) for name in ("first", "second", "third")},
    dimension="semantic understanding",
)

TEMPLATES = (LIST_THREE, ADD_UP)
