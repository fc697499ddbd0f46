"""A pool's tasks can be judged by the evaluators that verification proved; both kinds of judges agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.compose.instances import compose_graph
from omnipilot.bench.suites.pool.evaluator_judges import accepted_evaluators, judged_by_evaluators
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, Join
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.bench.suites.pool.verify.instances import draw_instance
from omnipilot.bench.suites.pool.verify.stage import verify_pool
from omnipilot.bench.suites.pool.verify.trials import play_moves
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move

TEMPLATES = book("").templates
IDS = ("read-gate-code", "write-note", "add-task", "write-document", "add-alarm", "read-number")
GRAPHS = (
    GraphRecord("chain", ("read-gate-code", "write-note"), (Join(1, "text", 0),), ((0, 1),)),
    GraphRecord(
        "fork", ("read-gate-code", "write-note", "add-task"), (Join(1, "text", 0), Join(2, "text", 0)), ((0, 1), (0, 2))
    ),
    GraphRecord("beside", ("add-alarm", "read-number")),
    GraphRecord("both-documents", ("write-note", "write-document")),
)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> PoolFolder:
    """A pool of a few verified subtasks."""
    found = PoolFolder(tmp_path_factory.mktemp("pool"))
    found.subtasks.write([one for one in hand_written_subtasks() if one.id in IDS], stage="subtasks", seed=0)
    verify_pool(found, pictures=False)
    found.graphs.write(GRAPHS, stage="compose", seed=0)
    return found


def solved(suite: PoolSuite, task_id: str, parts: int) -> bool:
    """Whether a task is solved by the demonstrations of its first parts."""
    task = suite.instantiate(task_id, 0)
    world = SimWorld()
    task.setup(world)
    graph = next(one for one in GRAPHS if one.id == task_id)
    solutions = compose_graph(graph, TEMPLATES, 0).solutions()[:parts]
    moves: list[Move] = demonstration(world, solutions) if solutions else []
    return play_moves(draw_instance(TEMPLATES["write-note"], 0), moves, task.graph, world).accepted


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.id)
def test_both_kinds_of_judges_agree(pool: PoolFolder, graph: GraphRecord) -> None:
    by_evaluators = PoolSuite(str(pool.root), judges="evaluators")
    by_templates = PoolSuite(str(pool.root))
    for parts in range(len(graph.subtasks) + 1):
        wanted = parts == len(graph.subtasks)
        assert solved(by_templates, graph.id, parts) is wanted
        assert solved(by_evaluators, graph.id, parts) is wanted


def test_an_evaluator_judges_where_no_other_node_speaks_of_its_collections(pool: PoolFolder) -> None:
    evaluators = accepted_evaluators(pool)
    chain, both = (compose_graph(graph, TEMPLATES, 0) for graph in (GRAPHS[0], GRAPHS[3]))
    judged = judged_by_evaluators(chain, evaluators)
    assert judged.graph != chain.graph and judged.instruction == chain.instruction
    assert judged_by_evaluators(both, evaluators).graph == both.graph
    sinks, sources = judged.parts[0].graph.sinks, judged.parts[1].graph.sources
    assert {(sink, start) for sink in sinks for start in sources} <= set(judged.graph.edges)


def test_judges_are_part_of_the_version_and_need_evaluators(pool: PoolFolder, tmp_path: Path) -> None:
    assert PoolSuite(str(pool.root), judges="evaluators").version != PoolSuite(str(pool.root)).version
    bare = PoolFolder(tmp_path)
    bare.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    bare.graphs.write(GRAPHS, stage="compose", seed=0)
    with pytest.raises(ConfigError, match="run omnipilot synth verify"):
        PoolSuite(str(tmp_path), judges="evaluators")
    with pytest.raises(ConfigError, match="kind of judges"):
        PoolSuite(str(tmp_path), judges="evaluator")  # type: ignore[arg-type]
