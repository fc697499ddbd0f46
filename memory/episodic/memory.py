"""Memories that keep a timeline: they recall what was seen, heard and done, whenever it was, by what matters now."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from omnipilot.envs import AudioClip, ConfigError, Image, NotFound, Observation, VideoClip
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.base import Budget, KeepsTimeline, Recalled, Role, Spends
from omnipilot.memory.episodic.anchors.book import Anchors
from omnipilot.memory.episodic.answers import Answer, Moment, moments
from omnipilot.memory.episodic.companion import Companion
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.packing import LEAST_SECONDS, ORDERS, Allowance, Order, arranged, excerpt
from omnipilot.memory.episodic.ranking import SIGNALS, Asked, Candidate, EpisodicPolicy, Forgets, Policy
from omnipilot.memory.episodic.readings import Readings
from omnipilot.memory.episodic.screen_map.companion import MapCompanion
from omnipilot.memory.episodic.timeline import Scope, Timeline
from omnipilot.memory.messages import Part, Usage
from omnipilot.memory.perception import shared_reader
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import MediaStore, StoredMedia
from omnipilot.memory.trajectory import Turn
from omnipilot.memory.transcription import make_transcriber
from omnipilot.memory.warm_up import warm_up

MARGIN = 0.5
"""Seconds around an event that a clip of it keeps."""
LONGEST_CLIP = 10.0
"""Seconds of one clip, at most."""
RECENT = 16
"""Captures that are kept ready, so that what was just seen is not read from the disk again."""
COMPANIONS = 0.4
"""The share of the texts that companions (anchors, the map) may take."""
CHARACTERS = 3
"""Characters of a companion's text for each token that is left to it: texts with many short words have so few."""
FLAT = 0.15
"""What a text costs besides its share of the budget: of two that matter as much, the shorter comes first, but no
handful of scraps displaces one that matters."""
WIDEST, NARROWEST = 6, 24
"""One text takes at most one in so many of the tokens, but may always take a few."""
SOURCES = {"screen": "screenshot"}
"""Sources of recalled parts whose name is not that of their event's kind."""
_FRONT: tuple[EventKind, ...] = ("context",)


