"""Instances of graphs: content, instruction, judges and demonstration, from the templates of a pool's subtasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from random import Random

from omnipilot.agents import Limits
from omnipilot.bench.suites.duet.kit.play import demonstration, seek
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.compose.drawn_graph import topological_orders
from omnipilot.bench.suites.pool.compose.garbage import note_played
from omnipilot.bench.suites.pool.compose.lasting import with_lasting
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.rehearsed_moves import REHEARSED
from omnipilot.bench.synthesis.compose import Composition, Joins, compose
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Piece, Template
from omnipilot.bench.tasks.task import Task, seed_of
from omnipilot.envs import ActionRejected, ConfigError, NotFound, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

NO_CONTENT = (ConfigError, AssertionError, LookupError, ValueError)
"""How templates say that they cannot use what they are given."""
MOST_DRAWS = 8
"""How often content is drawn anew where a world holds too few items for all subtasks, or cannot be played well."""
MOST_PLAYED = 3
"""How many contents are played; what a graph cannot do with these, it can seldom do with others."""
IDLE_STEP = 20
"""Seconds that are waited at a time."""
_BROKEN = (NotFound, ActionRejected, *NO_CONTENT, StopIteration)
"""How demonstrations fail where the world is not as they expect it."""


TURNS_A_NODE = 20
"""Most decisions for each subtask beyond the first; tasks of one subtask keep the run's limits."""


def compose_graph(
    graph: GraphRecord, templates: Mapping[str, Template], instance: int, *, played: bool = True
) -> Composition:
    """A graph with the content of an instance; every join is as the graph says, other inputs are drawn.

    Args:
        templates: of the pool's subtasks, by id. played: see `draw_content`.

    Raises:
        ConfigError: see `draw_content`.
    """
    return draw_content(graph, templates, instance, played=played)[1]


def draw_content(
    graph: GraphRecord, templates: Mapping[str, Template], instance: int, *, played: bool = True
) -> tuple[int, Composition]:
    """A graph with the content of an instance, and the seed that it was drawn from; always the same.

    A graph that was played when it was composed says which content solves its instance 0. Else, where the world that
    was drawn has too few items for all subtasks, or the demonstration does not reach all goals in it, another one is
    drawn. If none of the first few has a demonstration that does, the first one with enough items is taken.

    Args:
        templates: of the pool's subtasks, by id.
        played: False to take the first one with enough items, whatever its demonstration does.

    Raises:
        ConfigError: no world has enough items, or a subtask has no template; and whatever else of `NO_CONTENT` its
            template raises.
    """
    if played and instance == 0 and graph.draw is not None:
        return compose_draw(graph, templates, instance, graph.draw)
    first: tuple[int, Composition] | None = None
    for drawn in islice(_contents(graph, templates, instance), MOST_PLAYED):
        if not played or play_orders(graph, drawn[1], instance) is None:
            return drawn
        first = first or drawn
    assert first is not None
    return first


def compose_draw(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    instance: int,
    draw: int,
    done: list[str] | None = None,
) -> tuple[int, Composition]:
    """One of the contents that an instance may have, and the seed that it is drawn from.

    Args:
        draw: its number, from 0.
        done: takes the ids of the subtasks that got content, in order, also where a later one gets none.

    Raises:
        ConfigError: see `draw_content`; and whatever else of `NO_CONTENT` its templates raise.
    """
    chosen, given = _parts(graph, templates, done)
    seed = seed_of(graph.seed, graph.id, instance, *[draw] * bool(draw))
    return seed, _told(graph, with_lasting(compose(chosen, quiet(initial_world(seed)), seed, given=given)))


def _contents(
    graph: GraphRecord, templates: Mapping[str, Template], instance: int
) -> Iterator[tuple[int, Composition]]:
    """The contents that an instance may have, with their seeds; where there is none, the last error is raised."""
    some = False
    for draw in range(MOST_DRAWS):
        try:
            drawn = compose_draw(graph, templates, instance, draw)
        except NO_CONTENT:
            if draw == MOST_DRAWS - 1 and not some:
                raise
            continue
        some = True
        yield drawn


