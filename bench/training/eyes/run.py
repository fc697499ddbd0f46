"""What `omnipilot train eyes` does: screens, what they show, training, export, and the picture of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from omnipilot.bench.training.export import write_json, write_weights
from omnipilot.bench.training.eyes.learner import EyesLearner, EyesLesson
from omnipilot.bench.training.eyes.screens import EyesScreen, read_eyes_screens, write_eyes_screens
from omnipilot.bench.training.eyes.truth import learn_form
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
from omnipilot.grounders.mini.eyes.model_folder import MINI_EYES

MEASURED = 40
"""Of the screens that are held out, every so-manieth is measured on."""
FORM_SCREENS = 2000
"""Most screens from which kinds, templates and letters are learnt."""
WORDS = "words.json"
TOKENS, RATE, EVERY = 16_000, 3e-3, 240.0
"""Places of the screens of a step, the highest learning rate, and seconds between two measurements."""


class EyesOrder(TrainingOrder):
    """Which eyes to train; `instances` are those of duet's development tasks, of some 550 screens each."""


def train_eyes(order: EyesOrder, said: TellLine) -> TrainingProgress:
    """Train small eyes; returns how it ended.

    Args:
        said: called with each line of progress.
    """
    paths = write_missing(write_eyes_screens, order.folder / "screens", order, said, "screens")
    if not (order.model / MINI_EYES.config).exists():
        _settle_form(order, [screen for _, screen in read_eyes_screens(paths[HELD_OUT:])])
    done = work_together(order, partial(_work, order, paths), said)
    for line in draw_training(order.folder, "Training on screens, measured on unseen ones", "elements and lines right"):
        said(line)
    return done


def _settle_form(order: EyesOrder, screens: Sequence[EyesScreen]) -> None:
    """Write what the networks tell apart, and the words to practise reading with."""
    form = learn_form(screens[:: max(1, len(screens) // FORM_SCREENS)])
    order.model.mkdir(parents=True, exist_ok=True)
    words = {word for screen in screens for line in screen.lines for word in line.text.split()}
    (order.folder / WORDS).write_text(json.dumps(sorted(words), ensure_ascii=False), encoding="utf-8")
    told = {"kinds": form.kinds, "names": form.names, "values": form.values, "letters": form.letters}
    write_json(order.model / MINI_EYES.config, {name: list(table) for name, table in told.items()})


def _work(order: EyesOrder, paths: Sequence[Path], rank: int, exchange: Exchange | None, said: TellLine) -> None:
    form = MINI_EYES.read_form(order.model)
    words = json.loads((order.folder / WORDS).read_text(encoding="utf-8"))
    lessons = [
        [EyesLesson(picture, screen, number) for number, (picture, screen) in enumerate(read_eyes_screens(some))]
        # Each process has screens of its own.
        for some in (paths[:HELD_OUT], paths[HELD_OUT + rank :: order.workers])
    ]
    learner = EyesLearner(form, words, order.schedule.seed, order.device)
    trainer = Trainer(learner, order.schedule, order.folder, exchange, rank)
    train_told(trainer, order, lessons[1], lessons[0][::MEASURED], "unseen elements and lines right", said)
    if rank == 0:
        named = {
            name.removeprefix("weights.").replace(":", "."): weight for name, weight in trainer.named_weights().items()
        }
        write_weights(order.model, named)
