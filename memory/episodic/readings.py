"""From what was observed, decided and done to the events of a timeline: each capture is read once.

A sound that goes on from one turn to the next is one event: it is held until it is over, which is known at the latest
with the environment's next observation, and so before anything is recalled for the next turn; see `SoundTracker`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omnipilot.envs import Absent, AudioClip, Context, Elements, Image, Modality, Observation, Point, VideoClip
from omnipilot.envs.types import SAMPLE_RATE, origin_of, place_fields
from omnipilot.memory.base import MOTION, TEXTS, TRANSCRIPT, Recalled
from omnipilot.memory.episodic.details import ActionDetail, MotionDetail, SoundDetail, TranscriptDetail, VideoDetail
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.excerpts import JOINT, LONGEST_TEXT
from omnipilot.memory.episodic.sounds import SoundTracker, TrackedSound
from omnipilot.memory.episodic.streams import ImageFrame, StreamChunk, StreamReader
from omnipilot.memory.episodic.writes import WriteBacks, under
from omnipilot.memory.perception import OcrReader, SoundEvent, read_motion, shared_reader
from omnipilot.memory.perception.video.movements import idle
from omnipilot.memory.quoting import quote
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import MediaStore
from omnipilot.memory.trajectory import Step, Turn
from omnipilot.memory.transcription.base import Transcriber
from omnipilot.memory.window import verb_text
from omnipilot.memory.word_origins import JOINT as JOINT_OF_ORIGINS
from omnipilot.memory.word_origins import origin_of_sound, origin_on_screen

LONGEST_CLIP = 30.0
"""Seconds of a capture that is taken in as one clip; what passed for longer between two looks is read as a stream."""
CLIPS_KEPT = 64
"""Clips of an environment in which a sound that is over is looked for."""
LONGEST_NAME = 80
"""Characters of a control's name that the event of an action holds."""
_OPERATING = frozenset({"click", "long_press", "drag", "select"})
_TOLD_MODALITY = {TRANSCRIPT: Modality.AUDIO, TEXTS: Modality.SCREENSHOT, MOTION: Modality.VIDEO}
_TOLD_KINDS: dict[str, EventKind] = {TRANSCRIPT: "transcript", TEXTS: "text", MOTION: "motion"}


