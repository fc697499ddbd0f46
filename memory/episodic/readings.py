"""From what was observed, decided and done to the events of a timeline: each capture is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.envs import Absent, AudioClip, Context, Elements, Image, Modality, Observation, Point, VideoClip
from omnipilot.envs.types.actions import place_fields
from omnipilot.memory.base import TEXTS, TRANSCRIPT, Recalled
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.perception import read_motion, read_sounds
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import MediaStore
from omnipilot.memory.trajectory import Step, Turn
from omnipilot.memory.window import worded

LONGEST_TEXT = 4_000
"""Characters of a screen's text that an event holds."""
_UNTOLD = frozenset({"silence", "noise"})
_TOLD_MODALITY = {TRANSCRIPT: Modality.AUDIO, TEXTS: Modality.SCREENSHOT}


class Readings:
    """Turns the observations, decisions and outcomes of one episode into events.

    Args:
        store: receives the captures that events refer to.
    """

    def __init__(self, store: MediaStore) -> None:
        self.store = store
        self._screens: dict[str, str] = {}
        self._lines: dict[str, frozenset[str]] = {}
        self._contexts: dict[str, Context] = {}

    def of_observation(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        """What an observation adds: what is new on the screen, what was heard and what moved."""
        if isinstance(seen.context, Context) and seen.context != self._contexts.get(seen.env):
            self._contexts[seen.env] = seen.context
            words = " · ".join(filter(None, (seen.context.app, seen.context.title, seen.context.url)))
            yield self._event("context", seen, turn, words, Modality.CONTEXT)
        yield from self._of_sound(seen, turn)
        yield from self._of_film(seen, turn)
        yield from self._of_screen(seen, turn)

    def of_told(self, told: Sequence[Recalled]) -> Iterator[TimelineEvent]:
        """What readers told of an observation in words."""
        for one in told:
            if isinstance(one.part, str) and (modality := _TOLD_MODALITY.get(one.source)) is not None:
                kind: EventKind = "transcript" if one.source == TRANSCRIPT else "text"
                yield TimelineEvent(kind, one.env, one.time, one.time, one.turn, one.part, modality)

    def of_turn(self, turn: Turn) -> Iterator[TimelineEvent]:
        """What was decided and done in a completed turn."""
        time = max((seen.time for seen in turn.observations.values()), default=0.0)
        if turn.thought:
            yield TimelineEvent("thought", "", time, time, turn.index, turn.thought)
        for note in turn.notes:
            yield TimelineEvent("note", "", time, time, turn.index, note)
        for step in turn.steps:
            if step.fresh and step.seen is not None:
                yield from self.of_observation(step.seen, turn.index)
            yield from _of_step(step)

    def _of_sound(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        clip = seen.audio
        if not isinstance(clip, AudioClip) or not clip.pcm.strip(b"\0"):
            return
        found = [event for event in read_sounds(clip).events if event.kind not in _UNTOLD]
        ref = self.store.put(clip)
        yield TimelineEvent("audio", seen.env, clip.start, clip.end, turn, "", Modality.AUDIO, ref)
        for event in found:
            words = f"{event.kind}: {event.detail}" if event.detail else event.kind
            detail = {"kind": event.kind, "confidence": event.confidence}
            yield TimelineEvent(
                "sound", seen.env, event.start, event.end, turn, words, Modality.AUDIO, ref, detail=detail
            )

    def _of_film(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        clip = seen.video
        if not isinstance(clip, VideoClip) or len({frame.digest for frame in clip.frames}) < 2:
            return
        ref = self.store.put(clip)
        yield TimelineEvent("video", seen.env, clip.start, clip.end, turn, "", Modality.VIDEO, ref)
        for event in read_motion(clip).events:
            detail = {"kind": event.kind, "times": event.times}
            words = f"{event.kind} {event.times} times" if event.times > 1 else event.kind
            yield TimelineEvent(
                "motion", seen.env, event.start, event.end, turn, words, Modality.VIDEO, ref, "", "", event.box, detail
            )

    def _of_screen(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        if isinstance(seen.screenshot, Image) and seen.screenshot.digest != self._screens.get(seen.env):
            self._screens[seen.env] = seen.screenshot.digest
            ref = self.store.put(seen.screenshot)
            yield self._event("screen", seen, turn, "", Modality.SCREENSHOT, ref)
        if isinstance(seen.elements, Elements):
            lines = dict.fromkeys(text for one in seen.elements.items for text in (one.name, one.value) if text)
            if lines and frozenset(lines) != self._lines.get(seen.env):
                self._lines[seen.env] = frozenset(lines)
                yield self._event("text", seen, turn, " | ".join(lines)[:LONGEST_TEXT], Modality.ELEMENTS)

    def _event(
        self,
        kind: EventKind,
        seen: Observation,
        turn: int,
        text: str,
        modality: Modality,
        media: MediaRef | None = None,
    ) -> TimelineEvent:
        app, page = where(seen)
        return TimelineEvent(kind, seen.env, seen.time, seen.time, turn, text, modality, media, app, page)


def where(seen: Observation) -> tuple[str, str]:
    """The application and the page in front, as far as the observation tells."""
    if isinstance(seen.context, Absent):
        return "", ""
    return seen.context.app, seen.context.title or seen.context.url


def _of_step(step: Step) -> Iterator[TimelineEvent]:
    env = step.proposed.env if step.proposed is not None else ""
    verb = step.executed or (step.proposed.intent if step.proposed is not None else None)
    if verb is not None:
        detail: dict[str, object] = {"verb": verb.kind, "result": step.outcome.result}
        places = (getattr(verb, name, None) for name in place_fields(verb))
        if (at := next((place for place in places if isinstance(place, Point)), None)) is not None:
            detail["at"] = [at.x, at.y]
        yield TimelineEvent("action", env, step.start, step.end, step.turn, worded(verb), detail=detail)
    if step.outcome.message or step.outcome.refused:
        words = f"{step.outcome.result}: {step.outcome.message}".removesuffix(": ")
        yield TimelineEvent("outcome", env, step.end, step.end, step.turn, words)
