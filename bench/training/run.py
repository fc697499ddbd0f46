"""What `omnipilot train planner` does: demonstrations, vocabulary, training, export, and the picture of it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from omnipilot.bench.training.data import read_samples, write_samples
from omnipilot.bench.training.demonstrations import FIRST_INSTANCE
from omnipilot.bench.training.export import export_model
from omnipilot.bench.training.network import Shape
from omnipilot.bench.training.trainer import Progress, Schedule, Trainer, encode_samples
from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.envs import ConfigError
from omnipilot.planners.mini.vocabulary import Vocabulary

HELD_OUT = 1
"""Instances, the first ones that may be trained on, that are only measured on while training."""
PLAIN, WAITS = 2, 6
"""Of the samples whose reply names nothing, and of those that wait, every so-manieth is trained on: those are learnt
within minutes."""
ASKED = 8
"""Questions about its prompt behind each sample that is trained on, see `lookups`."""
LONGEST = 420
"""Tokens of a sample that is trained on."""
SHAPES = {
    "small": {"width": 192, "layers": 5, "heads": 6, "inner": 512},
    "large": {"width": 384, "layers": 8, "heads": 6, "inner": 1024},
}
TOKENS = 1280


@dataclass(frozen=True, slots=True)
class Order:
    """What to train.

    Attributes:
        folder: for samples, checkpoint, log and the finished model.
        instances: of each development task. workers: processes that train together. shape: one of `SHAPES`.
        samples: folder with samples that were written before; None for the folder's own.
        measured: of the samples that are held out, every so-manieth is measured on.
    """

    folder: Path
    schedule: Schedule
    instances: int = 300
    workers: int = 1
    shape: str = "small"
    device: str = "cpu"
    samples: Path | None = None
    measured: int = 3

    def __post_init__(self) -> None:
        if self.instances <= HELD_OUT:
            raise ConfigError(f"{self.instances} instances are too few; train on at least {HELD_OUT + 1}")
        if self.shape not in SHAPES:
            raise ConfigError(f"there is no shape {self.shape!r}; choose from {', '.join(SHAPES)}")
        if self.workers < 1 or (self.workers > 1 and self.schedule.steps):
            raise ConfigError("train with --workers 1 where the steps are counted, or with --minutes")

    @property
    def model(self) -> Path:
        """Where the finished model is written."""
        return self.folder / "model"


def train_planner(order: Order, said: Callable[[str], None]) -> Progress:
    """Train a small planner; returns how it ended.

    Args:
        said: called with each line of progress.
    """
    folder = order.samples or order.folder / "samples"
    instances = range(FIRST_INSTANCE, FIRST_INSTANCE + order.instances)
    _demonstrate(folder, instances, order.workers, said)
    paths = [folder / f"{instance:05d}.jsonl" for instance in instances]
    order.folder.mkdir(parents=True, exist_ok=True)
    vocabulary_file = order.folder / "vocabulary.json"
    if not vocabulary_file.exists():
        train = read_samples(paths[HELD_OUT:])
        learnt = learn_vocabulary((text for one in train for text in (one.prompt, one.reply)), TOKENS)
        vocabulary_file.write_text(json.dumps(learnt.tokens, ensure_ascii=False), encoding="utf-8")
    if order.workers == 1:
        return _work(0, order, paths, 0, said)
    import torch.multiprocessing as processes

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    processes.spawn(_work_apart, (order, paths, port), nprocs=order.workers)
    return Progress(**json.loads((order.folder / "log.jsonl").read_text().splitlines()[-1]))


def _demonstrate(folder: Path, instances: Sequence[int], workers: int, said: Callable[[str], None]) -> None:
    """Write the samples of the instances that are not there yet, in as many processes as train."""
    missing = [instance for instance in instances if not (folder / f"{instance:05d}.jsonl").exists()]
    if not missing:
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        done = [pool.submit(write_samples, folder, [instance]) for instance in missing]
        for number, one in enumerate(as_completed(done), 1):
            one.result()
            if number % 20 == 0 or number == len(missing):
                said(f"{number} of {len(missing)} instances demonstrated")


def _work_apart(rank: int, order: Order, paths: Sequence[Path], port: int) -> None:
    import sys

    _work(rank, order, paths, port, lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201


def _work(rank: int, order: Order, paths: Sequence[Path], port: int, said: Callable[[str], None]) -> Progress:
    import torch

    torch.set_num_threads(1)
    exchange = None
    if order.workers > 1:
        import torch.distributed as distributed

        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        distributed.init_process_group("gloo", rank=rank, world_size=order.workers)

        def exchange(values: Any) -> None:
            distributed.all_reduce(values)
            values.div_(order.workers)

    tokens = json.loads((order.folder / "vocabulary.json").read_text(encoding="utf-8"))
    vocabulary = Vocabulary(tokens)
    held_out = [(one.prompt, one.reply) for one in read_samples(paths[:HELD_OUT])][:: order.measured]
    # Each process has instances of its own.
    mine = read_samples(paths[HELD_OUT + rank :: order.workers])
    pointing = [one for one in mine if "<r" in one.reply]
    plain = [one for one in mine if "<r" not in one.reply]
    waits = [one for one in plain if one.reply.startswith("wait")]
    others = [one for one in plain if not one.reply.startswith("wait")]
    train = [(one.prompt, one.reply) for one in (*pointing, *others[::PLAIN], *waits[::WAITS])]
    shape = Shape(len(vocabulary), **SHAPES[order.shape])
    trainer = Trainer(shape, vocabulary, order.schedule, order.folder, order.device, exchange, rank)
    done = trainer.train(
        encode_samples(train, vocabulary, LONGEST, ASKED, order.schedule.seed),
        encode_samples(held_out, vocabulary, LONGEST),
        lambda progress: said(_line(progress, order.schedule)),
    )
    if rank == 0:
        trainer.save()
        export_model(order.model, shape, trainer.named_weights(), vocabulary)
        log = [json.loads(line) for line in (order.folder / "log.jsonl").read_text().splitlines()]
        _draw(order.folder / "training.svg", [Progress(**line) for line in log])
    return done[-1]


def _line(progress: Progress, schedule: Schedule) -> str:
    if schedule.steps:
        left = progress.seconds / max(1, progress.step) * (schedule.steps - progress.step)
    else:
        left = 60 * schedule.minutes - progress.seconds
    return (
        f"step {progress.step}, {progress.seconds / 60:.1f} min, {max(0.0, left) / 60:.1f} min left: "
        f"loss {progress.loss:.3f}, {100 * progress.accuracy:.1f} % of unseen steps right"
    )


def _draw(path: Path, log: Sequence[Progress]) -> None:
    """Loss and accuracy over time."""
    from omnipilot.bench.training.figure import training_figure

    path.write_text(training_figure(log), encoding="utf-8")


def with_device(order: Order, device: str) -> Order:
    """The order for a device; on a GPU in one process."""
    return replace(order, device=device, workers=1 if device != "cpu" else order.workers)
