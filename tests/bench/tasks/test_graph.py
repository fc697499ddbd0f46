"""The graph evaluator against the rules of CRAB §4.2 and against brute force."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench import Case, GraphEvaluator, Judge, JudgeGraph, Verdict, answer_contains
from omnipilot.bench.tasks import NodeState
from omnipilot.envs import ConfigError, World

CASE = Case(cast(World, None))


class Facts:
    """Sub-goals that hold or not, and how often each was asked."""

    def __init__(self, *names: str) -> None:
        self.true: set[str] = set()
        self.asked: dict[str, int] = dict.fromkeys(names, 0)

    def judge(self, name: str, **kw: Any) -> Judge:
        def ask(_: Case) -> bool:
            self.asked[name] += 1
            return name in self.true

        return Judge(name, ask, **kw)


def chain(facts: Facts) -> GraphEvaluator:
    return GraphEvaluator(JudgeGraph.chain([facts.judge(name) for name in facts.asked]))


def test_a_node_waits_until_its_predecessors_are_complete() -> None:
    facts = Facts("a", "b")
    graph = chain(facts)
    facts.true = {"b"}
    assert graph.step(CASE) == ()
    assert facts.asked == {"a": 1, "b": 0}
    assert graph.states() == {"a": NodeState.EVALUATING, "b": NodeState.WAITING}


def test_a_chain_whose_states_all_hold_completes_in_one_step() -> None:
    facts = Facts("a", "b", "c")
    facts.true = {"a", "b", "c"}
    graph = chain(facts)
    assert [change.node for change in graph.step(CASE)] == ["a", "b", "c"]
    assert graph.success and graph.completion == 1
    assert facts.asked == {"a": 1, "b": 1, "c": 1}


def test_completion_is_latched() -> None:
    facts = Facts("a", "b")
    graph = chain(facts)
    facts.true = {"a"}
    graph.step(CASE)
    facts.true = {"b"}
    graph.step(CASE)
    assert graph.success
    assert facts.asked["a"] == 1


def test_what_has_to_last_is_examined_again_when_all_is_reached() -> None:
    facts = Facts("kept", "passed", "last")
    graph = GraphEvaluator(
        JudgeGraph((facts.judge("kept", when="lasting"), facts.judge("passed"), facts.judge("last", when="lasting")))
    )
    facts.true = {"kept", "passed"}
    graph.step(CASE)
    assert graph.completed == 2
    # Nobody asks again before all the rest is reached.
    facts.true = {"passed"}
    assert graph.step(CASE) == () and graph.completed == 2 and facts.asked["kept"] == 1
    facts.true = {"last"}
    changes = graph.step(CASE)
    assert [(change.node, change.completed) for change in changes] == [("last", True), ("kept", False)]
    assert not graph.success and graph.completed == 2
    assert graph.states()["kept"] == NodeState.EVALUATING and graph.copy().states() == graph.states()
    facts.true = {"last", "kept"}
    assert [(change.node, change.completed) for change in graph.step(CASE)] == [("kept", True)]
    assert graph.success


def test_what_has_to_last_counts_only_while_it_holds() -> None:
    facts = Facts("one", "two")
    graph = GraphEvaluator(JudgeGraph(tuple(facts.judge(name, when="lasting") for name in facts.asked)))
    facts.true = {"one", "two"}
    graph.step(CASE)
    assert graph.success
    facts.true = {"two"}
    graph.step(CASE, ended=True)
    assert not graph.success and graph.completed == 1


def test_several_sinks_are_allowed_and_one_is_crabs_rule() -> None:
    facts = Facts("a", "b", "c")
    graph = JudgeGraph(tuple(map(facts.judge, "abc")), (("a", "b"), ("a", "c")))
    assert graph.sinks == ("b", "c")
    with pytest.raises(ConfigError, match="one sink"):
        graph.require_one_sink()
    evaluator = GraphEvaluator(graph)
    facts.true = {"a", "b"}
    evaluator.step(CASE)
    assert not evaluator.success and evaluator.completed == 2
    facts.true = {"c"}
    evaluator.step(CASE)
    assert evaluator.success


def test_a_judge_that_waits_for_the_end_is_asked_at_the_end_only() -> None:
    facts = Facts("a", "b")
    graph = GraphEvaluator(JudgeGraph.chain([facts.judge("a", when="end"), facts.judge("b")]))
    facts.true = {"a", "b"}
    graph.step(CASE)
    assert facts.asked == {"a": 0, "b": 0} and not graph.success
    graph.step(CASE, ended=True)
    assert graph.success


def test_partial_progress_is_reported_when_it_changes() -> None:
    values = iter([0.25, 0.25, 0.5, 1.0])
    graph = GraphEvaluator(JudgeGraph((Judge("a", lambda _: Verdict(next(values), "so far")),)))
    assert [len(graph.step(CASE)) for _ in range(4)] == [1, 0, 1, 1]
    assert graph.success


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        ("", (), "at least one"),
        ("aa", (), "unique"),
        ("ab", (("a", "x"),), "unknown judges: x"),
        ("abc", (("a", "b"), ("b", "a")), "cycle: (a → b → a|b → a → b); remove"),
    ],
)
def test_a_graph_that_cannot_be_is_refused_by_name(
    nodes: str, edges: tuple[tuple[str, str], ...], message: str
) -> None:
    facts = Facts(*nodes)
    with pytest.raises(ConfigError, match=message):
        JudgeGraph(tuple(map(facts.judge, nodes)), edges)


def test_an_order_follows_the_lists_of_nodes_and_edges() -> None:
    facts = Facts(*"dcba")
    edges = (("c", "b"), ("d", "a"), ("d", "b"), ("c", "a"), ("d", "a"))
    assert JudgeGraph(tuple(map(facts.judge, "dcba")), edges).order() == ["d", "c", "b", "a"]
    assert JudgeGraph(tuple(map(facts.judge, "dcba")), edges[3::-1]).order() == ["d", "c", "a", "b"]


def test_answers_are_judged_by_containment() -> None:
    ask: Callable[[Case], Verdict] = answer_contains("4711")
    assert not ask(CASE).reached
    assert ask(Case(CASE.world, None, ("The code is 4711.",))).reached


@given(st.data())
def test_the_evaluator_agrees_with_asking_everything_each_time(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 9))
    names = [str(i) for i in range(count)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    edges = tuple(data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else ()
    facts = Facts(*names)
    graph = GraphEvaluator(JudgeGraph(tuple(map(facts.judge, names)), edges))
    done: set[str] = set()
    for _ in range(data.draw(st.integers(1, 5))):
        facts.true = set(data.draw(st.lists(st.sampled_from(names), unique=True)))
        graph.step(CASE)
        for _ in names:  # to the fixed point
            done |= {n for n in names if n in facts.true and all(a in done for a, b in edges if b == n)}
        assert {n for n, s in graph.states().items() if s == NodeState.COMPLETED} == done
        assert graph.completed == len(done)


@pytest.mark.slow
def test_the_cost_of_a_step_does_not_grow_with_the_graph() -> None:
    def cost(size: int) -> float:
        judges = [Judge(str(i), lambda _: False) for i in range(size)]
        graph = GraphEvaluator(JudgeGraph.chain(judges))
        best = float("inf")
        for _ in range(20):
            began = time.perf_counter()
            for _ in range(100):
                graph.step(CASE)
            best = min(best, time.perf_counter() - began)
        return best

    assert cost(1000) < 5 * cost(10)
