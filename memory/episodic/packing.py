"""From candidates to the parts of a recall: each thing once, cut to what matters, within what is allowed; in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.envs.types import SAMPLE_RATE, write_origin
from omnipilot.memory.allowance import Allowance
from omnipilot.memory.base import Recalled
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.excerpts import excerpt
from omnipilot.memory.episodic.ranking import Candidate
from omnipilot.memory.messages import Part
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import StoredMedia

Order: TypeAlias = Literal["time", "omnigui"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""`time`: by time. `omnigui`: by kind, as in OmniGUI's prompt (§4.1): earlier pictures, films, sounds, the latest
picture, texts; by time within each."""
LEAST_SECONDS = 0.5
"""A clip is cut to what is left of its budget, but not to less than this."""
MARGIN = 0.5
"""Seconds around an event that a clip of it keeps."""
LONGEST_CLIP = 10.0
"""Seconds of one clip, at most."""
FLAT = 0.15
"""What a text costs besides its share of the budget: of two that matter as much, the shorter comes first, but no
handful of scraps displaces one that matters."""
WIDEST, NARROWEST = 6, 24
"""One text takes at most one in so many of the tokens, but may always take a few."""
SOURCES = {"screen": "screenshot"}
"""Sources of recalled parts whose name is not that of their event's kind."""


class Packing:
    """Makes parts of candidates for one recall: each thing once, as many as fit.

    Args:
        capture: loads the capture of a reference, at the reference's time.
    """

    def __init__(self, capture: Callable[[MediaRef], StoredMedia]) -> None:
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
        words = excerpt(event.text, one.words, share.characters, min(widest, share.tokens), one.nearest)
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
        start, end = clip_span(event, ref, min(LONGEST_CLIP, seconds))
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


def clip_span(event: TimelineEvent, ref: MediaRef, most: float) -> tuple[float, float]:
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
    return Recalled(part, source, event.env, max(0.0, time), event.turn, "; ".join(one.reasons), _origin(event))


def _origin(event: TimelineEvent) -> str:
    """Where what an event tells comes from; what the agent said and did is its own."""
    if event.origin or event.modality is None:
        return event.origin
    return write_origin("app", event.app) if event.app else ""


def arrange(found: Sequence[Recalled], order: Order) -> tuple[Recalled, ...]:
    """Parts that are in order of time, in the order of a name."""
    if order == "time":
        return tuple(found)
    kinds: tuple[Callable[[Part], bool], ...] = (
        lambda part: isinstance(part, VideoClip),
        lambda part: isinstance(part, AudioClip),
        lambda part: isinstance(part, str),
    )
    images = [one for one in found if isinstance(one.part, Image)]
    films, sounds, texts = ([one for one in found if of(one.part)] for of in kinds)
    return (*images[:-1], *films, *sounds, *images[-1:], *texts)
