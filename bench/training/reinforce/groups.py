"""Groups of rollouts from one moment of a task: which are played, and how they are brought there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Literal, TypeAlias

from omnipilot.bench.session import Session
from omnipilot.bench.training.reinforce.policy import PolicySeat, ReplyPolicy
from omnipilot.bench.training.reinforce.rollout import Rollout, fork_group, play
from omnipilot.bench.training.reinforce.tasks import TaskSource
from omnipilot.envs import ConfigError, Modality

LeadBy: TypeAlias = Literal["demonstration", "policy"]
SLACK, MORE = 1.5, 4
"""A group may take so many times the replies that the demonstration takes from there, and so many more."""
MOST_REPLIES = 60
"""Replies of a rollout of which no demonstration says how many it takes."""


@dataclass(frozen=True, slots=True)
class RolloutGroup:
    """Rollouts from one moment.

    Attributes:
        share: of the demonstration that is left to them, 0..1. led: whether a demonstration led to it.
    """

    task: str
    instance: int
    share: float
    led: bool
    rollouts: Sequence[Rollout]

    @property
    def success_share(self) -> float:
        """Share of the rollouts that solved the task."""
        return sum(one.solved for one in self.rollouts) / len(self.rollouts)


class GroupMaker:
    """Brings sessions to moments of tasks, and forks them.

    Args:
        size: rollouts of a group. lead: who plays to its beginning where a task has a demonstration.
        temperature: of the policy where it leads, and in a group as long as rollouts are together. alone: of a rollout
            that has parted from all others; None for the same. With 0, what its reply is worth shows in what the
            policy makes of it at its best, and not in what is drawn afterwards.
    """

    def __init__(
        self,
        policy: ReplyPolicy,
        source: TaskSource,
        size: int,
        lead: LeadBy = "demonstration",
        temperature: float = 1.0,
        alone: float | None = None,
    ) -> None:
        if size < 2:
            raise ConfigError(f"a group of {size} has nothing to compare; take at least 2 rollouts")
        self.policy, self.source, self.size, self.lead = policy, source, size, lead
        self.temperature, self.alone = temperature, alone

    def make(self, chosen: Sequence[tuple[str, float]], random: Random) -> list[RolloutGroup]:
        """Groups that have not been played yet; a moment at which the task is over is left out.

        Args:
            chosen: tasks, each with the share of its demonstration that is left to the rollouts.
        """
        made: list[tuple[str, int, float, bool, PolicySeat, int]] = []
        leaders: list[Rollout] = []
        for task, share in chosen:
            instance = self.source.draw_instance(task, random)
            steps = self.source.lead(task, instance)
            seat = self.open(task, instance, f"{random.random()}")
            if steps is None:
                most = MOST_REPLIES
            else:
                left = max(1, ceil(share * len(steps)))
                most = ceil(SLACK * left) + MORE
            if steps is not None and self.lead == "demonstration":
                for step in steps[: len(steps) - left]:
                    seat.follow(step)
            elif random.random() < 0.5:
                # Half of the groups begin somewhere on the policy's own way, the others at the task's start.
                way = random.randrange(1, most // 2)
                leaders.append(Rollout(seat, way))
                most -= way
            led = steps is not None and self.lead == "demonstration"
            made.append((task, instance, share if led else 1.0, led, seat, most))
        play(leaders, self.policy, self.temperature, random.randrange(1 << 31), keep=True)
        groups = []
        for task, instance, share, led, seat, most in made:
            if seat.over:
                seat.session.close()
            else:
                groups.append(RolloutGroup(task, instance, share, led, fork_group(seat, self.size, most)))
        return groups

    def open(self, task: str, instance: int, seed: str) -> PolicySeat:
        """A seat at the start of a task.

        Raises:
            ConfigError: it must not be trained on.
        """
        self.source.check(task, instance)
        return open_seat(self.policy, self.source, task, instance, seed)

    def play(self, groups: Sequence[RolloutGroup], seed: int) -> int:
        """Play all rollouts of some groups together; returns the number of replies."""
        rollouts = [one for group in groups for one in group.rollouts]
        numbers = [number for number, group in enumerate(groups) for _ in group.rollouts]
        return play(rollouts, self.policy, self.temperature, seed, alone=self.alone, groups=numbers)


def open_seat(policy: ReplyPolicy, source: TaskSource, task: str, instance: int, seed: str) -> PolicySeat:
    """A seat at the start of any task of a source, to measure on or to practise."""
    session = Session(source.suite, modalities=(Modality.ELEMENTS,))
    return policy.sit(session, session.open(task, instance), seed)


def play_from_start(
    policy: ReplyPolicy, source: TaskSource, wanted: Sequence[tuple[str, int]], most: Callable[[str, int], int]
) -> list[Rollout]:
    """Some tasks and instances, played by a policy from their start with its likeliest replies.

    Args:
        most: replies that it may take.
    """
    rollouts = [
        Rollout(open_seat(policy, source, task, instance, ""), most(task, instance)) for task, instance in wanted
    ]
    play(rollouts, policy, 0.0, 0, repeats=2)
    return rollouts
