"""Content is learnt join by join: what was played once is not played again, and what cannot be joined is kept apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typed_subtasks import hand_written_types

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.compose import content as content_module
from omnipilot.bench.suites.pool.compose import instances
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.content import JoinContent, hopeless_joins, join_conflicts, joins_of
from omnipilot.bench.suites.pool.compose.instances import OrderFailure, compose_shared, draw_content, part_of
from omnipilot.bench.suites.pool.compose.workers import TriedGraph, try_graph
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord, Join
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.content.generate import initial_world

TEMPLATES = book("").templates
ADDED_LATER = GraphRecord(
    "added-later",
    ("read-number", "add-contact", "mail-contact"),
    (Join(1, "phone", 0), Join(2, "contact", 1)),
    ((0, 1), (1, 2)),
)
CODE = GraphRecord("code", ("read-gate-code", "write-note"), (Join(1, "text", 0),), ((0, 1),))


def test_a_join_without_content_is_found_and_the_others_are_not_blamed() -> None:
    content = JoinContent(TEMPLATES)
    assert content.with_content([ADDED_LATER, CODE]) == [CODE]
    assert content.unable == {("mail-contact", "contact", "add-contact")}
    assert content.able == {
        ("read-number", "", ""),
        ("add-contact", "phone", "read-number"),
        ("read-gate-code", "", ""),
        ("write-note", "text", "read-gate-code"),
    }
    (conflict,) = content.conflicts()
    assert (conflict.first, conflict.second, conflict.how) == ("add-contact", "mail-contact", "join")


def test_joins_that_were_tried_are_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def noting(graph: GraphRecord, *rest: object) -> object:
        played.append(graph.id)
        return compose_shared(graph, *rest)

    monkeypatch.setattr(content_module, "compose_shared", noting)
    content = JoinContent(TEMPLATES)
    assert content.with_content([CODE, CODE]) == [CODE, CODE]
    assert content.with_content([CODE]) == [CODE]
    assert played == ["code"]


def test_the_composer_keeps_apart_what_has_no_content() -> None:
    content = JoinContent(TEMPLATES)
    content.with_content([ADDED_LATER])
    composer = Composer(hand_written_types())
    assert not composer.conflict(ADDED_LATER.subtasks, ADDED_LATER.edges)
    composer.learn(content.conflicts())
    assert composer.conflict(ADDED_LATER.subtasks, ADDED_LATER.edges) == "a known conflict"
    assert not composer.conflict(ADDED_LATER.subtasks, ((0, 1), (0, 2)))


def test_an_input_that_takes_nothing_from_the_first_few_is_joined_no_more() -> None:
    types = hand_written_types()
    takes = {"write-note": "text"}
    providers = [one.id for one in types.subtasks if one.output.startswith("text")]
    unable = {("write-note", takes["write-note"], provider) for provider in providers[:4]}
    assert not hopeless_joins(sorted(unable)[:3], (), types)
    assert not hopeless_joins(unable, {("write-note", "text", providers[5])}, types)
    found = hopeless_joins(unable, {("write-note", "", "")}, types)
    assert {one.first for one in found} == set(providers) and {one.second for one in found} == {"write-note"}
    composer = Composer(types)
    assert composer.learn(found) == found and not composer.learn(found)
    assert composer.conflict((providers[7], "write-note"), ((0, 1),)) == "a known conflict"


def test_the_composer_learns_what_stands_badly_beside_behind_or_in_a_fork() -> None:
    composer = Composer(hand_written_types())
    beside = (("write-note", "add-task"), ())
    behind = (("read-gate-code", "write-note", "tidy-log"), ((0, 1), (1, 2)))
    fork = (("read-gate-code", "append-note", "write-document"), ((0, 1), (0, 2)))
    assert not any(composer.conflict(*graph) for graph in (beside, behind, fork))
    composer.learn(
        [
            Conflict("add-task", "write-note", "beside"),
            Conflict("read-gate-code", "tidy-log", "behind"),
            Conflict("write-document", "append-note", "fork"),
        ]
    )
    assert [composer.conflict(*graph) for graph in (beside, behind, fork)] == ["a known conflict"] * 3
    assert not composer.conflict(beside[0], ((0, 1),)) and not composer.conflict(("append-note", "write-document"), ())


def test_no_subtask_takes_from_one_node_twice() -> None:
    composer = Composer(hand_written_types())
    twice = ("read-gate-code", "write-note", "write-note")
    assert composer.conflict(twice, ((0, 1), (0, 2))) == "two nodes would do the same"
    assert not composer.conflict(twice, ((0, 1),))


def test_what_a_node_takes() -> None:
    assert joins_of(CODE, 0) == {("read-gate-code", "", "")}
    assert joins_of(CODE, 1) == {("write-note", "text", "read-gate-code")}


@pytest.mark.parametrize("subtask", ["call-and-press", "answer-call"])
def test_a_code_with_letters_is_not_dialled(subtask: str) -> None:
    state = initial_world(0)
    given = {"contact": state.account.contacts[0].id, "code": "K12"}
    with pytest.raises(ConfigError, match="no key 'K'"):
        TEMPLATES[subtask].make(TaskSampler(1), given, state)
    assert TEMPLATES[subtask].make(TaskSampler(1), {**given, "code": "12#"}, state)


def test_what_undoes_what_its_provider_needs_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a graph is not solved, the joins of the node that failed are played by themselves."""
    played = []

    def failing(graph: GraphRecord, *_: object) -> tuple[OrderFailure | None, int]:
        played.append(graph.subtasks)
        return OrderFailure("not reached", 1) if "write-note" in graph.subtasks else None, 1

    monkeypatch.setattr(content_module, "play_order", failing)
    monkeypatch.setattr(instances, "play_order", failing)
    longer = GraphRecord("longer", (*CODE.subtasks, "read-number"), CODE.joins, CODE.edges)
    tried = try_graph(longer, TEMPLATES)
    assert tried.draw is None and tried.why == "not reached"
    assert tried.unable == {("write-note", "text", "read-gate-code")}
    assert played == [longer.subtasks, CODE.subtasks], "no other content is tried"
    (conflict,) = join_conflicts(tried.unable, tried.why)
    assert (conflict.first, conflict.second, conflict.how) == ("read-gate-code", "write-note", "join")


