"""What `omnipilot train planner` does: demonstrations, vocabulary, training, export, and the picture of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from omnipilot.bench.training.data import read_samples, write_samples
from omnipilot.bench.training.export import export_model
from omnipilot.bench.training.network import Shape
from omnipilot.bench.training.order import (
    HELD_OUT,
    Exchange,
    Order,
    Said,
    draw_training,
    progress_line,
    work_together,
    write_missing,
)
from omnipilot.bench.training.prompts import PromptLearner, encode_samples
from omnipilot.bench.training.trainer import Progress, Trainer
from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.envs import ConfigError
from omnipilot.planners.mini.vocabulary import Vocabulary

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
class PlannerOrder(Order):
    """Which planner to train.

    Attributes:
        shape: one of `SHAPES`.
        samples: folder with samples that were written before; None for the folder's own.
        measured: of the samples that are held out, every so-manieth is measured on.
        tasks: development tasks that are trained on, by id; empty for all. All are demonstrated, so that several
            trainings can share their samples.
    """

    shape: str = "small"
    samples: Path | None = None
    measured: int = 3
    tasks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        Order.__post_init__(self)
        if self.shape not in SHAPES:
            raise ConfigError(f"there is no shape {self.shape!r}; choose from {', '.join(SHAPES)}")


def train_planner(order: PlannerOrder, said: Said) -> Progress:
    """Train a small planner; returns how it ended.

    Args:
        said: called with each line of progress.
    """
    folder = order.samples or order.folder / "samples"
    paths = write_missing(write_samples, folder, order, said)
    order.folder.mkdir(parents=True, exist_ok=True)
    vocabulary_file = order.folder / "vocabulary.json"
    if not vocabulary_file.exists():
        train = read_samples(paths[HELD_OUT:], order.tasks)
        learnt = learn_vocabulary((text for one in train for text in (one.prompt, one.reply)), TOKENS)
        vocabulary_file.write_text(json.dumps(learnt.tokens, ensure_ascii=False), encoding="utf-8")
    done = work_together(order, partial(_work, order, paths), said)
    draw_training(order.folder, "Training on demonstrations, measured on unseen instances", "steps named exactly")
    return done


def _work(order: PlannerOrder, paths: Sequence[Path], rank: int, exchange: Exchange | None, said: Said) -> None:
    tokens = json.loads((order.folder / "vocabulary.json").read_text(encoding="utf-8"))
    vocabulary = Vocabulary(tokens)
    held_out = [(one.prompt, one.reply) for one in read_samples(paths[:HELD_OUT], order.tasks)][:: order.measured]
    # Each process has instances of its own.
    mine = read_samples(paths[HELD_OUT + rank :: order.workers], order.tasks)
    pointing = [one for one in mine if "<r" in one.reply]
    plain = [one for one in mine if "<r" not in one.reply]
    waits = [one for one in plain if one.reply.startswith("wait")]
    others = [one for one in plain if not one.reply.startswith("wait")]
    train = [(one.prompt, one.reply) for one in (*pointing, *others[::PLAIN], *waits[::WAITS])]
    shape = Shape(len(vocabulary), **SHAPES[order.shape])
    learner = PromptLearner(shape, vocabulary, order.schedule.seed, order.device)
    trainer = Trainer(learner, order.schedule, order.folder, exchange, rank)
    trainer.train(
        encode_samples(train, vocabulary, LONGEST, ASKED, order.schedule.seed),
        encode_samples(held_out, vocabulary, LONGEST),
        lambda progress: said(progress_line(progress, order.schedule, "unseen steps right")),
    )
    if rank == 0:
        export_model(order.model, shape, trainer.named_weights(), vocabulary)
