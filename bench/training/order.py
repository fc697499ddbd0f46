"""What to train, and with how many processes: what is the same for a planner and for a grounder."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.bench.report import FigureFiles
from omnipilot.bench.training.demonstrations import training_instances
from omnipilot.bench.training.figure import training_figure
from omnipilot.bench.training.progress import TellLine, tell_error_stream
from omnipilot.bench.training.time_budget import TimeBudget, write_within
from omnipilot.bench.training.trainer import Schedule, Trainer, TrainingProgress
from omnipilot.envs import ConfigError

HELD_OUT = 1
"""Instances, the first ones that may be trained on, that are only measured on while training."""
LOG = "log.jsonl"
Exchange: TypeAlias = Callable[[Any], None]
"""Takes the mean of a tensor over all processes that train together."""
Work: TypeAlias = Callable[[int, "Exchange | None", TellLine], object]
"""The training of one process, given its rank."""


@dataclass(frozen=True, slots=True)
class TrainingOrder:
    """What to train.

    Attributes:
        folder: for samples, checkpoint, log and the finished model.
        instances: how many of what is trained on. workers: processes that train together.
        budget: when all of it has to be over; None where steps are counted, or the schedule's minutes are of the
            training alone.
    """

    folder: Path
    schedule: Schedule
    instances: int = 300
    workers: int = 1
    device: str = "cpu"
    budget: TimeBudget | None = field(default=None, kw_only=True)

    @property
    def schedule_left(self) -> Schedule:
        """The schedule with the minutes that are left for training, where minutes are counted."""
        if self.budget is None or self.schedule.steps:
            return self.schedule
        return replace(self.schedule, minutes=self.budget.left / 60)

    def __post_init__(self) -> None:
        if self.instances <= HELD_OUT:
            raise ConfigError(f"{self.instances} instances are too few; train on at least {HELD_OUT + 1}")
        training_instances(self.instances)
        if self.workers < 1 or (self.workers > 1 and self.schedule.steps):
            raise ConfigError("train with --workers 1 where the steps are counted, or with --minutes")

    @property
    def model(self) -> Path:
        """Where the finished model is written."""
        return self.folder / "model"


def write_missing(
    write: Callable[[Path, Sequence[int]], object],
    folder: Path,
    order: TrainingOrder,
    said: TellLine,
    what: str,
    part: int = 1,
    parts: int = 1,
    suffix: str = ".jsonl",
) -> list[Path]:
    """Write the files of the instances that are not there yet, in as many processes as ordered, as far as their share
    of the time allows; returns those that are there.

    Args:
        write: writes the files of some instances into a folder; another process must be able to import it.
        what: the samples are called in progress. part, parts: of several kinds, the number of this one.
        suffix: of the files.
    """
    paths = {instance: folder / f"{instance:05d}{suffix}" for instance in training_instances(order.instances)}
    missing = [instance for instance, path in paths.items() if not path.exists()]
    if missing:
        budget = order.budget
        end = None if budget is None else budget.samples_end(part, parts)
        most = "" if budget is None or end is None else f", for at most {max(0.0, end - budget.clock()) / 60:.1f} min"
        said(f"part 1 of 3: {what} of {len(missing)} instances{most}")
        # Something to measure on, and for each process something to train on.
        least = max(0, HELD_OUT + order.workers - (len(paths) - len(missing)))
        with ProcessPoolExecutor(order.workers, get_context("spawn")) as pool:
            done = write_within(partial(_write_one, write, folder), missing, pool, order.workers, said, end, least)
        if done < len(missing):
            said(f"{len(missing) - done} instances are left out, so that the training has its time; more --minutes")
    return [path for path in paths.values() if path.exists()]


def _write_one(write: Callable[[Path, Sequence[int]], object], folder: Path, instance: int) -> None:
    write(folder, [instance])


def work_together(order: TrainingOrder, work: Work, said: TellLine) -> TrainingProgress:
    """Train in as many processes as ordered, a thread each; returns how it ended.

    Args:
        work: another process must be able to import it.
    """
    run_together(order.folder, order.workers, work, said)
    return read_log(order.folder)[-1]


def run_together(folder: Path, workers: int, work: Work, said: TellLine) -> None:
    """Do the work of a training in so many processes, a thread each.

    Args:
        folder: of the training; made where it is missing. work: another process must be able to import it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if workers == 1:
        import torch

        torch.set_num_threads(1)
        work(0, None, said)
    else:
        import torch.multiprocessing as processes

        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        processes.spawn(_beside_others, (workers, work, port), nprocs=workers)


def train_told(
    trainer: Trainer[Any],
    order: TrainingOrder,
    samples: Sequence[Any],
    held_out: Sequence[Any],
    right: str,
    said: TellLine,
) -> None:
    """Train for what is left of the time, and say which part of the work runs.

    Args:
        right: what is counted of the held-out samples, such as "unseen steps right".
    """
    schedule = trainer.schedule = order.schedule_left
    if order.budget is not None:
        # What an earlier start has trained is not done again.
        schedule = trainer.schedule = replace(schedule, minutes=schedule.minutes + trainer.seconds / 60)
    first = trainer.rank == 0
    if first:
        told = f"{schedule.steps} steps" if schedule.steps else f"{schedule.minutes - trainer.seconds / 60:.1f} min"
        said(f"part 2 of 3: training, {told}, in {'bfloat16' if trainer.bf16 else 'float32'}")
    trainer.train(
        samples,
        held_out,
        lambda progress: said(progress_line(progress, schedule, right)),
        lambda: said(f"part 3 of 3: measuring on {len(held_out)} that were held out") if first else None,
    )


def read_log(folder: Path) -> list[TrainingProgress]:
    """What was measured while training in a folder."""
    return [TrainingProgress(**json.loads(line)) for line in (folder / LOG).read_text(encoding="utf-8").splitlines()]


def draw_training(folder: Path, title: str, counted: str) -> list[str]:
    """Draw `training.svg` beside the log, see `training_figure`; lines that say where it is, or what draws it."""
    return FigureFiles().write(folder / "training.svg", training_figure(read_log(folder), title, counted))[1]


def _beside_others(rank: int, workers: int, work: Work, port: int) -> None:
    import torch
    import torch.distributed as distributed

    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    distributed.init_process_group("gloo", rank=rank, world_size=workers)

    def exchange(values: Any) -> None:
        distributed.all_reduce(values)
        values.div_(workers)

    work(rank, exchange, tell_error_stream)


def progress_line(progress: TrainingProgress, schedule: Schedule, right: str) -> str:
    """How far it has come, in a line.

    Args:
        right: what is counted, such as "unseen steps right".
    """
    if schedule.steps:
        left = progress.seconds / max(1, progress.step) * (schedule.steps - progress.step)
    else:
        left = 60 * schedule.minutes - progress.seconds
    return (
        f"step {progress.step}, {progress.seconds / 60:.1f} min, {max(0.0, left) / 60:.1f} min left: "
        f"loss {progress.loss:.3f}, {100 * progress.accuracy:.1f} % of {right}"
    )