class Readings:
    """Turns the observations, decisions and outcomes of one episode into events.

    Args:
        store: receives the captures that events refer to.
        transcriber: puts speech into words, once an utterance; None leaves it without.
        ocr: whether the text of a screenshot is read where no elements are given; or the reader to use.

    Raises:
        MissingExtra: RapidOCR is wanted and not installed.
    """

    def __init__(
        self, store: MediaStore, transcriber: Transcriber | None = None, ocr: bool | OcrReader = False
    ) -> None:
        self.store = store
        self._transcriber = transcriber
        self._ocr = (shared_reader() if ocr is True else ocr) or None
        self._writes = WriteBacks()
        self._sounds: dict[str, SoundTracker] = {}
        self._clips: dict[str, deque[tuple[AudioClip, int, MediaRef]]] = {}
        self._trees: dict[str, Elements] = {}
        self._screens: dict[str, str] = {}
        self._lines: dict[str, frozenset[str]] = {}
        self._contexts: dict[str, Context] = {}
        self._heard_from: dict[str, str] = {}

    def of_observation(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        """What an observation adds: what is new on the screen, what was heard and what moved."""
        if isinstance(seen.context, Context) and seen.context != self._contexts.get(seen.env):
            self._contexts[seen.env] = seen.context
            clip = f"clipboard: {seen.context.clipboard}" if seen.context.clipboard else ""
            words = " · ".join(filter(None, (seen.context.app, seen.context.title, seen.context.url, clip)))
            said = str(origin_of(None, seen.context)) + (f"{JOINT_OF_ORIGINS}clipboard" if clip else "")
            yield replace(self._event("context", seen, turn, words, Modality.CONTEXT), origin=said)
        self._heard_from[seen.env] = origin_of_sound(seen)
        yield from self._of_sound(seen, turn)
        yield from self._of_film(seen, turn)
        yield from self._of_screen(seen, turn)
        yield from self._writes.of_observation(seen, turn, *where(seen))

    def going_on(self) -> Iterator[TimelineEvent]:
        """What has been heard of sounds that are not over, each in the turn of its beginning; without an id."""
        for env, tracker in self._sounds.items():
            for event in tracker.going_on:
                if (begun := next((one for one in self._clips[env] if one[0].end > event.start), None)) is not None:
                    yield self._of_heard(event, env, begun[1], begun[2], " (goes on)")

    def finish(self) -> Iterator[TimelineEvent]:
        """What was held because it might have gone on; at the end of an episode."""
        for env, tracker in self._sounds.items():
            for sound in tracker.finish():
                yield from self._of_tracked(sound, env)

    def of_told(self, told: Sequence[Recalled]) -> Iterator[TimelineEvent]:
        """What readers told of an observation in words."""
        for one in told:
            if isinstance(one.part, str) and (modality := _TOLD_MODALITY.get(one.source)) is not None:
                shown = str(origin_of(None, self._contexts.get(one.env))) if one.source == TEXTS else ""
                heard = self._heard_from.get(one.env, "speech") if one.source == TRANSCRIPT else ""
                yield TimelineEvent(
                    _TOLD_KINDS[one.source], one.env, one.time, one.time, one.turn, one.part, modality,
                    origin=one.origin or heard or shown,
                )  # fmt: skip

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
            yield from _named_action(step)
            yield from self._writes.of_step(step)

    def _of_sound(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        if not isinstance(seen.audio, AudioClip) or not seen.audio.pcm:
            return
        if seen.env not in self._sounds:
            transcribe = self._transcriber.transcribe_words if self._transcriber is not None else None
            self._sounds[seen.env] = SoundTracker(transcribe)
            self._clips[seen.env] = deque(maxlen=CLIPS_KEPT)
        for clip in _pieces(seen.audio):
            if clip.pcm.strip(b"\0"):
                ref = self.store.put(clip)
                self._clips[seen.env].append((clip, turn, ref))
                yield TimelineEvent("audio", seen.env, clip.start, clip.end, turn, "", Modality.AUDIO, ref)
            for sound in self._sounds[seen.env].feed(clip):
                yield from self._of_tracked(sound, seen.env)

    def _of_tracked(self, sound: TrackedSound, env: str) -> Iterator[TimelineEvent]:
        """The events of a sound that is over: what it was, and what was said. They belong to the turn of its end."""
        event = sound.event
        clips = self._clips[env]
        turn = next((turn for clip, turn, _ in reversed(clips) if clip.start < event.end), clips[0][1])
        whole = (ref for clip, _, ref in clips if clip.start <= event.start + 1e-6 and event.end <= clip.end + 1e-6)
        ref = next(whole, None) or self.store.put(sound.clip)
        yield self._of_heard(event, env, turn, ref)
        if sound.words:
            yield TimelineEvent(
                "transcript", env, event.start, event.end, turn, sound.words, Modality.AUDIO, ref,
                detail=TranscriptDetail.of(sound.said), origin=self._heard_from.get(env, "speech"),
            )  # fmt: skip

    def _of_heard(self, event: SoundEvent, env: str, turn: int, ref: MediaRef, more: str = "") -> TimelineEvent:
        words = f"{event.kind}: {event.detail}" if event.detail else event.kind
        detail = SoundDetail(event.kind, event.confidence)
        return TimelineEvent(
            "sound", env, event.start, event.end, turn, words + more, Modality.AUDIO, ref, detail=detail
        )

    def _of_film(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        clip = seen.video
        if not isinstance(clip, VideoClip) or _is_still(clip):
            return
        if clip.seconds > LONGEST_CLIP:
            # As many frames as one clip of this length has are more than is read, kept and recalled at once.
            reader = StreamReader(seen.env, self.store, turn=turn)
            yield from reader.feed(StreamChunk(clip.start, clip.end, [ImageFrame(frame) for frame in clip.frames]))
            yield from reader.finish()
            return
        ref = self.store.put(clip)
        events = read_motion(clip).events
        why = idle(clip, events)
        more = VideoDetail(why) if why else None
        yield TimelineEvent("video", seen.env, clip.start, clip.end, turn, "", Modality.VIDEO, ref, detail=more)
        for event in events:
            detail = MotionDetail(event.kind, event.times, why)
            words = f"{event.kind} {event.times} times" if event.times > 1 else event.kind
            yield TimelineEvent(
                "motion", seen.env, event.start, event.end, turn, words, Modality.VIDEO, ref, "", "", event.box, detail
            )

    def _of_screen(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        image = seen.screenshot if isinstance(seen.screenshot, Image) else None
        if image is not None and image.digest != self._screens.get(seen.env):
            self._screens[seen.env] = image.digest
            ref = self.store.put(image)
            yield self._event("screen", seen, turn, "", Modality.SCREENSHOT, ref)
            if self._ocr is not None and not isinstance(seen.elements, Elements):
                lines = [line.name for line in self._ocr.read(image).elements if line.name]
                yield from self._of_lines(seen, turn, lines, Modality.SCREENSHOT, ref)
        if isinstance(seen.elements, Elements) and seen.elements is not self._trees.get(seen.env):
            self._trees[seen.env] = seen.elements
            lines = [text for one in seen.elements.items for text in (one.name, one.value) if text]
            yield from self._of_lines(seen, turn, lines, Modality.ELEMENTS)

    def _of_lines(
        self, seen: Observation, turn: int, lines: Sequence[str], modality: Modality, media: MediaRef | None = None
    ) -> Iterator[TimelineEvent]:
        """The text of a screen, where it is another one than before."""
        distinct = dict.fromkeys(lines)
        if distinct and frozenset(distinct) != self._lines.get(seen.env):
            self._lines[seen.env] = frozenset(distinct)
            shown = seen if modality is Modality.ELEMENTS else replace(seen, elements=Absent("unasked"))
            text = JOINT.join(distinct)[:LONGEST_TEXT]
            yield replace(self._event("text", seen, turn, text, modality, media), origin=origin_on_screen(shown))

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
        places = (getattr(verb, name, None) for name in place_fields(verb))
        at = next(((place.x, place.y) for place in places if isinstance(place, Point)), None)
        detail = ActionDetail(verb.kind, step.outcome.result, at)
        yield TimelineEvent("action", env, step.start, step.end, step.turn, verb_text(verb), detail=detail)
    if step.outcome.message or step.outcome.refused:
        words = f"{step.outcome.result}: {step.outcome.message}".removesuffix(": ")
        yield TimelineEvent("outcome", env, step.end, step.end, step.turn, words)


def _named_action(step: Step) -> Iterator[TimelineEvent]:
    """What a click and the like went to, by the name of its element: for whoever may see elements.

    It adds to the action's own event, which has the result and no modality; this one has neither of them changed.
    """
    verb = step.executed
    if verb is None or verb.kind not in _OPERATING or step.seen is None:
        return
    control = next(iter(under(step)), None)
    if control is None or not control.name:
        return
    detail = ActionDetail(verb.kind, name=control.name, role=control.role)
    words = f"{verb.kind} {quote(control.name[:LONGEST_NAME])}"
    env, (app, page) = step.seen.env, where(step.seen)
    yield TimelineEvent(
        "action", env, step.start, step.end, step.turn, words, Modality.ELEMENTS, None, app, page, control.box, detail
    )


def _pieces(clip: AudioClip) -> Iterator[AudioClip]:
    """A sound in pieces of `LONGEST_CLIP` seconds that follow one another without a gap; itself if it is no longer."""
    if clip.seconds <= LONGEST_CLIP:
        yield clip
        return
    step = 2 * round(LONGEST_CLIP * SAMPLE_RATE)
    for at in range(0, len(clip.pcm), step):
        yield AudioClip(clip.pcm[at : at + step], clip.env, clip.start + at / 2 / SAMPLE_RATE)


def _is_still(clip: VideoClip) -> bool:
    """Whether every frame shows the same."""
    first = clip.frames[0]
    return all(one.rgb is first.rgb or one.rgb == first.rgb for one in clip.frames[1:])
