"""Graphs meet their requests exactly, and no two are the same up to numbering."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from typed_subtasks import dense_types, hand_written_types

from omnipilot.bench.suites.pool.compose.cells import (
    MEASURES,
    NAMES,
    GraphRequest,
    capability_request,
    cell_of,
    cell_request,
    figures_request,
    possible_cells,
)
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.subtask_types import SubtaskType, TypeGraph
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.tasks.complexity import CAPABILITIES, Complexity
from omnipilot.envs import ConfigError

networkx = pytest.importorskip("networkx")


def recount(graph: GraphRecord, types: TypeGraph) -> dict[str, int]:
    """The five figures from the joins alone, by networkx."""
    category = {one.id: one.category for one in types.subtasks}
    found = networkx.DiGraph()
    found.add_nodes_from(range(len(graph.subtasks)))
    found.add_edges_from((join.source, join.node) for join in graph.joins)
    return {
        "dependency": found.number_of_edges(),
        "instruction": found.number_of_nodes(),
        "hierarchy": networkx.dag_longest_path_length(found) + 1,
        "branch": max(len(level) for level in networkx.topological_generations(found)),
        "knowledge": len({category[id] for id in graph.subtasks}),
    }


def check(graphs: Sequence[GraphRecord], types: TypeGraph) -> None:
    """Figures, joins and order of every graph."""
    for graph in graphs:
        assert recount(graph, types) == graph.figures, graph
        kinds = [types.subtasks[types.number_of[id]] for id in graph.subtasks]
        for join in graph.joins:
            assert join.source < join.node
            assert fits(kinds[join.source].output, dict(kinds[join.node].inputs)[join.input])
        assert len({(join.node, join.input) for join in graph.joins}) == len(graph.joins)
        assert set(graph.edges) == {(join.source, join.node) for join in graph.joins}
        complexity = Complexity(**graph.figures)
        assert graph.capabilities == complexity.capabilities()


@pytest.fixture(scope="module")
def spread() -> tuple[TypeGraph, list[GraphRecord]]:
    """Graphs over all cells, of hand-written subtasks."""
    types = hand_written_types()
    return types, list(Composer(types, seed=3).graphs(670))


@pytest.mark.slow
def test_hand_written_subtasks_fill_every_possible_cell(spread: tuple[TypeGraph, list[GraphRecord]]) -> None:
    types, graphs = spread
    assert len(graphs) == 670
    check(graphs, types)
    counts = Counter(cell_of(graph.figures) for graph in graphs)
    assert set(counts) == set(possible_cells())
    assert min(counts.values()) >= 5


def labelled(graph: GraphRecord) -> object:
    """The graph with its subtasks as labels."""
    found = networkx.DiGraph(graph.edges)
    found.add_nodes_from((number, {"subtask": id}) for number, id in enumerate(graph.subtasks))
    return found


def test_no_two_graphs_are_isomorphic_with_nodes_labelled(spread: tuple[TypeGraph, list[GraphRecord]]) -> None:
    few = TypeGraph(
        [
            SubtaskType("a", (), "text", "x"),
            SubtaskType("b", (("one", "text"), ("two", "text")), "text", "x"),
            SubtaskType("c", (("one", "text"),), "", "x"),
        ]
    )
    graphs = [*spread[1], *Composer(few).graphs(150, figures_request("nodes=4-6"))]
    alike: dict[tuple[str, ...], list[GraphRecord]] = {}
    for graph in graphs:
        alike.setdefault((*sorted(graph.subtasks), str(len(graph.edges))), []).append(graph)
    pairs = [pair for group in alike.values() for pair in combinations(group, 2)]
    assert len(pairs) > 200
    for one, other in pairs:
        assert not networkx.is_isomorphic(
            labelled(one), labelled(other), node_match=lambda a, b: a["subtask"] == b["subtask"]
        )
    assert len({graph.key for graph in graphs}) == len({graph.id for graph in graphs}) == len(graphs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "request_",
    [
        *(capability_request(name) for name in CAPABILITIES),
        cell_request("hhhhh"),
        cell_request("hmmee"),
        figures_request("edges=6,nodes=7,depth=4,width=3,categories=4"),
        figures_request("edges=3-4,nodes=5"),
        figures_request("nodes=1"),
    ],
    ids=lambda request: request.name,
)
def test_a_request_is_met_exactly(request_: GraphRequest) -> None:
    types = hand_written_types()
    graphs = list(Composer(types).graphs(12, request_))
    assert len(graphs) == 12
    check(graphs, types)
    for graph in graphs:
        assert all(low <= graph.figures[name] <= high for name, (low, high) in request_.ranges.items())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_graphs_and_another_one_others() -> None:
    types = hand_written_types()
    first, again, other = ([graph.id for graph in Composer(types, seed=seed).graphs(100)] for seed in (1, 1, 2))
    assert first == again and len(set(first) & set(other)) < 20


def test_graphs_that_exist_are_not_made_again() -> None:
    types = TypeGraph([SubtaskType(name, category="x") for name in "abc"])
    first = list(Composer(types).graphs(2, figures_request("nodes=1")))
    composer = Composer(types, known=[graph.key for graph in first])
    rest = list(composer.graphs(5, figures_request("nodes=1")))
    assert sorted(id for graph in (*first, *rest) for id in graph.subtasks) == ["a", "b", "c"]
    assert "no new graph" in composer.survivors().used_up[0]


@pytest.mark.slow
def test_no_subtask_is_used_more_than_three_times_the_mean_where_the_pool_allows() -> None:
    """Type-only subtasks: of the hand-written ones only 19 both take and yield, too few for that."""
    types = dense_types()
    composer = Composer(types, seed=1)
    graphs = list(composer.graphs(2000))
    check(graphs[:300], types)
    assert max(composer.use) <= 3 * sum(composer.use) / len(composer.use)


@pytest.mark.parametrize(
    ("types", "figures", "why"),
    [
        (["a:>text", "b:text>"], "depth=3", "depth ≤ 2: no subtask both takes what another yields"),
        (["a:>text", "b:text>file", "c:photo>"], "depth=3", "no subtask takes file, which chains of 2 end in"),
        (["a:>text", "b:text>"], "categories=2,nodes=2", r"categories ≤ 1: the subtasks are of no more \(x\)"),
        (["a:>text", "b:text>"], "nodes=3,edges=3", "edges ≤ 2: 3 nodes with at most 1 inputs each"),
        (["a:>text", "b:text>"], "nodes=2,depth=3", r"nodes ≥ depth \+ width - 1"),
    ],
)
def test_an_unreachable_request_is_refused_with_its_reason(types: list[str], figures: str, why: str) -> None:
    subtasks = []
    for text in types:
        name, _, kinds = text.partition(":")
        takes, _, yields = kinds.partition(">")
        subtasks.append(SubtaskType(name, (("input", takes),) if takes else (), yields, "x"))
    with pytest.raises(ConfigError, match=why):
        next(Composer(TypeGraph(subtasks)).graphs(1, figures_request(figures)))


def test_what_is_possible_and_not_found_says_what_was_in_the_way() -> None:
    types = TypeGraph(
        [
            SubtaskType("a", (), "text", "x"),
            SubtaskType("b", (("one", "file"), ("two", "photo")), "", "x"),
            SubtaskType("c", (("one", "text"),), "file", "x"),
        ]
    )
    with pytest.raises(ConfigError, match="no graph was found .* in .* attempts: there are not enough inputs"):
        next(Composer(types).graphs(1, figures_request("nodes=3,depth=3,edges=3")))


def paths(graph: GraphRecord) -> set[tuple[int, int]]:
    """All pairs of nodes with a path from the first to the second."""
    found = networkx.transitive_closure(networkx.DiGraph(graph.edges))
    return set(found.edges)


def test_known_conflicts_are_kept_apart() -> None:
    types = TypeGraph(
        [
            SubtaskType("a", (), "text", "x"),
            SubtaskType("b", (("one", "text"),), "text", "x"),
            SubtaskType("c", (("one", "text"),), "", "x"),
        ]
    )
    wanted = figures_request("nodes=4")
    free = list(Composer(types).graphs(40, wanted))
    conflicts = [Conflict("b", "c", "beside"), Conflict("b", "b", "behind")]
    kept = list(Composer(types, conflicts=conflicts).graphs(40, wanted))

    def breaches(graphs: Sequence[GraphRecord]) -> list[GraphRecord]:
        return [
            graph
            for graph in graphs
            for one, other in combinations(range(4), 2)
            if ({graph.subtasks[one], graph.subtasks[other]} == {"b", "c"} and (one, other) not in paths(graph))
            or (graph.subtasks[one] == graph.subtasks[other] == "b" and (one, other) in paths(graph))
        ]

    assert breaches(free) and kept and not breaches(kept)


def test_a_subtask_that_fails_alone_is_left_out() -> None:
    types = TypeGraph([SubtaskType(name, category="x") for name in "abc"])
    composer = Composer(types, conflicts=[Conflict("b", "b", "alone")])
    graphs = list(composer.graphs(5, figures_request("nodes=2")))
    assert graphs and all("b" not in graph.subtasks for graph in graphs)


def test_a_state_feeds_one_successor_and_nothing_takes_it_away() -> None:
    """Type-only subtasks: no hand-written one yields a state."""
    copy = SubtaskType("copy", (), "clip/text", "x", "notes", "phone", ("clipboard",))
    paste = SubtaskType("paste", (("text", "clip/text"),), "", "x", "mail", "phone", ("+mails",))
    read = SubtaskType("read", (), "text/code", "x", "mail", "phone", ())
    write = SubtaskType("write", (("text", "text"),), "", "x", "notes", "phone", ("+notes",))
    types = TypeGraph([copy, paste, read, write])
    graphs = list(Composer(types).graphs(200, figures_request("nodes=4-6,depth=2-6")))
    assert any("paste" in graph.subtasks for graph in graphs)
    for graph in graphs:
        assert recount(graph, types) == graph.figures
        reached = paths(graph)
        for source, node in graph.edges:
            if graph.subtasks[source] != "copy":
                continue
            assert sum(before == source for before, _ in graph.edges) == 1
            for other, label in enumerate(graph.subtasks):
                if label == "copy" and other != source:
                    assert (other, source) in reached or (node, other) in reached
    unknown = TypeGraph([replace(one, effect=None) if one.id == "write" else one for one in types.subtasks])
    for graph in Composer(unknown).graphs(100, figures_request("nodes=4-6,depth=2-6")):
        assert not {"copy", "paste", "write"} <= set(graph.subtasks) or all(
            (graph.subtasks[before], graph.subtasks[after]) != ("copy", "paste") for before, after in graph.edges
        )


def test_names_of_figures_cover_all_complexities() -> None:
    assert tuple(MEASURES) == NAMES


def test_what_one_takes_away_no_other_takes_from_the_same_node_unless_before_it() -> None:
    takes = (("event", "event"),)

    def changes(id: str, effect: str, renames: tuple[str, ...] = ()) -> SubtaskType:
        return SubtaskType(id, takes, "event", effect=(effect,), items=("event",), passes="event", renames=renames)

    composer = Composer(
        TypeGraph(
            [
                SubtaskType("find", output="event/existing", effect=()),
                SubtaskType("add", output="event", effect=("+appointments",)),
                changes("move", "~appointments.at"),
                changes("name", "~appointments.title", ("event",)),
                SubtaskType("remove", takes, items=("event",), removes=("event",)),
            ]
        )
    )
    fork = ((0, 1), (0, 2))
    assert composer.conflict(("find", "move", "remove"), fork) == "an item would be gone before it is used"
    assert composer.conflict(("find", "move", "remove"), ((0, 1), (1, 2))) == ""
    assert composer.conflict(("find", "move", "move", "remove"), ((0, 1), (0, 2), (1, 3))) != ""
    assert composer.conflict(("find", "find", "move", "remove"), ((0, 2), (1, 3))) == ""
    # What is found keeps its id; of what is new, only the name is known.
    assert composer.conflict(("find", "move", "name"), fork) == ""
    assert composer.conflict(("add", "move", "name"), fork) == "an item would be gone before it is used"
    assert composer.conflict(("add", "name", "move"), ((0, 1), (1, 2))) == ""
