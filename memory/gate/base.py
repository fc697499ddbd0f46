"""The contract of gates, and what a gated observation looks like."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from omnipilot.envs import Absent, AudioClip, Modality, Observation, VideoClip
from omnipilot.memory.agent_part import AgentPart
from omnipilot.memory.messages import Usage

GATED = (Modality.AUDIO, Modality.VIDEO)
"""Modalities that a gate decides on."""
Clip: TypeAlias = AudioClip | VideoClip
_NOTHING = {
    Modality.AUDIO: "nothing that matters was heard",
    Modality.VIDEO: "nothing that matters was seen to move",
}


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether one clip goes to the planner, and the evidence for it.

    Attributes:
        sent: whether it goes there. why: in words.
        start, end: of the clip, seconds on the world's clock.
        found: the events that were found in it, in words, whether they count or not.
        levels: what was measured, by name with its unit: {"peak dB": -31.0, "room dB": -60.0}.
    """

    env: str
    modality: Modality
    sent: bool
    why: str
    start: float
    end: float
    found: tuple[str, ...] = ()
    levels: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "env": self.env,
            "modality": self.modality.value,
            "sent": self.sent,
            "why": self.why,
            "start": self.start,
            "end": self.end,
            "found": list(self.found),
            "levels": dict(self.levels),
        }


class Instructed(Protocol):
    """What a gate is told of a task: a brief of planners is one."""

    @property
    def instruction(self) -> str: ...


class Gate(AgentPart, ABC):
    """Decides which sound and film of the current observations the planner gets. One instance serves many episodes."""

    @abstractmethod
    def begin(self, brief: Instructed) -> None:
        """Start a new episode; nothing of the previous one may remain."""

    @abstractmethod
    def decide(self, turn: int, clips: Sequence[Clip]) -> tuple[Sequence[GateDecision], Usage]:
        """A decision on each clip, in order, and what the models that were asked have used.

        Args:
            clips: what the planner may see and hear in this turn, each longer than nothing; each is given once.
        """


def clips_of(observations: Iterable[Observation]) -> list[Clip]:
    """The clips of observations that a gate decides on: those with a length."""
    found = [getattr(seen, modality.value) for seen in observations for modality in GATED]
    return [clip for clip in found if isinstance(clip, AudioClip | VideoClip) and clip.seconds > 0]


def modality_of(clip: Clip) -> Modality:
    """The modality that a clip belongs to."""
    return Modality.AUDIO if isinstance(clip, AudioClip) else Modality.VIDEO


def without_withheld(seen: Observation, decisions: Iterable[GateDecision]) -> Observation:
    """The observation without the clips that were withheld, each marked as `gated`."""
    held = [one.modality for one in decisions if one.env == seen.env and not one.sent]
    put: dict[str, Any] = {
        modality.value: Absent("gated", _NOTHING[modality])
        for modality in held
        if isinstance(getattr(seen, modality.value), AudioClip | VideoClip)
    }
    return replace(seen, **put) if put else seen
