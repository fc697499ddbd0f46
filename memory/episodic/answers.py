"""What of a timeline answers a question that somebody asks afterwards: a few moments, the best first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.memory.episodic.details import SoundDetail, TranscriptDetail
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.excerpts import excerpt
from omnipilot.memory.episodic.ranking import Asked, Candidate, Wanted, screen_of
from omnipilot.memory.store.index import MediaRef

CHARACTERS = 240
"""Most characters of the words of one answer."""
_SENSED: frozenset[EventKind] = frozenset({"transcript", "sound", "audio", "motion", "video", "screen"})
_SOUNDS: tuple[EventKind, ...] = ("sound",)
_LED_BY: tuple[EventKind, ...] = ("transcript", "motion", "text", "sound", "video", "audio", "screen")
"""Of the events of one moment, the one that tells most comes first."""


@dataclass(frozen=True, slots=True)
class TimelineAnswer:
    """One moment that a question asks for.

    Attributes:
        kind: of the event that tells most of it. env: environment; "" for what belongs to none.
        start, end: seconds on the world's clock. turn: negative before the episode's first.
        text: its words, cut to those that matter; "" where nothing was put into words.
        why: why it was found, in words.
        media: the picture or clip, cut to the span that matters; None if there is none.
    """

    kind: EventKind
    env: str
    start: float
    end: float
    turn: int
    text: str
    why: str
    media: Image | AudioClip | VideoClip | None = None


@dataclass(slots=True)
class AnswerGroup:
    """Candidates that were seen, heard or read from the same capture.

    Attributes:
        ref: that capture; None if there is none. wanted: whether the question asks for their kind.
    """

    ref: MediaRef | None
    found: list[Candidate] = field(default_factory=list)
    wanted: bool = False

    @property
    def value(self) -> tuple[float, int]:
        """How much its best candidate matters; of two that matter as much, the newer one."""
        return max((one.value, one.event.id) for one in self.found)

    @property
    def lead(self) -> Candidate:
        """The candidate that tells most."""
        best = max(one.value for one in self.found)
        top = [one for one in self.found if one.value >= 0.5 * best]
        return min(top, key=lambda one: (_rank(one.event), -one.value, -one.event.id))

    @property
    def span(self) -> TimelineEvent:
        """The event whose start and end say when it was: a sound, or what moved, before the words made of it."""
        spans = [one.event for one in self.found if one.event.end > one.event.start and one.event.media is not None]
        return min(spans, key=lambda event: (event.end - event.start, event.id)) if spans else self.lead.event

    @property
    def start(self) -> float:
        """When it was, in seconds on the world's clock: when the first of the words was said that were found, where the
        times of the words of speech are known, or else when its span begins."""
        detail = self.lead.event.detail
        if isinstance(detail, TranscriptDetail):
            timed = zip(detail.words, detail.starts, strict=True)
            found = [start for word, start in timed if word.strip(" .,;:!?").casefold() in self.lead.words]
            if found:
                return min(max(found[0], self.span.start), self.span.end)
        return self.span.start

    @property
    def sense(self) -> str:
        """Whether it was heard, seen to move, or seen, or is the agent's own."""
        kind = self.lead.event.kind
        heard: tuple[EventKind, ...] = ("transcript", "sound", "audio")
        moved: tuple[EventKind, ...] = ("motion", "video")
        own = self.lead.event.modality is None or kind == "write"
        return "heard" if kind in heard else "moved" if kind in moved else "own" if own else "seen"

    def words(self) -> str:
        """What it says, cut to what matters."""
        lead = self.lead
        text = lead.event.text
        if lead.event.kind == "transcript":
            every = sorted(
                (one.event for one in self.found if one.event.kind == "transcript"), key=lambda one: one.start
            )
            text = "; ".join(dict.fromkeys(event.text for event in every))
        return excerpt(text, lead.words, CHARACTERS, CHARACTERS / 3, lead.nearest) if text else ""

    def why(self) -> str:
        """The reasons for its leading candidate, as to somebody who asked a question."""
        # Where and when stand beside the answer.
        told = (reason for reason in self.lead.reasons if not _says_when(reason))
        return "; ".join(dict.fromkeys(reason.replace("the task ", "the question ") for reason in told))


def group_candidates(candidates: Iterable[Candidate], asked: Asked, most: int) -> list[AnswerGroup]:
    """The candidates of one capture each, at most so many groups, best first, each with something else to say.

    Those of the kind that the question asks for take up to two thirds. Then comes the best of each of what was heard,
    what was seen, and the agent's own words and deeds, and then whatever matters most.
    """
    wanted = Wanted.of(asked.query, "", asked.scope.envs).kinds & _SENSED
    held: dict[object, AnswerGroup] = {}
    for one in candidates:
        ref = _capture_of(one.event, asked)
        key = (one.event.kind, one.event.id) if ref is None else (ref.env, ref.digest)
        moment = held.setdefault(key, AnswerGroup(ref))
        moment.found.append(one)
        moment.wanted = moment.wanted or one.event.kind in wanted
    best = sorted(held.values(), key=lambda moment: moment.value, reverse=True)
    first = [moment for moment in best if moment.wanted][: (2 * most + 2) // 3]
    each: dict[str, AnswerGroup] = {}
    for moment in best:
        each.setdefault(moment.sense, moment)
    chosen: dict[object, AnswerGroup] = {}
    for moment in (*first, *each.values(), *best):
        words = moment.words()
        said = (moment.lead.event.env, words) if words and moment.sense == "seen" else id(moment)
        chosen.setdefault(said, moment)
    return list(chosen.values())[:most]


def _rank(event: TimelineEvent) -> int:
    return _LED_BY.index(event.kind) if event.kind in _LED_BY else 0


def _says_when(reason: str) -> bool:
    return reason.startswith(("before the task began", "this turn")) or " ago" in reason or reason.startswith("beside")


def _capture_of(event: TimelineEvent, asked: Asked) -> MediaRef | None:
    """The capture that an event is, was read from, was put into words from, or was on the screen with."""
    if event.media is not None:
        return event.media
    if event.kind == "text":
        shown = screen_of(event, asked)
        return None if shown is None else shown.media
    if event.kind == "transcript":
        return _heard_in(event, asked)
    return None


def _is_speech(event: TimelineEvent) -> bool:
    return isinstance(event.detail, SoundDetail) and event.detail.kind == "speech"


def _heard_in(told: TimelineEvent, asked: Asked) -> MediaRef | None:
    """The sound that a reader put into words: speech in the last clip of its turn before it was told, or that clip."""
    for clip in reversed(asked.of_turns(told.turn, told.turn)):
        if clip.kind == "audio" and clip.env == told.env and clip.start <= told.start + 1e-6:
            sounds = asked.timeline.between(asked.scope, clip.start, clip.end, _SOUNDS)
            spoken = (one.media for one in sounds if one.env == told.env and _is_speech(one))
            return next((ref for ref in spoken if ref is not None), clip.media)
    return None
