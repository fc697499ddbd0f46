"""A search for sequences that satisfy the judges: guided by what was covered, from forks of kept states.

First the demonstration is played with some things other, then sequences continue from its states, from the start, and
from what covered something new.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from omnipilot.bench.audit.effects import places_between
from omnipilot.bench.audit.records import AuditFinding, Verb
from omnipilot.bench.audit.stage import AuditStage, describe_verb, did, elements_of, looker
from omnipilot.bench.audit.variants import Edits, Variation, answer_spans, changed_course, texts_held, variants_of
from omnipilot.bench.audit.vocabulary import ScreenVerbs
from omnipilot.bench.audit.winners import Examiner
from omnipilot.bench.session import Session
from omnipilot.envs import Elements

LONGEST = 4
"""Verbs of one continuation."""
MOST_KEPT = 600
"""States kept at a time; then the most visited go."""
VARIED = 0.4
"""Share of the sequences, at most, that are the demonstration with some things other."""
ALONG = 0.4
"""Share of the others that continue from a state of the demonstration."""
MOST_SHORTENED = 50
"""Solutions that are shortened before they are examined; later ones are examined as they were found."""


@dataclass(slots=True)
class KeptState:
    """A state that covered something new: a session to be forked, and the verbs from the start."""

    session: Session
    verbs: tuple[Verb, ...]
    completion: float
    screens: dict[str, Elements] = field(default_factory=dict)
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search did.

    Attributes:
        sequences: variants of the demonstration, and continuations of 1 to `LONGEST` verbs from a fork of a kept state,
            judged after each verb. varied: the variants among them.
        verbs: carried out in all. kept: states that covered something new. seconds: of processor time.
        completion: largest share of sub-goals. legitimate: solutions with the demonstration's effects.
        beyond: what those changed besides, by place: the judges tolerate it.
    """

    sequences: int
    verbs: int
    kept: int
    seconds: float
    completion: float
    legitimate: int
    beyond: Mapping[str, int]
    findings: tuple[AuditFinding, ...]
    varied: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, without the findings."""
        names = ("sequences", "varied", "verbs", "kept", "completion", "legitimate")
        rate = round(self.sequences / self.seconds) if self.seconds else 0
        found = {name: getattr(self, name) for name in names}
        return {**found, "seconds": round(self.seconds, 2), "sequences_a_second": rate, "beyond": dict(self.beyond)}


class Search:
    """Searches one task.

    Args:
        stage: a task whose world can be forked.
    """

    def __init__(self, stage: AuditStage, vocabulary: ScreenVerbs, examiner: Examiner, seed: int) -> None:
        self.stage, self.vocabulary, self.examiner = stage, vocabulary, examiner
        self.dice = Random(f"search/{seed}/{stage.task_id}/{stage.instance}")
        self.kept: list[KeptState] = [KeptState(stage.start(), (), 0.0)]
        self.covered: set[object] = set()
        self.findings: list[AuditFinding] = []
        self.beyond: dict[str, int] = {}
        self.legitimate = self.sequences = self.varied = self.verbs = self.total_kept = 0
        self.completion = 0.0
        shown = stage.demonstration
        self.demonstrated: tuple[Verb, ...] = shown.verbs if shown is not None and shown.solved else ()
        reached = shown.reached if shown is not None else ()
        self.spans = answer_spans(self.demonstrated, reached, stage.opening.instruction)
        self.along = self._states_of_demonstration()
        state = stage.world.state() if stage.has_state else None
        self.variation = Variation(vocabulary.texts, self.dice, texts_held(state), state)

    def run(self, sequences: int, seconds: float) -> Searched:
        """Search until so many sequences were judged, so many seconds passed, or a finding was made.

        Args:
            seconds: of wall time.
        """
        began, until = time.process_time(), time.perf_counter() + seconds
        edits = iter(variants_of(self.demonstrated, int(VARIED * sequences), self.dice, self.spans))
        while self.sequences < sequences and time.perf_counter() < until and not self.findings:
            self.sequences += 1
            if (changed := next(edits, None)) is not None:
                self.varied += 1
                self._vary(changed)
            else:
                self._continue(self._choose())
        spent = time.process_time() - began
        return Searched(
            self.sequences,
            self.verbs,
            self.total_kept,
            spent,
            self.completion,
            self.legitimate,
            self.beyond,
            tuple(self.findings),
            self.varied,
        )

    def _states_of_demonstration(self) -> list[KeptState]:
        """The state before each verb of the demonstration; none where there is none."""
        session, states = self.stage.start(), []
        for at, verb in enumerate(self.demonstrated):
            states.append(KeptState(session, self.demonstrated[:at], session.course.evaluator.completion))
            session = session.fork()
            if not did(session.act(verb)) or session.ended:
                break
        return states

    def _vary(self, edits: Edits) -> None:
        """The demonstration, changed, from the first change on."""
        first = min(edits)
        if first >= len(self.along):
            return
        session, verbs = self.along[first].session.fork(), self.along[first].verbs
        for shown, edit in changed_course(self.demonstrated, edits, self.spans)[first:]:
            verb = self.variation.verb(shown, edit, looker(session))
            if verb is None:
                continue
            self.verbs += 1
            if did(session.act(verb)):
                verbs = (*verbs, verb)
            if session.ended:
                break
        self.completion = max(self.completion, session.course.evaluator.completion)
        # Without what is not needed, nothing would be said twice.
        self._judged(session, verbs, whole=any(edit.kind == "twice" for edit in edits.values()))

    def _judged(self, session: Session, verbs: tuple[Verb, ...], whole: bool = False) -> None:
        if self.stage.is_solved(session):
            self._examine(verbs, whole)
        elif not session.ended and verbs:
            self._keep(session, verbs)

    def _choose(self) -> KeptState:
        """Mostly one of the newest, or of those that reached the most; else any, the less visited the likelier."""
        if self.along and self.dice.random() < ALONG:
            return self.dice.choice(self.along)
        roll = self.dice.random()
        if roll < 0.35:
            chosen = self.dice.choice(self.kept[-40:])
        elif roll < 0.6:
            most = max(one.completion for one in self.kept)
            chosen = self.dice.choice([one for one in self.kept if one.completion == most])
        else:
            chosen = min(self.dice.choices(self.kept, k=3), key=lambda one: one.visits)
        chosen.visits += 1
        return chosen

    def _continue(self, kept: KeptState) -> None:
        """One sequence: a fork, up to `LONGEST` verbs, judged after each."""
        session = kept.session.fork()
        look, verbs = looker(session, kept.screens), kept.verbs
        for number in range(self.dice.randint(1, LONGEST)):
            if number:
                look = looker(session)
            verb = self.vocabulary.draw(self.dice, look)
            acted = session.act(verb)
            self.verbs += 1
            if not did(acted):
                continue
            verbs = (*verbs, verb)
            self.completion = max(self.completion, acted.completion)
            if session.ended:
                break
        self._judged(session, verbs)

    def _keep(self, session: Session, verbs: tuple[Verb, ...]) -> None:
        course = session.course
        if self.stage.has_state:
            seen: Any = places_between(course.start, course.world.state())
        else:
            seen = frozenset(
                (one.role, one.name) for screen in map(elements_of, course.world.envs.values()) for one in screen.items
            )
        states = course.evaluator.completed, tuple(sorted(course.evaluator.states().items()))
        # Each change by itself with the sub-goals, so that combinations of what is known do not fill the memory.
        new = {(states, place) for place in seen} | {(states, "answers", course.answers[-1:])}
        if new <= self.covered:
            return
        self.covered |= new
        self.total_kept += 1
        self.kept.append(KeptState(session, verbs, course.evaluator.completion))
        if len(self.kept) > MOST_KEPT:
            self.kept.sort(key=lambda one: (one.completion, -one.visits))
            # The start stays.
            start = next(one for one in self.kept if not one.verbs)
            self.kept = [start, *[one for one in self.kept[MOST_KEPT // 3 :] if one is not start]]

    def _examine(self, verbs: tuple[Verb, ...], whole: bool) -> None:
        short = verbs if whole or self.legitimate >= MOST_SHORTENED else self.examiner.shorten(verbs)
        found = self.examiner.examine(short)
        if not found.lacking:
            self.legitimate += 1
            for place in found.beyond:
                self.beyond[place] = self.beyond.get(place, 0) + 1
            return
        reason = f"judged successful without {len(found.lacking)} of the demonstration's effects"
        self.findings.append(
            AuditFinding(
                "shortcut",
                self.stage.task_id,
                self.stage.instance,
                "search",
                f"{reason}: {'; '.join(map(describe_verb, short))}"[:600],
                short,
                found.lacking,
            )
        )
