"""Whether a sequence that is judged successful did what the demonstration does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from omnipilot.bench.audit.effects import Effects, StateEffect, content, general, words_of
from omnipilot.bench.audit.hedges import rivals
from omnipilot.bench.audit.records import Verb
from omnipilot.bench.audit.stage import AuditStage, looker
from omnipilot.bench.audit.variants import is_told
from omnipilot.bench.audit.vocabulary import ScreenVerbs
from omnipilot.bench.judges import LETTERS_BESIDE, names_other
from omnipilot.bench.session import Session

WALKS, STEPS, ROUNDS = 24, 5, 3
"""Walks that only look and begin anywhere, how many verbs each has, and walks that begin in each app."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A sequence that is judged successful.

    Attributes:
        lacking: effects and answers of the demonstration that it lacks; empty for a legitimate solution.
        beyond: places that it changed and the demonstration does not.
    """

    lacking: tuple[str, ...]
    beyond: tuple[str, ...]


class Examiner:
    """Compares what sequences do with what the demonstration does.

    Effects that come of looking alone, such as a mail that counts as read, are left out: a sequence need not have them.

    Attributes:
        wanted: the effects of the demonstration that do not come of looking. traces: places that looking changes, and
            `histories`, in which applications keep whatever was typed.
    """

    def __init__(
        self, stage: AuditStage, vocabulary: ScreenVerbs, seed: int, histories: frozenset[str] = frozenset()
    ) -> None:
        self.stage = stage
        looked = _traces(stage, vocabulary, Random(f"looks/{seed}")) if stage.has_state else frozenset()
        self.traces = looked | histories
        shown = stage.demonstration
        kept = shown.effects if shown is not None else Counter()
        self.answers = shown.answers if shown is not None else ()
        self._passed = shown.passed if shown is not None else frozenset()
        self._hedges = _hedges(stage) if stage.has_state else {}
        # Whoever is told a text need not guess it: another one beside it is no try.
        words = stage.opening.instruction
        self._sought = [text for text in self._hedges if not is_told(text, words)]
        self.wanted: Effects = Counter(
            {effect: count for effect, count in kept.items() if general(effect.place) not in self.traces}
        )

    @property
    def can_tell(self) -> bool:
        """Whether the demonstration has anything that a sequence could lack."""
        return bool(self.wanted or self.answers)

    def examine(self, verbs: Sequence[Verb]) -> Examined:
        """Compare a sequence that is judged successful, played from the start."""
        session = self.stage.play(verbs)
        try:
            answers = session.course.answers
            done = self.stage.effects(session) if self.stage.has_state else Counter()
        finally:
            self.stage.leave(session)
        open_ = Counter(done)
        lacking: list[str] = []
        for effect in self.wanted.elements():
            found = next((one for one in open_ if open_[one] > 0 and self._alike(effect, one)), None)
            if found is None:
                lacking.append(words_of(effect))
            else:
                open_[found] -= 1
        lacking += [
            f"{words_of(effect)} alone: {words_of(one)} is there, too"
            for effect in self.wanted
            for one in open_
            if open_[one] > 0 and effect.place == one.place and self._is_rival(effect.value, one.value)
        ]
        lacking += [
            f"the answer {text!r}" for text in self.answers if not any(self._says(text, one) for one in answers)
        ]
        lacking += [
            f"the answer {text!r} alone: {one!r} was answered, too"
            for text in self.answers
            for one in answers
            if not self._says(text, one) and self._is_rival(content(text), content(one))
        ]
        known = {general(effect.place) for effect in self.wanted} | self.traces
        beyond = sorted({general(effect.place) for effect in done} - known)
        return Examined(tuple(lacking), tuple(beyond))

    def _alike(self, wanted: StateEffect, found: StateEffect) -> bool:
        if wanted.place != found.place:
            return False
        # Of what the demonstration goes through, such as songs that it plays, any may be the last.
        passed = StateEffect(wanted.place, found.value) in self._passed
        return passed or self._same(wanted.value, found.value)

    def _same(self, wanted: Any, found: Any) -> bool:
        if wanted == found:
            return True
        if isinstance(wanted, str) and isinstance(found, str):
            return bool(wanted) and self._says(wanted, found)
        if isinstance(wanted, tuple) and isinstance(found, tuple) and len(wanted) == len(found):
            return all(map(self._same, wanted, found))
        return False

    def _says(self, wanted: str, found: str) -> bool:
        """Whether a text is the one that was asked for, with a few letters more at most, and none that hedge it."""
        wanted, found = content(wanted), content(found)
        held = [typed for typed in self._hedges if typed in wanted]
        return self._has(wanted, found, held) or any(self._has_within(wanted, found, one) for one in held)

    def _has_within(self, wanted: str, found: str, typed: str) -> bool:
        """Whether a text that was there has what is typed into it, where a few letters may stand before it, too."""
        head, _, tail = wanted.rpartition(typed)
        kept = found.startswith(head) and found.endswith(tail)
        return kept and self._has(typed, found[len(head) : len(found) - len(tail)], [typed])

    def _has(self, wanted: str, found: str, typed: Sequence[str]) -> bool:
        """Whether a text contains another and little else, no other answer in place of what is typed in it."""
        if wanted not in found or len(found) > len(wanted) + LETTERS_BESIDE:
            return False
        rest = found.replace(wanted, " | ")
        return not any(names_other(one, rest, self._hedges[one]) for one in typed)

    def _is_rival(self, wanted: Any, found: Any) -> bool:
        """Whether something is what was asked for but for an answer that had to be found, and says another one."""
        pairs = [(one, other) for one, other in _leaves(wanted, found) if not self._same(one, other)]
        return bool(pairs) and all(self._says_rival(one, other) for one, other in pairs)

    def _says_rival(self, wanted: Any, found: Any) -> bool:
        if not isinstance(wanted, str) or not isinstance(found, str):
            return False
        for typed in self._sought:
            head, middle, tail = wanted.rpartition(typed)
            framed = middle and len(found) >= len(head) + len(tail) and found.startswith(head) and found.endswith(tail)
            if framed and names_other(typed, found[len(head) : len(found) - len(tail)], self._hedges[typed]):
                return True
        return False

    def shorten(self, verbs: Sequence[Verb]) -> tuple[Verb, ...]:
        """The sequence without verbs that it does not need to be judged successful."""
        kept = list(verbs)
        for at in reversed(range(len(kept))):
            shorter = kept[:at] + kept[at + 1 :]
            if self.stage.solves(shorter):
                kept = shorter
        return tuple(kept)


def _traces(stage: AuditStage, vocabulary: ScreenVerbs, dice: Random) -> frozenset[str]:
    """Places that change where somebody only looks, or only waits.

    One session waits when the demonstration does; walks begin anywhere; further ones begin in each application in turn.
    What these last find counts only if the demonstration changes it beside a sub-goal, not where it reaches one: a
    click that looks at a mail may elsewhere join a network.
    """
    if not stage.can_fork:
        return frozenset()
    envs = vocabulary.opening.envs
    apps = [
        (env, {"env": env, "kind": "open_app", "app": app})
        for env, one in envs.items()
        for app in one.installed
        if "open_app" in one.kinds
    ]

    def walk(env: str, *begin: Verb) -> set[str]:
        session = stage.play(begin)
        for _ in range(STEPS):
            if not session.ended:
                session.act(vocabulary.draw_look(dice, env, looker(session)))
        return _changed(stage, session)

    anywhere: set[str] = set().union(*(walk(dice.choice(list(envs))) for _ in range(WALKS)))
    thorough: set[str] = set().union(*(walk(env, begin) for env, begin in apps * ROUNDS))
    shown = stage.demonstration
    waits = [verb for verb in shown.verbs if verb["kind"] == "wait"] if shown is not None else []
    timed = _changed(stage, stage.play(waits)) if waits else set()
    return frozenset(timed | anywhere | (thorough - _purposes(stage)))


def _hedges(stage: AuditStage) -> dict[str, tuple[str, ...]]:
    """What the texts that the demonstration types or answers could be instead."""
    shown, state = stage.demonstration, stage.world.state()
    typed = [str(verb["text"]).strip() for verb in shown.verbs if verb.get("text")] if shown is not None else []
    return {content(text): tuple(map(content, rivals(text, state))) for text in typed if text}


def _purposes(stage: AuditStage) -> set[str]:
    """Places that the demonstration changes with the verbs that reach a sub-goal."""
    shown = stage.demonstration
    if shown is None:
        return set()
    session = stage.start()
    before, reached, purposes = Counter[StateEffect](), 0, set[str]()
    for verb, count in zip(shown.verbs, shown.reached, strict=False):
        session.act(verb)
        now = stage.effects(session)
        if count > reached:
            purposes |= {general(effect.place) for effect in now - before}
        before, reached = now, max(reached, count)
        if session.ended:
            break
    stage.leave(session)
    return purposes


def _leaves(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """What two values of the same form are made of, side by side."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for pair in zip(one, other, strict=True):
            yield from _leaves(*pair)
    else:
        yield one, other


def _changed(stage: AuditStage, session: Session) -> set[str]:
    """Places that a session has changed; it is left."""
    changed = {general(effect.place) for effect in stage.effects(session)}
    stage.leave(session)
    return changed
