"""What of a timeline matters now: candidates for a recall, each with its value and the reasons for it."""

from __future__ import annotations

import bisect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from omnipilot.envs import ConfigError
from omnipilot.memory.episodic.details import ActionDetail, AnchorDetail, MotionDetail, SoundDetail, VideoDetail
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.excerpts import distinct_words, words_of
from omnipilot.memory.episodic.meaning import MeaningIndex
from omnipilot.memory.episodic.moments import MOST_NAMED, Moment, find_moment, named_moments
from omnipilot.memory.episodic.timeline import Scope, Timeline
from omnipilot.memory.messages import Usage
from omnipilot.memory.models.embeddings import Embeddings
from omnipilot.memory.rank_fusion import fuse_ranks
from omnipilot.memory.warm_up import warm_up

Sort: TypeAlias = tuple[EventKind, str, str]
Signal: TypeAlias = Literal["text", "recency", "device", "kind", "anchors", "moment"]
SIGNALS: tuple[Signal, ...] = get_args(Signal)
"""What `episodic` weighs: words of the task in what an event says; how long ago it was; whether it was on a device that
the task names; whether it is of the kind that the task asks for; whether a known entity that the task names was seen
there; how near it was to a moment that the task names, such as "before Anna called"."""
WEIGHTS: Mapping[Signal, float] = {
    "text": 1.0,
    "moment": 1.0,
    "anchors": 0.8,
    "kind": 0.6,
    "recency": 0.5,
    "device": 0.4,
}
"""The worth of each signal, whose own values are 0..1. What says all the words of the task outweighs anything that is
merely new; of two that say the same words, the newer one wins."""
HALF_LIFE = 8
"""Turns after which the value of having been recent is half of what it was."""
BESIDE = 0.7
"""The worth of a picture, a clip or a neighbour of what was found, relative to it."""
ASIDE = 0.3
"""The worth of the words of the last thought and of the page in front, relative to those of the task."""
FOUND, LATEST, OF_KIND, NEIGHBOURS = 40, 30, 40, 6
"""Most candidates from each search, of the newest, of a kind that is asked for, and beside one that was found."""
ANCHORED = 10
"""Most sightings of entities whose moments are found."""
WITH_CLIPS, CLIPS_OF_TEXT = 20, 4
"""Most texts that sounds and films are found for, and most of each for one text."""
COUNTED: frozenset[EventKind] = frozenset({"sound", "transcript", "motion", "write"})
"""Kinds of events that are numbered among those of their sort: "3rd of 5"."""
MOST_COUNTED = 60
"""Events of a sort are numbered if there are no more than these."""
READ_WHOLE = 240
"""Most events of a sort that are all read; of more, those beside one that was found."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a timeline.

    Attributes:
        now: index of the turn that is to be decided; only what was before it is recalled. first: of the first turn.
        aside: more words to look for, of less weight.
        screens: pictures of each environment, in order.
        clips: sounds and films of each environment, in order. texts: of its screens, likewise.
        alike: ids of the events of each sort that is counted, in order; see `sort_of`.
        of_turns: the events of a first to a last turn that the scope admits, in order.
        look_of: a screen as grey cells, shape (256,), float32 in 0..1.
        going_on: what has been heard of sounds that are not over; not in the timeline yet.
        afterwards: asked by somebody who looks back at an episode, for whom nothing counts for having been last.
    """

    query: str
    scope: Scope
    timeline: Timeline
    now: int
    first: int = 0
    aside: str = ""
    screens: Mapping[str, Sequence[TimelineEvent]] = field(default_factory=dict)
    clips: Mapping[str, Sequence[TimelineEvent]] = field(default_factory=dict)
    texts: Mapping[str, Sequence[TimelineEvent]] = field(default_factory=dict)
    alike: Mapping[Sort, Sequence[int]] = field(default_factory=dict)
    of_turns: Callable[[int, int], list[TimelineEvent]] = lambda _first, _last: []
    look_of: Callable[[TimelineEvent], Any] = lambda _screen: None
    going_on: Sequence[TimelineEvent] = ()
    afterwards: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be recalled.

    Attributes:
        value: how much it matters; comparable within one recall. reasons: why, in words.
        media: recall the capture that it is or was read from, and not its words.
        words: those that were found in it. nearest: its line that is nearest in meaning; "" where none was looked for.
    """

    event: TimelineEvent
    value: float
    reasons: tuple[str, ...] = ()
    media: bool = False
    words: frozenset[str] = frozenset()
    nearest: str = ""


class Policy(ABC):
    """Chooses what of a timeline to recall.

    Attributes:
        compares: whether it looks at pictures, so that these are made ready while they are at hand.
    """

    compares: ClassVar[bool] = False

    @abstractmethod
    def candidates(self, asked: Asked) -> Iterable[Candidate]:
        """What may be recalled, in any order; of what `asked.scope` admits alone."""

    def identity(self) -> Mapping[str, str]:
        """What of it can change a run's numbers besides its options, by name; see `AgentPart.identity`."""
        return {}

    def warm_up(self) -> None:
        """Load what the first use needs."""

    def clear(self) -> None:
        """Forget what it keeps of an episode."""

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events that it has made since the last call, for the journal."""
        return ()

    def drain_usage(self) -> Usage:
        """What the models that it calls have cost since the last call of this."""
        return Usage()


class EpisodicPolicy(Policy):
    """Weighs what events say, when and where they were, and of what kind they are.

    Args:
        use: the signals that are weighed, comma-separated; all by default. "" for none, where there is a meaning.
        meaning: ranks events by how near in meaning they are to the task, beside the signals; the two rankings are
            joined by reciprocal rank fusion. None for the signals alone.

    Raises:
        ConfigError: a signal is unknown, or none is left.
    """

    def __init__(self, use: str = ",".join(SIGNALS), meaning: Embeddings | None = None) -> None:
        self.meaning = None if meaning is None else MeaningIndex(meaning)
        names = [name.strip() for name in use.split(",") if name.strip()]
        if strangers := [name for name in names if name not in SIGNALS]:
            raise ConfigError(
                f"memory 'episodic': unknown signal {', '.join(map(repr, strangers))} in use; choose from "
                f"{', '.join(SIGNALS)}"
            )
        if not names and meaning is None:
            raise ConfigError("memory 'episodic': use names no signal; to recall nothing, take the memory none")
        self.use = frozenset(names)

    def candidates(self, asked: Asked) -> list[Candidate]:
        """Events that any of the signals speaks for, with the pictures and clips that belong to them."""
        wanted = Wanted.of(asked.query, asked.aside, asked.scope.envs)
        found: dict[int, _Weighed] = {}
        recency = self._weighs_recency(asked)
        if "text" in self.use:
            self._add_found(found, asked, wanted)
        if recency:
            for event in asked.timeline.latest(asked.scope, LATEST):
                found.setdefault(event.id, _Weighed(event))
            for number, event in enumerate(filter(asked.scope.admits, asked.going_on), 1):
                found[-number] = _Weighed(replace(event, id=-number))
        if "kind" in self.use and wanted.kinds:
            for event in asked.timeline.latest(asked.scope, OF_KIND, sorted(wanted.kinds)):
                found.setdefault(event.id, _Weighed(event))
        if "anchors" in self.use:
            self._add_anchored(found, asked, wanted)
        moments = self._moments(found, asked) if "moment" in self.use else []
        past = [one for one in found.values() if one.event.turn < asked.now and one.event.kind != "anchor"]
        if "kind" not in self.use:
            wanted = replace(wanted, kinds=frozenset(), shapes=())
        if "device" not in self.use:
            wanted = replace(wanted, envs=frozenset())
        weighed = [one for one in (self._weighed(one, asked, wanted, moments) for one in past) if one is not None]
        if self.meaning is not None:
            weighed = self._by_meaning(weighed, asked, self.meaning)
        near = list(_with_neighbours(weighed, asked))
        return [*near, *_media_of(near, asked, wanted)]

    def identity(self) -> dict[str, str]:
        """The weights of the model of embeddings, where it runs in this process."""
        if self.meaning is None:
            return {}
        return {f"embeddings.{name}": what for name, what in self.meaning.embeddings.identity().items()}

    def warm_up(self) -> None:
        """Load the model of embeddings, where it runs in this process."""
        if self.meaning is not None:
            warm_up(self.meaning.embeddings)

    def clear(self) -> None:
        """Forget the texts of the episode."""
        if self.meaning is not None:
            self.meaning.clear()

    def drain_usage(self) -> Usage:
        """What embeddings have cost since the last call of this."""
        return Usage() if self.meaning is None else self.meaning.drain_usage()

    def _by_meaning(self, weighed: Sequence[Candidate], asked: Asked, meaning: MeaningIndex) -> list[Candidate]:
        """The candidates and those nearest in meaning, with values by reciprocal rank fusion, up to 2."""
        near = meaning.search(asked.timeline, asked.query, asked.scope, FOUND, (*_SCREENS, *_REST), asked.now)
        by_value = sorted(weighed, key=lambda one: (-one.value, -one.event.id))
        found = {one.event.id: one for one in by_value}
        for one in near:
            before = found.get(one.event.id, Candidate(one.event, 0.0, (when_where(one.event, asked.now),)))
            told = f"near the task in meaning ({one.cosine:.2f})"
            found[one.event.id] = replace(before, reasons=(told, *before.reasons), nearest=one.line)
        values = fuse_ranks([one.event.id for one in by_value], [one.event.id for one in near])
        return [replace(one, value=values[id]) for id, one in found.items()]

    def _weighs_recency(self, asked: Asked) -> bool:
        return "recency" in self.use and not asked.afterwards

    def _add_found(self, found: dict[int, _Weighed], asked: Asked, wanted: Wanted) -> None:
        """Events whose text holds words of the task, or, for less, of what is in front."""
        for words, worth in ((wanted.words, 1.0), (wanted.aside, ASIDE)):
            if not words:
                continue
            meant: dict[str, set[str]] = {}
            for word in words:
                for variant in variants(word):
                    meant.setdefault(variant, set()).add(word)
            text, terms = " ".join(meant), frozenset(meant)
            # What was heard, noted and written is little beside what was on screens, which must not crowd it out.
            for kinds in (_SCREENS, _REST):
                hits = asked.timeline.search(text, asked.scope, FOUND, kinds)
                if worth < 1.0:
                    # The last thought says its own words, and those before it much the same.
                    hits = [hit for hit in hits if hit[0].kind != "thought"]
                best = max((score for _, score in hits), default=0.0)
                for rank, (event, score) in enumerate(hits):
                    one = found.setdefault(event.id, _Weighed(event))
                    match = score / best if best > 0 else 1 / (rank + 1)
                    said = terms & distinct_words(event.text)
                    held = frozenset(word for variant in said for word in meant[variant])
                    one.text = max(one.text, worth * (0.5 * match + 0.5 * len(held) / len(words)))
                    one.words |= held if worth == 1.0 else frozenset()

    def _add_anchored(self, found: dict[int, _Weighed], asked: Asked, wanted: Wanted) -> None:
        """Events of the moments at which an entity was sighted that the task names."""
        if not wanted.words:
            return
        text = " ".join(variant for word in wanted.words for variant in variants(word))
        for event, _ in asked.timeline.search(text, asked.scope, ANCHORED, _ANCHORS):
            if not _names(wanted.words, event):
                continue
            for beside in asked.of_turns(event.turn, event.turn):
                if beside.kind in _SOURCES and beside.env == event.env and _meet(beside, event):
                    one = found.setdefault(beside.id, _Weighed(beside))
                    named = event.detail.name if isinstance(event.detail, AnchorDetail) else ""
                    one.anchors |= {named or event.text}

    def _moments(self, found: dict[int, _Weighed], asked: Asked) -> list[Moment]:
        """The moments that the task names and the timeline knows; what was near them is found."""
        moments = []
        for named in islice(named_moments(asked.query, content_words), MOST_NAMED):
            text = " ".join(variant for word in named.words for variant in variants(word))
            hits = []
            for event, _ in asked.timeline.search(text, asked.scope, FOUND, _MARKING):
                said = distinct_words(event.text)
                held = frozenset(word for word in named.words if not said.isdisjoint(variants(word)))
                if event.turn < asked.now:
                    hits.append((event, held))
            moment = find_moment(named, hits, lambda turn: asked.of_turns(turn, turn))
            if moment is None:
                continue
            moments.append(moment)
            first, last = moment.turns
            for event in asked.of_turns(first, min(last, asked.now - 1)):
                if event.kind in _SOURCES and moment.nearness(event):
                    found.setdefault(event.id, _Weighed(event))
        return moments

    def _weighed(self, one: _Weighed, asked: Asked, wanted: Wanted, moments: Sequence[Moment] = ()) -> Candidate | None:
        """The event as a candidate; None if nothing speaks for it but where it was."""
        event = one.event
        value, reasons = 0.0, []
        if one.text:
            value += WEIGHTS["text"] * one.text
            if one.words:
                reasons.append(f"says {quote_words(word for word in wanted.words if word in one.words)}")
            else:
                reasons.append("says words of what is in front, or was last thought")
        if one.anchors:
            value += WEIGHTS["anchors"]
            reasons.append(f"shows {', '.join(f'@{name}' for name in sorted(one.anchors))}")
        if asking := wanted.asks_for(event):
            value += WEIGHTS["kind"]
            reasons.append(asking)
        moment = max(moments, key=lambda each: each.nearness(event)) if moments else None
        if moment is not None and (nearness := moment.nearness(event)):
            # What was near but says nothing of the task is little beside what does.
            value += WEIGHTS["moment"] * nearness * (1.0 if one.words or nearness == 1.0 else ASIDE)
            reasons.append(moment.told(event))
        recency = self._weighs_recency(asked)
        if not reasons and not recency:
            return None
        if event.env in wanted.envs:
            value += WEIGHTS["device"]
        if recency:
            value += WEIGHTS["recency"] * 0.5 ** ((asked.now - event.turn) / HALF_LIFE)
        reasons.append(when_where(event, asked.now))
        if event.env in wanted.envs:
            reasons.append(f"the task names the {event.env}")
        return Candidate(event, value, tuple(reasons), words=one.words)


_ANCHORS: tuple[EventKind, ...] = ("anchor",)
_SCREENS: tuple[EventKind, ...] = ("text", "context")
_REST: tuple[EventKind, ...] = (
    "transcript",
    "sound",
    "note",
    "write",
    "thought",
    "action",
    "outcome",
    "check",
)
_SOURCES: tuple[EventKind, ...] = ("text", "transcript", "sound", "motion", "note", "write")
_MARKING: tuple[EventKind, ...] = ("text", "context", "transcript", "sound", "note", "write")
_CAPTURED: frozenset[EventKind] = frozenset({"screen", "audio", "video", "sound", "transcript", "motion"})
_WITHIN: frozenset[EventKind] = frozenset({"sound", "transcript", "motion"})


@dataclass(slots=True)
class _Weighed:
    """An event, and what speaks for it."""

    event: TimelineEvent
    text: float = 0.0
    words: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()


def _names(words: Collection[str], anchor: TimelineEvent) -> bool:
    """Whether a task names a sighted entity: by all words of its value, or of a label of at least two. Of what type it
    is, such as a code, says nothing: there are many."""
    if not isinstance(detail := anchor.detail, AnchorDetail):
        return False
    kind = frozenset(variants(detail.type))
    for told, least in ((detail.value or "", 1), (detail.label, 2)):
        said = frozenset(content_words(told)) - kind
        if len(said) >= least and all(not frozenset(variants(word)).isdisjoint(words) for word in said):
            return True
    return False


def _meet(event: TimelineEvent, other: TimelineEvent) -> bool:
    """Whether two events were at the same time."""
    return event.start <= other.end and other.start <= event.end


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a task asks for.

    Attributes:
        words: of the task, without those that say nothing. aside: further words, of less weight.
        envs: environments that it names. kinds: of events that it asks for. shapes: of texts, each with its name.
    """

    words: tuple[str, ...]
    aside: tuple[str, ...]
    envs: frozenset[str]
    kinds: frozenset[EventKind]
    shapes: tuple[tuple[str, re.Pattern[str]], ...]

    @classmethod
    def of(cls, query: str, aside: str, envs: Collection[str]) -> Wanted:
        """What the words of a task, and words beside it, ask for."""
        said = frozenset(words_of(query))
        devices = {name for env in envs for name in (env.casefold(), *_DEVICES.get(env.casefold(), ()))}
        words = tuple(word for word in content_words(query) if word not in devices)
        named = frozenset(env for env in envs if said & {env.casefold(), *_DEVICES.get(env.casefold(), ())})
        kinds = frozenset(kind for asking, kinds in _KIND_WORDS for kind in kinds if said & asking)
        shapes = tuple((name, shape) for name, asking, shape in _SHAPES if said & asking)
        beside = tuple(word for word in content_words(aside) if word not in words and word not in devices)[:MOST_ASIDE]
        return cls(words[:MOST_WORDS], beside, named, kinds, shapes)

    def asks_for(self, event: TimelineEvent) -> str:
        """Why an event is of a kind that is asked for, in words; "" if it is not."""
        if event.kind in self.kinds and not _is_idle(event) and not _says_nothing(event):
            return f"the task asks for {_KIND_NAMES.get(event.kind, event.kind)}"
        if event.text and event.kind in ("text", "transcript", "note", "write"):
            for name, shape in self.shapes:
                if shape.search(event.text):
                    return f"holds {name}, which the task asks for"
        return ""


