"""Whether a task can be done as it is shown, in several orders, and whether doing nothing does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.bench.suites.duet.kit.play import pieces
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.tell.topology import edges_of, other_orders
from omnipilot.bench.synthesis.template import Solution
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import OmnipilotError, Wait
from omnipilot.memory import Move

_IDLE_SECONDS, _IDLE_STEP = 600, 20


@dataclass(frozen=True, slots=True)
class PlayedTask:
    """What playing a task showed.

    Attributes:
        executable: whether its demonstration solves it in every order that was played. failed: why not, "" where it
            does. idle: whether ten minutes of doing nothing solve it.
    """

    executable: bool
    failed: str = ""
    idle: bool = False


def play_task(suite: PoolSuite, graph: GraphRecord, orders: int = 3) -> PlayedTask:
    """Play instance 0 of a graph in its reading order and others, and once without doing anything.

    Args:
        orders: how many at most.
    """
    try:
        task, solutions = suite.instantiate(graph.id, 0), suite.solutions(graph.id, 0)
    except (OmnipilotError, AssertionError, LookupError, ValueError) as error:
        return PlayedTask(False, f"no content: {error or type(error).__name__}")
    nodes = len(solutions)
    reading = tuple(range(nodes))
    for order in (reading, *other_orders(nodes, edges_of(graph), reading, orders - 1, graph.seed)):
        if failed := _play(task, [solutions[node] for node in order]):
            return PlayedTask(False, failed)
    idle = Rehearsal(task).play([Move("", Wait(_IDLE_STEP))] * (_IDLE_SECONDS // _IDLE_STEP))
    return PlayedTask(True, idle=not idle.missing)


def _play(task: Task, solutions: Sequence[Solution]) -> str:
    trial = Rehearsal(task)
    try:
        moves = [move for part in pieces(trial.world, solutions) for move in part]
    except (OmnipilotError, LookupError, ValueError, StopIteration) as error:
        return f"the demonstration cannot be carried out: {error}"
    trial.play(moves)
    if trial.failed:
        return f"cannot be done: {trial.failed[0]}"
    return f"not reached: {', '.join(trial.missing)}" if trial.missing else ""