def test_content_that_its_demonstration_does_not_solve_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def failing(_graph: GraphRecord, composed: Composition, *_: object) -> tuple[OrderFailure | None, int]:
        tried.append(composed)
        return OrderFailure("not reached", 0) if composed.instruction == first.instruction else None, 1

    first_seed, first = draw_content(CODE, TEMPLATES, 0, played=False)
    monkeypatch.setattr(instances, "play_order", failing)
    seed, composed = draw_content(CODE, TEMPLATES, 0)
    assert seed != first_seed and composed.instruction != first.instruction and len(tried) == 2
    tried.clear()
    kept = replace(CODE, draw=1)
    assert draw_content(kept, TEMPLATES, 0)[0] == seed and not tried, "the content that was kept is not played again"
    assert draw_content(kept, TEMPLATES, 1)[0] == draw_content(CODE, TEMPLATES, 1)[0], "other instances are drawn"
    assert tried


def test_a_graph_that_no_content_solves_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task can be made all the same, with what is drawn first."""
    without = try_graph(ADDED_LATER, TEMPLATES)
    assert without.draw is None and without.why.startswith("no content: ConfigError")
    assert without.unable == {("mail-contact", "contact", "add-contact")}
    played = []

    def failing(*_: object) -> tuple[OrderFailure | None, int]:
        played.append(1)
        return OrderFailure("not reached", 0), 1

    monkeypatch.setattr(instances, "play_order", failing)
    known = joins_of(CODE, 0)
    assert try_graph(CODE, TEMPLATES, known) == TriedGraph(None, "not reached")
    assert len(played) == 1, "another content is not played, nor is a join that is known to work"
    assert draw_content(CODE, TEMPLATES, 0)[0] == draw_content(CODE, TEMPLATES, 0, played=False)[0]


def test_a_part_of_a_graph_has_content_of_its_own() -> None:
    assert part_of(replace(CODE, draw=3), [0]).draw is None
