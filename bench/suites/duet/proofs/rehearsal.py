"""Tries given moves on a task of `duet`: which nodes were reached, and which moves could not be carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.bench.suites.duet.kit.play import try_move
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import Answer
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.world import Snapshot
from omnipilot.memory import Move


@dataclass(frozen=True, slots=True)
class Stand:
    """A saved state of a trial between two moves."""

    snapshot: Snapshot
    evaluator: GraphEvaluator
    answers: tuple[str, ...]


class Rehearsal:
    """A task set up in its own world; the judges run after each move.

    Args:
        world: set up anew.
    """

    def __init__(self, task: Task, world: SimWorld | None = None) -> None:
        self.world = world or SimWorld()
        self.instruction = task.setup(self.world)
        self.start: WorldState = self.world.state()
        self.evaluator = GraphEvaluator(task.graph)
        self.answers: tuple[str, ...] = ()
        self.failed: list[Move] = []
        self.judge()

    def judge(self, ended: bool = False) -> None:
        """Run the judges."""
        self.evaluator.step(Case(self.world, self.start, self.answers), ended)

    def play(self, moves: Sequence[Move], ended: bool = True) -> Rehearsal:
        """Carry out moves; an impossible one is noted and skipped."""
        for move in moves:
            if isinstance(move.intent, Answer):
                self.answers = (*self.answers, move.intent.text)
            elif not try_move(self.world, move):
                self.failed.append(move)
            self.judge()
        if ended:
            self.judge(ended=True)
        return self

    def stand(self) -> Stand:
        """The trial's current state."""
        return Stand(self.world.snapshot(), self.evaluator.copy(), self.answers)

    def back(self, stand: Stand) -> None:
        """Restore a saved state, which can be restored again later."""
        self.world.restore(stand.snapshot)
        self.evaluator = stand.evaluator.copy()
        self.answers = stand.answers

    @property
    def missing(self) -> list[str]:
        """Names of the nodes that were not reached."""
        return [name for name, state in self.evaluator.states().items() if state.value != "completed"]
