"""A recorded episode as a world: each moment shows the recorded observation, then the recorded action follows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from omnipilot.envs.base import Capability, Env, Passage, Platform, Thinking, World
from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements, Modality, Observation

Look: TypeAlias = Callable[[str, float, Collection[Modality]], Observation]


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One moment of a recording.

    Attributes:
        look: returns the observation, given the environment's name, the time on the world's clock and the requested
            modalities (others need not be read); clips cover the `seconds` before that time.
        actions: the recorded actions; several for a script.
        words: the data's own wording of the actions, "" for a default rendering.
        seconds: time since the previous moment.
        tree: returns the true elements of the screen, for judges alone; None if the data has none. If any moment has
            some, the device has the capability `UI_TREE`.
    """

    look: Look
    actions: tuple[Action, ...]
    words: str = ""
    seconds: float = 1.0
    tree: Callable[[], Elements] | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded episode on one device.

    Attributes:
        size: nominal screen size in pixels; observations have their own.
        verbs: verbs of the device. script: whether all moves of a decision are taken, or only the first.
    """

    platform: Platform
    size: Size
    verbs: frozenset[str]
    steps: tuple[RecordedStep, ...]
    env: str = "device"
    script: bool = False

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a recording needs at least one step")


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the agent would have done at one moment: its actions, or none because of `problem`."""

    actions: tuple[Action, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReplayState:
    """The state for judges: the current moment, from 0, and the predictions for all moments before it."""

    step: int = 0
    predictions: tuple[Prediction, ...] = ()


@dataclass(eq=False)
class _Device(Env):
    """The one environment of a replay world."""

    recording: Recording
    step: int = 0
    custom: Mapping[str, CustomVerb] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.recording.env

    @property
    def platform(self) -> Platform:
        return self.recording.platform

    @property
    def size(self) -> Size:
        return self.recording.size

    @property
    def verbs(self) -> frozenset[str]:
        return self.recording.verbs

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        # After the end, the last moment is shown again, only for the record: no agent is called then.
        step = min(self.step, len(self.recording.steps) - 1)
        time = sum(one.seconds for one in self.recording.steps[: step + 1])
        return self.recording.steps[step].look(self.name, time, modalities).only(modalities, "unasked")

    def act(self, action: Action) -> None:  # noqa: ARG002
        raise ActionRejected("this is a recording; it continues as recorded, whatever the agent does")

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class _ListedDevice(_Device):
    """A device of a recording with true elements."""

    capabilities = frozenset({Capability.UI_TREE})

    def ui_tree(self) -> Elements:
        tree = self.recording.steps[min(self.step, len(self.recording.steps) - 1)].tree
        return Elements((), True, "none were recorded") if tree is None else tree()


class ReplayWorld(World):
    """Plays recordings. A loop on it is teacher-forced: it has the capability `RECORDED`.

    It runs on the recording's clock: thinking and waiting take no time.
    """

    capabilities = frozenset({Capability.STATE, Capability.RECORDED, Capability.ENDS})

    def __init__(self, thinking: Thinking | None = None) -> None:
        self.thinking = thinking or Thinking()
        self._device: _Device | None = None
        self._state = ReplayState()

    def load(self, recording: Recording) -> None:
        """Load a recording, at its first moment."""
        self._device = (_ListedDevice if any(step.tree for step in recording.steps) else _Device)(recording)
        self._state = ReplayState()

    @property
    def envs(self) -> Mapping[str, _Device]:
        """The single device; empty before a recording is loaded."""
        return {} if self._device is None else {self._device.name: self._device}

    @property
    def now(self) -> float:
        """Seconds from the first moment to this one."""
        return sum(step.seconds for step in self._steps[: self._state.step + 1])

    @property
    def most(self) -> int | None:
        """One move per decision, or all of a script (None)."""
        return None if self._device is not None and self._device.recording.script else 1

    def take(self, actions: Sequence[Action], problem: str) -> Passage:
        """Record a prediction and advance; it has the capability `RECORDED`."""
        assert self._device is not None
        number = self._state.step
        taken = Prediction(tuple(actions), problem)
        self._state = ReplayState(number + 1, (*self._state.predictions, taken))
        self._device.step = number + 1
        step = self._steps[number]
        return Passage(self._device.name, step.actions, step.words)

    def ended(self) -> str:
        """Why the episode has ended: the recording has."""
        return "the recording is over" if self._device and self._state.step >= len(self._steps) else ""

    def state(self) -> ReplayState:
        """The state, for judges."""
        return self._state

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """Go back to the first moment; a recording has only one instance."""
        if self._device is not None:
            self.load(self._device.recording)

    def wait(self, seconds: float) -> None:
        """Do nothing: a recording has its own clock."""

    def think(self, measured: float) -> None:
        """Do nothing: a recording has its own clock."""

    def close(self) -> None:
        """Forget the recording."""
        self._device = None

    @property
    def _steps(self) -> tuple[RecordedStep, ...]:
        return () if self._device is None else self._device.recording.steps
