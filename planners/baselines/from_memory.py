"""The diagnostic planner of memories: it knows what to do, and nothing of what it takes to have been there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from omnipilot.envs import (
    Absent,
    Answer,
    AudioClip,
    Context,
    Done,
    Elements,
    Image,
    Modality,
    Observation,
    Ref,
    TypeText,
    VideoClip,
)
from omnipilot.envs.types import place_fields
from omnipilot.memory import CandidateValue, Evidence, Move, NeededFact, Recalled
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.baselines.oracle import OraclePlanner

TOLERANCE = 0.05
"""Seconds that a clip may be shorter than what it is to cover, at either end."""


class FromMemoryPlanner(OraclePlanner):
    """Knows the demonstration but no fact: each must be in what it is given from memory, or be seen and heard now.

    It perceives perfectly, and only what it is given: a code is known if the clip that it is spoken in, the picture
    that it is written on, or a text that has it with the words that tell it from others is among the parts of that
    decision in which it is first needed. Of several values it takes the one that was seen or heard last; one that is
    out of date is then typed, and the task fails. Without any, it gives up and says what it lacks.

    A run's success is so the share of tasks for which the memory recalled what was needed, and nothing that misled.
    """

    part = "planner 'from-memory'"
    takes_notes = True
    reads_examples = False
    true_media: ClassVar[bool] = True
    """It goes by when a clip was recorded, and would take a substitute for what was heard."""
    reads = frozenset(Modality)

    def __init__(self) -> None:
        super().__init__()
        self._request: Request | None = None
        self._known: dict[str, CandidateValue] = {}

    def begin(self, brief: Brief) -> None:
        """Start over, and forget every fact."""
        super().begin(brief)
        self._request, self._known = None, {}

    def plan(self, request: Request) -> Decision:
        """The next move of the demonstration, with what is known in the place of what is true.

        Raises:
            ConfigError: the task has no solution, or states no facts.
        """
        self._request = request
        return super().plan(request)

    def _say(self, moves: Sequence[Move], thought: str) -> Decision:
        assert self._request is not None
        facts = self._truth.facts()
        told: list[str] = []
        for fact in facts:
            if fact.name in self._known or not any(_uses(move, fact.right) for move in moves):
                continue
            found = conclude(fact, self._request)
            if found is None:
                why = f"nothing that is remembered tells {fact.name}"
                return Decision((Move("", Done("failure", why[:500])),), thought=why)
            self._known[fact.name] = found
            told.append(f"{fact.name} is {found.value}")
        for fact in facts:
            if fact.name in self._known:
                moves = [_with(move, fact.right, self._known[fact.name]) for move in moves]
        return Decision(tuple(moves), thought=" ".join([thought, *(f"As remembered, {one}." for one in told)]))


def conclude(fact: NeededFact, request: Request) -> CandidateValue | None:
    """The value that whoever perceives everything in a request concludes for a fact; None if nothing tells it."""
    return read_fact(fact, [*request.recalled, *_seen_now(request)])


def read_fact(fact: NeededFact, parts: Sequence[Recalled]) -> CandidateValue | None:
    """The value of a fact that recalled parts tell to whoever perceives them perfectly; of several, the one seen last.

    Args:
        parts: what a memory recalled, in any order.

    Returns:
        None if the parts tell no value of it.
    """
    covered = _Covered.of(parts)
    known = [one for one in fact.candidates if any(all(map(covered.holds, way)) for way in one.ways)]
    return max(known, key=lambda one: one.seen, default=None)


@dataclass(frozen=True, slots=True)
class _Covered:
    """What parts hold: texts with their environments and times, times of pictures, and spans of clips."""

    texts: tuple[tuple[str, str, float], ...]
    pictures: tuple[tuple[str, float], ...]
    clips: tuple[tuple[str, Modality, float, float], ...]

    @classmethod
    def of(cls, parts: Iterable[Recalled]) -> _Covered:
        texts: list[tuple[str, str, float]] = []
        pictures: list[tuple[str, float]] = []
        clips: list[tuple[str, Modality, float, float]] = []
        for one in parts:
            if isinstance(one.part, str):
                texts.append((one.part.casefold(), one.env, one.time))
            elif isinstance(one.part, Image):
                pictures.append((one.env, one.time))
            elif isinstance(one.part, AudioClip | VideoClip):
                kind = Modality.AUDIO if isinstance(one.part, AudioClip) else Modality.VIDEO
                clips.append((one.env, kind, one.part.start, one.part.end))
        return cls(tuple(texts), tuple(pictures), tuple(sorted(clips, key=lambda clip: clip[2])))

    def holds(self, wanted: Evidence) -> bool:
        return self._written(wanted) or self._captured(wanted)

    def _written(self, wanted: Evidence) -> bool:
        return bool(wanted.words) and any(
            env in ("", wanted.env)
            and (wanted.until == float("inf") or wanted.start <= time <= wanted.until)
            and _has(text, wanted)
            for text, env, time in self.texts
        )

    def _captured(self, wanted: Evidence) -> bool:
        if wanted.modality is Modality.SCREENSHOT:
            return any(env == wanted.env and wanted.start <= time <= wanted.end for env, time in self.pictures)
        reached = wanted.start + TOLERANCE
        for env, kind, start, end in self.clips:
            if (env, kind) == (wanted.env, wanted.modality) and start <= reached:
                reached = max(reached, end)
        return reached >= wanted.end - TOLERANCE and reached > wanted.start + TOLERANCE


def _has(text: str, wanted: Evidence) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", text) for word in wanted.words)


def _seen_now(request: Request) -> Iterator[Recalled]:
    """What is seen and heard at the moment, as parts."""
    for env, seen in request.observations.items():
        yield from (Recalled(part, "now", env, seen.time, request.turn) for part in _parts_of(seen))


def _parts_of(seen: Observation) -> Iterator[Any]:
    yield from (part for part in (seen.screenshot, seen.audio, seen.video) if not isinstance(part, Absent))
    if isinstance(seen.elements, Elements):
        yield " | ".join(words for one in seen.elements for words in (one.name, one.value) if words)
    if isinstance(seen.context, Context):
        yield " · ".join(filter(None, (seen.context.app, seen.context.title, seen.context.url)))


def _uses(move: Move, right: CandidateValue) -> bool:
    """Whether a move of the demonstration depends on a fact."""
    return _with(move, right, CandidateValue("\0", (), 0.0, tuple("\0" for _ in right.ids))) != move


def _with(move: Move, right: CandidateValue, known: CandidateValue) -> Move:
    """A move of the demonstration with another value in the place of the right one."""
    intent = move.intent
    if isinstance(intent, TypeText | Answer):
        words = re.compile(rf"(?<!\w){re.escape(right.value)}(?!\w)")
        intent = replace(intent, text=words.sub(lambda _: known.value, intent.text))
    swapped = dict(zip(right.ids, known.ids, strict=True))
    changes: dict[str, Any] = {
        name: Ref(swapped[value.id])
        for name in place_fields(intent)
        if isinstance(value := getattr(intent, name), Ref) and value.id in swapped
    }
    return replace(move, intent=replace(intent, **changes))
