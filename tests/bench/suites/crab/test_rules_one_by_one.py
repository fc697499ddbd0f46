"""CRAB's rules one by one: the six released statistics with their quirks, and EE and CE where nothing was done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from crab_figures import Score, cost_efficiency, execution_efficiency
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Case, GraphEvaluator, Judge, JudgeGraph, RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.scoring import data_runs as crab_runs
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab import sample as mini_crab
from omnipilot.bench.suites.crab.log import CrabEpisode
from omnipilot.bench.suites.crab.released_statistics import ends
from omnipilot.bench.suites.crab.score import Crab, figures_of
from omnipilot.bench.suites.crab.statistics import SinkGraph, Statistics, statistics
from omnipilot.bench.tasks.figures import efficiency
from omnipilot.envs import ConfigError, World


def graph(nodes: str, *edges: str) -> SinkGraph:
    """Nodes of one letter, edges of two."""
    return SinkGraph(tuple(nodes), tuple((edge[0], edge[1]) for edge in edges))


CHAIN = graph("abc", "ab", "bc")
FORK = graph("dcabs", "dc", "ca", "cb", "as", "bs")  # d, c, then a and b, then s


def test_the_six_figures_begin_with_all_edges_and_the_longest_path() -> None:
    assert statistics(CHAIN, (), 0) == Statistics(3, 0, 0.0, 0.0, 2, 2)
    assert statistics(FORK, (), 0) == Statistics(5, 0, 0.0, 0.0, 5, 3)
    assert statistics(graph("a"), (), 0) == Statistics(1, 0, 0.0, 0.0, 0, 0)


def test_an_action_is_a_look_and_the_first_look_comes_before_any_action() -> None:
    rows = [statistics(CHAIN, complete, looks) for looks, complete in enumerate(["", "", "a", "a", "abc"])]
    assert [row.completeness for row in rows] == [0, 0, 1 / 3, 1 / 3, 1]
    # After three actions, the episode has been looked at four times.
    assert [row.completeness_per_action for row in rows] == pytest.approx([0, 0, 1 / 6, 1 / 9, 1 / 4])
    assert rows[-1].completeness_per_action == pytest.approx(efficiency(1.0, 3, "release"))


def test_edges_into_finished_nodes_are_left_out_and_those_from_them_are_not() -> None:
    # s has two edges and b one, from the finished c; a is finished and not gone back to.
    assert statistics(FORK, "dca", 3).step_to_complete == 2 + 1
    assert statistics(FORK, "dcab", 4).step_to_complete == 2
    assert statistics(FORK, "dcabs", 5).step_to_complete == 0


def test_a_node_met_twice_is_counted_twice() -> None:
    # From s: 2; a and b: 1 each, and each meets c, which is 1 twice over and meets d twice: 6 of 5 edges.
    assert statistics(FORK, "", 1).step_to_complete == 6
    assert statistics(FORK, "d", 1).step_to_complete == 6


def test_37_of_28_edges() -> None:
    first, more = "ABCDEFGHI", "JKLMNOPQRSTUVWX"
    edges = [f"{x}c" for x in first] + ["ca", "cb", "as", "bs"] + [f"{x}s" for x in more]
    drawn = graph(first + more + "cabs", *edges)
    assert statistics(drawn, "", 0).step_to_complete == 9 + 4 + 15 == 28
    # s 17, a and b 1 each, and c with its nine twice.
    assert statistics(drawn, "", 1).step_to_complete == 17 + 2 + 18 == 37


def test_the_path_that_is_turned_to_last_is_not_always_the_longest() -> None:
    # s waits for a and d; d also for b, b for c, c for a. a is turned to at once, so the way s d b c a is never ended.
    drawn = graph("acbds", "as", "ds", "bd", "cb", "ac")
    assert statistics(drawn, "", 0).longest_unfinished_path_length == 4
    assert statistics(drawn, "", 1).longest_unfinished_path_length == 3
    assert [statistics(CHAIN, done, 1).longest_unfinished_path_length for done in ("", "a", "ab", "abc")] == [
        2,
        1,
        0,
        0,
    ]


def test_the_order_in_which_the_graph_was_made_decides() -> None:
    # Turned to first, b meets a before a is turned to; turned to second, it does not.
    edges = ("za", "ab", "as", "bs")
    assert statistics(graph("zbas", *edges), "", 1).step_to_complete == 2 + 1 + 1 + 0 + 1
    assert statistics(graph("zabs", *edges), "", 1).step_to_complete == 2 + 1 + 1 + 0


@pytest.mark.parametrize(
    ("nodes", "edges", "told"),
    [
        ("", (), "at least one node"),
        ("aa", (), "each only once"),
        ("ab", ("ax",), "unknown nodes: x"),
        ("abc", ("ab", "ba", "bc"), "blocks: a, b, c"),
        ("abc", ("ab", "ac"), "one sink; this one has b, c"),
    ],
)
def test_what_is_no_graph_of_crabs_is_refused(nodes: str, edges: tuple[str, ...], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        graph(nodes, *edges)


def test_what_cannot_be_complete_is_refused() -> None:
    for complete in ("b", "x", "ac"):
        with pytest.raises(ConfigError, match="cannot be complete"):
            statistics(CHAIN, complete, 1)


@st.composite
def drawn_graphs(draw: st.DrawFn) -> SinkGraph:
    count = draw(st.integers(1, 8))
    pairs = [(str(a), str(b)) for b in range(count) for a in range(b)]
    edges = set(draw(st.lists(st.sampled_from(pairs), max_size=16))) if pairs else set()
    # One sink: whoever has nothing behind it comes before the last.
    edges |= {(str(a), str(count - 1)) for a in range(count - 1) if not any(e[0] == str(a) for e in edges)}
    return SinkGraph(tuple(draw(st.permutations([str(a) for a in range(count)]))), tuple(sorted(edges)))


def walks(drawn: SinkGraph, done: set[str]) -> Iterator[list[str]]:
    """The paths that the released code takes from its queue, written after its words, with whole paths."""
    queue, visited = [[drawn.sink]], set()
    while queue:
        path, *queue = queue
        visited.add(path[0])
        yield path
        for name in drawn.nodes:
            if (name, path[0]) in drawn.edges and name not in done and name not in visited:
                queue.append([name, *path])


@given(drawn_graphs(), st.data())
def test_a_second_implementation_and_the_evaluator_agree(drawn: SinkGraph, data: st.DataObject) -> None:
    holding: set[str] = set()
    judges = tuple(Judge(name, lambda _, name=name: name in holding) for name in drawn.nodes)
    evaluator = GraphEvaluator(JudgeGraph(judges, drawn.edges))
    looks = data.draw(st.lists(st.sets(st.sampled_from(drawn.nodes)), max_size=6))
    for count, look in enumerate(looks, 1):
        holding.clear()
        holding |= look
        evaluator.step(Case(cast(World, None)))
        done = {name for name, state in evaluator.states().items() if state == "completed"}
        row = statistics(drawn, done, count)
        assert row.complete_nodes == len(done)
        assert row.completeness == evaluator.completion
        assert row.completeness_per_action == pytest.approx(evaluator.completion / count)
        paths = [] if drawn.sink in done else list(walks(drawn, done))
        assert row.step_to_complete == sum((early, path[0]) in drawn.edges for path in paths for early in drawn.nodes)
        best = 0  # the running formula of the release
        for path in paths:
            best = max(len(path), best) - 1
        assert row.longest_unfinished_path_length == best
        assert row.longest_unfinished_path_length <= max(drawn.depths().values())


def test_ee_without_an_action_is_0_on_paper_and_cr_through_one_look_as_released() -> None:
    assert (efficiency(0.5, 0), efficiency(0.5, 0, "release")) == (0, 0.5)
    assert (efficiency(0.5, 4), efficiency(0.5, 4, "release")) == (1 / 8, 1 / 10)
    scores = [Score(1, 4, 0, 10), Score(2, 2, 4, 100)]
    assert execution_efficiency(scores) == pytest.approx((0 + 1 / 4) / 2)
    assert execution_efficiency(scores, "release") == pytest.approx((1 / 4 + 1 / 5) / 2)
    common: dict[str, Any] = {"instance": 0, "trial": 0, "tokens": 1, "reason": "", "ending": "FC"}
    some = [
        CrabEpisode("m", "a", completion=0.25, actions=0, **common),
        CrabEpisode("m", "b", completion=1, actions=4, **common),
    ]
    for variant, value in (("paper", 1 / 8), ("release", 9 / 40)):
        assert next(f for f in figures_of(some, variant) if f.name == "EE").value == pytest.approx(value)


def test_ratios_are_taken_by_task_and_not_of_the_means() -> None:
    scores = [Score(4, 4, 2, 100), Score(1, 4, 10, 2000)]
    assert execution_efficiency(scores) == pytest.approx((1 / 2 + 1 / 40) / 2)
    assert execution_efficiency(scores) != pytest.approx((1.25 / 2) / (12 / 2))
    assert cost_efficiency(scores) == pytest.approx((1 / 100 + 0.25 / 2000) / 2)


def test_a_run_scored_as_released_has_the_six_statistics(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "run"
    mini_crab.write(data)
    infos = CrabSuite(str(data)).tasks()
    suite = PartSpec("omnipilot.bench.suites.crab.suite:CrabSuite", {"data": str(data)})
    run(RunSpec(AgentSpec(planner=PartSpec("noop")), suite, tasks=tuple(info.id for info in infos)), out)
    played = crab_runs.load_played(out, (suite.name,))
    assert played is not None
    # Nothing was done: all nodes are left, after one look, and of the miniature's graphs none forks.
    for platform, one in ends(played):
        assert platform in ("phone", "desktop", "cross")
        assert (one.complete_nodes, one.completeness, one.completeness_per_action) == (0, 0, 0)
        assert one.longest_unfinished_path_length <= one.step_to_complete
    (mean,) = [table for table in Crab().score("", out, "release").tables if "step_to_complete" in table.columns]
    assert [row[:2] for row in mean.rows][-1] == ("all", str(len(infos)))
    nodes = sum(int(info.tags["nodes"]) for info in infos) / len(infos)
    assert mean.rows[-1][2:6] == (f"{nodes:.3f}", "0.000", "0.000", "0.000")
    assert not [table for table in Crab().score("", out, "paper").tables if "step_to_complete" in table.columns]
