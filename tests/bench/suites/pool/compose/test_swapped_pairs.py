"""The second order of a graph is played where it swaps two subtasks that were not swapped before."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.pool.compose import stage, workers
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.stage import ComposeOptions, with_played_content
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph, subtask_type
from omnipilot.bench.suites.pool.compose.swapped_pairs import SwappedPairs
from omnipilot.bench.suites.pool.compose.workers import TriedGraph
from omnipilot.bench.suites.pool.records import GraphRecord, SubtaskRecord

SUBTASKS = [
    SubtaskRecord("note", "write {text}", "Notes", "phone", effect=("+documents",)),
    SubtaskRecord("file", "move {file}", "Files", "desktop", effect=("~documents.folder",)),
    SubtaskRecord("alarm", "add an alarm", "Clock", "phone", effect=("+alarms",)),
    SubtaskRecord("timer", "set the timer", "Clock", "phone", effect=("~timer.left",)),
    SubtaskRecord("read-note", "read {note}", "Notes", "phone", reveals=("documents.text",)),
    SubtaskRecord("unknown", "do it by hand", "Mail", "desktop"),
]


def graph(*subtasks: str, edges: tuple[tuple[int, int], ...] = ()) -> GraphRecord:
    return GraphRecord("+".join(subtasks), subtasks, edges=edges)


def test_pairs_that_may_touch_the_same_are_pairs_of_their_own() -> None:
    pairs = SwappedPairs(SUBTASKS)
    assert pairs.of(graph("note", "file")) == {("file", "note")}
    assert pairs.of(graph("alarm", "timer")) == {("alarm", "timer")}
    assert pairs.of(graph("note", "alarm")) == {("phone/Clock", "phone/Notes")}
    assert pairs.of(graph("alarm", "read-note")) == {("phone/Clock", "phone/Notes")}
    assert pairs.of(graph("alarm", "unknown")) == {("alarm", "unknown")}
    assert pairs.of(graph("note", "note")) == {("note", "note")}


def test_what_stands_behind_another_is_not_swapped() -> None:
    pairs = SwappedPairs(SUBTASKS)
    assert not pairs.of(graph("note", "file", edges=((0, 1),))) and not pairs.untried(graph("note"))
    assert pairs.of(graph("note", "file", "alarm", edges=((0, 1),))) == {
        ("phone/Clock", "phone/Notes"),
        ("desktop/Files", "phone/Clock"),
    }


def test_what_was_swapped_once_is_not_swapped_again() -> None:
    pairs = SwappedPairs(SUBTASKS)
    pairs.note(graph("note", "file", "alarm"))
    assert not pairs.untried(graph("read-note", "alarm")) and not pairs.untried(graph("file", "note"))
    assert pairs.untried(graph("read-note", "file"))


def test_only_what_was_never_solved_together_is_suspected() -> None:
    pairs = SwappedPairs(SUBTASKS)
    assert pairs.beyond_suspicion(graph("note", "file", "alarm")) == {(0, 2), (1, 2)}
    pairs.note(graph("file", "note", edges=((0, 1),)), orders=1)
    assert pairs.beyond_suspicion(graph("note", "file", "alarm")) == {(0, 1), (0, 2), (1, 2)}
    assert pairs.untried(graph("note", "file")), "it was solved in one order alone"


def test_each_batch_plays_what_those_before_it_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Workers:
        def try_graphs(
            self, graphs: list[GraphRecord], _works: object, orders: list[int], _cleared: object
        ) -> list[TriedGraph]:
            asked.append((tuple(one.id for one in graphs), tuple(orders)))
            return [TriedGraph(0 if one.id != "alarm+file" else None) for one in graphs]

    monkeypatch.setattr(stage, "BATCH", 2)
    graphs = [graph("note", "file"), graph("alarm", "file"), graph("alarm", "file"), graph("file", "note")]
    composer = Composer(TypeGraph([subtask_type(one) for one in SUBTASKS]))
    kept, without, unsolved = with_played_content(
        composer,
        graphs,
        ComposeOptions(0),
        Workers(),
        SwappedPairs(SUBTASKS),  # type: ignore[arg-type]
    )
    assert asked == [(("note+file", "alarm+file"), (2, 2)), (("alarm+file", "file+note"), (2, 1))]
    assert [one.draw for one in kept] == [0, 0] and (without, unsolved) == (0, 2)


def test_only_the_reading_order_is_played_where_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    monkeypatch.setattr(workers, "compose_draw", lambda *_: (0, None))
    monkeypatch.setattr(workers, "play_orders", lambda _graph, _composed, _instance, orders: played.append(orders))
    for orders in (1, 2):
        workers.try_graph(graph("note", "file"), {}, orders=orders)
    assert played == [1, 2]
