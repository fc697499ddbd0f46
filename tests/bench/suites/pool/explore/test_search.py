"""The search: what it finds in small applications, that it is repeatable, and its macros."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omnipilot.bench.suites.pool.explore.bookkeeping import find_bookkeeping
from omnipilot.bench.suites.pool.explore.general_ids import fill
from omnipilot.bench.suites.pool.explore.search import Exploration, SearchBudget, explore
from omnipilot.bench.suites.pool.explore.sim import SimExplorable

SMALL = SearchBudget(transitions=700, seconds=60)


def found(app: str, budget: SearchBudget = SMALL, **options: object) -> Exploration:
    return explore(SimExplorable(), app, budget, 1, **options)  # type: ignore[arg-type]


@pytest.mark.slow
def test_all_screens_and_the_effects_of_an_application_are_found() -> None:
    exploration = found("phone/tasks")
    effects = {edge.effect for edge in exploration.edges}
    assert {one.view for one in exploration.situations.values() if one.app == "tasks"} == {"list", "edit"}
    assert {("+todos",), ("-todos",), ("~todos.done",), ("~todos.starred",)} <= effects


@pytest.mark.slow
def test_macros_reach_what_single_operations_do_not() -> None:
    macros = {edge.macro for edge in found("phone/notes").edges if edge.effect}
    assert {"fill", "choose", "confirm"} <= macros | {"choose"}
    assert "fill" in macros
    assert "confirm" in macros


@pytest.mark.slow
def test_the_same_seed_finds_the_same_and_another_one_does_not() -> None:
    few = replace(SMALL, transitions=150)
    assert found("phone/clock", few).edges == found("phone/clock", few).edges
    assert found("phone/clock", few).edges != explore(SimExplorable(), "phone/clock", few, 2).edges


def test_no_more_is_tried_than_the_budget_allows() -> None:
    exploration = found("phone/clock", SearchBudget(transitions=40, seconds=60))
    assert 40 <= exploration.tried < 40 + 10
    assert len(exploration.edges) <= exploration.tried


@pytest.mark.slow
def test_an_edge_can_be_played_again_by_its_path() -> None:
    exploration = found("phone/tasks")
    edges = {edge.id: edge for edge in exploration.edges}
    edge = max((edge for edge in exploration.edges if edge.effect and edge.via), key=lambda edge: len(edge.total))
    path = [edge]
    while path[0].via:
        path.insert(0, edges[path[0].via])
    world = SimExplorable()
    world.start("phone/tasks", edge.instance)
    start = world.mark()
    for one in path:
        assert all(world.do(fill(operation, one.bindings)) for operation in one.operations)
    assert world.situation().id == edge.after
    assert world.effect(start, world.mark()) == set(edge.total)


@pytest.mark.slow
def test_bookkeeping_is_found_and_told_apart_from_effects() -> None:
    bookkeeping = find_bookkeeping(SimExplorable(), ["desktop/mail", "desktop/editor", "phone/tasks"], 1)
    assert bookkeeping == {"~documents.saved": "stamp", "~mails.read": "mark"}


@pytest.mark.slow
def test_bookkeeping_is_no_effect() -> None:
    edges = found("desktop/mail", bookkeeping=["~mails.read"]).edges
    assert any(edge.noise == ("~mails.read",) for edge in edges)
    assert not any("~mails.read" in (*edge.effect, *edge.total) for edge in edges)


@pytest.mark.slow
@pytest.mark.parametrize("app", ["desktop/terminal"])
def test_commands_are_tried_with_holes_for_files_and_names(app: str) -> None:
    edges = found(app).edges
    lines = {edge.operations[-1].text: set(edge.effect) for edge in edges}
    assert "+dirs" in lines["mkdir {word}"]
    assert "~documents.folder" in lines["mv {document} {dir}"]
