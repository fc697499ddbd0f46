"""Audits one task: null agents, doors, the reading of its judges, and a search."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec, build, episode
from omnipilot.bench.audit.doors import DoorTried, histories, try_doors
from omnipilot.bench.audit.null_agents import play_null_agents
from omnipilot.bench.audit.reading import read_judge
from omnipilot.bench.audit.records import AuditFinding, Certificate
from omnipilot.bench.audit.rules import findings_by_rule, order_findings, suspicions
from omnipilot.bench.audit.search import Search
from omnipilot.bench.audit.stage import AuditStage
from omnipilot.bench.audit.vocabulary import ScreenVerbs, texts_of
from omnipilot.bench.audit.winners import Examiner
from omnipilot.bench.tasks.task import Suite, Task
from omnipilot.envs import ConfigError, OmnipilotError
from omnipilot.planners import Brief

RANDOM_WAITS = (0.2, 1.0)
"""Seconds that `random` waits at once where time is real."""
AT_START = "reached before anything was done"
"""Words by which a session refuses a task of which a judge holds at the start."""


@dataclass(frozen=True, slots=True)
class AuditBudget:
    """How much is tried on one task.

    Attributes:
        sequences: of the search, at most. seconds: of wall time for it, at most.
        planners: names of planners without a model that play the task for a row of their own, such as "rules".
        doors: whether doors are tried for which a server is started.
    """

    sequences: int = 1000
    seconds: float = 600.0
    planners: tuple[str, ...] = ()
    doors: bool = True


def audit_task(
    suite: Suite,
    task_id: str,
    instance: int = 0,
    seed: int = 0,
    budget: AuditBudget | None = None,
    change: Callable[[Task], Task] | None = None,
    name: str = "",
) -> Certificate:
    """Audit one task at one instance.

    Args:
        change: makes the task another one before it is opened, such as one with a flaw that is planted.
        name: of the suite with its options, for `--replay`; its own name by default.

    Raises:
        ConfigError: the suite has no such task. EnvLost: a device is gone.
    """
    budget = budget or AuditBudget()
    began = time.process_time()
    plan = {key: value for key, value in asdict(budget).items() if key != "seconds"}
    blank = Certificate(name or suite.name, suite.version, task_id, instance, seed, _plain(plan))
    try:
        stage = AuditStage(suite, task_id, instance, change)
    except ConfigError as error:
        if AT_START not in str(error):
            raise
        finding = AuditFinding("start", task_id, instance, "start", str(error))
        return replace(blank, findings=(finding,), not_tried=("everything else: the task cannot be opened",))
    try:
        with _uncollected():
            made = _audited(stage, seed, budget, blank)
        return replace(made, seconds=round(time.process_time() - began, 2))
    finally:
        stage.close()


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage is collected meanwhile.

    A search keeps hundreds of states, whose parts hardly ever refer to each other in a circle; to look through all of
    them for such circles, again and again, takes half of its time.
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
            gc.collect()


def _audited(stage: AuditStage, seed: int, budget: AuditBudget, blank: Certificate) -> Certificate:
    vocabulary = ScreenVerbs(stage.opening, texts_of(stage.opening.instruction))
    if not stage.can_fork:
        vocabulary.waits = RANDOM_WAITS
    doors = try_doors(stage, budget.doors)
    examiner = Examiner(stage, vocabulary, seed, histories(doors))
    agents, findings = play_null_agents(stage, vocabulary, examiner, seed)
    rows: dict[str, Any] = {name: {"solved": one.solved, "completion": one.completion} for name, one in agents.items()}
    rows |= {name: _played_by(stage, name) for name in budget.planners}
    state = stage.world.state() if stage.has_state else None
    readings = {judge.name: read_judge(judge, state) for judge in stage.judges}
    findings += findings_by_rule(stage, examiner, readings)
    findings += order_findings(stage)
    findings += _through_doors(stage, examiner, doors)
    searched = None
    if stage.can_fork and not findings:
        searched = Search(stage, vocabulary, examiner, seed).run(budget.sequences, budget.seconds)
        findings += searched.findings
    findings += [
        AuditFinding("raises", stage.task_id, stage.instance, "judge", f"{name!r} ends the episode with {error}")
        for name, error in stage.raised.items()
    ]
    return replace(
        blank,
        text=hashlib.sha256(stage.opening.instruction.encode()).hexdigest(),
        agents=rows,
        search={} if searched is None else searched.to_json(),
        reading={
            "judges": {name: one.words() for name, one in readings.items()},
            "suspected": suspicions(readings) if not examiner.can_tell else [],
            "effects": sorted({effect.place for effect in examiner.wanted}),
        },
        doors={name: one.to_json() for name, one in doors.items()},
        not_tried=tuple(_not_tried(stage, examiner, bool(findings), doors)),
        findings=tuple(findings),
    )


def _through_doors(stage: AuditStage, examiner: Examiner, doors: dict[str, DoorTried]) -> list[AuditFinding]:
    found = []
    for name, one in doors.items():
        if not one.solved:
            continue
        lacking = examiner.examine(one.verbs).lacking if one.verbs else ()
        if lacking or not one.verbs:
            reason = f"judged successful by what was written through the door {name!r}"
            found.append(AuditFinding("door", stage.task_id, stage.instance, name, reason, one.verbs, lacking))
    return found


def _not_tried(stage: AuditStage, examiner: Examiner, found: bool, doors: dict[str, DoorTried]) -> list[str]:
    told = []
    if not stage.can_fork:
        told.append("the search, and whether what `random` does is legitimate: the world cannot be forked")
        told.append("what is typed into terminals and browsers: the world cannot be forked")
    elif found:
        told.append("the search: something was found before")
    if not examiner.can_tell:
        why = "the state cannot be compared" if not stage.has_state else "nothing lasts of its demonstration"
        told.append(f"whether solutions are legitimate: {why}")
    return told + [f"door {name}: {one.problem}" for name, one in doors.items() if one.problem]


def _played_by(stage: AuditStage, planner: str) -> dict[str, object]:
    """A row: whether a planner solves the task."""
    session = stage.start()
    try:
        agent = build(AgentSpec(planner=PartSpec(planner)))
        course = session.course
        limits = stage.opening.limits
        brief = Brief(stage.opening.instruction, dict(stage.opening.envs))
        steps = episode(course.world, agent, brief, limits)
        for step in steps:
            course.take(step)
            if course.evaluator.success:
                steps.close()
                break
        return {"solved": course.evaluator.success, "completion": course.evaluator.completion}
    except OmnipilotError as error:
        return {"solved": None, "problem": str(error)[:200]}
    finally:
        stage.leave(session)


def _plain(values: dict[str, object]) -> dict[str, object]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
