"""The loop of a reinforcement: groups are played, compared, and learnt from; it stops and goes on at a checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import torch

from omnipilot.bench import append_json_lines, read_json_lines
from omnipilot.bench.training.checkpoint import Checkpoint
from omnipilot.bench.training.reinforce.advantage import AdvantageScale, lessons_of
from omnipilot.bench.training.reinforce.curriculum import Curriculum
from omnipilot.bench.training.reinforce.groups import MOST_REPLIES, GroupMaker, LeadBy, RolloutGroup, play_from_start
from omnipilot.bench.training.reinforce.objective import lesson_loss
from omnipilot.bench.training.reinforce.policy import ReplyLesson, ReplyPolicy
from omnipilot.bench.training.reinforce.rollout import Reward
from omnipilot.bench.training.reinforce.tasks import TaskSource
from omnipilot.envs import ConfigError

CHECKPOINT, LOG, CURVE = "reinforce.safetensors", "reinforce.jsonl", "curve.jsonl"
HELD = 96
"""Replies that rollouts gave alike, of which a step holds at most so many."""
LONGEST_BATCH = 6000
"""Tokens, padding included, of which gradients are calculated at once."""


@dataclass(frozen=True, slots=True)
class ReinforcementPlan:
    """How to reinforce.

    Attributes:
        steps: after which it is over; 0 for no end but the minutes. minutes: of this call; 0 for no end but the steps.
        groups, size: groups of a step in one process, and rollouts of a group.
        temperature: of the replies, as long as rollouts of a group are together. alone: of those after that, 0 for
            the likeliest; None for the same.
        reward: what for. scale: of the advantages.
        rein: weight of the divergence (k3) from the start weights; 0 for none. clip: as PPO's epsilon.
        hold: weight of what rollouts replied alike, beside what is learnt where they differ; 0 for none.
        passes, batches: how often a step's lessons are gone through, in so many parts each time.
        rate: learning rate of AdamW, reached after `warm` steps, from where it falls to nothing along the minutes or
            steps: what was cloned ended with small steps, and larger ones to the end would undo that.
        lead: who plays to where a group begins.
        every: seconds between two measurements and checkpoints.
    """

    steps: int = 0
    minutes: float = 0.0
    seed: int = 0
    groups: int = 16
    size: int = 8
    temperature: float = 1.0
    alone: float | None = None
    reward: Reward = Reward()
    scale: AdvantageScale = "mean"
    rein: float = 0.02
    hold: float = 1.0
    clip: float = 0.2
    passes: int = 2
    batches: int = 2
    rate: float = 1e-4
    warm: int = 3
    lead: LeadBy = "demonstration"
    every: float = 480.0

    def __post_init__(self) -> None:
        if self.steps < 1 and self.minutes <= 0:
            raise ConfigError("a reinforcement needs an end: --minutes or --steps")
        if self.temperature <= 0:
            raise ConfigError(
                f"a temperature of {self.temperature:g} gives equal rollouts; take one above 0, such as 1"
            )
        if self.reward.price < 0 or self.rein < 0:
            raise ConfigError("a price and a rein are at least 0")


@dataclass(slots=True)
class StepReport:
    """What came of a step, over all processes.

    Attributes:
        seconds: since the beginning, all calls together. rollouts, replies: so far.
        solved: share of the step's rollouts that solved their task, from where they began. reward: their mean return.
        acts: mean number of verbs of a rollout.
        divergence: mean of k3 over the tokens that were learnt. entropy: of them, in nats. clipped: share of them.
        lessons: that were learnt from; those that all of a group gave are none.
        playing, learning: seconds of the step.
    """

    step: int
    seconds: float = 0.0
    rollouts: int = 0
    replies: int = 0
    solved: float = 0.0
    reward: float = 0.0
    acts: float = 0.0
    divergence: float = 0.0
    entropy: float = 0.0
    clipped: float = 0.0
    lessons: int = 0
    playing: float = 0.0
    learning: float = 0.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What the policy does from the start of tasks with its likeliest replies, by split.

    Attributes:
        solved: share of the tasks that it solved. reached: mean share of their sub-goals that it reached.
    """

    step: int
    seconds: float
    solved: dict[str, float] = field(default_factory=dict)
    reached: dict[str, float] = field(default_factory=dict)


