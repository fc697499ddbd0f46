"""Trains a small model: from samples to weights, in steps that can be resumed."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Generic

import torch
from torch import Tensor

from omnipilot.bench.training.checkpoint import Checkpoint
from omnipilot.bench.training.learner import Learner, Sample
from omnipilot.bench.training.precision import bfloat16_is_faster

RATE, FURTHER_RATE = 4e-3, 1e-3
"""The highest learning rate from first weights, and from weights that were trained before."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How to train.

    Attributes:
        minutes: how long; 0 to count `steps` instead. With steps, the same seed gives the same weights on one thread.
        tokens: of a batch, padding included. rate: the highest learning rate, reached after `warm` of the time, from
            where it falls to a fiftieth along half a cosine.
        together: steps after which processes that train together take the mean of their weights.
        bf16: calculate in bfloat16, while weights are kept in float32; None where this machine is faster so.
    """

    minutes: float = 30.0
    steps: int = 0
    seed: int = 0
    tokens: int = 1000
    rate: float = RATE
    together: int = 16
    warm: float = 0.03
    decay: float = 0.05
    bf16: bool | None = None
    every: float = 60.0


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far training has come. `loss` and `accuracy` are of samples that are not trained on."""

    step: int
    seconds: float
    tokens: int
    trained: float
    loss: float
    accuracy: float


def batches(
    samples: Sequence[Sample], length: Callable[[Sample], int], tokens: int, random: Random
) -> Iterator[list[Sample]]:
    """Batches of samples of like length, without end; each with at most so many tokens, padding included."""
    while True:
        order = list(range(len(samples)))
        random.shuffle(order)
        for start in range(0, len(order), 400):
            pool = sorted(order[start : start + 400], key=lambda index: length(samples[index]))
            found: list[list[Sample]] = [[]]
            for index in pool:
                longest = length(samples[index])
                if found[-1] and (len(found[-1]) + 1) * longest > tokens:
                    found.append([])
                found[-1].append(samples[index])
            random.shuffle(found)
            yield from found


