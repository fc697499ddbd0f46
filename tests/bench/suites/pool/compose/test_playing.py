"""Graphs are played in several orders; what fails is blamed on the fewest subtasks, and kept apart from then on."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from typed_subtasks import hand_written_types

from omnipilot.bench.contract import check_suite
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.compose import playing
from omnipilot.bench.suites.pool.compose.cells import figures_request
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.drawn_graph import reading_order, topological_orders
from omnipilot.bench.suites.pool.compose.instances import OrderFailure, compose_graph, has_content
from omnipilot.bench.suites.pool.compose.playing import find_conflict, play_alone, play_graph
from omnipilot.bench.suites.pool.compose.rehearse import learn_conflicts
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord, Join
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.envs import ConfigError

TEMPLATES = book("").templates
FORK = GraphRecord(
    "fork",
    ("read-gate-code", "write-note", "add-task", "write-document"),
    (Join(1, "text", 0), Join(2, "text", 0), Join(3, "text", 0)),
    ((0, 1), (0, 2), (0, 3)),
)
JOINED = GraphRecord(
    "joined",
    ("read-gate-code", "read-event-place", "write-two"),
    (Join(2, "first", 0), Join(2, "second", 1)),
    ((0, 2), (1, 2)),
)


@pytest.mark.parametrize("graph", [FORK, JOINED], ids=lambda graph: graph.id)
def test_forks_and_joins_are_played_in_each_order(graph: GraphRecord) -> None:
    played = play_graph(graph, TEMPLATES)
    assert (played.failed, played.idle) == ("", False)
    assert played.orders == min(3, len(topological_orders(len(graph.subtasks), graph.edges, Random(0), 9)))


@pytest.mark.parametrize("graph", [FORK, JOINED], ids=lambda graph: graph.id)
def test_judges_wait_along_the_edges_of_the_record(graph: GraphRecord) -> None:
    composed = compose_graph(graph, TEMPLATES, 0)
    across = {
        (int(before.split()[0]) - 1, int(after.split()[0]) - 1)
        for before, after in composed.graph.edges
        if before.split()[0] != after.split()[0]
    }
    assert across == set(graph.edges)
    assert [dict(part.takes) for part in composed.parts] == [
        {join.input: join.source for join in graph.joins if join.node == node} for node in range(len(graph.subtasks))
    ]


def test_one_output_is_the_value_of_every_input_that_takes_it() -> None:
    composed = compose_graph(FORK, TEMPLATES, 0)
    output = composed.parts[0].piece.output
    assert output is not None
    assert composed.instruction.count(output.words) == 3 and output.value not in composed.instruction


def test_a_join_with_an_unknown_input_is_refused() -> None:
    with pytest.raises(ConfigError, match="write-note has no input 'words'"):
        compose_graph(GraphRecord("x", ("read-gate-code", "write-note"), (Join(1, "words", 0),)), TEMPLATES, 0)


def test_what_is_passed_on_must_not_be_empty() -> None:
    """A contact that was just added has no extension."""
    joins = (Join(1, "contact", 0), Join(2, "text", 1))
    graph = GraphRecord("x", ("add-contact", "extension-of", "tidy-log"), joins, ((0, 1), (1, 2)))
    with pytest.raises(ConfigError, match="what extension-of yields is empty"):
        compose_graph(graph, TEMPLATES, 0)
    assert not has_content(graph, TEMPLATES)


def test_orders_are_topological_and_different() -> None:
    edges = ((0, 2), (1, 2), (2, 3))
    orders = topological_orders(5, edges, Random(1), 4)
    assert orders[0] == (0, 1, 2, 3, 4) and len(set(orders)) == 4
    for order in orders:
        assert all(order.index(before) < order.index(after) for before, after in edges)
    assert len(topological_orders(3, ((0, 1), (1, 2)), Random(1), 3)) == 1
    assert orders[1] == (4, 1, 0, 2, 3) and reading_order(5, edges)[0] == 0


def test_two_that_do_not_go_together_are_blamed() -> None:
    graph = GraphRecord(
        "g", ("read-gate-code", "forget-network", "write-note", "forget-network"), (Join(2, "text", 0),), ((0, 2),)
    )
    played = play_graph(graph, TEMPLATES)
    assert played.failed and played.conflict is not None
    assert (played.conflict.first, played.conflict.second, played.conflict.how) == (
        "forget-network",
        "forget-network",
        "beside",
    )


def test_only_so_many_are_suspected_those_of_the_same_application_first(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = GraphRecord("g", ("forget-network", "read-gate-code", "write-note", "forget-network"))
    failure = OrderFailure("not reached", 3)
    found = find_conflict(graph, TEMPLATES, failure, 2, most=1)
    assert found is not None and (found.first, found.second, found.how) == (
        "forget-network",
        "forget-network",
        "beside",
    )
    assert find_conflict(graph, TEMPLATES, failure, 2, most=0) is None
    assert find_conflict(graph, TEMPLATES, failure, 2, cleared={(0, 3)}) is None
    monkeypatch.setattr(playing, "_fails", lambda *_: pytest.fail("nobody is suspected, so nothing is played"))
    assert find_conflict(graph, TEMPLATES, failure, 2, cleared={(0, 3), (1, 3), (2, 3)}) is None


def test_one_that_cannot_stand_behind_another_is_blamed() -> None:
    """A contact that is to be added is not there yet when a mail to it is drawn."""
    graph = GraphRecord(
        "g",
        ("read-number", "add-contact", "mail-contact", "write-note"),
        (Join(1, "phone", 0), Join(2, "contact", 1)),
        ((0, 1), (1, 2)),
    )
    played = play_graph(graph, TEMPLATES)
    assert "no content" in played.failed and played.conflict is not None
    assert (played.conflict.first, played.conflict.second, played.conflict.how) == (
        "add-contact",
        "mail-contact",
        "behind",
    )


def few_types(*ids: str) -> TypeGraph:
    return TypeGraph([one for one in hand_written_types().subtasks if one.id in ids])


@pytest.mark.slow
def test_what_was_learnt_is_kept_and_not_played_again() -> None:
    known = [Conflict("forget-network", "forget-network", "beside")]
    few = few_types("forget-network", "write-note", "read-gate-code", "append-note", "text-contact", "find-contact")
    learnt = learn_conflicts(few, TEMPLATES, 2, seed=3, known=known)
    assert learnt.played == 2 and learnt.conflicts[0] == known[0]
    assert len(learnt.conflicts) <= 1 + learnt.failed


@pytest.mark.parametrize(
    ("subtask", "how"), [("decline-call", "late"), ("dismiss-timer", "late"), ("write-note", None), ("find-song", None)]
)
def test_a_subtask_that_cannot_wait_is_found_by_beginning_it_late(subtask: str, how: str | None) -> None:
    found = play_alone(subtask, TEMPLATES)
    assert (found and found.how) == how


def test_nothing_stands_beside_what_cannot_wait() -> None:
    conflicts = [Conflict("answer-call", "answer-call", "late")]
    composer = Composer(hand_written_types(), seed=2, conflicts=conflicts)
    chain = ("read-gate-code", "answer-call")
    assert not composer.conflict(chain, ((0, 1),))
    assert composer.conflict((*chain, "write-note"), ((0, 1), (0, 2)))
    assert composer.conflict(("find-contact", *chain), ((0, 1), (1, 2)))
    graphs = [
        *composer.graphs(40, figures_request("nodes=3,depth=1")),
        *composer.graphs(400, figures_request("nodes=2,edges=1")),
    ]
    used = [graph for graph in graphs if "answer-call" in graph.subtasks]
    assert used and all(graph.edges for graph in used)


@pytest.mark.slow
def test_pairs_of_an_application_are_tried_first() -> None:
    few = few_types("forget-network", "join-phone-network", "decline-call", "write-note", "read-gate-code")
    learnt = learn_conflicts(few, TEMPLATES, 2)
    found = {(one.first, one.second, one.how) for one in learnt.conflicts}
    assert {("forget-network", "forget-network", "beside"), ("decline-call", "decline-call", "late")} <= found


@pytest.mark.slow
def test_composed_graphs_are_tasks_of_the_suite(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    graphs = list(Composer(hand_written_types(), seed=1).graphs(3, figures_request("nodes=2-3,edges=1-2")))
    pool.graphs.write([*graphs, FORK, JOINED], stage="compose", seed=1)
    check_suite(lambda: PoolSuite(str(tmp_path)))
    info = next(info for info in PoolSuite(str(tmp_path)).tasks() if info.id == "fork")
    assert info.tags["count"] == "subtasks" and info.tags["template"].count("+") == 3


@pytest.mark.slow
def test_subtasks_of_the_test_are_in_no_task_for_development(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    pool.graphs.write(Composer(hand_written_types(), seed=1).graphs(200), stage="compose", seed=1)
    every, dev, test = (PoolSuite(str(tmp_path), split) for split in ("all", "dev", "test"))  # type: ignore[arg-type]
    assert len(dev.tasks()) + len(test.tasks()) == len(every.tasks()) == 200
    held_out = set.union(*(set(test.templates_of(info.id)) for info in test.tasks())) - set.union(
        *(set(dev.templates_of(info.id)) for info in dev.tasks())
    )
    assert all(set(test.templates_of(info.id)) & held_out for info in test.tasks())
    assert len(dev.tasks()) > 40 and len(test.tasks()) > 40
    with pytest.raises(ConfigError, match="belongs to the test split"):
        dev.instantiate(test.tasks()[0].id, 0)
    with pytest.raises(ConfigError, match="split"):
        PoolSuite(str(tmp_path), "tst")  # type: ignore[arg-type]


@pytest.mark.slow
def test_two_that_change_what_they_take_from_one_subtask_are_blamed_as_a_fork() -> None:
    graph = GraphRecord(
        "g",
        ("extract-lines", "move-made", "move-made"),
        (Join(1, "file", 0), Join(2, "file", 0)),
        ((0, 1), (0, 2)),
    )
    played = play_graph(graph, TEMPLATES)
    assert played.failed and played.conflict is not None
    assert (played.conflict.first, played.conflict.second, played.conflict.how) == ("move-made", "move-made", "fork")
    composer = Composer(hand_written_types(), conflicts=[played.conflict])
    assert composer.conflict(graph.subtasks, graph.edges)
    assert not composer.conflict(("extract-lines", "move-made", "extract-lines", "move-made"), ((0, 1), (2, 3)))


def test_only_what_was_done_before_is_suspected_and_played_as_far_as_it_went(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = GraphRecord("g", ("read-gate-code", "forget-network", "write-note", "read-number"))
    played = []
    monkeypatch.setattr(playing, "_fails", lambda part, _, orders: played.append((part.subtasks, orders)))
    pair = ("read-gate-code", "forget-network")
    for order, orders in (((0, 1, 2, 3), 1), ((2, 0, 1, 3), 2), ((), 0)):
        done = order[: order.index(1)] if order else (0,)
        assert find_conflict(graph, TEMPLATES, OrderFailure("it breaks", 1, order, done), 2, works=True) is None
        assert played[-1] == (pair, orders)
        played.clear()
    nobody = OrderFailure("it breaks", 0, (0, 1, 2, 3), ())
    assert find_conflict(graph, TEMPLATES, nobody, 2, works=True) is None and not played