class TimelineMemory:
    """Keeps a timeline of everything that its roles may see; policies choose what of it to recall.

    Args:
        policies: share the budget evenly; what one leaves is for the others.
        budget: most that is recalled for one decision.
        order: of the parts of a recall, see `omnipilot.memory.episodic.packing.ORDERS`.
        anchors: whether entities get names, such as `@code-1`, which planners may type.
        map: whether a map of the screens is kept, and told to roles that may see elements.

    Raises:
        ConfigError: an unknown order, or a limit below zero.
    """

    def __init__(
        self,
        policies: Sequence[Policy],
        budget: Budget,
        order: str = "time",
        anchors: bool = False,
        map: bool = False,
        transcriber: str = "",
        ocr: bool = False,
    ) -> None:
        if order not in ORDERS:
            raise ConfigError(f"memory: order must be {' or '.join(ORDERS)}, not {order!r}")
        for name in ("images", "clips", "tokens", "audio_seconds", "video_seconds"):
            if (most := getattr(budget, name)) is not None and most < 0:
                raise ConfigError(f"memory: {name} must be at least 0, not {most}")
        self.policies = tuple(policies)
        self._compares = any(getattr(policy, "compares", False) for policy in self.policies)
        self.budget = budget
        self.order: Order = order
        self.timeline = Timeline()
        self._store: MediaStore | None = None
        self._own = MediaStore()
        self._drained = 0
        self._watched: set[int] = set()
        self._now = 0
        self._transcriber = make_transcriber(transcriber) if transcriber else None
        self._ocr = ocr
        self._readings = self._new_readings(self._own)
        self._screens: dict[str, list[TimelineEvent]] = {}
        self._turns: dict[int, list[int]] = {}
        self._looks: dict[str, Any] = {}
        self._thought = ""
        self._recent: OrderedDict[str, StoredMedia] = OrderedDict()
        self._answers: dict[tuple[object, ...], tuple[Recalled, ...]] = {}
        self._anchors = Anchors() if anchors else None
        self._companions: list[Companion] = [self._anchors] if self._anchors is not None else []
        if map:
            self._companions.append(MapCompanion())

    def take_store(self, store: MediaStore) -> None:
        """Keep captures in the run's store."""
        self._store = store
        self._readings = self._new_readings(store)

    def warm_up(self) -> None:
        """Load the models of speech and of text on screens, where they run in this process."""
        warm_up(self._transcriber, shared_reader() if self._ocr else None)

    def clear(self) -> None:
        """Forget everything."""
        self.timeline.clear()
        self._own = MediaStore()
        self._readings = self._new_readings(self._store or self._own)
        self._drained, self._watched, self._now = 0, set(), 0
        self._screens, self._turns, self._thought = {}, {}, ""
        self._looks.clear()
        self._recent.clear()
        self._answers.clear()
        for policy in self.policies:
            if isinstance(policy, Forgets):
                policy.clear()
        for companion in self._companions:
            companion.clear()

    def watch(self, turn: int, observations: Mapping[str, Observation], told: Sequence[Recalled] = ()) -> None:
        """Take in the observations on which a turn will be decided."""
        if turn in self._watched:
            return
        self._watched.add(turn)
        self._now = turn
        for seen in observations.values():
            self._append(self._readings.of_observation(seen, turn))
            self._keep_ready(seen)
            for companion in self._companions:
                self._append(companion.observe(seen, turn))
        self._append(self._readings.of_told(told))
        self._answers.clear()

    def record(self, turn: Turn) -> None:
        """Keep a completed turn."""
        self.watch(turn.index, turn.observations)
        self._append(self._readings.of_turn(turn))
        for step in turn.steps:
            if step.fresh and step.seen is not None:
                for companion in self._companions:
                    self._append(companion.observe(step.seen, turn.index))
        self._now = turn.index + 1
        self._thought = turn.thought
        self._answers.clear()

    def fill_anchor(self, name: str, role: Role) -> str:
        """The value of an anchor that the role may see.

        Raises:
            NotFound: there is none; the message gives the near names.
        """
        if self._anchors is None:
            raise NotFound("this memory keeps no anchors; its option anchors is false")
        return self._anchors.fill(name, Scope.of(role, self._anchors.envs))

    @property
    def knows_anchors(self) -> bool:
        """Whether it gives entities names."""
        return self._anchors is not None

    def take_events(self, events: Iterable[TimelineEvent]) -> None:
        """Keep what others have found out."""
        self._append(events)

    def restore(self, events: Iterable[TimelineEvent], now: int) -> None:
        """Take in the events of an earlier timeline, so that it can be asked as before turn `now`.

        Entities are sighted anew where something here does that; summaries are made anew, for the role that asks.
        """
        again = {"summary", "anchor"} if self._companions else {"summary"}
        for event in events:
            if event.kind not in again:
                self._append([event])
            if event.kind == "thought":
                self._thought = event.text
        self._now = now
        self._answers.clear()

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events appended since the last call."""
        found = tuple(self.timeline.get(id) for id in range(self._drained + 1, len(self.timeline) + 1))
        self._drained = len(self.timeline)
        made = (
            event for policy in self.policies if isinstance(policy, KeepsTimeline) for event in policy.drain_events()
        )
        return (*found, *made)

    def drain_usage(self) -> Usage:
        """What the models that policies call have cost since the last call of this."""
        return sum((policy.drain_usage() for policy in self.policies if isinstance(policy, Spends)), Usage())

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """The parts that matter most for `query`, in the memory's order."""
        scope = Scope.of(role, envs)
        key = (query, budget, scope)
        if key not in self._answers:
            self._answers[key] = self._recall(query, budget, scope)
        return self._answers[key]

    def answer(self, question: str, role: Role, envs: Collection[str], most: int) -> list[Answer]:
        """The moments that answer a question asked afterwards, the best first: at most so many.

        Unlike a recall for a decision it looks at nothing but the question, and what belongs together is one answer.
        """
        asked = self._asked(question, Scope.of(role, envs), "")
        found = (one for policy in self.policies for one in policy.candidates(asked))
        return [self._answered(moment) for moment in moments(found, asked, most)]

    def _answered(self, moment: Moment) -> Answer:
        span, lead, media = moment.span, moment.lead.event, None
        if moment.ref is not None:
            media = self._capture(moment.ref)
            if not isinstance(media, Image):
                # What a reader told has no span of its own: then it is all of the clip.
                whole = span if span.end > span.start else replace(span, kind=cast(EventKind, moment.ref.kind))
                start, end = _span(whole, moment.ref, LONGEST_CLIP)
                media = media if (start, end) == (media.start, media.end) else media.slice(start, end)
        return Answer(lead.kind, lead.env, span.start, span.end, lead.turn, moment.words(), moment.why(), media)

    def _asked(self, query: str, scope: Scope, aside: str) -> Asked:
        return Asked(
            query,
            scope,
            self.timeline,
            self._now,
            min(self._turns, default=0),
            aside,
            self._screens,
            partial(self._of_turns, scope),
            self._look_of,
        )

    def _recall(self, query: str, budget: Budget, scope: Scope) -> tuple[Recalled, ...]:
        left = Allowance(budget)
        found: list[tuple[float, int, Recalled]] = []
        for one in self._of_companions(query, scope, left):
            found.append((one.time, 0, one))
        asked = self._asked(query, scope, self._aside(scope))
        packing = _Packing(self._capture)
        offers = [list(policy.candidates(asked)) for policy in self.policies]
        # First each policy's share of all, then whatever the others have left.
        shares = [1 / (len(offers) - number) for number in range(len(offers))]
        rounds = [*zip(offers, shares, strict=True), *([(offer, 1.0) for offer in offers] if len(offers) > 1 else [])]
        for offer, part in rounds:
            for event, one in packing.pack(offer, Allowance(left.share(part))):
                left.take(one.part)
                found.append((one.time, event.id, one))
        found.sort(key=lambda item: item[:2])
        return arranged([one for _, _, one in found], self.order)

    def _of_companions(self, query: str, scope: Scope, left: Allowance) -> Iterator[Recalled]:
        """What companions add: as much as fits into their share, which they divide; what one leaves is for the next."""
        share = Allowance(left.share(COMPANIONS if self.policies else 1.0))
        for number, companion in enumerate(self._companions):
            own = Allowance(share.share(1 / (len(self._companions) - number)))
            room = own.characters if math.isinf(own.tokens) else min(own.characters, CHARACTERS * int(own.tokens))
            for one in companion.recall(query, scope, room):
                if isinstance(one.part, str) and (not one.env or one.env in scope.envs) and own.take(one.part):
                    share.take(one.part)
                    left.take(one.part)
                    yield one

    def _of_turns(self, scope: Scope, first: int, last: int) -> list[TimelineEvent]:
        """The events of some turns that a scope admits, in order."""
        ids = sorted(id for turn in range(first, last + 1) for id in self._turns.get(turn, ()))
        return [event for event in map(self.timeline.get, ids) if scope.admits(event)]

    def _look_of(self, screen: TimelineEvent) -> Any:
        """A screen as grey cells; computed once."""
        assert screen.media is not None
        if (look := self._looks.get(screen.media.digest)) is None:
            image = self._capture(screen.media)
            assert isinstance(image, Image)
            look = self._looks[screen.media.digest] = grey_cells(image)
        return look

    def _aside(self, scope: Scope) -> str:
        """Words that are on the agent's mind besides the task: its last thought, and the pages in front."""
        fronts = [event.text for event in self.timeline.latest(scope, len(scope.envs), _FRONT)]
        return " ".join((self._thought, *fronts))

    def _new_readings(self, store: MediaStore) -> Readings:
        return Readings(store, self._transcriber, self._ocr)

    def _append(self, events: Iterable[TimelineEvent]) -> None:
        """Append events, and what the companions make of each."""
        for event in events:
            appended = self._appended(event)
            if appended.kind == "screen":
                self._screens.setdefault(appended.env, []).append(appended)
            for companion in self._companions:
                for further in companion.take(appended):
                    self._appended(further)

    def _appended(self, event: TimelineEvent) -> TimelineEvent:
        appended = self.timeline.append(event)
        self._turns.setdefault(appended.turn, []).append(appended.id)
        return appended

    def _keep_ready(self, seen: Observation) -> None:
        """Keep an observation's captures at hand, and forget those of long ago."""
        for media in (seen.screenshot, seen.audio, seen.video):
            if isinstance(media, Image | AudioClip | VideoClip):
                self._recent[media.digest] = media
                self._recent.move_to_end(media.digest)
        if self._compares and isinstance(seen.screenshot, Image) and seen.screenshot.digest not in self._looks:
            # Now its pixels are at hand; later they would have to be decoded.
            self._looks[seen.screenshot.digest] = grey_cells(seen.screenshot)
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def _capture(self, ref: MediaRef) -> StoredMedia:
        """The capture of a reference, at the reference's time."""
        media = self._recent.get(ref.digest)
        if media is None or (media.env, media.start) != (ref.env, ref.start):
            media = self._recent[ref.digest] = self._readings.store.get(ref, check=False)
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        return media


