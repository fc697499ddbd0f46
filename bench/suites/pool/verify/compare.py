"""Evaluators from trajectories beside evaluators from the task alone: what each accepts and refuses (§4.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.bench.stats import wilson
from omnipilot.bench.suites.pool.records import Evaluator, SubtaskRecord
from omnipilot.bench.suites.pool.verify.differences import NoEvaluator, evaluator_of
from omnipilot.bench.suites.pool.verify.discrimination import graph_for
from omnipilot.bench.suites.pool.verify.instances import draw_instance
from omnipilot.bench.suites.pool.verify.stage import effect_of
from omnipilot.bench.suites.pool.verify.task_alone import evaluator_from_task
from omnipilot.bench.suites.pool.verify.trials import play_moves
from omnipilot.bench.suites.pool.verify.verification import (
    SAMPLES,
    SubtaskEvidence,
    gather_evidence,
    right_traces,
    verify_by_rules,
)
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ActionRejected, ConfigError, NotFound

WAYS = ("differences of trajectories", "the task alone")


@dataclass
class WayCount:
    """What the evaluators of one way did.

    Attributes:
        made: evaluators. right, wrong: trajectories of each kind that they judged, of all subtasks; accepted, refused:
            those judged rightly. survived, strict: subtasks after all rounds.
        refused_by_kind, wrong_by_kind: by letter of §5.3.
    """

    made: int = 0
    right: int = 0
    accepted: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    survived: int = 0
    strict: int = 0


def compare_ways(
    subtasks: Mapping[str, SubtaskRecord],
    templates: Mapping[str, Template],
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Mapping[str, WayCount]:
    """Make both evaluators of every subtask and try them on the same trajectories; first without any feedback, then
    with rounds."""
    counts = {way: WayCount() for way in WAYS}
    others = list(templates.values())
    for id, template in templates.items():
        tell(id)
        try:
            evidence = gather_evidence(template, others, seed)
        except (ConfigError, NotFound, ActionRejected):
            continue
        effect = effect_of(subtasks[id], template, seed)
        for way, count in counts.items():
            barrier = way == WAYS[1]
            evaluator = _first_evaluator(template, effect, seed, barrier)
            if evaluator is not None:
                _try_on(evidence, evaluator, count)
            verdict = verify_by_rules(template, others, effect=effect, seed=seed, barrier=barrier)
            count.survived += verdict.accepted
            count.strict += verdict.accepted and verdict.rounds[-1].strict
    return counts


def comparison_table(counts: Mapping[str, WayCount], subtasks: int) -> str:
    """Markdown: a row for each way, shares in percent with Wilson's intervals."""
    lines = [
        "| evaluator from | made | right accepted | other tasks, nothing, unfinished refused | nearly right refused "
        "| accepted after rounds | strict |",
        "|---|---|---|---|---|---|---|",
    ]
    for way, count in counts.items():
        easy, hard = ("required",), ("strict",)
        lines.append(
            f"| {way} | {count.made} of {subtasks} | {_share(count.accepted, count.right)} "
            f"| {_share(_sum(count.refused, easy), _sum(count.wrong, easy))} "
            f"| {_share(_sum(count.refused, hard), _sum(count.wrong, hard))} | {count.survived} | {count.strict} |"
        )
    return "\n".join(lines)


def _first_evaluator(template: Template, effect: Sequence[str], seed: int, barrier: bool) -> Evaluator | None:
    try:
        if barrier:
            instances = [draw_instance(template, number, seed) for number in SAMPLES]
            return evaluator_from_task(template.id, effect, instances)
        return evaluator_of(template.id, right_traces(template, SAMPLES, seed))
    except (NoEvaluator, ConfigError, NotFound, ActionRejected):
        return None


def _try_on(evidence: SubtaskEvidence, evaluator: Evaluator, count: WayCount) -> None:
    data = evaluator.evaluator
    count.made += 1
    right = [("", evidence.instance, evidence.demonstration), *evidence.right]
    for _, instance, moves in right:
        count.right += 1
        try:
            count.accepted += play_moves(instance, moves, graph_for(data, instance)).accepted
        except ConfigError:
            continue
    for wrong in evidence.wrong:
        kind = "required" if wrong.required else "strict"
        try:
            trace = wrong.play(data)
        except ConfigError:
            continue
        if not trace.outcome.equals(evidence.intended.outcome):
            count.wrong[kind] += 1
            count.refused[kind] += not trace.accepted


def _sum(counter: Counter[str], kinds: Sequence[str]) -> int:
    return sum(counter[kind] for kind in kinds)


def _share(some: int, all_: int) -> str:
    if not all_:
        return "none"
    low, high = wilson(some, all_)
    return f"{100 * some / all_:.1f} [{100 * low:.1f}, {100 * high:.1f}] of {all_}"
