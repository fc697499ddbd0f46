"""The gate `model`: a chat model says which clips matter, told what our readers find in them or given the media."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from omnipilot.agents.wrappers.model_question import StructuredQuestion
from omnipilot.envs import AudioClip, ConfigError
from omnipilot.memory import ModelUnavailable, Usage
from omnipilot.memory.gate import Gate, GateDecision
from omnipilot.memory.gate.base import Clip, Instructed, modality_of
from omnipilot.memory.messages import Part
from omnipilot.memory.models.media_captions import caption_audio, caption_video
from omnipilot.planners import Brief

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "maxLength": 500},
        "send": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["why", "send"],
    "additionalProperties": False,
}
SHOWN = ("words", "media")


@dataclass(eq=False)
class ModelGate(StructuredQuestion, Gate):
    """Asks a chat model, given the task, once a turn which of its clips the planner needs.

    A model that does not answer, or not so that it can be read, withholds nothing.

    Attributes:
        shown: what the model is given of a clip: `words`, what our readers find in it, or `media`, itself.

    Raises:
        ConfigError: `shown` is something else; or as in a planner over a chat model.
    """

    shown: str = "words"

    own_prompt: ClassVar[str] = "omnipilot.agents.gate:gate"
    asks_as: ClassVar[str] = "gate"

    def __post_init__(self) -> None:
        if self.shown not in SHOWN:
            raise ConfigError(f"gate 'model': shown is {' or '.join(SHOWN)}, not {self.shown!r}")
        super().__post_init__()

    def begin(self, brief: Instructed) -> None:
        """Start a new episode with the task and the seed of its brief."""
        super().begin(cast(Brief, brief))

    def decide(self, turn: int, clips: Sequence[Clip]) -> tuple[Sequence[GateDecision], Usage]:  # noqa: ARG002
        """Ask the model about all clips of a turn together."""
        told = [caption_audio(clip) if isinstance(clip, AudioClip) else caption_video(clip) for clip in clips]

        def read(said: Mapping[str, Any]) -> tuple[frozenset[int], str]:
            numbers = said["send"]
            known = range(1, len(clips) + 1)
            if not isinstance(numbers, list) or any(isinstance(n, bool) or n not in known for n in numbers):
                raise ValueError(f"send must be a list of numbers from 1 to {len(clips)}")
            return frozenset(numbers), str(said.get("why", ""))

        try:
            answer, spent = self.ask(tuple(self._parts(clips, told)), SCHEMA, read)
        except ModelUnavailable as error:
            answer, spent = None, Usage()
            fault = f"let through, as the gate's model did not answer: {error}"
        else:
            fault = "let through, as the answer of the gate's model cannot be read"
        found = []
        for number, (clip, words) in enumerate(zip(clips, told, strict=True), 1):
            sent, why = (True, fault) if answer is None else (number in answer[0], answer[1])
            found.append(GateDecision(clip.env, modality_of(clip), sent, why, clip.start, clip.end, (words,)))
        return found, spent

    def _parts(self, clips: Sequence[Clip], told: Sequence[str]) -> Iterator[Part]:
        yield f"The task: {self._brief.instruction}"
        for number, (clip, words) in enumerate(zip(clips, told, strict=True), 1):
            if self.shown == "words":
                yield f"Clip {number}: {words}"
            else:
                what = "sound" if isinstance(clip, AudioClip) else "film"
                yield f"Clip {number}, {what} of {clip.env}, from {clip.start:.1f} s to {clip.end:.1f} s:"
                yield clip
        yield "Which of these clips should be sent?"
