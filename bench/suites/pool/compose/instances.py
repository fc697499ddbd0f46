"""Instances of graphs: content, instruction, judges and demonstration, from the templates of a pool's subtasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from omnipilot.agents import Limits
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.synthesis.compose import Composition, Joins, compose
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Piece, Template
from omnipilot.bench.tasks.task import Task, seed_of
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.world_state import WorldState

NO_CONTENT = (ConfigError, AssertionError, LookupError, ValueError)
"""How templates say that they cannot use what they are given."""
MOST_DRAWS = 8
"""How often content is drawn anew where a world holds too few items for all subtasks."""


TURNS_A_NODE = 20
"""Most decisions for each subtask beyond the first; tasks of one subtask keep the run's limits."""


def compose_graph(graph: GraphRecord, templates: Mapping[str, Template], instance: int) -> Composition:
    """A graph with the content of an instance; every join is as the graph says, other inputs are drawn.

    Args:
        templates: of the pool's subtasks, by id.

    Raises:
        ConfigError: see `draw_content`.
    """
    return draw_content(graph, templates, instance)[1]


def draw_content(graph: GraphRecord, templates: Mapping[str, Template], instance: int) -> tuple[int, Composition]:
    """A graph with the content of an instance, and the seed that it was drawn from.

    Where the world that was drawn has too few items for all subtasks, another one is drawn, always the same.

    Args:
        templates: of the pool's subtasks, by id.

    Raises:
        ConfigError: no world has enough items, or a subtask has no template; and whatever else of `NO_CONTENT` its
            template raises.
    """
    chosen, given = _parts(graph, templates)
    for draw in range(MOST_DRAWS):
        seed = seed_of(graph.seed, graph.id, instance, *[draw] * bool(draw))
        try:
            return seed, _told(graph, compose(chosen, quiet(initial_world(seed)), seed, given=given))
        except NO_CONTENT:
            if draw == MOST_DRAWS - 1:
                raise
    raise AssertionError("the last draw returned or raised")


def compose_shared(graph: GraphRecord, templates: Mapping[str, Template], done: list[str] | None = None) -> Composition:
    """A graph with content in a world that all graphs share, which is fast.

    Args:
        done: takes the ids of the subtasks that got content, in order, also where a later one gets none.

    Raises:
        ConfigError: see `draw_content`; and whatever else of `NO_CONTENT` its templates raise.
    """
    chosen, given = _parts(graph, templates)
    if done is not None:
        chosen = [_noting(one, done) for one in chosen]
    return _told(graph, compose(chosen, _shared_world(), graph.seed, given=given))


def _noting(template: Template, done: list[str]) -> Template:
    """The template, which notes in a list that it got content."""

    def make(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
        piece = template.make(draw, given, state)
        if piece.output is not None and not piece.output.value:
            raise ConfigError(f"what {template.id} yields is empty here; take it from something else")
        done.append(template.id)
        return piece

    return replace(template, make=make)


def has_content(graph: GraphRecord, templates: Mapping[str, Template]) -> bool:
    """Whether a graph has content: in a world that all graphs share, which is fast, or else in one of its own.

    Raises:
        ConfigError: a subtask has no template, or no such input.
    """
    try:
        compose_shared(graph, templates)
    except NO_CONTENT:
        try:
            compose_graph(graph, templates, 0)
        except NO_CONTENT:
            return False
    return True


def _told(graph: GraphRecord, composed: Composition) -> Composition:
    """The composition, if whatever can be passed on holds something: a contact that was just added has no extension.

    Raises:
        ConfigError: something is empty.
    """
    for subtask, part in zip(graph.subtasks, composed.parts, strict=True):
        if part.piece.output is not None and not part.piece.output.value:
            raise ConfigError(f"what {subtask} yields is empty here; take it from something else")
    return composed


@lru_cache(maxsize=1)
def _shared_world() -> WorldState:
    return quiet(initial_world(0))


def _parts(graph: GraphRecord, templates: Mapping[str, Template]) -> tuple[list[Template], Joins]:
    """The templates of a graph, and where each input comes from."""
    if missing := sorted({id for id in graph.subtasks if id not in templates}):
        raise ConfigError(f"graph {graph.id} needs the subtask {missing[0]}, which the pool does not have")
    chosen = [templates[id] for id in graph.subtasks]
    joined = {(join.node, join.input): join.source for join in graph.joins}
    given = {(number, name): joined.get((number, name)) for number, one in enumerate(chosen) for name in one.inputs}
    if strangers := sorted(set(joined) - set(given)):
        node, name = strangers[0]
        raise ConfigError(f"graph {graph.id}: {graph.subtasks[node]} has no input {name!r}")
    return chosen, given


def limits_of(graph: GraphRecord) -> Limits | None:
    """The limits of a graph's task, which grow with its nodes; None for a single node, which has those of the run."""
    run = Limits()
    assert run.turns is not None and run.actions is not None
    more = TURNS_A_NODE * (len(graph.subtasks) - 1)
    return Limits(run.turns + more, run.actions + 2 * more) if more else None


def task_of(
    graph: GraphRecord,
    composed: Composition,
    instance: int,
    *,
    order: Sequence[int] | None = None,
    instruction: str = "",
    tags: Mapping[str, str] | None = None,
    intent: str = "",
    limits: Limits | None = None,
) -> Task:
    """An instance as a task.

    Args:
        order: of the nodes in the demonstration; the reading order where it is left out.
        instruction: instead of the one that was composed.
    """
    solutions = composed.solutions()
    played = [solutions[number] for number in (range(len(solutions)) if order is None else order)]
    seed = seed_of(graph.seed, graph.id, instance)

    def setup(world: SimWorld) -> str:
        world.reset(seed)
        world.prepare(lambda _: composed.state)
        return instruction or composed.instruction

    return Task(
        graph.id,
        instance,
        setup,
        composed.graph,
        lambda world: demonstration(world, played),
        limits,
        tags or {},
        intent,
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
