"""The world of tasks that a foreign process begins, plays, rewards and ends."""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.bench.foreign.process import ForeignProcess, finite_score
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Capability, ConfigError, EnvLost, Thinking, World


@dataclass(frozen=True, slots=True)
class RewardState:
    """What the other side says of an episode.

    Attributes:
        task: its id. reward: the largest reward of a step so far, by its own rule. ended: whether it has ended it.
        sent: the actions that were sent, as they went out.
    """

    task: str = ""
    reward: float = 0.0
    ended: bool = False
    sent: tuple[str, ...] = ()


def reward_graph(env: str) -> JudgeGraph:
    """A graph that is reached when the other side gave a reward of 1 in an environment; a smaller one is progress."""
    return JudgeGraph((Judge("reward", _judge_reward, env=env),))


def _judge_reward(case: Case) -> Verdict:
    state: RewardState = case.state
    return Verdict(min(1.0, max(0.0, state.reward)), f"reward {state.reward:g}")


class ForeignWorld(World):
    """A world in a process of its own, on the clock of the wall. Its script has a handler `close`.

    Attributes:
        judged_by: who rewards and ends, as messages call it.

    Args:
        process: which plays the tasks; it is ended with the world.
        patience: seconds in which its script has to have closed what it started.
    """

    capabilities = frozenset({Capability.STATE, Capability.ENDS, Capability.HEARS})
    judged_by: ClassVar[str]

    def __init__(self, process: ForeignProcess, thinking: Thinking, patience: float) -> None:
        self.thinking = thinking
        self._process = process
        self._patience = patience
        self._task = ""
        self._state = RewardState()
        self._begun = time.monotonic()

    @property
    def now(self) -> float:
        """Wall-clock seconds since the last reset."""
        return time.monotonic() - self._begun

    @abstractmethod
    def start(self, task: str, instance: int) -> str:
        """Begin a task with a seed; returns the instruction."""

    def begin(self, task: str) -> None:
        """Take note that a task has begun."""
        self._state = RewardState(task)
        self._begun = time.monotonic()

    def take_reward(self, told: Mapping[str, Any], *sent: str) -> None:
        """Take in what was told after a step: "reward" and "ended".

        Raises:
            EnvLost: the reward is no number in -1..1.
        """
        reward = finite_score(told["reward"], f"the judge of {self._task}", -1.0, 1.0)
        state = self._state
        self._state = RewardState(
            state.task, max(state.reward, reward), state.ended or bool(told["ended"]), (*state.sent, *sent)
        )

    def state(self) -> RewardState:
        """What the other side says of the episode."""
        return self._state

    def ended(self) -> str:
        """Why the episode has ended; "" while it goes on."""
        return f"{self.judged_by} has ended the episode with reward {self._state.reward:g}" if self._state.ended else ""

    def reset(self, instance: int) -> None:
        """Begin the current task again.

        Raises:
            ConfigError: no task has been started yet.
        """
        if not self._task:
            raise ConfigError("this world has no task yet; call start(task, instance) first")
        self.start(self._task, instance)

    def think(self, measured: float) -> None:
        """Does nothing: the process runs in real time anyway."""

    def close(self) -> None:
        """End the process, and what it has started. May be called twice."""
        if self._process.alive:
            with contextlib.suppress(EnvLost):
                self._process.ask("close", self._patience)
        self._process.close()