def play_orders(graph: GraphRecord, composed: Composition, instance: int, orders: int = 2) -> OrderFailure | None:
    """What goes wrong in the reading order, or in the order that differs most from it; None for nothing.

    Args:
        orders: 1 for the reading order alone.
    """
    for order in topological_orders(len(graph.subtasks), graph.edges, Random(0), orders):
        failure, _ = play_order(graph, composed, instance, order)
        if failure is not None:
            return failure
    return None


def compose_shared(graph: GraphRecord, templates: Mapping[str, Template], done: list[str] | None = None) -> Composition:
    """A graph with content in a world that all graphs share, which is fast.

    Args:
        done: takes the ids of the subtasks that got content, in order, also where a later one gets none.

    Raises:
        ConfigError: see `draw_content`; and whatever else of `NO_CONTENT` its templates raise.
    """
    chosen, given = _parts(graph, templates, done)
    return _told(graph, with_lasting(compose(chosen, _shared_world(), graph.seed, given=given)))


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


def _parts(
    graph: GraphRecord, templates: Mapping[str, Template], done: list[str] | None = None
) -> tuple[list[Template], Joins]:
    """The templates of a graph, and where each input comes from; those that got content are noted in `done`."""
    if missing := sorted({id for id in graph.subtasks if id not in templates}):
        raise ConfigError(f"graph {graph.id} needs the subtask {missing[0]}, which the pool does not have")
    chosen = [templates[id] for id in graph.subtasks]
    joined = {(join.node, join.input): join.source for join in graph.joins}
    given = {(number, name): joined.get((number, name)) for number, one in enumerate(chosen) for name in one.inputs}
    if strangers := sorted(set(joined) - set(given)):
        node, name = strangers[0]
        raise ConfigError(f"graph {graph.id}: {graph.subtasks[node]} has no input {name!r}")
    return chosen if done is None else [_noting(one, done) for one in chosen], given


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
        rest=lambda world, reached: demonstration(world, composed.solutions(reached)),
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
        draw=None,
    )


@dataclass(frozen=True, slots=True)
class OrderFailure:
    """What went wrong in an order.

    Attributes:
        node: number of the node that failed.
        order: of the nodes, as they were played; empty where there was no content to play, None where it is not known.
        before: the nodes that were done by then, which alone can have caused it; None where any can.
    """

    why: str
    node: int
    order: tuple[int, ...] | None = None
    before: tuple[int, ...] | None = None


def play_order(
    graph: GraphRecord, composed: Composition, instance: int, order: Sequence[int], delay: int = 0
) -> tuple[OrderFailure | None, int]:
    """Play one order of a graph: what went wrong, None for nothing, and the number of moves.

    Args:
        delay: seconds that pass before the first move.
    """
    note_played()
    trial = Rehearsal(task_of(graph, composed, instance), SimWorld(memo=REHEARSED))
    trial.play([Move("", Wait(IDLE_STEP))] * (delay // IDLE_STEP), ended=False)
    if held := [name for name in trial.evaluator.states() if name not in trial.missing]:
        return OrderFailure(f"holds at the start: {held[0]}", _node_of(held[0], len(order)), tuple(order)), 0
    solutions = composed.solutions()
    count = 0
    for place, node in enumerate(order):
        before = tuple(order[:place])
        try:
            for move in solutions[node](trial.world.state()):
                here = trial.world.snapshot()
                moves = [*seek(trial.world, move), move]
                if len(moves) > 1:
                    trial.world.restore(here)
                trial.play(moves, ended=False)
                count += len(moves)
                if trial.failed:
                    return OrderFailure(f"cannot be done: {trial.failed[0]}", node, tuple(order), before), count
        except _BROKEN as error:
            why = f"the demonstration of {graph.subtasks[node]} breaks: {type(error).__name__}: {error}"
            return OrderFailure(why, node, tuple(order), before), count
    trial.judge(ended=True)
    if trial.missing:
        why = f"not reached: {', '.join(trial.missing)}"
        return OrderFailure(why, _node_of(trial.missing[0], len(order)), tuple(order)), count
    return None, count


def _node_of(judge: str, count: int) -> int:
    """The node of a judge, whose name begins with its number where there are several."""
    number = judge.split(" ", 1)[0]
    return int(number) - 1 if count > 1 and number.isdecimal() else 0
