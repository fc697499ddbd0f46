"""Which tasks are practised, and from where: what sometimes succeeds most, and from further back as it is mastered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

FLOOR = 0.05
"""Weight of a task that always fails or always succeeds, where one that does half the time has 1."""
MASTERED, LOST = 0.75, 0.0
"""Share of a group that succeeds from which its beginnings move back, and at which they move forward."""
BACK, FORWARD = 1.5, 0.5
LEAST = 0.05
"""Smallest share of a demonstration that is left to the policy."""
MEMORY = 0.7
"""What of an estimate stays at each group."""
PRIOR = 2.0
"""As many groups as what is known of the other tasks of the same complexities counts for."""


@dataclass(slots=True)
class TaskStanding:
    """How far a task is mastered.

    Attributes:
        share: of its demonstration that is left to the policy, 0..1; 1 begins at the task's start.
        solved: estimate of the share of its rollouts that succeed from there. groups: that were played.
    """

    share: float = 1.0
    solved: float = 0.5
    groups: int = 0


class Curriculum:
    """What is practised next.

    A task is drawn by p (1 - p), where p is how often its rollouts succeed. Of a task that was hardly played, p is
    mostly that of the tasks with the same complexities.

    Args:
        tasks: the complexities of each task by its id, such as {"branch": "easy"}; empty mappings where there are none.
    """

    def __init__(self, tasks: Mapping[str, Mapping[str, str]]) -> None:
        self._cells = {task: tuple(sorted(told.items())) for task, told in tasks.items()}
        self.standings = {task: TaskStanding() for task in tasks}

    def estimate(self, task: str) -> float:
        """How often rollouts of a task are expected to succeed, 0..1."""
        mine = self.standings[task]
        return (mine.groups * mine.solved + PRIOR * self._of_the_like(task)) / (mine.groups + PRIOR)

    def weight(self, task: str) -> float:
        """How likely a task is drawn, beside others."""
        p = self.estimate(task)
        return FLOOR + (1 - FLOOR) * 4 * p * (1 - p)

    def choose(self, random: Random, count: int) -> list[tuple[str, float]]:
        """So many tasks, each with the share of its demonstration that is left to the policy; some may be the same."""
        names = list(self.standings)
        drawn = random.choices(names, [self.weight(name) for name in names], k=count)
        return [(name, self.standings[name].share) for name in drawn]

    def learn(self, task: str, share: float, solved: float, led: bool = True) -> None:
        """Take in a group.

        Args:
            share: of the demonstration that was left to it. solved: share of its rollouts that succeeded, 0..1.
            led: whether a demonstration led to its beginning; else beginnings stay where they are.
        """
        mine = self.standings[task]
        if share == mine.share:
            # A part of what is known of a task is forgotten each time: the policy changes.
            kept = MEMORY if mine.groups else 0.0
            mine.solved = kept * mine.solved + (1 - kept) * solved
        mine.groups += 1
        if not led or share != mine.share:
            return
        if solved >= MASTERED and share < 1:
            mine.share, mine.solved = min(1.0, share * BACK), 0.5
        elif solved <= LOST and mine.solved <= 0.2 and share > LEAST:
            mine.share, mine.solved = max(LEAST, share * FORWARD), 0.5

    def to_json(self) -> dict[str, Any]:
        """As plain values, for a checkpoint."""
        return {task: asdict(one) for task, one in self.standings.items()}

    def take_json(self, told: Mapping[str, Mapping[str, Any]]) -> None:
        """Go on from what `to_json` told; tasks that are no longer there are left out."""
        for task, one in told.items():
            if task in self.standings:
                self.standings[task] = TaskStanding(**one)

    def _of_the_like(self, task: str) -> float:
        """The mean over the complexities of a task of how often tasks with the same one succeed."""
        means = [
            self._mean([other for other, cells in self._cells.items() if cell in cells]) for cell in self._cells[task]
        ]
        return sum(means) / len(means) if means else 0.5

    def _mean(self, tasks: Sequence[str]) -> float:
        known = [self.standings[task] for task in tasks if self.standings[task].groups]
        return (0.5 + sum(one.solved for one in known)) / (1 + len(known))
