"""Plays graphs in several orders, to find out which subtasks do not go together.

A graph is fine if each order that its joins allow leads to its end. Up to three are played: the reading order, and
random ones. Where one fails, the pair of subtasks to blame is looked for, so that the next graphs do without it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from random import Random

from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.pool.compose.drawn_graph import descendants, topological_orders
from omnipilot.bench.suites.pool.compose.instances import (
    IDLE_STEP,
    NO_CONTENT,
    OrderFailure,
    compose_draw,
    compose_graph,
    part_of,
    play_order,
    task_of,
)
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import Wait
from omnipilot.memory import Move

MOST_ORDERS = 3
CONTENTS, CONTENTS_OF_TWINS = 2, 6
"""With how many contents a part is tried before it is said to go well; the second where it has a subtask twice."""
IDLE_SECONDS = 600
LATE_SECONDS = 300
"""How much later a subtask is begun to see whether it can wait: about as long as eight others take."""


@dataclass(frozen=True, slots=True)
class PlayedGraph:
    """What playing one graph showed.

    Attributes:
        graph: its id. orders: how many were played. moves: of the reading order.
        failed: what went wrong, "" for nothing. conflict: the subtasks to blame; None where no two were found.
        idle: whether doing nothing for ten minutes solves it.
    """

    graph: str
    orders: int
    moves: int
    failed: str = ""
    conflict: Conflict | None = None
    idle: bool = False


def play_graph(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    *,
    instance: int = 0,
    orders: int = MOST_ORDERS,
    blame: bool = True,
) -> PlayedGraph:
    """Play an instance in up to so many orders; if one fails, find whom to blame.

    Args:
        blame: False to play it with the content that a task has, without blaming anyone. Who is to be blamed is looked
            for in content that was not chosen for being played well.
    """
    try:
        composed = compose_graph(graph, templates, instance, played=not blame)
    except NO_CONTENT as error:
        node = _first_without_content(graph, templates, instance)
        failure = OrderFailure(f"no content: {type(error).__name__}: {error}", node, (), tuple(range(node)))
        return PlayedGraph(
            graph.id, 0, 0, failure.why, find_conflict(graph, templates, failure, orders) if blame else None
        )
    draw = Random(seed_of("orders", graph.seed, instance))
    moves = played = 0
    for order in topological_orders(len(graph.subtasks), graph.edges, draw, orders):
        played += 1
        failed, count = play_order(graph, composed, instance, order)
        moves = moves or count
        if failed:
            where = "" if played == 1 else f"in the order {'-'.join(str(node + 1) for node in order)}: "
            conflict = find_conflict(graph, templates, failed, orders) if blame else None
            return PlayedGraph(graph.id, played, moves, where + failed.why, conflict)
    return PlayedGraph(graph.id, played, moves, idle=_idle(graph, composed, instance))


def play_alone(subtask: str, templates: Mapping[str, Template], instances: int = 1) -> Conflict | None:
    """Play one subtask by itself with several contents, begun late: whether it fails ("late"), and at once, too
    ("alone"); None if it can wait."""
    graph = GraphRecord(f"alone/{subtask}", (subtask,))
    for instance in range(instances):
        try:
            composed = compose_graph(graph, templates, instance, played=False)
        except NO_CONTENT as error:
            return Conflict(subtask, subtask, "alone", f"no content: {type(error).__name__}: {error}")
        late, _ = play_order(graph, composed, instance, (0,), LATE_SECONDS)
        if late is not None:
            at_once, _ = play_order(graph, composed, instance, (0,))
            return Conflict(subtask, subtask, "alone" if at_once else "late", (at_once or late).why)
    return None


def _first_without_content(graph: GraphRecord, templates: Mapping[str, Template], instance: int) -> int:
    for count in range(1, len(graph.subtasks)):
        try:
            compose_graph(part_of(graph, range(count)), templates, instance, played=False)
        except NO_CONTENT:
            return count - 1
    return len(graph.subtasks) - 1


def _idle(graph: GraphRecord, composed: Composition, instance: int) -> bool:
    trial = Rehearsal(task_of(graph, composed, instance))
    trial.play([Move("", Wait(IDLE_STEP))] * (IDLE_SECONDS // IDLE_STEP))
    return not trial.missing


def find_conflict(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    failure: OrderFailure,
    orders: int,
    most: int | None = None,
    cleared: Collection[tuple[int, int]] = (),
    works: bool = False,
) -> Conflict | None:
    """The fewest subtasks that fail by themselves: the one that failed, or it with another one of the graph; None where
    no two do.

    Args:
        orders: of each two that are played; where the reading order failed, this one is enough. most: others that are
            suspected at most, those of its application first; None for all. cleared: pairs of nodes, the smaller number
            first, that are not suspected; where nobody is left, nothing is played.
        works: whether the one that failed is known to work by itself, with what it takes.
    """
    late = failure.node
    if failure.order == ():
        orders = 0  # What has no content is not played.
    elif failure.order == tuple(range(len(graph.subtasks))):
        orders = 1
    below = descendants(len(graph.subtasks), graph.edges)
    above = [{node for node in range(len(below)) if other in below[node]} for other in range(len(below))]
    apps = [templates[subtask].app for subtask in graph.subtasks]
    others = [
        node
        for node in range(len(below))
        if node != late
        and node not in below[late]
        and (failure.before is None or node in failure.before)
        and (min(node, late), max(node, late)) not in cleared
    ]
    if (cleared or works) and not others:
        return None
    if not works and _fails(part_of(graph, [late]), templates, 1):
        return Conflict(graph.subtasks[late], graph.subtasks[late], "alone", failure.why)
    # Those beside it first, then those before it, the nearest first.
    others.sort(key=lambda node: (most is not None and apps[node] != apps[late], late in below[node], -node))
    for other in others[:most]:
        first, second = graph.subtasks[other], graph.subtasks[late]
        if late in below[other]:
            between = below[other] & above[late]
            if _fails(part_of(graph, {other, *between, late}), templates, min(orders, 1)):
                return Conflict(first, second, "behind", failure.why)
            continue
        first, second = min(first, second), max(first, second)
        if _fails(part_of(graph, [other, late]), templates, orders):
            return Conflict(first, second, "beside", failure.why)
        if above[other] & above[late]:
            both = part_of(graph, {other, late, *above[other], *above[late]})
            alone = part_of(graph, {late, *above[late]})
            if _fails(both, templates, orders) and not _fails(alone, templates, min(orders, 1)):
                return Conflict(first, second, "fork", failure.why)
    return None


def _fails(part: GraphRecord, templates: Mapping[str, Template], orders: int) -> bool:
    """Whether a part fails with one of its first contents; two of one subtask are tried with more of them, because they
    may be in each other's way with some contents alone.

    Args:
        orders: in how many it is played; 0 where it only has to have content.
    """
    if not orders:
        return not any(_has_content(part, templates, instance) for instance in range(CONTENTS))
    for instance in range(CONTENTS if len(set(part.subtasks)) == len(part.subtasks) else CONTENTS_OF_TWINS):
        try:
            composed = compose_graph(part, templates, instance, played=False)
        except NO_CONTENT:
            return True
        draw = Random(seed_of("orders", part.seed, instance))
        for order in topological_orders(len(part.subtasks), part.edges, draw, orders):
            if play_order(part, composed, instance, order)[0]:
                return True
    return False


def _has_content(part: GraphRecord, templates: Mapping[str, Template], instance: int) -> bool:
    """Whether a part has content in the first world that is drawn for it."""
    try:
        compose_draw(part, templates, instance, 0)
    except NO_CONTENT:
        return False
    return True