MOST_WORDS, MOST_ASIDE = 40, 12
_TELLING = frozenset({"type", "open_app", "open_url", "select", "answer", "ask_user", "custom"})


def _says_nothing(event: TimelineEvent) -> bool:
    """Whether an event is an action whose words do not say on what: "click at=(0.3, 0.7)"."""
    if event.kind != "action":
        return False
    detail = event.detail if isinstance(event.detail, ActionDetail) else ActionDetail()
    return detail.verb not in _TELLING and not detail.name


def _is_idle(event: TimelineEvent) -> bool:
    """Whether an event is a film, or what moved in one, that shows nothing that matters."""
    return isinstance(event.detail, VideoDetail | MotionDetail) and bool(event.detail.idle)


def content_words(text: str) -> tuple[str, ...]:
    """The distinct words of a text that say something, in order."""
    return tuple(word for word in dict.fromkeys(words_of(text)) if word not in _EMPTY and len(word) < 40)


def variants(word: str) -> tuple[str, ...]:
    """A word, its English singular and its plural, as far as their endings tell."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return (word, word[:-1])
    return (word, f"{word}s") if word.isalpha() and word.isascii() else (word,)


def when_where(event: TimelineEvent, now: int) -> str:
    """When an event was and on which environment, in words: "40 turns ago on the phone"."""
    ago = now - event.turn
    when = "before the task began" if event.turn < 0 else "this turn" if ago < 1 else f"{ago} turn{'s' * (ago > 1)} ago"
    return f"{when} on the {event.env}" if event.env else when


def ordinal(number: int) -> str:
    """A number as an ordinal: "1st", "22nd"."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def quote_words(words: Iterable[str]) -> str:
    """Words in quotes, one after another."""
    return ", ".join(f'"{word}"' for word in words)


