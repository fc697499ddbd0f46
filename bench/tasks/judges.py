"""Judges: each looks at one sub-goal and says how far it is reached, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from omnipilot.envs import ConfigError, State, World


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a sub-goal is reached: `progress` in 0..1 (1 is reached), and the reason in words."""

    progress: float
    reason: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.progress <= 1.0:
            raise ValueError(f"progress must be between 0 and 1, not {self.progress}")

    @property
    def reached(self) -> bool:
        """Whether the sub-goal is reached."""
        return self.progress >= 1.0


@dataclass(frozen=True, slots=True)
class Case:
    """What a judge may look at.

    Attributes:
        world: with whatever capabilities it has (`State`, `UiTree`, `Files`, `Shell`).
        start: the world's state when the episode began, where it has one.
        answers: what the agent answered so far.
    """

    world: World
    start: Any = None
    answers: tuple[str, ...] = ()

    @property
    def state(self) -> Any:
        """The world's state now.

        Raises:
            ConfigError: this world has no readable state.
        """
        if not isinstance(self.world, State):
            raise ConfigError(
                f"{type(self.world).__name__} has no state that a judge can read; use a world with the capability State"
            )
        return self.world.state()


@dataclass(frozen=True, slots=True)
class Judge:
    """One node of a task's graph.

    Attributes:
        name: unique in the graph; shown in reports.
        ask: looks at the case and must not change it. True and False stand for progress 1 and 0.
        when: asked after each step, or only when the episode has ended.
        env: the environment it is about, for reports.
    """

    name: str
    ask: Callable[[Case], Verdict | bool]
    when: Literal["step", "end"] = "step"
    env: str = ""

    def __call__(self, case: Case) -> Verdict:
        """Ask."""
        verdict = self.ask(case)
        return verdict if isinstance(verdict, Verdict) else Verdict(float(verdict))


def answered(text: str) -> Callable[[Case], Verdict]:
    """Reached when an answer contains `text`, case and surrounding space apart (CRAB's check_submit)."""

    def ask(case: Case) -> Verdict:
        hit = any(text.casefold() in answer.casefold() for answer in case.answers)
        return Verdict(float(hit), f"answers: {list(case.answers)!r}; wanted: {text!r}")

    return ask
