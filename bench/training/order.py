"""What to train, and with how many processes: what is the same for a planner and for a grounder."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.bench.training.demonstrations import FIRST_INSTANCE
from omnipilot.bench.training.figure import training_figure
from omnipilot.bench.training.trainer import Progress, Schedule
from omnipilot.envs import ConfigError

HELD_OUT = 1
"""Instances, the first ones that may be trained on, that are only measured on while training."""
LOG = "log.jsonl"
Said: TypeAlias = Callable[[str], object]
"""Takes each line of progress."""
Exchange: TypeAlias = Callable[[Any], None]
"""Takes the mean of a tensor over all processes that train together."""
Work: TypeAlias = Callable[[int, "Exchange | None", Said], object]
"""The training of one process, given its rank."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to train.

    Attributes:
        folder: for samples, checkpoint, log and the finished model.
        instances: how many of what is trained on. workers: processes that train together.
    """

    folder: Path
    schedule: Schedule
    instances: int = 300
    workers: int = 1
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.instances <= HELD_OUT:
            raise ConfigError(f"{self.instances} instances are too few; train on at least {HELD_OUT + 1}")
        if self.workers < 1 or (self.workers > 1 and self.schedule.steps):
            raise ConfigError("train with --workers 1 where the steps are counted, or with --minutes")

    @property
    def model(self) -> Path:
        """Where the finished model is written."""
        return self.folder / "model"


def write_missing(write: Callable[[Path, Sequence[int]], object], folder: Path, order: Order, said: Said) -> list[Path]:
    """Write the files of the instances that are not there yet, in as many processes as ordered; returns those of all.

    Args:
        write: writes the files of some instances into a folder; another process must be able to import it.
    """
    instances = range(FIRST_INSTANCE, FIRST_INSTANCE + order.instances)
    paths = {instance: folder / f"{instance:05d}.jsonl" for instance in instances}
    missing = [instance for instance, path in paths.items() if not path.exists()]
    if missing:
        with ProcessPoolExecutor(order.workers, get_context("spawn")) as pool:
            done = [pool.submit(write, folder, [instance]) for instance in missing]
            for number, one in enumerate(as_completed(done), 1):
                one.result()
                if number % 20 == 0 or number == len(missing):
                    said(f"{number} of {len(missing)} instances written")
    return list(paths.values())


def work_together(order: Order, work: Work, said: Said) -> Progress:
    """Train in as many processes as ordered, a thread each; returns how it ended.

    Args:
        work: another process must be able to import it.
    """
    order.folder.mkdir(parents=True, exist_ok=True)
    if order.workers == 1:
        import torch

        torch.set_num_threads(1)
        work(0, None, said)
    else:
        import torch.multiprocessing as processes

        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        processes.spawn(_beside_others, (order, work, port), nprocs=order.workers)
    return read_log(order.folder)[-1]


def read_log(folder: Path) -> list[Progress]:
    """What was measured while training in a folder."""
    return [Progress(**json.loads(line)) for line in (folder / LOG).read_text(encoding="utf-8").splitlines()]


def draw_training(folder: Path, title: str, counted: str) -> None:
    """Write `training.svg` beside the log, see `training_figure`."""
    (folder / "training.svg").write_text(training_figure(read_log(folder), title, counted), encoding="utf-8")


def _beside_others(rank: int, order: Order, work: Work, port: int) -> None:
    import sys

    import torch
    import torch.distributed as distributed

    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    distributed.init_process_group("gloo", rank=rank, world_size=order.workers)

    def exchange(values: Any) -> None:
        distributed.all_reduce(values)
        values.div_(order.workers)

    work(rank, exchange, lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201


def progress_line(progress: Progress, schedule: Schedule, right: str) -> str:
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
