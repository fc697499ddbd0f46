"""Content is learnt join by join: what was played once is not played again, and what cannot be joined is kept apart."""

from __future__ import annotations

import pytest
from typed_subtasks import hand_written_types

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.compose import content as content_module
from omnipilot.bench.suites.pool.compose import instances
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.content import JoinContent, joins_of
from omnipilot.bench.suites.pool.compose.instances import OrderFailure, compose_shared, draw_content, is_solvable
from omnipilot.bench.suites.pool.records import GraphRecord, Join
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
    """The two of a join are played by themselves, and only where that is asked for."""
    played = []

    def failing(graph: GraphRecord, *_: object) -> tuple[OrderFailure | None, int]:
        played.append(graph.subtasks)
        return OrderFailure("not reached", 0) if "write-note" in graph.subtasks else None, 1

    monkeypatch.setattr(content_module, "play_order", failing)
    assert JoinContent(TEMPLATES).with_content([CODE]) == [CODE] and not played
    content = JoinContent(TEMPLATES, played=True)
    assert content.with_content([CODE, CODE]) == []
    assert played == [("read-gate-code", "write-note")], "it is tried once"
    (conflict,) = content.conflicts()
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
    assert is_solvable(CODE, TEMPLATES)


def test_a_graph_that_no_content_solves_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task can be made all the same, with what is drawn first."""
    assert not is_solvable(ADDED_LATER, TEMPLATES), "it has no content at all"
    monkeypatch.setattr(instances, "play_order", lambda *_: (OrderFailure("not reached", 0), 1))
    assert not is_solvable(CODE, TEMPLATES)
    assert draw_content(CODE, TEMPLATES, 0)[0] == draw_content(CODE, TEMPLATES, 0, played=False)[0]
