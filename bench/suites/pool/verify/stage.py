"""The stage `synth verify`: all subtasks of a pool, one after the other, going on where it was stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.pool_folder import PoolFolder, RecordFile
from omnipilot.bench.suites.pool.records import SubtaskRecord, VerdictRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.suites.pool.verify.instances import draw_instance
from omnipilot.bench.suites.pool.verify.model_evaluators import Terms
from omnipilot.bench.suites.pool.verify.model_rounds import verify_by_model
from omnipilot.bench.suites.pool.verify.trials import play_moves
from omnipilot.bench.suites.pool.verify.verification import MOST_ROUNDS, SubtaskVerdict, verify_by_rules
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ActionRejected, ConfigError, NotFound
from omnipilot.memory import MediaStore

R = TypeVar("R")
STAGE = "verify"
EFFECT_INSTANCE = 9
"""Whose demonstration says what a hand-written subtask changes, as nobody wrote it down; never judged."""


@dataclass(frozen=True, slots=True)
class VerifyCount:
    """How much survived.

    Attributes:
        given: subtasks. accepted: with a pair that was accepted; strict: whose evaluator refused the harder wrong
            trajectories, too. rounds: how many were accepted in each round. rejected: ids with the reason.
    """

    given: int
    accepted: int
    strict: int
    rounds: Mapping[int, int] = field(default_factory=dict)
    rejected: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        rounds = ", ".join(f"{count} in round {number}" for number, count in sorted(self.rounds.items()))
        return f"{self.accepted} of {self.given} subtasks accepted ({rounds or 'none'}), {self.strict} of them strict"


def verify_pool(
    pool: PoolFolder,
    *,
    rounds: int = MOST_ROUNDS,
    seed: int = 0,
    barrier: bool = False,
    pictures: bool = True,
    model: StageModel | None = None,
    terms: Terms = "state",
    tell: Callable[[VerdictRecord], None] = lambda _: None,
) -> VerifyCount:
    """Verify the subtasks of a pool that have no verdict yet; trajectories, evaluators and verdicts are written after
    each of them.

    Args:
        rounds, barrier: see `verify_by_rules`.
        pictures: whether demonstrations are stored with what the screen showed.
        model: makes trajectories and evaluators, the latter with checks of these `terms`; None for rules.
        tell: is told the last round of each subtask.

    Raises:
        ConfigError: the pool has no subtasks; or, as `BudgetSpent`, the money is spent, and what was done is kept.
        ModelUnavailable: the model does not answer.
    """
    subtasks = {subtask.id: subtask for subtask in pool.subtasks.require()}
    templates = templates_of(pool)
    done = _keep_whole(pool, seed)
    media = MediaStore(pool.media) if pictures else None
    others = list(templates.values())
    for id, template in templates.items():
        if id in done:
            continue
        if model is not None:
            verdict = verify_by_model(
                template, others, model, terms=terms, rounds=rounds, seed=seed, barrier=barrier, media=media
            )
        else:
            effect = effect_of(subtasks[id], template, seed) if barrier else ()
            verdict = verify_by_rules(
                template, others, effect=effect, rounds=rounds, seed=seed, barrier=barrier, media=media
            )
        made = {} if model is None else model.provenance()
        _write(pool, verdict, seed, {"barrier": barrier, **made})
        tell(verdict.rounds[-1])
    return count_verdicts(pool.verdicts.read(), subtasks)


def effect_of(subtask: SubtaskRecord, template: Template, seed: int) -> tuple[str, ...]:
    """What a subtask is to change: what its record says, or what one demonstration of a hand-written one changes."""
    if subtask.effect:
        return subtask.effect
    try:
        instance = draw_instance(template, EFFECT_INSTANCE, seed)
        return tuple(sorted(play_moves(instance, instance.demonstration()).outcome.signature))
    except (ConfigError, NotFound, ActionRejected):
        return ()


def count_verdicts(verdicts: Iterable[VerdictRecord], subtasks: Iterable[str]) -> VerifyCount:
    """How many subtasks were accepted, and why the others were not."""
    last = {verdict.subtask: verdict for verdict in verdicts}
    known = [last[id] for id in subtasks if id in last]
    accepted = [verdict for verdict in known if verdict.accepted]
    return VerifyCount(
        len(known),
        len(accepted),
        sum(verdict.strict for verdict in accepted),
        Counter(verdict.round for verdict in accepted),
        {verdict.subtask: verdict.failed for verdict in known if not verdict.accepted},
    )


def _keep_whole(pool: PoolFolder, seed: int) -> set[str]:
    """The subtasks that have a last verdict; what a stopped run left of others is taken away."""
    verdicts = pool.verdicts.read()
    done = {verdict.subtask for verdict in verdicts if verdict.accepted or not verdict.changed}
    _keep_those_of(pool.trajectories, lambda one: one.subtask_id, done, seed)
    _keep_those_of(pool.evaluators, lambda one: one.subtask, done, seed)
    _keep_those_of(pool.verdicts, lambda one: one.subtask, done, seed)
    return done


def _keep_those_of(file: RecordFile[R], subtask_of: Callable[[R], str], done: Collection[str], seed: int) -> None:
    """Leave the records of some subtasks, and those of none."""
    torn = [at for at, record in enumerate(file.read()) if subtask_of(record) and subtask_of(record) not in done]
    file.revise(dict.fromkeys(torn), stage=STAGE, seed=seed)


def _write(pool: PoolFolder, verdict: SubtaskVerdict, seed: int, made: Mapping[str, Any]) -> None:
    """The verdict comes last: a subtask without one is done again."""
    if verdict.pair is not None:
        pool.trajectories.append([verdict.pair.trajectory], stage=STAGE, seed=seed, **made)
        pool.evaluators.append([verdict.pair.evaluator], stage=STAGE, seed=seed, **made)
    pool.verdicts.append(verdict.rounds, stage=STAGE, seed=seed, **made)
