"""Plays graphs in several orders, to find out which subtasks do not go together.

A graph is fine if each order that its joins allow leads to its end. Up to three are played: the reading order, and
random ones. Where one fails, the pair of subtasks to blame is looked for, so that the next graphs do without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from omnipilot.bench.suites.duet.kit.play import seek
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.pool.compose.drawn_graph import Edge, descendants
from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT, compose_graph, part_of, task_of
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ActionRejected, NotFound, Wait
from omnipilot.memory import Move

MOST_ORDERS = 3
CONTENTS, CONTENTS_OF_TWINS = 2, 6
"""With how many contents a part is tried before it is said to go well; the second where it has a subtask twice."""
IDLE_SECONDS, IDLE_STEP = 600, 20
LATE_SECONDS = 300
"""How much later a subtask is begun to see whether it can wait: about as long as eight others take."""
_BROKEN = (NotFound, ActionRejected, *NO_CONTENT, StopIteration)
"""How demonstrations fail where the world is not as they expect it."""


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


@dataclass(frozen=True, slots=True)
class _Failure:
    why: str
    node: int
    """The one that failed."""


def topological_orders(count: int, edges: Sequence[Edge], draw: Random, most: int) -> list[tuple[int, ...]]:
    """Up to so many different topological orders of nodes numbered in reading order: this one, the most different one
    (what can come last comes first), and random ones."""
    found = [tuple(range(count))]
    last_first: Callable[[list[int]], int] = max
    for attempt in range(4 * most):
        if len(found) >= most:
            break
        waiting = {node: {before for before, after in edges if after == node} for node in range(count)}
        order: list[int] = []
        while waiting:
            ready = [node for node, before in waiting.items() if not before]
            node = draw.choice(ready) if attempt else last_first(ready)
            del waiting[node]
            order.append(node)
            for before in waiting.values():
                before.discard(node)
        if tuple(order) not in found:
            found.append(tuple(order))
    return found


def play_graph(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    *,
    instance: int = 0,
    orders: int = MOST_ORDERS,
    blame: bool = True,
) -> PlayedGraph:
    """Play an instance in up to so many orders; if one fails, find whom to blame."""
    try:
        composed = compose_graph(graph, templates, instance)
    except NO_CONTENT as error:
        failure = _Failure(
            f"no content: {type(error).__name__}: {error}", _first_without_content(graph, templates, instance)
        )
        return PlayedGraph(graph.id, 0, 0, failure.why, _blame(graph, templates, failure, orders) if blame else None)
    draw = Random(seed_of("orders", graph.seed, instance))
    moves = played = 0
    for order in topological_orders(len(graph.subtasks), graph.edges, draw, orders):
        played += 1
        failed, count = _play(graph, composed, instance, order)
        moves = moves or count
        if failed:
            where = "" if played == 1 else f"in the order {'-'.join(str(node + 1) for node in order)}: "
            conflict = _blame(graph, templates, failed, orders) if blame else None
            return PlayedGraph(graph.id, played, moves, where + failed.why, conflict)
    return PlayedGraph(graph.id, played, moves, idle=_idle(graph, composed, instance))


def play_alone(subtask: str, templates: Mapping[str, Template], instances: int = 1) -> Conflict | None:
    """Play one subtask by itself with several contents, begun late: whether it fails ("late"), and at once, too
    ("alone"); None if it can wait."""
    graph = GraphRecord(f"alone/{subtask}", (subtask,))
    for instance in range(instances):
        try:
            composed = compose_graph(graph, templates, instance)
        except NO_CONTENT as error:
            return Conflict(subtask, subtask, "alone", f"no content: {type(error).__name__}: {error}")
        late, _ = _play(graph, composed, instance, (0,), LATE_SECONDS)
        if late is not None:
            at_once, _ = _play(graph, composed, instance, (0,))
            return Conflict(subtask, subtask, "alone" if at_once else "late", (at_once or late).why)
    return None


def _play(
    graph: GraphRecord, composed: Composition, instance: int, order: Sequence[int], delay: int = 0
) -> tuple[_Failure | None, int]:
    """What went wrong in one order, and the number of moves.

    Args:
        delay: seconds that pass before the first move.
    """
    trial = Rehearsal(task_of(graph, composed, instance))
    trial.play([Move("", Wait(IDLE_STEP))] * (delay // IDLE_STEP), ended=False)
    if held := [name for name in trial.evaluator.states() if name not in trial.missing]:
        return _Failure(f"holds at the start: {held[0]}", _node_of(held[0], len(order))), 0
    solutions = composed.solutions()
    count = 0
    for node in order:
        try:
            for move in solutions[node](trial.world.state()):
                before = trial.world.snapshot()
                moves = [*seek(trial.world, move), move]
                if len(moves) > 1:
                    trial.world.restore(before)
                trial.play(moves, ended=False)
                count += len(moves)
                if trial.failed:
                    return _Failure(f"cannot be done: {trial.failed[0]}", node), count
        except _BROKEN as error:
            why = f"the demonstration of {graph.subtasks[node]} breaks: {type(error).__name__}: {error}"
            return _Failure(why, node), count
    trial.judge(ended=True)
    if trial.missing:
        return _Failure(f"not reached: {', '.join(trial.missing)}", _node_of(trial.missing[0], len(order))), count
    return None, count


def _node_of(judge: str, count: int) -> int:
    """The node of a judge, whose name begins with its number where there are several."""
    number = judge.split(" ", 1)[0]
    return int(number) - 1 if count > 1 and number.isdecimal() else 0


def _first_without_content(graph: GraphRecord, templates: Mapping[str, Template], instance: int) -> int:
    for count in range(1, len(graph.subtasks)):
        try:
            compose_graph(part_of(graph, range(count)), templates, instance)
        except NO_CONTENT:
            return count - 1
    return len(graph.subtasks) - 1


def _idle(graph: GraphRecord, composed: Composition, instance: int) -> bool:
    trial = Rehearsal(task_of(graph, composed, instance))
    trial.play([Move("", Wait(IDLE_STEP))] * (IDLE_SECONDS // IDLE_STEP))
    return not trial.missing


def _blame(graph: GraphRecord, templates: Mapping[str, Template], failure: _Failure, orders: int) -> Conflict | None:
    """The fewest subtasks that fail by themselves: the one that failed, or it with another one of the graph."""
    late = failure.node
    if _fails(part_of(graph, [late]), templates, 1):
        return Conflict(graph.subtasks[late], graph.subtasks[late], "alone", failure.why)
    below = descendants(len(graph.subtasks), graph.edges)
    above = [{node for node in range(len(below)) if other in below[node]} for other in range(len(below))]
    # Those beside it first, then those before it, the nearest first.
    for other in sorted(range(len(graph.subtasks)), key=lambda node: (late in below[node], -node)):
        if other == late or other in below[late]:
            continue
        first, second = graph.subtasks[other], graph.subtasks[late]
        if late in below[other]:
            between = below[other] & above[late]
            if _fails(part_of(graph, {other, *between, late}), templates, 1):
                return Conflict(first, second, "behind", failure.why)
            continue
        first, second = min(first, second), max(first, second)
        if _fails(part_of(graph, [other, late]), templates, orders):
            return Conflict(first, second, "beside", failure.why)
        if above[other] & above[late]:
            both = part_of(graph, {other, late, *above[other], *above[late]})
            if _fails(both, templates, orders) and not _fails(part_of(graph, {late, *above[late]}), templates, 1):
                return Conflict(first, second, "fork", failure.why)
    return None


def _fails(part: GraphRecord, templates: Mapping[str, Template], orders: int) -> bool:
    """Whether a part fails with one of its first contents; two of one subtask are tried with more of them, because they
    may be in each other's way with some contents alone."""
    for instance in range(CONTENTS if len(set(part.subtasks)) == len(part.subtasks) else CONTENTS_OF_TWINS):
        try:
            composed = compose_graph(part, templates, instance)
        except NO_CONTENT:
            return True
        draw = Random(seed_of("orders", part.seed, instance))
        for order in topological_orders(len(part.subtasks), part.edges, draw, orders):
            if _play(part, composed, instance, order)[0]:
                return True
    return False