class Trainer(Generic[Sample]):
    """One training.

    Args:
        learner: what is trained.
        folder: where the log and the checkpoint are written; a checkpoint in it is resumed.
        exchange: takes the mean of a tensor over all processes; None to train alone.
    """

    def __init__(
        self,
        learner: Learner[Sample],
        schedule: Schedule,
        folder: Path,
        exchange: Callable[[Tensor], None] | None = None,
        rank: int = 0,
    ) -> None:
        self.learner, self.schedule, self.folder = learner, schedule, folder
        self.exchange, self.rank = exchange, rank
        self.network = learner.network
        self.weights = [p.detach().clone().float().requires_grad_() for p in self.network.parameters()]
        self.bf16 = schedule.bf16
        if self.bf16 is None:
            self.bf16 = bfloat16_is_faster(next(self.network.parameters()).device)
        if self.bf16:
            learner.lower()
        self._copy_weights()
        names = [name for name, _ in self.network.named_parameters()]
        self._named = dict(zip(names, self.weights, strict=True))
        matrices = [w for name, w in self._named.items() if w.ndim > 1 and "embed" not in name]
        others = [w for name, w in self._named.items() if w.ndim == 1 or "embed" in name]
        # Muon (Jordan 2024) for what lies within the layers: it needs far fewer steps than AdamW alone.
        self.optimizers: list[torch.optim.Optimizer] = [
            torch.optim.Muon(matrices, lr=schedule.rate, weight_decay=schedule.decay, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=schedule.rate, betas=(0.9, 0.95), weight_decay=0.0),
        ]
        self.step, self.seconds, self.tokens = 0, 0.0, 0
        self._checkpoint = Checkpoint(folder / "checkpoint.safetensors", self._named, self.optimizers)
        if self._checkpoint.resume(self._take_about):
            self._copy_weights()

    def train(
        self,
        samples: Sequence[Sample],
        held_out: Sequence[Sample],
        report: Callable[[TrainingProgress], object],
        ending: Callable[[], object] = lambda: None,
    ) -> list[TrainingProgress]:
        """Train until the schedule's end; reports now and then.

        Minutes are those with the last measurement, which is expected to take as long as the one before.

        Args:
            ending: called before the last measurement.
        """
        schedule = self.schedule
        random = Random(f"{schedule.seed} {self.rank} {self.step}")
        stream = batches(samples, self.learner.length, schedule.tokens, random)
        done: list[TrainingProgress] = []
        began = last = time.perf_counter()
        before = self.seconds
        running = measuring = 0.0
        while True:
            now = time.perf_counter()
            self.seconds = before + now - began
            most = max(1.0, 60 * schedule.minutes - measuring)
            part = self.step / schedule.steps if schedule.steps else self.seconds / most
            met = self.exchange is None or self.step % schedule.together == 0
            part = self._agree(part) if met else min(part, 1.0)
            over = met and part >= 1
            if over or (self.rank == 0 and now - last > schedule.every):
                if over:
                    ending()
                progress = TrainingProgress(self.step, self.seconds, self.tokens, running, *self.measure(held_out))
                measuring = time.perf_counter() - now
                done.append(progress)
                if self.rank == 0:
                    report(progress)
                    self.save()
                    with (self.folder / "log.jsonl").open("a") as log:
                        log.write(json.dumps(asdict(progress)) + "\n")
                last = time.perf_counter()
            if over:
                return done
            for group in (group for one in self.optimizers for group in one.param_groups):
                group["lr"] = self._rate(part)
            batch = next(stream)
            loss = self._step(batch)
            running = loss if not running else 0.98 * running + 0.02 * loss

    def measure(self, held_out: Sequence[Sample]) -> tuple[float, float]:
        """Loss a token, and the share of replies that are right in every token."""
        loss, tokens, right, replies = 0.0, 0, 0, 0
        with torch.no_grad():
            for start in range(0, len(held_out), 16):
                answers = self.learner.answers(held_out[start : start + 16])
                loss += float(answers.loss("sum"))
                tokens += len(answers.targets)
                right += answers.right()
                replies += answers.replies
        return loss / max(1, tokens), right / max(1, replies)

    def _step(self, batch: Sequence[Sample]) -> float:
        answers = self.learner.answers(batch)
        loss = answers.loss()
        self.network.zero_grad(set_to_none=True)
        loss.backward()
        parameters = list(self.network.parameters())
        flat = torch.cat(
            [(p.grad if p.grad is not None else torch.zeros_like(p)).flatten().float() for p in parameters]
        )
        at = 0
        for weight in self.weights:
            weight.grad = flat[at : at + weight.numel()].view_as(weight)
            at += weight.numel()
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.step += 1
        if self.exchange is not None and self.step % self.schedule.together == 0:
            self._average()
        self._copy_weights()
        self.tokens += answers.tokens
        return float(loss.detach())

    def _average(self) -> None:
        """Take the mean of the weights of all processes (local SGD, Stich 2019)."""
        assert self.exchange is not None
        with torch.no_grad():
            flat = torch.cat([weight.flatten() for weight in self.weights])
            self.exchange(flat)
            at = 0
            for weight in self.weights:
                weight.copy_(flat[at : at + weight.numel()].view_as(weight))
                at += weight.numel()

    def _agree(self, part: float) -> float:
        """The same part of the time in every process."""
        if self.exchange is None:
            return part
        shared = torch.tensor([part])
        self.exchange(shared)
        return float(shared)

    def _rate(self, part: float) -> float:
        warm = self.schedule.warm
        if part < warm:
            return self.schedule.rate * max(0.02, part / warm)
        along = (part - warm) / (1 - warm)
        return self.schedule.rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * along)))

    def _copy_weights(self) -> None:
        with torch.no_grad():
            for parameter, weight in zip(self.network.parameters(), self.weights, strict=True):
                parameter.copy_(weight)

    def save(self) -> None:
        """Write the checkpoint."""
        told = {"step": self.step, "seconds": self.seconds, "tokens": self.tokens}
        self._checkpoint.save({**told, **self.learner.about()})

    def _take_about(self, about: dict[str, Any]) -> None:
        self.step, self.seconds, self.tokens = int(about["step"]), float(about["seconds"]), int(about["tokens"])

    def named_weights(self) -> dict[str, Tensor]:
        """The weights in float32, by the names of this network."""
        return {name: weight.detach() for name, weight in self._named.items()}
