"""Memories that keep a timeline: they recall what was seen, heard and done, whenever it was, by what matters now."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omnipilot.envs import AudioClip, ConfigError, Image, NotFound, Observation, VideoClip
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.base import Budget, Recalled, Role
from omnipilot.memory.episodic.anchors.book import Anchors
from omnipilot.memory.episodic.companion import Companion
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.packing import LEAST_SECONDS, ORDERS, Allowance, Order, arranged, excerpt
from omnipilot.memory.episodic.ranking import SIGNALS, Asked, Candidate, EpisodicPolicy, Policy
from omnipilot.memory.episodic.readings import Readings
from omnipilot.memory.episodic.screen_map.companion import MapCompanion
from omnipilot.memory.episodic.timeline import Scope, Timeline
from omnipilot.memory.messages import Part
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import MediaStore, StoredMedia
from omnipilot.memory.trajectory import Turn

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
WIDEST = 6
"""One text takes at most one in so many of the tokens, unless the rest is not needed."""
SOURCES = {"screen": "screenshot"}
"""Sources of recalled parts whose name is not that of their event's kind."""
_FRONT: tuple[EventKind, ...] = ("context",)


class TimelineMemory:
    """Keeps a timeline of everything that its roles may see; policies choose what of it to recall.

    Args:
        policies: share the budget evenly; what one leaves is for the next.
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
    ) -> None:
        if order not in ORDERS:
            raise ConfigError(f"memory: order must be {' or '.join(ORDERS)}, not {order!r}")
        for name in ("images", "clips", "tokens", "audio_seconds", "video_seconds"):
            if (most := getattr(budget, name)) is not None and most < 0:
                raise ConfigError(f"memory: {name} must be at least 0, not {most}")
        self.policies = tuple(policies)
        self.budget = budget
        self.order: Order = order
        self.timeline = Timeline()
        self._store: MediaStore | None = None
        self._own = MediaStore()
        self._drained = 0
        self._watched: set[int] = set()
        self._now = 0
        self._readings = Readings(self._own)
        self._screens: dict[str, list[TimelineEvent]] = {}
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
        self._readings = Readings(store)

    def clear(self) -> None:
        """Forget everything."""
        self.timeline.clear()
        self._own = MediaStore()
        self._readings = Readings(self._store or self._own)
        self._drained, self._watched, self._now = 0, set(), 0
        self._screens, self._thought = {}, ""
        self._recent.clear()
        self._answers.clear()
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

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events appended since the last call."""
        found = tuple(self.timeline.get(id) for id in range(self._drained + 1, len(self.timeline) + 1))
        self._drained = len(self.timeline)
        return found

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """The parts that matter most for `query`, in the memory's order."""
        scope = Scope.of(role, envs)
        key = (query, budget, scope)
        if key not in self._answers:
            self._answers[key] = self._recall(query, budget, scope)
        return self._answers[key]

    def _recall(self, query: str, budget: Budget, scope: Scope) -> tuple[Recalled, ...]:
        left = Allowance(budget)
        found: list[tuple[float, int, Recalled]] = []
        for one in self._of_companions(query, scope, left):
            found.append((one.time, 0, one))
        asked = Asked(query, scope, self.timeline, self._now, self._aside(scope), self._screens)
        packing = _Packing(self._capture)
        for number, policy in enumerate(self.policies):
            share = Allowance(left.share(1 / (len(self.policies) - number)))
            for event, one in packing.pack(policy.candidates(asked), share):
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

    def _aside(self, scope: Scope) -> str:
        """Words that are on the agent's mind besides the task: its last thought, and the pages in front."""
        fronts = [event.text for event in self.timeline.latest(scope, len(scope.envs), _FRONT)]
        return " ".join((self._thought, *fronts))

    def _append(self, events: Iterable[TimelineEvent]) -> None:
        """Append events, and what the companions make of each."""
        for event in events:
            appended = self.timeline.append(event)
            if appended.kind == "screen":
                self._screens.setdefault(appended.env, []).append(appended)
            for companion in self._companions:
                for further in companion.take(appended):
                    self.timeline.append(further)

    def _keep_ready(self, seen: Observation) -> None:
        """Keep an observation's captures at hand, and forget those of long ago."""
        for media in (seen.screenshot, seen.audio, seen.video):
            if isinstance(media, Image | AudioClip | VideoClip):
                self._recent[media.digest] = media
                self._recent.move_to_end(media.digest)
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def _capture(self, ref: MediaRef) -> StoredMedia:
        """The capture of a reference, at the reference's time."""
        media = self._recent.get(ref.digest)
        if media is None or (media.env, media.start) != (ref.env, ref.start):
            media = self._recent[ref.digest] = self._readings.store.get(ref)
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        return media


class EpisodicMemory(TimelineMemory):
    """Recalls what of the episode matters now: by the words of the task, the kind and the device it asks for, known
    entities, and how long ago it was.

    Args:
        images, clips: most pictures, and most sounds and films together, of one recall.
        tokens: most tokens of text, by our estimate. seconds: most seconds of sound, and of film.
        order: of the parts: `time`, or `omnigui` (earlier pictures, films, sounds, the latest picture, texts).
        use: the signals that are weighed, comma-separated: text, recency, device, kind, anchors.
        anchors: give entities names, such as `@code-1`, which planners may type.
        map: keep a map of the screens, and tell it to roles that may see elements.

    Raises:
        ConfigError: an unknown order or signal, or a limit below zero.
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
    ) -> None:
        budget = Budget(images=images, clips=clips, tokens=tokens, audio_seconds=seconds, video_seconds=seconds)
        super().__init__([EpisodicPolicy(use)], budget, order, anchors, map)


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
        widest = share.tokens / WIDEST
        texts: list[tuple[float, Candidate, str]] = []
        media: list[Candidate] = []
        for one in _without_repeats(candidates):
            if one.media:
                media.append(one)
            elif one.event.text:
                words = excerpt(one.event.text, one.words, share.characters, max(widest, 24))
                cost = min(1.0, len(words) / max(1, share.characters)) if words else 1.0
                texts.append((one.value / (FLAT + cost), one, words))
        texts.sort(key=lambda item: (-item[0], -item[1].event.id))
        for _, one, words in texts:
            if words and (part := self._text(one, words, share)):
                yield one.event, _recalled(one, part, one.event.start)
        for one in sorted(media, key=lambda one: (-one.value, -one.event.id)):
            if (capture := self._clip_or_image(one, share)) is not None:
                yield one.event, _recalled(one, capture, capture.start)

    def _text(self, one: Candidate, words: str, share: Allowance) -> str:
        """The words of a candidate, cut further if they have to be; "" if they do not fit or were told already."""
        event = one.event
        key = (event.env, " ".join(words.split()))
        if (event.id, False) in self._events or (event.kind in _REPEATED and key in self._texts):
            return ""
        words = excerpt(words, one.words, share.characters, share.tokens)
        if not share.take(words):
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
