"""Matched sets, scenarios, diversity, and graphs of networkx."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed_subtasks import dense_types, hand_written_types

from omnipilot.bench.suites.pool.compose.cells import NAMES
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.diversity import check_floors, diversity
from omnipilot.bench.suites.pool.compose.matched import DOSES, dose_series, matched_pairs
from omnipilot.bench.suites.pool.compose.scenarios import read_scenarios, with_scenarios
from omnipilot.bench.suites.pool.records import GraphRecord, Join
from omnipilot.envs import ConfigError

networkx = pytest.importorskip("networkx")


def test_a_chain_and_its_graph_have_equal_nodes_edges_and_categories() -> None:
    types = hand_written_types()
    pairs = list(matched_pairs(types, 6, nodes=5, seed=2))
    assert len(pairs) == 6
    for one, (chain, graph) in pairs:
        assert one.graphs == (chain.id, graph.id)
        assert [chain.figures[name] for name in ("dependency", "instruction", "knowledge")] == [
            graph.figures[name] for name in ("dependency", "instruction", "knowledge")
        ]
        assert chain.figures["hierarchy"] == 5 and graph.figures["hierarchy"] <= 3
        found = networkx.DiGraph(graph.edges)
        assert networkx.dag_longest_path_length(found) + 1 == graph.figures["hierarchy"]
        assert (one.shared == 1) == (sorted(chain.subtasks) == sorted(graph.subtasks))


def test_most_pairs_share_all_subtasks_where_many_fit() -> None:
    """Type-only subtasks: most of duet's chains can be joined in one form only."""
    pairs = list(matched_pairs(dense_types(), 20, seed=2))
    assert sum(one.shared == 1 for one, _ in pairs) > 10


def test_a_graph_needs_four_nodes_beside_its_chain() -> None:
    with pytest.raises(ConfigError, match="at least 4 nodes, not 3"):
        next(matched_pairs(hand_written_types(), 1, nodes=3))


@pytest.mark.parametrize("name", DOSES)
def test_only_one_figure_changes_in_a_series(name: str) -> None:
    series, graphs = dose_series(hand_written_types(), name, 2)
    assert len(graphs) == 2 * len(DOSES[name][1]) == len(series.graphs)
    for other in NAMES:
        values = {graph.figures[other] for graph in graphs}
        assert len(values) == (len(DOSES[name][1]) if other == name else 1)


@pytest.mark.slow
def test_scenarios_follow_the_categories() -> None:
    types = hand_written_types()
    table = read_scenarios()
    graphs = with_scenarios(Composer(types, seed=1).graphs(300), {one.id: one for one in types.subtasks}, table)
    scenarios = {graph.scenario for graph in graphs}
    assert table.others in scenarios and len(scenarios) <= len(table.base) + table.combinations + 1
    network = {one.id for one in types.subtasks if one.app in table.network}
    assert all(graph.network == bool(network & set(graph.subtasks)) for graph in graphs)
    assert 0 < sum(graph.network for graph in graphs) < len(graphs)
    assert all(one.category in table.base for one in types.subtasks)


def test_a_table_of_ones_own_is_read_and_a_wrong_one_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('others = "rest"\nnetwork = []\n[base]\nweb = "shops"\n[combined]\n"notes+web" = "lists"\n')
    table = read_scenarios(mine)
    assert [table.scenario_of(one) for one in (["web"], ["web", "notes"], ["web", "office"], ["office"])] == [
        "shops",
        "lists",
        "rest",
        "office",
    ]
    mine.write_text("network = 3\n")
    with pytest.raises(ConfigError, match="is no table of scenarios"):
        read_scenarios(mine)


@pytest.mark.slow
def test_diversity_tells_one_graph_from_many() -> None:
    types = hand_written_types()
    many = list(Composer(types, seed=1).graphs(300))
    figures, same = diversity(many, types), diversity([many[0]] * 3, types)
    assert figures["cells"] == 67 and same["cells"] == same["shapes"] == 1 and same["distance"] == 0
    assert 0 < same["entropy"] < figures["entropy"] <= 1 and 0 < figures["joined_pairs"] < 1
    shapes = {(len(graph.subtasks), graph.edges) for graph in many}
    assert 30 < figures["shapes"] <= len(shapes)
    check_floors(figures, {"entropy": 0.5})
    with pytest.raises(ConfigError, match="entropy is .* but at least 1.5 was asked for"):
        check_floors(figures, {"entropy": 1.5})
    with pytest.raises(ConfigError, match="entropy"):
        check_floors(figures, {"entopy": 1})


def test_graphs_go_to_networkx_and_back() -> None:
    from omnipilot.bench.suites.pool.compose.networkx_graphs import from_networkx, to_networkx

    types = hand_written_types()
    for graph in Composer(types, seed=4).graphs(134):
        found = to_networkx(graph)
        assert isinstance(found, networkx.DiGraph) and set(found.edges) == set(graph.edges)
        back = from_networkx(found, types)
        assert (back.id, back.key, back.figures) == (graph.id, graph.key, graph.figures)
        assert sorted((back.subtasks[j.node], j.input, back.subtasks[j.source]) for j in back.joins) == sorted(
            (graph.subtasks[j.node], j.input, graph.subtasks[j.source]) for j in graph.joins
        )


def test_a_graph_of_networkx_may_leave_inputs_open_and_name_nodes_by_subtask() -> None:
    from omnipilot.bench.suites.pool.compose.networkx_graphs import from_networkx

    types = hand_written_types()
    graph = networkx.DiGraph([("read-gate-code", "text-contact")])
    found = from_networkx(graph, types)
    assert isinstance(found, GraphRecord) and found.joins == (Join(1, "text", 0),)
    for wrong, why in (
        (networkx.DiGraph([("read-gate-code", "call-contact")]), "call-contact cannot take anything"),
        (networkx.DiGraph([("read-gate-code", "read-gate-code")]), "no circle"),
        (networkx.DiGraph([("read-gate-code", "txt-contact")]), "text-contact"),
    ):
        with pytest.raises(ConfigError, match=why):
            from_networkx(wrong, types)