class EpisodicMemory(TimelineMemory):
    """Recalls what matters now, however old: by words, kind, device, known entities, and how long ago it was.

    Args:
        images, clips: most pictures, and most sounds and films together, of one recall.
        tokens: most tokens of text, by our estimate. seconds: most seconds of sound, and of film.
        order: of the parts: `time`, or `omnigui` (earlier pictures, films, sounds, the latest picture, texts).
        use: the signals that are weighed, comma-separated: text, recency, device, kind, anchors.
        anchors: give entities names, such as `@code-1`, which planners may type.
        map: keep a map of the screens, and tell it to roles that may see elements.
        transcriber: puts speech into words: `openai/whisper-1`, `hosted_vllm/NAME,url=…`, `whisper/FOLDER` in this
            process, …; see `omnipilot.memory.transcription.make_transcriber`. None where it is empty.
        ocr: read the text of screenshots where no elements are granted.
        embeddings: model by which the nearest in meaning are found too: provider and model, or transformers/NAME; ""
            for none. url, key_env: of its server, as of any endpoint.

    Raises:
        ConfigError: an unknown order, signal or transcriber, or a limit below zero.
        MissingExtra: a package that the transcriber or the OCR needs is not installed.
    """

    def __init__(
        self,
        images: int = 2,
        clips: int = 2,
        tokens: int = 1_500,
        seconds: float = 30.0,
        order: str = "time",
        use: str = ",".join(SIGNALS),
        anchors: bool = True,
        map: bool = False,
        transcriber: str = "",
        ocr: bool = False,
        embeddings: str = "",
        url: str = "",
        key_env: str = "",
    ) -> None:
        meaning = None
        if embeddings:
            from omnipilot.memory.models.embeddings import embeddings as connect

            meaning = connect(embeddings, url, key_env)
        budget = Budget(images=images, clips=clips, tokens=tokens, audio_seconds=seconds, video_seconds=seconds)
        super().__init__([EpisodicPolicy(use, meaning)], budget, order, anchors, map, transcriber, ocr)


