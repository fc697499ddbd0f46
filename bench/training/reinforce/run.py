"""What `omnipilot train planner --rl` does: from weights to better weights, and the picture of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from omnipilot.agents.wrappers.readers import Reader
from omnipilot.bench.report import FigureFiles
from omnipilot.bench.training.figure import reinforcement_figure
from omnipilot.bench.training.order import Exchange, run_together
from omnipilot.bench.training.progress import TellLine
from omnipilot.bench.training.readers import make_reader
from omnipilot.bench.training.reinforce.mini_policy import MiniPolicy
from omnipilot.bench.training.reinforce.reinforcement import (
    CurvePoint,
    Reinforcement,
    ReinforcementPlan,
    StepReport,
    read_curve,
)
from omnipilot.bench.training.reinforce.tasks import DuetSource, TaskSource, pool_source
from omnipilot.envs import ConfigError

RECORD = "reinforce.json"
"""Figures of a reinforcement, beside its model."""


@dataclass(frozen=True, slots=True)
class ReinforceOrder:
    """What to reinforce.

    Attributes:
        folder: for checkpoint, log, curve, picture and model. start: folder of the weights to begin with.
        workers: processes that play and learn together, a thread each.
        instances: of each task that are practised in. tasks: development tasks of duet, by id; empty for all that the
            planner perceives. pool: folder of a pool to practise in instead; None for duet.
        readers: that tell what is heard, as `--readers` of a run.
    """

    folder: Path
    start: Path
    plan: ReinforcementPlan
    workers: int = 1
    instances: int = 300
    tasks: Collection[str] = ()
    pool: Path | None = None
    readers: str = "gold:transcript"
    bf16: bool | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ConfigError(f"{self.workers} processes; play with --workers 1 or more")

    @property
    def model(self) -> Path:
        """Where the model is written."""
        return self.folder / "model"

    def source(self) -> TaskSource:
        """The tasks.

        Raises:
            ConfigError: some must not be trained on.
        """
        if self.pool is not None:
            return pool_source(self.pool, self.instances)
        return DuetSource(self.instances, self.tasks, self.readers)

    def reader(self) -> Callable[[], Reader]:
        """Makes the reader of a seat.

        Raises:
            ConfigError: there is no such reader.
        """
        make_reader(self.readers)
        return partial(make_reader, self.readers)


def reinforce_planner(order: ReinforceOrder, said: TellLine) -> list[CurvePoint]:
    """Reinforce a planner, for this call's minutes or up to the steps; returns the curve so far.

    Args:
        said: takes each line of progress.
    """
    source = order.source()
    order.reader()
    dropped = getattr(source, "dropped", {})
    for reason, number in dropped.items():
        said(f"{number} subtasks left out: {reason}")
    said(f"{len(source.complexities)} tasks, {order.plan.groups * order.workers} groups of {order.plan.size} a step")
    run_together(order.folder, order.workers, partial(_work, order), said)
    curve = read_curve(order.folder)
    for line in FigureFiles().write(order.folder / "reinforce.svg", reinforcement_figure(curve, order.plan.seed))[1]:
        said(line)
    return curve


def _work(order: ReinforceOrder, rank: int, exchange: Exchange | None, said: TellLine) -> None:
    policy = MiniPolicy(order.start, order.reader(), order.bf16)
    loop = Reinforcement(policy, order.source(), order.plan, order.folder, exchange, rank, order.workers)
    told = _Progress(order.plan, loop.seconds, loop.rollouts, said)
    loop.run(told.report, told.tell_point)
    if rank == 0:
        policy.export(order.model)
        _write_record(order, loop, policy.bf16)


def _write_record(order: ReinforceOrder, loop: Reinforcement, bf16: bool) -> None:
    plan = order.plan
    told = {
        "seed": plan.seed,
        "step": loop.step,
        "minutes": round(loop.seconds / 60, 2),
        "rollouts": loop.rollouts,
        "replies": loop.replies,
        "workers": order.workers,
        "bfloat16": bf16,
        "reward": plan.reward.kind,
        "price": plan.reward.price,
        "advantages": plan.scale,
        "rein": plan.rein,
        "groups": plan.groups,
        "group": plan.size,
        "rate": plan.rate,
        "lead": plan.lead,
        "readers": order.readers,
        "suite": loop.source.suite.name,
        "suite_version": loop.source.suite.version,
        "curve": [[one.step, round(one.seconds), one.solved, one.reached] for one in read_curve(order.folder)],
        "curriculum": loop.curriculum.to_json(),
    }
    (order.folder / RECORD).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


class _Progress:
    """Says how far a reinforcement has come, in this call."""

    def __init__(self, plan: ReinforcementPlan, seconds: float, rollouts: int, said: TellLine) -> None:
        self.plan, self.said = plan, said
        self._before, self._rollouts = seconds, rollouts
        self._steps = 0

    def report(self, done: StepReport) -> None:
        """Say what came of a step."""
        self._steps += 1
        spent = done.seconds - self._before
        rate = 60 * (done.rollouts - self._rollouts) / max(spent, 1e-9)
        ends = [60 * self.plan.minutes - spent] if self.plan.minutes else []
        if self.plan.steps:
            ends.append(spent / self._steps * (self.plan.steps - done.step))
        self.said(
            f"step {done.step}, {done.seconds / 60:.1f} min, {max(0.0, min(ends)) / 60:.1f} min left: "
            f"{rate:.0f} rollouts a minute, {100 * done.solved:.0f} % of {done.rollouts} solved lately, "
            f"return {done.reward:.3f}, {done.acts:.1f} moves, {done.lessons} lessons, KL {done.divergence:.4f}"
        )

    def tell_point(self, point: CurvePoint) -> None:
        """Say what was measured."""
        told = ", ".join(
            f"{100 * share:.1f} % of {split} ({100 * point.reached[split]:.1f} % of their sub-goals)"
            for split, share in point.solved.items()
        )
        self.said(f"step {point.step}: solved from the start {told}")
