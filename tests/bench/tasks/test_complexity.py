"""OmniBench's complexities and capabilities, computed from graphs (tables 2 and 12 of the paper)."""

from __future__ import annotations

import pytest

from omnipilot.bench import Judge, JudgeGraph
from omnipilot.bench.tasks import Complexity, complexity_of
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM, depths_of, grade_of


def graph(nodes: str, *edges: str) -> JudgeGraph:
    """A graph of one-letter nodes and two-letter edges."""
    return JudgeGraph(tuple(Judge(name, lambda _: False) for name in nodes), tuple((e[0], e[1]) for e in edges))


@pytest.mark.parametrize(
    ("nodes", "edges", "figures"),
    [
        ("a", (), (0, 1, 1, 1, 0)),
        ("abc", ("ab", "bc"), (2, 3, 3, 1, 0)),
        ("abcd", (), (0, 4, 1, 4, 0)),
        ("abcd", ("ab", "ac", "bd", "cd"), (4, 4, 3, 2, 0)),
        ("abcde", ("ab", "bc", "ac", "de"), (4, 5, 3, 2, 0)),
        ("abcdef", ("af", "bf", "cf", "df", "ef"), (5, 6, 2, 5, 0)),
    ],
)
def test_figures_of_a_graph(nodes: str, edges: tuple[str, ...], figures: tuple[int, ...]) -> None:
    assert tuple(complexity_of(graph(nodes, *edges), ()).figures().values()) == figures


def test_the_depth_of_a_node_is_that_of_its_longest_path() -> None:
    assert depths_of(graph("abcd", "ab", "bc", "ac", "cd")) == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_knowledge_counts_categories_once() -> None:
    assert complexity_of(graph("a"), ["web", "notes", "web"]).knowledge == 2


@pytest.mark.parametrize(
    ("complexity", "grades"),
    [
        ("dependency", "eemmhh"),
        ("instruction", "eeemmh"),
        ("hierarchy", "eeemmh"),
        ("branch", "eeemmh"),
        ("knowledge", "eemmhh"),
    ],
)
def test_the_levels_of_table_2(complexity: str, grades: str) -> None:
    assert "".join(grade_of(complexity, figure).value[0] for figure in range(6)) == grades


def test_the_capabilities_of_table_12() -> None:
    def tested(**hard: int) -> set[str]:
        return set(Complexity(**{name: hard.get(name, 0) for name in HARD_FROM}).capabilities())

    assert tested() == set()
    assert tested(dependency=4) == {"dependency identification"}
    assert tested(branch=5) == {"long instruction following"}
    assert tested(instruction=5) == {"domain-specific knowledge"}
    assert tested(knowledge=4) == tested(hierarchy=5) == set()
    assert tested(branch=5, knowledge=4) == {"long instruction following", "cross-domain decision-making"}
    assert tested(dependency=9, instruction=9, hierarchy=9, branch=9, knowledge=9) == set(CAPABILITIES)
