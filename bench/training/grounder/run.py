"""What `omnipilot train grounder` does: screens, vocabulary, training, export, and the picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from omnipilot.bench.training.export import write_weights
from omnipilot.bench.training.grounder.form import FIXED, TOKENS, split_words, write_form
from omnipilot.bench.training.grounder.learner import GrounderLearner, load_form, make_lesson
from omnipilot.bench.training.grounder.screens import FAMILY, read_screens, write_screens
from omnipilot.bench.training.order import (
    HELD_OUT,
    Exchange,
    TrainingOrder,
    draw_training,
    train_told,
    work_together,
    write_missing,
)
from omnipilot.bench.training.progress import TellLine
from omnipilot.bench.training.trainer import Trainer, TrainingProgress
from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.envs.types import SmartResize

MEASURED = 3
"""Of the screens that are held out, every so-manieth is measured on."""


class GrounderOrder(TrainingOrder):
    """Which grounder to train; `instances` are seeds of the suite `pointing`, of some 150 screens each."""

    @property
    def model(self) -> Path:
        """Where the finished model is written: a folder whose name is that of its family."""
        return self.folder / FAMILY.name


def train_grounder(order: GrounderOrder, said: TellLine) -> TrainingProgress:
    """Train a small grounder; returns how it ended.

    Args:
        said: called with each line of progress.
    """
    paths = write_missing(write_screens, order.folder / "screens", order, said, "screens")
    if not (order.model / "config.json").exists():
        asked = (split_words(text) for _, screen in read_screens(paths[HELD_OUT:]) for text, _ in screen.asked)
        assert isinstance(FAMILY.resize, SmartResize)
        pixels = FAMILY.resize.min_pixels, FAMILY.resize.max_pixels
        write_form(order.model, learn_vocabulary(asked, TOKENS, FIXED), pixels)
    done = work_together(order, partial(_work, order, paths), said)
    for line in draw_training(order.folder, "Training on screens, measured on unseen ones", "pointed right"):
        said(line)
    return done


def _work(order: GrounderOrder, paths: Sequence[Path], rank: int, exchange: Exchange | None, said: TellLine) -> None:
    loaded = load_form(order.model, order.schedule.seed, order.device)
    lessons = [
        [lesson for picture, screen in read_screens(some) if (lesson := make_lesson(loaded, picture, screen)).questions]
        # Each process has screens of its own.
        for some in (paths[:HELD_OUT], paths[HELD_OUT + rank :: order.workers])
    ]
    trainer = Trainer(GrounderLearner(loaded), order.schedule, order.folder, exchange, rank)
    train_told(trainer, order, lessons[1], lessons[0][::MEASURED], "unseen targets pointed at", said)
    if rank == 0:
        write_weights(order.model, trainer.named_weights())
