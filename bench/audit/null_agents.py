"""Agents that do nothing to the point. A task that one of them solves measures nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from omnipilot.bench.audit.records import AuditFinding, Verb
from omnipilot.bench.audit.stage import AuditStage, elements_of, looker
from omnipilot.bench.audit.vocabulary import FIELDS, WORDS, ScreenVerbs, middle_of
from omnipilot.bench.audit.winners import Examiner
from omnipilot.bench.session import Session

IDLE_SECONDS = 20.0
"""Of one wait of the agent that does nothing."""
IDLE_WAITS = (1.0,) * 5
"""Of the same agent where time is real, and so is that of the audit."""
RANDOM_EPISODES = 3
REAL_TURNS = 10
"""Turns of `random` at most, where each takes real time."""
MOST_FIELDS = 5
"""Fields of one screen that the instruction is typed into, of a device that names no applications."""
MOST_TURNS = 100
"""Turns of an agent whose task has no turn limit."""


@dataclass(frozen=True, slots=True)
class NullAgentResult:
    """What came of a null agent: judged successful, the largest share of sub-goals, and the verbs of the episode that
    was judged successful."""

    solved: bool
    completion: float
    episodes: int
    verbs: tuple[Verb, ...] = ()


def play_null_agents(
    stage: AuditStage, vocabulary: ScreenVerbs, examiner: Examiner, seed: int
) -> tuple[Mapping[str, NullAgentResult], list[AuditFinding]]:
    """Play each null agent from the start; any success is a finding, but that of `random` only where it lacks an
    effect of the demonstration."""
    rows: dict[str, NullAgentResult] = {}
    findings: list[AuditFinding] = []
    for name, episodes in _agents(stage, vocabulary, seed).items():
        played = rows[name] = _play(stage, episodes)
        if not played.solved:
            continue
        verbs = examiner.shorten(played.verbs) if stage.can_fork else played.verbs
        found = examiner.examine(verbs) if stage.can_fork else None
        if name == "random" and (found is None or not found.lacking):
            continue
        lacking = found.lacking if found is not None else ()
        findings.append(
            AuditFinding("null agent", stage.task_id, stage.instance, name, f"solved by {name}", verbs, lacking)
        )
    return rows, findings


def _agents(stage: AuditStage, vocabulary: ScreenVerbs, seed: int) -> Mapping[str, Iterator[_Episode]]:
    words = stage.opening.instruction
    return {
        "nothing": iter([_nothing]),
        "done": iter([_verbs([])]),
        "empty answer": iter([_verbs([{"kind": "answer", "text": ""}])]),
        "usual answers": iter([_verbs([{"kind": "answer", "text": word} for word in WORDS])]),
        "echo answered": iter([_verbs([{"kind": "answer", "text": words}]), _answer_screens]),
        "echo typed": iter([_type_everywhere(words)]),
        "random": iter([_wander(vocabulary, Random(f"random/{seed}/{number}")) for number in range(RANDOM_EPISODES)]),
    }


_Episode = Callable[[AuditStage, Session], Iterator[Verb]]


def _play(stage: AuditStage, episodes: Iterator[_Episode]) -> NullAgentResult:
    best, count = 0.0, 0
    for episode in episodes:
        count += 1
        session = stage.start()
        verbs: list[Verb] = []
        try:
            for verb in episode(stage, session):
                acted = session.act(verb)
                verbs.append(verb)
                best = max(best, acted.completion)
                if session.ended:
                    break
            if stage.is_solved(session) or (not session.ended and session.score().success):
                return NullAgentResult(True, 1.0, count, tuple(verbs))
        finally:
            stage.leave(session)
    return NullAgentResult(False, best, count)


def _verbs(verbs: list[Verb]) -> _Episode:
    return lambda stage, session: iter(verbs)  # noqa: ARG005


def _turns(stage: AuditStage) -> int:
    return min(stage.opening.limits.turns or MOST_TURNS, MOST_TURNS)


def _nothing(stage: AuditStage, session: Session) -> Iterator[Verb]:  # noqa: ARG001
    waits = [IDLE_SECONDS] * (_turns(stage) - 1) if stage.can_fork else IDLE_WAITS
    yield from ({"kind": "wait", "seconds": seconds} for seconds in waits)


def _answer_screens(stage: AuditStage, session: Session) -> Iterator[Verb]:  # noqa: ARG001
    """Answer with all that is to be seen at the start."""
    shown = [elements_of(env) for env in session.course.world.envs.values()]
    yield {"kind": "answer", "text": " ".join(one.name for screen in shown for one in screen.items if one.name)[:4000]}


def _type_everywhere(text: str) -> _Episode:
    """Type the instruction into whatever has the focus, then into what takes text in each application, or on the screen
    of a device that names none."""

    def episode(stage: AuditStage, session: Session) -> Iterator[Verb]:
        for name, env in session.course.world.envs.items():
            if "type" not in stage.opening.envs[name].kinds:
                continue
            yield {"env": name, "kind": "type", "text": text, "submit": True}
            if not stage.opening.envs[name].installed:
                fields = [one for one in elements_of(env).items if one.role in FIELDS][:MOST_FIELDS]
                for at in map(middle_of, fields):
                    yield {"env": name, "kind": "type", "text": text, "at": at, "submit": True}
            for app in stage.opening.envs[name].installed:
                yield {"env": name, "kind": "open_app", "app": app}
                box = next((one for one in elements_of(env).items if one.role in FIELDS), None)
                if box is not None:
                    yield {"env": name, "kind": "type", "text": text, "at": middle_of(box), "submit": True}

    return episode


def _wander(vocabulary: ScreenVerbs, dice: Random) -> _Episode:
    def episode(stage: AuditStage, session: Session) -> Iterator[Verb]:
        turns = _turns(stage) if stage.can_fork else min(_turns(stage), REAL_TURNS)
        for _ in range(turns - 1):
            yield vocabulary.draw(dice, looker(session))

    return episode
