"""Mutual verification of a subtask: its trajectory is judged by its evaluator, and the evaluator by what it accepts.

Where they disagree the world decides who is to blame, since the intended effect is known: reached and refused, or not
reached and accepted, is the evaluator's fault; not reached and refused is the trajectory's (OmniBench §3.2, B.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from omnipilot.bench.suites.pool.records import Evaluator, Trajectory, VerdictRecord
from omnipilot.bench.suites.pool.verify.differences import NoEvaluator, RightTrace, evaluator_of
from omnipilot.bench.suites.pool.verify.discrimination import (
    WrongTrajectory,
    graph_for,
    wrong_trajectories,
    wrongly_accepted,
)
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance, draw_instance
from omnipilot.bench.suites.pool.verify.task_alone import evaluator_from_task
from omnipilot.bench.suites.pool.verify.trajectories import demonstrate, moves_of
from omnipilot.bench.suites.pool.verify.trials import Trace, play_moves
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ActionRejected, ConfigError, NotFound, TypeText
from omnipilot.memory import MalformedReply, MediaStore, Move

JUDGED = 0
"""The instance whose trajectory is judged."""
HELD_OUT = (4, 5)
"""Instances whose demonstrations an evaluator has to accept besides."""
SAMPLES = (1, 2, 3)
"""Instances from which an evaluator is made where it may see trajectories."""
MOST_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class ProvedPair:
    """A trajectory and an evaluator of one subtask."""

    trajectory: Trajectory
    evaluator: Evaluator


@dataclass(frozen=True, slots=True)
class SubtaskVerdict:
    """What mutual verification came to.

    Attributes:
        rounds: one record a round. pair: what was accepted; None if nothing was.
    """

    rounds: tuple[VerdictRecord, ...]
    pair: ProvedPair | None = None

    @property
    def accepted(self) -> bool:
        """Whether a pair was accepted."""
        return self.pair is not None


@dataclass
class SubtaskEvidence:
    """What is known of a subtask without either of the two: right and wrong trajectories, and the intended effect.

    Attributes:
        right: demonstrations that the evaluator has to accept, with words for each; never those that it was made from.
        wrong: those that it has to refuse.
        intended: the trace of the demonstration.
    """

    instance: SubtaskInstance
    demonstration: Sequence[Move]
    intended: Trace
    right: list[tuple[str, SubtaskInstance, Sequence[Move]]] = field(default_factory=list)
    wrong: list[WrongTrajectory] = field(default_factory=list)

    def reached(self, trace: Trace) -> bool:
        """Whether a trace on the judged instance had the intended effect."""
        return trace.outcome.equals(self.intended.outcome)


def gather_evidence(template: Template, others: Sequence[Template], seed: int = 0) -> SubtaskEvidence:
    """The demonstrations and wrong trajectories of a subtask.

    Raises:
        ConfigError: it cannot be alone. NotFound, ActionRejected: its demonstration cannot be carried out.
    """
    instance = draw_instance(template, JUDGED, seed)
    demonstration = moves_of(demonstrate(instance))
    evidence = SubtaskEvidence(instance, demonstration, play_moves(instance, demonstration))
    held_out = [draw_instance(template, number, seed) for number in HELD_OUT]
    evidence.right += [("its demonstration on another instance", one, one.demonstration()) for one in held_out]
    for one in (instance, *held_out):
        if moves := one.other_way():
            evidence.right.append((f"its other way on instance {one.number}", one, moves))
    evidence.wrong = wrong_trajectories(instance, demonstration, others, seed)
    return evidence


@dataclass(frozen=True, slots=True)
class PairFinding:
    """What judging a pair once found.

    Attributes:
        blame: "trajectory", "evaluator" or "" if the pair is sound. failed: what was wrong, in words.
        missing: nodes of the evaluator that refused a right trajectory.
        accepted_wrongly: names of the wrong trajectories that it took for right. strict: whether there are none.
        did: what the trajectory did, for whoever mends the evaluator.
    """

    blame: str
    failed: str = ""
    missing: tuple[str, ...] = ()
    accepted_wrongly: tuple[str, ...] = ()
    strict: bool = False
    did: str = ""


def judge_pair(evidence: SubtaskEvidence, moves: Sequence[Move], evaluator: Mapping[str, Any]) -> PairFinding:
    """Play a trajectory before an evaluator, then try the evaluator on right and wrong trajectories.

    An evaluator that cannot be read, or asks what this world cannot tell, is to blame itself.
    """
    try:
        finding, trace = _judge(evidence, moves, evaluator)
        return replace(finding, did=_what_was_done(trace))
    except ConfigError as error:
        return PairFinding("evaluator", f"the evaluator cannot be read: {error}")


def _judge(evidence: SubtaskEvidence, moves: Sequence[Move], evaluator: Mapping[str, Any]) -> tuple[PairFinding, Trace]:
    graph = graph_for(evaluator, evidence.instance)
    trace = play_moves(evidence.instance, moves, graph)
    reached = evidence.reached(trace)
    if trace.failed:
        return PairFinding("trajectory", f"a move cannot be carried out: {_words(trace.failed[0])}"), trace
    if not trace.accepted:
        blame = "evaluator" if reached else "trajectory"
        return PairFinding(blame, f"refused: {trace.reason}", trace.missing if reached else ()), trace
    if not reached:
        return PairFinding("evaluator", "accepted although the effect was not reached"), trace
    for name, instance, right in evidence.right:
        own = play_moves(instance, right, graph_for(evaluator, instance))
        if not own.accepted:
            return PairFinding("evaluator", f"refused {name}: {own.reason}", own.missing), trace
    wrongs = wrongly_accepted(evaluator, evidence.wrong, evidence.intended.outcome)
    names = tuple(wrong.name for wrong in wrongs)
    required = [wrong.name for wrong in wrongs if wrong.required]
    if required:
        return PairFinding("evaluator", f"accepted although wrong: {', '.join(required)}", (), names), trace
    return PairFinding("", "", (), names, strict=not names), trace


def _what_was_done(trace: Trace) -> str:
    typed = [action.action.text for action in trace.actions if isinstance(action.action, TypeText)]
    clicked = [action.control for action in trace.actions if action.control]
    parts = {"clicked": clicked, "typed": typed, "changed": sorted(trace.outcome.signature)}
    return "; ".join(f"{name} {', '.join(map(repr, some))}" for name, some in parts.items() if some)


@dataclass(frozen=True, slots=True)
class TrajectoryAttempt:
    """A trajectory, before it is judged.

    Attributes:
        problem: why it is none, "" if it says that it is finished.
        words: a description and a thought for each move; empty where the rules are to say them.
    """

    moves: Sequence[Move]
    problem: str = ""
    words: Sequence[tuple[str, str]] = ()


MakeEvaluator: TypeAlias = Callable[[Sequence[PairFinding]], Evaluator]
MakeTrajectory: TypeAlias = Callable[[Sequence[PairFinding]], TrajectoryAttempt]


def verify(
    subtask: str,
    evidence: SubtaskEvidence,
    make_trajectory: MakeTrajectory,
    make_evaluator: MakeEvaluator,
    rounds: int = MOST_ROUNDS,
    media: MediaStore | None = None,
) -> SubtaskVerdict:
    """Rounds of mutual feedback.

    Args:
        make_trajectory, make_evaluator: from all findings so far that blame the one or the other; the first time from
            none. They raise `NoEvaluator` where they have nothing else to offer.
        media: where the pictures of the accepted trajectory go.
    """
    records: list[VerdictRecord] = []
    findings: list[PairFinding] = []
    try:
        attempt, evaluator = make_trajectory(findings), make_evaluator(findings)
    except (NoEvaluator, MalformedReply, NotFound, ActionRejected) as error:
        return SubtaskVerdict((VerdictRecord(subtask, 1, False, str(error)),))
    for number in range(1, rounds + 1):
        if attempt.problem:
            finding = PairFinding("trajectory", attempt.problem)
        else:
            finding = judge_pair(evidence, attempt.moves, evaluator.evaluator)
        if not finding.blame:
            records.append(VerdictRecord(subtask, number, True, "", "", finding.accepted_wrongly, finding.strict))
            written = demonstrate(evidence.instance, media, attempt.moves, attempt.words)
            return SubtaskVerdict(tuple(records), ProvedPair(written, evaluator))
        findings.append(finding)
        changed = finding.blame
        try:
            if number == rounds:
                raise NoEvaluator("")
            if finding.blame == "trajectory":
                attempt = make_trajectory(findings)
            else:
                evaluator = make_evaluator(findings)
        except (NoEvaluator, MalformedReply, NotFound, ActionRejected):
            changed = ""
        records.append(VerdictRecord(subtask, number, False, finding.failed, changed, finding.accepted_wrongly))
        if not changed:
            break
    return SubtaskVerdict(tuple(records))


def verify_by_rules(
    template: Template,
    others: Sequence[Template],
    *,
    effect: Sequence[str] = (),
    rounds: int = MOST_ROUNDS,
    seed: int = 0,
    barrier: bool = False,
    media: MediaStore | None = None,
) -> SubtaskVerdict:
    """Verify a subtask without a model: the trajectory is its demonstration, then its other way; the evaluator comes of
    the differences that demonstrations on other instances make.

    Args:
        others: templates of the pool. effect: what it is to change, for an evaluator from the task alone.
        barrier: the evaluator comes of the task and the world alone, see `evaluator_from_task`.
    """
    try:
        evidence = gather_evidence(template, others, seed)
    except (ConfigError, NotFound, ActionRejected) as error:
        return SubtaskVerdict((VerdictRecord(template.id, 1, False, f"it cannot be demonstrated: {error}"),))
    ways = [evidence.demonstration, evidence.instance.other_way()]

    def trajectory(findings: Sequence[PairFinding]) -> TrajectoryAttempt:
        failed = sum(finding.blame == "trajectory" for finding in findings)
        if failed >= len(ways) or not ways[failed]:
            raise NoEvaluator("there is no other way to the effect")
        return TrajectoryAttempt(ways[failed])

    make = _from_task(template, effect, seed) if barrier else _from_differences(template, seed)
    return verify(template.id, evidence, trajectory, make, rounds, media)


def right_traces(template: Template, numbers: Sequence[int], seed: int = 0) -> list[RightTrace]:
    """Demonstrations of some instances, with their other ways.

    Raises:
        ConfigError, NotFound, ActionRejected: one cannot be drawn or carried out.
    """
    found = []
    for number in numbers:
        instance = draw_instance(template, number, seed)
        other = instance.other_way()
        trace = play_moves(instance, instance.demonstration())
        found.append(RightTrace(instance, trace, play_moves(instance, other) if other else None))
    return found


def _from_differences(template: Template, seed: int) -> MakeEvaluator:
    """Drops the milestones that refused a right trajectory, and learns from held-out instances that were refused."""

    def make(findings: Sequence[PairFinding]) -> Evaluator:
        blamed = [finding for finding in findings if finding.blame == "evaluator"]
        if blamed and not blamed[-1].missing:
            raise NoEvaluator("nothing tells the wrong trajectory from the right one")
        dropped = {name for finding in blamed for name in finding.missing if name != "goal"}
        wider = any("goal" in finding.missing for finding in blamed)
        numbers = (*SAMPLES, *HELD_OUT) if wider else SAMPLES
        try:
            return evaluator_of(template.id, right_traces(template, numbers, seed), dropped=dropped)
        except ConfigError as error:
            raise NoEvaluator(f"it has no content on other instances: {error}") from None

    return make


def _from_task(template: Template, effect: Sequence[str], seed: int) -> MakeEvaluator:
    """Leaves out the checks that refused a right trajectory; nothing else of the trajectory is looked at."""

    def make(findings: Sequence[PairFinding]) -> Evaluator:
        blamed = [finding for finding in findings if finding.blame == "evaluator"]
        if blamed and not blamed[-1].missing:
            raise NoEvaluator("nothing tells the wrong trajectory from the right one")
        try:
            instances = [draw_instance(template, number, seed) for number in SAMPLES]
        except ConfigError as error:
            raise NoEvaluator(f"it has no content on other instances: {error}") from None
        whole = evaluator_from_task(template.id, effect, instances)
        names = [check["say"] for check in whole.evaluator["checks"][-1]["all"]]
        dropped = {name for finding in blamed for name in names if f"({name}" in finding.failed}
        if len(dropped) < len(blamed):
            raise NoEvaluator("no check of its own explains the refusal")
        return evaluator_from_task(template.id, effect, instances, dropped)

    return make


def _words(move: Move) -> str:
    return f"{move.intent.kind} on the {move.env}" if move.env else move.intent.kind