def grey_cells(image: Image) -> Any:
    """A picture as the mean brightness of 16x16 cells, sampled at 64x64 pixels: shape (256,), float32 in 0..1."""
    import numpy as np

    pixels = image.array()
    rows, columns = (np.arange(64) * side // 64 for side in pixels.shape[:2])
    sampled = pixels[np.ix_(rows, columns)].astype(np.float32).mean(axis=2) / 255
    return sampled.reshape(16, 4, 16, 4).mean(axis=(1, 3)).ravel()


class _Packing:
    """Makes parts of candidates for one recall: each thing once, as many as fit.

    Args:
        capture: loads a capture.
    """

    def __init__(self, capture: Any) -> None:
        self._capture = capture
        self._texts: set[tuple[str, str]] = set()
        self._media: set[str] = set()
        self._spans: list[tuple[str, str, float, float]] = []
        self._events: set[tuple[int, bool]] = set()

    def pack(self, candidates: Iterable[Candidate], share: Allowance) -> Iterator[tuple[TimelineEvent, Recalled]]:
        """The parts that fit into `share`, which is spent, most value for its cost first."""
        widest = max(share.tokens / WIDEST, NARROWEST)
        texts: list[tuple[float, Candidate]] = []
        media: list[Candidate] = []
        for one in _without_repeats(candidates):
            if one.media:
                media.append(one)
            elif one.event.text:
                cost = min(len(one.event.text), 4 * widest, share.characters) / max(1, share.characters)
                texts.append((one.value / (FLAT + cost), one))
        texts.sort(key=lambda item: (-item[0], -item[1].event.id))
        for _, one in texts:
            if share.texts < 1 or share.characters < 1 or share.tokens < 1:
                break
            if part := self._text(one, widest, share):
                yield one.event, _recalled(one, part, one.event.start)
        for one in _best_of_each_first(sorted(media, key=lambda one: (-one.value, -one.event.id))):
            if (capture := self._clip_or_image(one, share)) is not None:
                yield one.event, _recalled(one, capture, capture.start)

    def _text(self, one: Candidate, widest: float, share: Allowance) -> str:
        """The words of a candidate, cut to what matters and fits; "" if they do not fit or were told already."""
        event = one.event
        if (event.id, False) in self._events:
            return ""
        words = excerpt(event.text, one.words, share.characters, min(widest, share.tokens))
        key = (event.env, " ".join(words.split()))
        if (event.kind in _REPEATED and key in self._texts) or not share.take(words):
            return ""
        self._texts.add(key)
        self._events.add((event.id, False))
        return words

    def _clip_or_image(self, one: Candidate, share: Allowance) -> Image | AudioClip | VideoClip | None:
        """The capture of a candidate, cut to what matters; None if it does not fit or was shown already."""
        event, ref = one.event, one.event.media
        if ref is None or (event.id, True) in self._events:
            return None
        if ref.kind == "image":
            if share.images < 1 or ref.digest in self._media:
                return None
            image = self._capture(ref)
            assert isinstance(image, Image)
            share.take(image)
            self._media.add(ref.digest)
            self._events.add((event.id, True))
            return image
        seconds = share.audio_seconds if ref.kind == "audio" else share.video_seconds
        start, end = _span(event, ref, min(LONGEST_CLIP, seconds))
        if share.clips < 1 or end - start < min(LEAST_SECONDS, ref.end - ref.start):
            return None
        track = (event.env, ref.kind)
        if end <= start or any(have[:2] == track and have[2] <= start and end <= have[3] for have in self._spans):
            return None
        clip = self._capture(ref)
        assert isinstance(clip, AudioClip | VideoClip)
        if (start, end) != (clip.start, clip.end):
            clip = clip.slice(start, end)
        if not share.take(clip):
            return None
        self._spans.append((*track, start, end))
        self._events.add((event.id, True))
        return clip


_REPEATED = frozenset({"text", "context", "thought", "note", "action", "outcome", "told", "check"})
"""Kinds of which the same words again tell nothing new; the same sound again does."""


def _best_of_each_first(media: Sequence[Candidate]) -> list[Candidate]:
    """Captures in the same order, but for the best of each kind: not all clips are to be sounds, or films."""
    firsts = {one.event.media.kind: one for one in reversed(media) if one.event.media is not None}
    first = [one for one in media if any(one is best for best in firsts.values())]
    return [*first, *(one for one in media if not any(one is best for best in firsts.values()))]


def _without_repeats(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates without those that say or show again what a newer one does; that one gets the best value."""
    newest: dict[tuple[object, ...], Candidate] = {}
    for one in candidates:
        event = one.event
        key: tuple[object, ...] = (event.id, one.media)
        if one.media and event.media is not None and event.media.kind == "image":
            key = (event.env, event.media.digest)
        elif not one.media and event.kind in _REPEATED:
            key = (event.env, event.kind, event.text)
        before = newest.get(key)
        if before is None:
            newest[key] = one
        else:
            late, early = (one, before) if event.id > before.event.id else (before, one)
            newest[key] = replace(late, value=max(late.value, early.value))
    return list(newest.values())


def _span(event: TimelineEvent, ref: MediaRef, most: float) -> tuple[float, float]:
    """The part of a clip that matters: the event's own span with a margin, of at most so many seconds."""
    start, end = max(ref.start, event.start - MARGIN), min(ref.end, event.end + MARGIN)
    if event.kind in ("audio", "video"):
        start, end = ref.start, ref.end
    if end - start > most:
        # A sound or a movement is told by how it begins; of a clip without one, the end is the newest.
        whole = event.kind in ("audio", "video")
        start, end = (end - most, end) if whole else (start, start + most)
        return (start + 1 / SAMPLE_RATE, end) if whole else (start, max(start, end - 1 / SAMPLE_RATE))
    return start, end


def _recalled(one: Candidate, part: Part, time: float) -> Recalled:
    event = one.event
    if isinstance(part, str):
        source = SOURCES.get(event.kind, event.kind)
    else:
        source = {Image: "screenshot", AudioClip: "audio", VideoClip: "video"}[type(part)]
    return Recalled(part, source, event.env, max(0.0, time), event.turn, "; ".join(one.reasons))
