"""Mutual verification with a model on both sides; who is to blame is still decided by the world."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.records import Evaluator, VerdictRecord
from omnipilot.bench.suites.pool.verify.model_evaluators import Terms, evaluator_by_model
from omnipilot.bench.suites.pool.verify.model_trajectories import (
    FIRST_TEMPERATURE,
    LATER_TEMPERATURE,
    act_by_model,
)
from omnipilot.bench.suites.pool.verify.verification import (
    MOST_ROUNDS,
    PairFinding,
    SubtaskVerdict,
    TrajectoryAttempt,
    gather_evidence,
    verify,
)
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ActionRejected, ConfigError, NotFound
from omnipilot.memory import MediaStore


def verify_by_model(
    template: Template,
    others: Sequence[Template],
    model: StageModel,
    *,
    terms: Terms = "state",
    rounds: int = MOST_ROUNDS,
    seed: int = 0,
    barrier: bool = False,
    media: MediaStore | None = None,
) -> SubtaskVerdict:
    """Verify a subtask whose trajectory and evaluator a model makes.

    Args:
        terms: which checks its evaluators may use.
        barrier: the evaluator's side is told neither the controls on the way nor what the trajectory did.

    Raises:
        BudgetSpent: the money is spent. ModelUnavailable: the model does not answer.
    """
    if "+" in template.env:
        reason = "it is about two devices, and the model is shown one screen"
        return SubtaskVerdict((VerdictRecord(template.id, 1, False, reason),))
    try:
        evidence = gather_evidence(template, others, seed)
    except (ConfigError, NotFound, ActionRejected) as error:
        return SubtaskVerdict((VerdictRecord(template.id, 1, False, f"it cannot be demonstrated: {error}"),))
    controls: list[str] = []

    def trajectory(findings: Sequence[PairFinding]) -> TrajectoryAttempt:
        failed = [finding.failed for finding in findings if finding.blame == "trajectory"]
        temperature = LATER_TEMPERATURE if failed else FIRST_TEMPERATURE
        done = act_by_model(model, evidence.instance, failed, temperature)
        controls[:] = [name for name in done.controls if name]
        return TrajectoryAttempt(done.moves, "" if done.finished else done.problem, done.words)

    def evaluator(findings: Sequence[PairFinding]) -> Evaluator:
        blamed = [finding for finding in findings if finding.blame == "evaluator"]
        told = [
            finding.failed if barrier or not finding.did else f"{finding.failed} (it {finding.did})"
            for finding in blamed
        ]
        temperature = LATER_TEMPERATURE if blamed else FIRST_TEMPERATURE
        return evaluator_by_model(model, evidence.instance, terms, told, () if barrier else controls, temperature)

    return verify(template.id, evidence, trajectory, evaluator, rounds, media)
