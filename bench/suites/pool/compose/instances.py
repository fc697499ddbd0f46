"""Instances of graphs: content, instruction, judges and demonstration, from the templates of a pool's subtasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.synthesis.compose import Composition, compose
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import Task, seed_of
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world

NO_CONTENT = (ConfigError, AssertionError, LookupError, ValueError)
"""How templates say that they cannot use what they are given."""
MOST_DRAWS = 8
"""How often content is drawn anew where a world holds too few items for all subtasks."""


def content_seed(graph: GraphRecord, instance: int, draw: int = 0) -> int:
    """The seed of an instance's world and content."""
    return seed_of(graph.seed, graph.id, instance, *[draw] * bool(draw))


def compose_graph(graph: GraphRecord, templates: Mapping[str, Template], instance: int) -> tuple[Composition, int]:
    """The content of an instance of a graph, and its seed; every join is as the graph says, other inputs are drawn.

    Where the world that was drawn has too few items for all subtasks, another one is drawn, always the same.

    Raises:
        ConfigError: no world has enough items, or a subtask has no template; and whatever else of `NO_CONTENT` its
            template raises.
    """
    if missing := sorted({id for id in graph.subtasks if id not in templates}):
        raise ConfigError(f"graph {graph.id} needs the subtask {missing[0]}, which the pool does not have")
    chosen = [templates[id] for id in graph.subtasks]
    joined = {(join.node, join.input): join.source for join in graph.joins}
    given = {
        (number, name): joined.get((number, name))
        for number, template in enumerate(chosen)
        for name in template.inputs
    }
    if strangers := sorted(set(joined) - set(given)):
        node, name = strangers[0]
        raise ConfigError(f"graph {graph.id}: {graph.subtasks[node]} has no input {name!r}")
    for draw in range(MOST_DRAWS):
        seed = content_seed(graph, instance, draw)
        try:
            return compose(chosen, quiet(initial_world(seed)), seed, given=given), seed
        except NO_CONTENT:
            if draw == MOST_DRAWS - 1:
                raise
    raise AssertionError("the last draw returned or raised")


def task_of(
    graph: GraphRecord,
    composed: Composition,
    seed: int,
    instance: int,
    *,
    tags: Mapping[str, str] | None = None,
    order: Sequence[int] | None = None,
) -> Task:
    """An instance as a task.

    Args:
        order: of the nodes in the demonstration; the reading order where it is left out.
    """
    solutions = composed.solutions()
    played = [solutions[number] for number in (range(len(solutions)) if order is None else order)]

    def setup(world: SimWorld) -> str:
        world.reset(seed)
        world.prepare(lambda _: composed.state)
        return composed.instruction

    return Task(
        graph.id,
        instance,
        setup,
        composed.graph,
        lambda world: demonstration(world, played),
        tags=tags or {},
        intent=graph.intent,
        user=composed.user(),
    )


def part_of(record: GraphRecord, nodes: Iterable[int]) -> GraphRecord:
    """The part of a graph that some of its nodes make; joins with others are gone, so that their inputs are drawn."""
    nodes = sorted(nodes)
    place = {node: at for at, node in enumerate(nodes)}
    return replace(
        record,
        id=f"{record.id}/{'-'.join(map(str, nodes))}",
        subtasks=tuple(record.subtasks[node] for node in nodes),
        joins=tuple(
            replace(join, node=place[join.node], source=place[join.source])
            for join in record.joins
            if join.node in place and join.source in place
        ),
        edges=tuple((place[a], place[b]) for a, b in record.edges if a in place and b in place),
    )
