"""A planner without a model: matches the clauses of the instruction one by one with what it sees and hears."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import ClassVar

from omnipilot.envs import Absent, Done, Modality, OpenApp
from omnipilot.envs.types import CONTROL_VERBS, Status, check_installed
from omnipilot.memory import Move
from omnipilot.planners.base import Brief, Decision, Planner, Request
from omnipilot.planners.rules.acting.moves import pursue
from omnipilot.planners.rules.acting.waits import note_surroundings
from omnipilot.planners.rules.foresight import NOTING, MacroCall, foresee
from omnipilot.planners.rules.matching.foreground_window import in_front, is_content
from omnipilot.planners.rules.matching.notes import Note, Tape
from omnipilot.planners.rules.matching.scene import ClauseProgress, Do, Known, Met, Stuck, TurnScene
from omnipilot.planners.rules.reading.applications import reach
from omnipilot.planners.rules.reading.clauses import parse
from omnipilot.planners.rules.reading.sound_matching import sampled_sound
from omnipilot.planners.rules.words import Clause, quoted_texts

_FAILURES = 4


class RulesPlanner(Planner):
    """Works through the instruction's clauses by fixed rules, one move per turn, without a model.

    It gets the same input as any planner. If it has no idea, it ends as `infeasible`. It repeats a failing move only a
    few times, each time naming the place in another way. What it did not note itself it takes from recalled anchors,
    texts and transcripts.

    Args:
        ocr: whether letters and numbers in films are read, which needs the extra `ocr`. Without it, what a film shows
            at a lettered place or as a number is not found out.
    """

    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.AUDIO, Modality.VIDEO})
    takes_notes: bool = True
    reads_examples: bool = False
    optional: ClassVar[Mapping[str, str]] = {"ocr": "reads no letters and numbers in films"}

    def __init__(self, ocr: bool = True) -> None:
        self.ocr = ocr
        self._clauses: tuple[Clause, ...] = ()
        self._at = 0
        self._noted = 0
        self._progress = ClauseProgress()
        self._known = Known(ocr=ocr)
        self._last: Do | None = None
        self._call: MacroCall[RulesPlanner] | None = None
        self._refused: set[str] = set()

    def check_packages(self, shown: frozenset[Modality]) -> None:
        """Check that films can be read, if it is shown any.

        Raises:
            MissingExtra: RapidOCR is not installed.
        """
        if self.ocr and Modality.VIDEO in shown:
            without = f"-o planner.ocr=false, and the planner rules {self.optional['ocr']}"
            check_installed("ocr", "rapidocr", "onnxruntime", without=without)

    def begin(self, brief: Brief) -> None:
        """Read the instruction."""
        self._clauses = parse(brief.instruction, any("open_app" in verbs.kinds for verbs in brief.envs.values()))
        self._restart()
        self._known.named = frozenset(clause.app for clause in self._clauses)

    def plan(self, request: Request) -> Decision:
        """The next move, or the end."""
        request = self._hear_of_macro(request)
        after = self._last.after if self._last else ""
        self._read(request, self._hear_back(request), after)
        chosen = self._choose(request)
        call = foresee(self, request, chosen.moves[0], self._refused) if self._last is not None else None
        if call is None:
            return chosen
        self._call = call
        return Decision((call.move,), chosen.thought)

    def fork(self) -> RulesPlanner:
        """A copy that can go on in thought without changing this one."""
        forked = copy.copy(self)
        forked._progress = copy.deepcopy(self._progress)
        held = {one.name: copy.copy(getattr(self._known, one.name)) for one in fields(self._known)}
        forked._known = Known(**held)
        return forked

    @property
    def clause(self) -> Clause:
        """What the last move is for."""
        return self._clauses[self._at]

    def next_clauses(self) -> Sequence[Clause]:
        """The clauses that are left once the last move is carried out."""
        done = self._last is not None and self._last.completes
        return self._clauses[self._at + done :]

    def go_on(self, request: Request) -> Move | None:
        """The next move if the last one is carried out and then the screen is that of the request.

        Returns:
            None where that needs the real screen, to read, wait or listen, or where it is the end.
        """
        before = self._at
        # A thing that is opened by its name is opened to be read.
        if self._hear_back(request) and quoted_texts(self._clauses[before].target):
            return None
        chosen = self._choose(request)
        passed = self._clauses[before : self._at + 1]
        return None if self._last is None or any(one.kind in NOTING for one in passed) else chosen.moves[0]

    def _choose(self, request: Request) -> Decision:
        """The next move on the screens of a request, or the end."""
        if not self._clauses:
            return _end("infeasible", "The instruction names nothing that there is a rule for.")
        while self._at < len(self._clauses):
            self._progress.before = None
            clause, later = self._clauses[self._at], self._clauses[self._at + 1 :]
            scene = TurnScene(request, clause, later, self._progress, self._known)
            result = (reach(scene, clause.app) if clause.app else None) or pursue(scene)
            if isinstance(result, Stuck) and not self._progress.loose:
                self._progress = self._progress.loosened()
                continue
            if isinstance(result, Stuck):
                return _end("infeasible", f"{clause.said}: {result.why}.")
            if isinstance(result, Met):
                self._note(scene)
                self._next()
                continue
            if sum(self._progress.failures.values()) >= _FAILURES:
                return _end("failure", f"{clause.said}: its moves keep failing.")
            return self._decide(result, clause)
        return _end("success", "All clauses are carried out.")

    def _decide(self, result: Do, clause: Clause) -> Decision:
        self._last = result
        if result.move.intent.kind not in CONTROL_VERBS:
            self._known.env = result.move.env
            if result.completes:
                self._known.tapes.pop(result.move.env, None)
        return Decision((result.move,), f"{clause.said}: {result.why}")

    def _hear_of_macro(self, request: Request) -> Request:
        """Catch up with what a macro did: as if its moves had been made one by one."""
        call, self._call = self._call, None
        if call is None or not request.feedback:
            return request
        told = request.feedback[-1]
        carried_out = min(told.carried_out, len(call.states)) if told.outcome.refused else len(call.states)
        if carried_out:
            state = call.states[carried_out - 1]
            self._at, self._noted, self._last = state._at, state._noted, state._last
            self._progress, self._known = state._progress, state._known
            return replace(request, feedback=())
        # It may have been refused as a whole: the first of its moves is made by itself.
        self._refused.add(call.name)
        if self._last is not None and isinstance(self._last.move.intent, OpenApp):
            self._known.apps.pop(self._last.move.env, None)
        self._last = None
        return replace(request, feedback=())

    def _hear_back(self, request: Request) -> str:
        """Process the feedback on the last move; returns the environment that now shows the text to read, or ""."""
        last, self._last = self._last, None
        if last is None:
            return ""
        failed = [told for told in request.feedback if told.outcome.refused]
        if failed and isinstance(last.move.intent, OpenApp):
            self._known.apps.pop(last.move.env, None)
            self._known.lacking.add((last.move.env, last.move.intent.app))
        elif failed:
            aimed = str(self._progress.before or last.move)
            self._progress.failures[aimed] = self._progress.failures.get(aimed, 0) + 1
        elif last.completes:
            clause = self._clauses[self._at]
            read = clause.kind in ("read", "open")
            self._next()
            while last.covers and self._at < len(self._clauses) and self._clauses[self._at].said == clause.said:
                self._next()
            return last.move.env if read or last.after else ""
        return ""

    def _read(self, request: Request, reading: str, after: str) -> None:
        for env, observation in request.observations.items():
            self._known.tapes.setdefault(env, Tape()).add(observation, self._watching())
            if isinstance(observation.elements, Absent):
                continue
            if "open_app" in request.brief.envs[env].kinds:
                self._known.orient(env, list(observation.elements))
            self._known.tabulate(in_front(list(observation.elements)))
            shown = [e for e in in_front(list(observation.elements)) if is_content(e)]
            texts = [text for element in shown for text in (element.name, element.value) if text]
            if env == reading and after:
                texts = _behind(after, texts)
            fresh = [text for text in texts if text not in self._known.read]
            self._known.read |= dict.fromkeys(fresh)
            if env == reading:
                self._known.notes.append(Note(self._led(self._at), texts))
                self._known.noted |= dict.fromkeys(fresh or texts)

    def _watching(self) -> bool:
        """Whether the current film may be needed by this clause or the next."""
        return any(clause.kind == "still" for clause in self._clauses[self._at : self._at + 2])

    def _led(self, end: int) -> str:
        """The words of the clauses up to `end` since the last note."""
        said = dict.fromkeys(clause.said for clause in self._clauses[self._noted : end])
        self._noted = end
        return ". ".join(reversed(said))

    def _note(self, scene: TurnScene) -> None:
        """Keep what was heard and seen, if the clause asked for it."""
        if scene.clause.kind in ("still", "listen"):
            self._known.notes.append(note_surroundings(scene, self._led(self._at + 1)))
        if scene.clause.kind == "sample":
            self._known.notes.append(sampled_sound(scene))

    def _next(self) -> None:
        self._at += 1
        self._progress = ClauseProgress()

    def _restart(self) -> None:
        self._at = 0
        self._noted = 0
        self._progress = ClauseProgress()
        self._known = Known(ocr=self.ocr)
        self._last = None
        self._call = None
        self._refused = set()


def _behind(after: str, texts: list[str]) -> list[str]:
    """The texts after the last one that ends with `after`; all if none does."""
    ends = [at for at, text in enumerate(texts) if text.endswith(after)]
    return texts[ends[-1] + 1 :] if ends else texts


def _end(status: Status, why: str) -> Decision:
    return Decision((Move("", Done(status, why[:1000])),), why)