def _with_neighbours(found: Sequence[Candidate], asked: Asked) -> Iterator[Candidate]:
    """The candidates, and what was of the same kind just before and after the best: "the third of five" is told by
    what stands around it. Each is numbered where that can be done in full."""
    held = {one.event.id: one for one in found}
    best = sorted((one for one in found if one.event.kind in COUNTED), key=lambda one: (-one.value, -one.event.id))
    best_of_sort: dict[Sort, Candidate] = {}
    for one in best[:NEIGHBOURS]:
        best_of_sort.setdefault(sort_of(one.event), one)
    numbers: dict[int, str] = {}
    for sort, one in best_of_sort.items():
        ids = asked.alike.get(sort, ())
        if few := len(ids) <= READ_WHOLE:
            around = ids
        else:
            at = bisect.bisect_left(ids, one.event.id) if one.event.id > 0 else len(ids)
            around = ids[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
        recorded = sorted(asked.timeline.events(around), key=lambda event: (event.start, event.id))
        going_on = (other.event for other in found if other.event.id < 0 and sort_of(other.event) == sort)
        alike = [event for event in (*recorded, *going_on) if event.turn < asked.now and asked.scope.admits(event)]
        for event in sorted(alike, key=lambda other: abs(other.start - one.event.start))[: NEIGHBOURS + 1]:
            if event.id not in held:
                reasons = ("beside one that was found", when_where(event, asked.now))
                held[event.id] = Candidate(event, BESIDE * one.value, reasons)
        if few and 1 < len(alike) <= MOST_COUNTED:
            numbers |= {event.id: f"{ordinal(at)} of {len(alike)} like it" for at, event in enumerate(alike, 1)}
    for one in held.values():
        number = numbers.get(one.event.id)
        yield replace(one, reasons=(*one.reasons, number)) if number else one


def sort_of(event: TimelineEvent) -> Sort:
    """What events have in common that are counted together."""
    kind = event.detail.kind if isinstance(event.detail, SoundDetail | MotionDetail) else ""
    return event.kind, event.env, kind


def _media_of(found: Sequence[Candidate], asked: Asked, wanted: Wanted) -> Iterator[Candidate]:
    """The pictures and clips that candidates are, were read from, or were on the screen with."""
    best: dict[int, Candidate] = {}
    told = {one.event.media.digest for one in found if one.event.kind in _WITHIN and one.event.media is not None}
    for one in found:
        event = one.event
        if event.media is not None and event.kind in _CAPTURED:
            # Of a clip in which something was heard or seen to move, that is what matters, and not the whole.
            if event.kind in _WITHIN or event.media.digest not in told:
                yield replace(one, media=True)
        elif event.kind == "text" and (shown := screen_of(event, asked)) is not None:
            before = best.get(shown.id)
            if before is None or before.value < one.value:
                best[shown.id] = one
    for id, one in best.items():
        shown = screen_of(one.event, asked)
        if shown is not None and shown.id == id:
            yield Candidate(shown, BESIDE * one.value, ("the screen of this text", *one.reasons), True)
    yield from _clips_with(found, asked, wanted)


def _clips_with(found: Sequence[Candidate], asked: Asked, wanted: Wanted) -> Iterator[Candidate]:
    """The sounds and films, of a kind that is asked for, that were heard and seen with the texts that say most."""
    kinds = wanted.kinds & _CLIPS
    if not kinds:
        return
    says = [one for one in found if one.event.kind == "text" and one.words]
    best: dict[int, tuple[Candidate, TimelineEvent]] = {}
    for one in sorted(says, key=lambda one: (-one.value, -one.event.id))[:WITH_CLIPS]:
        for clip in clips_of(one.event, asked):
            if clip.kind in kinds and (clip.id not in best or best[clip.id][0].value < one.value):
                best[clip.id] = (one, clip)
    # The words of a movement are those of its kind, which is weighed already: what was shown then tells it from others.
    for one, clip in best.values():
        # Of what was played while one page was in front, the longer says more than what it took to open the page.
        length = (clip.end - clip.start) / (1.0 + clip.end - clip.start)
        value = (one.value + WEIGHTS["kind"]) * length
        yield Candidate(clip, value, (f"the {_CLIP_NAMES[clip.kind]} while this was on the screen", *one.reasons), True)


def clips_of(event: TimelineEvent, asked: Asked) -> list[TimelineEvent]:
    """The sounds, and the films in which something moved, up to a text of a screen and until the next one."""
    clips, texts = asked.clips.get(event.env, ()), asked.texts.get(event.env, ())
    after = bisect.bisect_right(texts, event.id, key=lambda text: text.id)
    until = texts[after].start if after < len(texts) else float("inf")
    # Clips are at most a turn older than what was seen with them; of each kind they are in order of time.
    first = bisect.bisect_left(clips, event.turn, key=lambda clip: clip.turn)
    found: list[TimelineEvent] = []
    counts = dict.fromkeys(_CLIPS, 0)
    for clip in islice(clips, first, first + 4 * CLIPS_OF_TEXT):
        if clip.start > until:
            break
        fits = not _is_idle(clip) and clip.turn < asked.now and asked.scope.admits(clip)
        if fits and counts[clip.kind] < CLIPS_OF_TEXT:
            counts[clip.kind] += 1
            found.append(clip)
    return found


def screen_of(event: TimelineEvent, asked: Asked) -> TimelineEvent | None:
    """The picture of the screen that a text was on, if the scope admits it."""
    screens = asked.screens.get(event.env, ())
    at = bisect.bisect_right(screens, event.id, key=lambda screen: screen.id)
    shown = screens[at - 1] if at else None
    return shown if shown is not None and asked.scope.admits(shown) and shown.turn < asked.now else None


_EMPTY = frozenset(
    "a an and are as at be by did do does for from had has have how i if in into is it its me my no not now of on or "
    "our please so than that the their them then there these they this those to up us was we were what when where "
    "which while who will with would you your".split()
)
_DEVICES: Mapping[str, frozenset[str]] = {
    "phone": frozenset({"mobile", "smartphone"}),
    "desktop": frozenset({"computer", "pc", "laptop", "mac"}),
    "browser": frozenset({"website", "web"}),
}
_CLIPS: frozenset[EventKind] = frozenset({"audio", "video"})
_CLIP_NAMES: Mapping[EventKind, str] = {"audio": "sound", "video": "film"}
_KIND_NAMES: Mapping[EventKind, str] = {
    "sound": "a sound",
    "audio": "a sound",
    "transcript": "what was said",
    "motion": "what moved",
    "video": "a film",
    "screen": "a picture",
    "write": "what was copied or saved",
    "action": "what was done",
    "note": "a note",
}
_ASKING: tuple[tuple[str, tuple[EventKind, ...]], ...] = (
    (
        "sound sounds ring rings rang ringing ringtone ringtones chime chimes alarm alarms beep beeps tone tones "
        "melody melodies bell noise dialled dialed heard hear hears played",
        ("sound", "audio"),
    ),
    (
        "spoken speak speaks said say says saying told tells voice speech announced announcement call caller voicemail "
        "recording dictated heard hear",
        ("transcript", "sound"),
    ),
    (
        "video film films movie clip moving moved blink blinked flash flashed counter countdown animation shown "
        "playing played",
        ("motion", "video"),
    ),
    ("picture photo screenshot image icon logo colour color looked", ("screen",)),
    ("copied pasted saved clipboard", ("write",)),
    ("opened typed clicked tapped did done", ("action",)),
    ("noted note remember remembered", ("note",)),
)
_KIND_WORDS = tuple((frozenset(words.split()), kinds) for words, kinds in _ASKING)
_SHAPES: tuple[tuple[str, frozenset[str], re.Pattern[str]], ...] = tuple(
    (name, frozenset(words.split()), re.compile(shape))
    for name, words, shape in (
        ("a code", "code codes pin password passcode otp", r"\b(?=\w*\d)[A-Z0-9][A-Z0-9-]{2,11}\b"),
        (
            "an amount of money",
            "price prices cost costs amount total fee rent paid pay cheapest dearest",
            r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|USD|EUR|GBP)\b",
        ),
        ("a time of day", "time when clock hour appointment", r"\b\d{1,2}:\d\d\b|\b\d{1,2}\s?[ap]m\b"),
        ("a date", "date day when deadline due", r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"),
        ("a mail address", "mail email e-mail address", r"\b[\w.+-]+@[\w-]+\.\w+"),
        ("a number", "number numbers count many digits score counter", r"\d"),
        ("the name of a file", "file files document attachment", r"\b[\w-]+\.[a-z]{2,4}\b"),
    )
)