class Reinforcement:
    """One reinforcement of any policy on the tasks of any source.

    Args:
        folder: where the log, the curve and the checkpoint are written; a checkpoint in it is gone on from.
        exchange: takes the mean of a tensor over all processes; None for one alone.
        rank, workers: the number of this process, of how many.

    Raises:
        ConfigError: the checkpoint in the folder cannot be gone on from.
    """

    def __init__(
        self,
        policy: ReplyPolicy,
        source: TaskSource,
        plan: ReinforcementPlan,
        folder: Path,
        exchange: Callable[[Any], None] | None = None,
        rank: int = 0,
        workers: int = 1,
    ) -> None:
        self.policy, self.source, self.plan, self.folder = policy, source, plan, folder
        self.exchange, self.rank, self.workers = exchange, rank, workers
        self.curriculum = Curriculum(source.complexities)
        self.maker = GroupMaker(policy, source, plan.size, plan.lead, plan.temperature, plan.alone)
        self.parameters = dict(policy.named_parameters())
        self.optimizer = torch.optim.AdamW(self.parameters.values(), lr=plan.rate, betas=(0.9, 0.95), weight_decay=0.0)
        self.step, self.seconds, self.rollouts, self.replies = 0, 0.0, 0, 0
        self._part = 0.0
        self._lengths: dict[tuple[str, int], int] = {}
        self._checkpoint = Checkpoint(folder / CHECKPOINT, self.parameters, [self.optimizer])
        self._resume()

    def run(
        self,
        report: Callable[[StepReport], object] = lambda _: None,
        measured: Callable[[CurvePoint], object] = lambda _: None,
    ) -> None:
        """Reinforce until the plan's end, measuring at its beginning, now and then, and at its end.

        Args:
            report: called after each step. measured: with each measurement.
        """
        plan, began, before = self.plan, time.perf_counter(), self.seconds
        last = began
        if self.step == 0:
            self._measure(measured)
        while True:
            now = time.perf_counter()
            self.seconds = before + now - began
            spent = self._agree(now - began) / (60 * plan.minutes) if plan.minutes else 0.0
            self._part = max(spent, self.step / plan.steps if plan.steps else 0.0)
            over = self._part >= 1
            if over or self._agree(now - last) > plan.every:
                if self.step:
                    self._measure(measured)
                self.save()
                last = time.perf_counter()
            if over:
                return
            done = self.take_step()
            done.seconds = before + time.perf_counter() - began
            if self.rank == 0:
                append_json_lines(self.folder / LOG, [asdict(done)])
                report(done)

    def take_step(self) -> StepReport:
        """Play some groups, compare their rollouts, and learn."""
        plan, began = self.plan, time.perf_counter()
        # The same in all processes; what a process plays is drawn anew for it.
        shared = Random(f"{plan.seed} {self.step}")
        chosen = self.curriculum.choose(shared, plan.groups * self.workers)
        own = Random(f"{plan.seed} {self.step} {self.rank}")
        groups = self.maker.make(chosen[self.rank :: self.workers], own)
        replies = self.maker.play(groups, own.randrange(1 << 31))
        returns = [[plan.reward.of(one) for one in group.rollouts] for group in groups]
        played = [
            [(one.steps, gained) for one, gained in zip(group.rollouts, earned, strict=True)]
            for group, earned in zip(groups, returns, strict=True)
        ]
        lessons, alike = lessons_of(played, plan.scale)
        held = own.sample(alike, min(HELD, len(alike))) if plan.hold and lessons else []
        playing = time.perf_counter() - began
        self.step += 1
        divergence, entropy, clipped, tokens = self._learn([*lessons, *held], own)
        self._share(groups)
        rollouts = [one for group in groups for one in group.rollouts]
        solved, reward, acts, count, replies_, learnt, *rest = self._sum(
            [
                sum(one.solved for one in rollouts),
                sum(map(sum, returns)),
                sum(one.acts for one in rollouts),
                len(rollouts),
                replies,
                len(lessons),
                divergence,
                entropy,
                clipped,
                tokens,
            ]
        )
        self.rollouts, self.replies = self.rollouts + int(count), self.replies + int(replies_)
        count, tokens = max(1.0, count), max(1.0, rest[3])
        learning = time.perf_counter() - began - playing
        return StepReport(
            self.step,
            self.seconds,
            self.rollouts,
            self.replies,
            solved / count,
            reward / count,
            acts / count,
            rest[0] / tokens,
            rest[1] / tokens,
            rest[2] / tokens,
            int(learnt),
            playing,
            learning,
        )

    def _learn(self, lessons: Sequence[ReplyLesson], random: Random) -> tuple[float, float, float, float]:
        """Go through the lessons; sums of divergence, entropy and clipped tokens, and the number of tokens."""
        plan = self.plan
        start = self._start_logs(lessons) if plan.rein else {}
        sums = [0.0, 0.0, 0.0, 0.0]
        rate = plan.rate * min(1.0, self.step / max(1, plan.warm)) * (1 - self._part)
        for _ in range(plan.passes):
            order = list(range(len(lessons)))
            random.shuffle(order)
            for part in range(plan.batches):
                mine = order[part :: plan.batches]
                self.optimizer.zero_grad(set_to_none=True)
                held = sum(len(lessons[at].reply.tokens) for at in mine if lessons[at].held)
                # What is learnt counts a rollout, and what is held a token.
                whole = plan.groups * plan.size / plan.batches
                hold = plan.hold * whole / held if held else 0.0
                for batch in self._batches(lessons, mine):
                    chosen = [lessons[at] for at in batch]
                    before = torch.cat([start[at] for at in batch]) if plan.rein else None
                    loss = lesson_loss(
                        chosen, self.policy.scores(chosen, plan.temperature), before, plan.clip, plan.rein, hold
                    )
                    (loss.loss / whole).backward()
                    for at, value in enumerate((loss.divergence, loss.entropy, loss.clipped, loss.tokens)):
                        sums[at] += value
                self._descend(rate)
        return sums[0], sums[1], sums[2], sums[3]

    def _descend(self, rate: float) -> None:
        for one in self.parameters.values():
            if one.grad is None:
                one.grad = torch.zeros_like(one)
        if self.exchange is not None:
            flat = torch.cat([one.grad.flatten() for one in self.parameters.values()])
            self.exchange(flat)
            at = 0
            for one in self.parameters.values():
                one.grad.copy_(flat[at : at + one.numel()].view_as(one))
                at += one.numel()
        norm = torch.nn.utils.clip_grad_norm_(self.parameters.values(), 1.0)
        if float(norm) == 0.0:
            return  # nothing was learnt; AdamW would go on in its old direction
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()

    def _start_logs(self, lessons: Sequence[ReplyLesson]) -> dict[int, torch.Tensor]:
        found: dict[int, torch.Tensor] = {}
        for batch in self._batches(lessons, range(len(lessons))):
            chosen = [lessons[at] for at in batch]
            logs = self.policy.start_logs(chosen, self.plan.temperature)
            found.update(zip(batch, logs.split([len(one.reply.tokens) for one in chosen]), strict=True))
        return found

    def _batches(self, lessons: Sequence[ReplyLesson], order: Sequence[int]) -> Iterator[list[int]]:
        """Lessons of like length, so many at once."""
        batch: list[int] = []
        for at in sorted(order, key=lambda at: (self.policy.size(lessons[at]), at)):
            if batch and (len(batch) + 1) * self.policy.size(lessons[at]) > LONGEST_BATCH:
                yield batch
                batch = []
            batch.append(at)
        if batch:
            yield batch

    def _share(self, groups: Sequence[RolloutGroup]) -> None:
        """Tell the curriculum what came of all groups, in the same order in every process."""
        names = list(self.curriculum.standings)
        told = torch.zeros(self.workers, self.plan.groups, 4, dtype=torch.float64)
        for at, group in enumerate(groups):
            told[self.rank, at] = torch.tensor(
                [names.index(group.task) + 1, group.share, group.success_share, group.led]
            )
        self._total(told)
        for task, share, solved, led in told.flatten(0, 1).tolist():
            if task:
                self.curriculum.learn(names[round(task) - 1], share, solved, bool(round(led)))

    def _sum(self, values: Sequence[float]) -> list[float]:
        """The sums over all processes."""
        told = torch.tensor(values, dtype=torch.float64)
        self._total(told)
        return [float(value) for value in told]

    def _total(self, values: torch.Tensor) -> None:
        if self.exchange is not None:
            self.exchange(values)
            values.mul_(self.workers)

    def _agree(self, seconds: float) -> float:
        """The same time in every process."""
        if self.exchange is None:
            return seconds
        shared = torch.tensor([seconds], dtype=torch.float64)
        self.exchange(shared)
        return float(shared)

    def _measure(self, measured: Callable[[CurvePoint], object]) -> None:
        solved, reached = {}, {}
        for split, wanted in self.source.curve_tasks().items():
            played = play_from_start(self.policy, self.source, wanted[self.rank :: self.workers], self._most)
            told = self._sum([sum(one.solved for one in played), sum(one.completion for one in played)])
            solved[split], reached[split] = (one / max(1, len(wanted)) for one in told)
        if self.rank == 0:
            point = CurvePoint(self.step, self.seconds, solved, reached)
            # A call that finds nothing left to do measures the same again.
            _forget_after(self.folder / CURVE, self.step - 1)
            append_json_lines(self.folder / CURVE, [asdict(point)])
            measured(point)

    def _most(self, task: str, instance: int) -> int:
        """Replies that the policy may take where it is measured: twice those of the demonstration, and ten more."""
        if (task, instance) not in self._lengths:
            steps = self.source.lead(task, instance)
            self._lengths[task, instance] = MOST_REPLIES if steps is None else 2 * len(steps) + 10
        return self._lengths[task, instance]

    def save(self) -> None:
        """Write the checkpoint: weights, moments, and the curriculum, as one file."""
        if self.rank:
            return
        self._checkpoint.save(
            {
                "step": self.step,
                "seconds": self.seconds,
                "rollouts": self.rollouts,
                "replies": self.replies,
                "seed": self.plan.seed,
                "practised": self._practised,
                "curriculum": self.curriculum.to_json(),
            }
        )

    @property
    def _practised(self) -> str:
        """The suite and its version, which for a pool tells it from every other."""
        return f"{self.source.suite.name} {self.source.suite.version}"

    def _resume(self) -> None:
        resumed = self._checkpoint.resume(self._take_about)
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in (LOG, CURVE) if self.rank == 0 else ():
            if resumed:
                _forget_after(self.folder / name, self.step)
            else:
                (self.folder / name).unlink(missing_ok=True)

    def _take_about(self, about: dict[str, Any]) -> None:
        if about["seed"] != self.plan.seed:
            raise ConfigError(f"it was begun with --seed {about['seed']}")
        if about["practised"] != self._practised:
            raise ConfigError(f"it was begun on {about['practised']}, and this is {self._practised}")
        self.step, self.seconds = int(about["step"]), float(about["seconds"])
        self.rollouts, self.replies = int(about["rollouts"]), int(about["replies"])
        self.curriculum.take_json(about["curriculum"])


def _forget_after(path: Path, step: int) -> None:
    """Drop what was logged behind the checkpoint, which is done again."""
    if path.exists():
        lines = [one for one in read_json_lines(path, dict, "step") if one["step"] <= step]
        path.unlink()
        append_json_lines(path, lines)


def read_curve(folder: Path) -> list[CurvePoint]:
    """What was measured in a folder."""
    return list(read_json_lines(folder / CURVE, lambda told: CurvePoint(**told), "point of a curve"))
