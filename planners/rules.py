"""A planner without a model: the clauses of the instruction, matched one by one against what is seen and heard."""

from __future__ import annotations

from omnipilot.envs.actions import CONTROL, Done, OpenApp, Status
from omnipilot.envs.media import AudioClip
from omnipilot.envs.observation import Absent, Modality
from omnipilot.memory.trace import Move
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.rules_apps import reach
from omnipilot.planners.rules_clauses import parse
from omnipilot.planners.rules_moves import pursue
from omnipilot.planners.rules_scene import Do, Known, Met, Progress, Scene, Stuck
from omnipilot.planners.rules_words import Clause

_FAILURES = 4
_MEMORY = 60.0
"""Seconds of sound that it keeps."""


class RulesPlanner:
    """One move a turn for the clause at hand, until all are carried out.

    It reads what any planner reads. It ends as `infeasible` when it has no idea, and never repeats a failing move
    more than a few times, each time naming the place in another way.
    """

    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.AUDIO, Modality.VIDEO})

    def __init__(self) -> None:
        self._clauses: tuple[Clause, ...] = ()
        self._at = 0
        self._progress = Progress()
        self._known = Known()
        self._last: Do | None = None

    def begin(self, brief: Brief) -> None:
        """Read the instruction."""
        self._clauses = parse(brief.instruction, any("open_app" in verbs.kinds for verbs in brief.envs.values()))
        self._restart()
        self._known.named = frozenset(clause.app for clause in self._clauses)

    def plan(self, request: Request) -> Decision:
        """The next move, or the end."""
        reading = self._hear_back(request)
        self._read(request, reading)
        if not self._clauses:
            return _end("infeasible", "The instruction names nothing that there is a rule for.")
        while self._at < len(self._clauses):
            self._progress.before = None
            clause, later = self._clauses[self._at], self._clauses[self._at + 1 :]
            scene = Scene(request, clause, later, self._progress, self._known)
            result = (reach(scene, clause.app) if clause.app else None) or pursue(scene)
            if isinstance(result, Stuck):
                return _end("infeasible", f"{clause.said}: {result.why}.")
            if isinstance(result, Met):
                self._next()
                continue
            if sum(self._progress.failures.values()) >= _FAILURES:
                return _end("failure", f"{clause.said}: its moves keep failing.")
            return self._decide(result, clause)
        return _end("success", "All clauses are carried out.")

    def _decide(self, result: Do, clause: Clause) -> Decision:
        self._last = result
        if result.move.intent.kind not in CONTROL:
            self._known.env = result.move.env
        return Decision((result.move,), f"{clause.said}: {result.why}")

    def _hear_back(self, request: Request) -> str:
        """Learn what became of the last move; the environment where it brought up what was to be read, or ""."""
        last, self._last = self._last, None
        if last is None:
            return ""
        failed = [told for told in request.feedback if told.outcome.invalid]
        if failed and isinstance(last.move.intent, OpenApp):
            self._known.apps.pop(last.move.env, None)
            self._known.lacking.add((last.move.env, last.move.intent.app))
        elif failed:
            aimed = str(self._progress.before or last.move)
            self._progress.failures[aimed] = self._progress.failures.get(aimed, 0) + 1
        elif last.completes:
            read = self._clauses[self._at].kind == "read"
            self._next()
            return last.move.env if read else ""
        return ""

    def _read(self, request: Request, reading: str) -> None:
        for env, observation in request.observations.items():
            self._listen(env, observation.audio)
            if isinstance(observation.elements, Absent):
                continue
            texts = [text for element in observation.elements for text in (element.name, element.value) if text]
            fresh = [text for text in texts if text not in self._known.read]
            self._known.read |= dict.fromkeys(fresh)
            if env == reading:
                self._known.notes.append((self._clauses[self._at - 1].said, texts))
                self._known.noted |= dict.fromkeys(fresh or texts)

    def _listen(self, env: str, clip: AudioClip | Absent) -> None:
        if isinstance(clip, Absent):
            return
        before = self._known.heard.get(env)
        joined = clip if before is None else AudioClip(before.pcm + clip.pcm, env, before.start)
        self._known.heard[env] = joined.slice(joined.end - _MEMORY, joined.end)

    def _next(self) -> None:
        self._at += 1
        self._progress = Progress()

    def _restart(self) -> None:
        self._at = 0
        self._progress = Progress()
        self._known = Known()
        self._last = None


def _end(status: Status, why: str) -> Decision:
    return Decision((Move("", Done(status, why[:1000])),), why)
