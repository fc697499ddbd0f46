"""Judges: each examines one sub-goal and says how far it has been reached, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from omnipilot.envs import Action, Capability, ConfigError, World

JudgedWhen: TypeAlias = Literal["step", "lasting", "end"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a sub-goal has been reached: `progress` in 0..1 (1 is reached), and the reason in words."""

    progress: float
    reason: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.progress <= 1.0:
            raise ValueError(f"progress must be between 0 and 1, not {self.progress}")

    @property
    def reached(self) -> bool:
        """Whether the sub-goal is reached."""
        return self.progress >= 1.0


class ExecutedAction(NamedTuple):
    """An action that an environment carried out.

    Attributes:
        env: the environment's name.
        control: the name of what it was done to, as the screen was before; "" where it was done to nothing, or nobody
            looked (`Judge.reads_controls`).
    """

    env: str
    action: Action
    control: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What a judge may examine.

    Attributes:
        world: with whatever capabilities it has (see `Capability`).
        start: the world's state when the episode began, if the world has a state.
        answers: the agent's answers so far.
        actions: what environments carried out of what the agent did so far, in order.
        since: how many of these had been carried out when the judge's group became active (`Judge.group`).
        since_time: the world's time then, in seconds.
    """

    world: World
    start: Any = None
    answers: tuple[str, ...] = ()
    actions: tuple[ExecutedAction, ...] = ()
    since: int = 0
    since_time: float = 0.0

    @property
    def state(self) -> Any:
        """The world's current state.

        Raises:
            ConfigError: this world has no readable state.
        """
        if Capability.STATE not in self.world.capabilities:
            raise ConfigError(
                f"{type(self.world).__name__} has no state that a judge can read; use a world that has the capability"
            )
        return self.world.state()


@dataclass(frozen=True, slots=True)
class Judge:
    """One node of a task's graph.

    Attributes:
        name: unique in the graph; shown in reports.
        ask: examines the case and must not change it. True and False mean progress 1 and 0.
        when: called after each step; or so, and again when all else is reached, for it has to last; or only when the
            episode has ended.
        env: the environment it judges, for reports.
        group: judges of one group, such as those of one subtask, are told of what was done since the first of them
            became active; a judge without a group is told of everything.
        reads_controls: whether it asks what was clicked, so that somebody has to look before each action.
    """

    name: str
    ask: Callable[[Case], Verdict | bool]
    when: JudgedWhen = "step"
    env: str = ""
    group: object = None
    reads_controls: bool = False

    def __call__(self, case: Case) -> Verdict:
        """Judge the case."""
        verdict = self.ask(case)
        return verdict if isinstance(verdict, Verdict) else Verdict(float(verdict))


def answer_contains(text: str) -> Callable[[Case], Verdict]:
    """Reached if an answer contains `text`, ignoring case and surrounding space (CRAB's check_submit)."""

    def ask(case: Case) -> Verdict:
        hit = any(text.casefold() in answer.casefold() for answer in case.answers)
        return Verdict(float(hit), f"answers: {list(case.answers)!r}; wanted: {text!r}")

    return ask
