"""Trains the model of one arm from nothing, with the vocabulary that all arms share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from omnipilot.bench.training.data import read_lines
from omnipilot.bench.training.demonstrations import Sample
from omnipilot.bench.training.export import export_model
from omnipilot.bench.training.network import Shape
from omnipilot.bench.training.order import progress_line
from omnipilot.bench.training.progress import TellLine
from omnipilot.bench.training.prompts import PromptLearner, encode_samples
from omnipilot.bench.training.run import ASKED, LONGEST, SHAPES, TOKENS, thin_samples
from omnipilot.bench.training.study.arms import StudyArm
from omnipilot.bench.training.study.order import PartClock, StudyOrder, samples_of
from omnipilot.bench.training.trainer import Schedule, Trainer, TrainingProgress
from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.envs.types import read_text
from omnipilot.planners.mini.vocabulary import Vocabulary

BATCH, GPU_BATCH = 2000, 8000
"""Tokens of a step on a CPU, and on a GPU, where a step of fewer takes as long."""


def train_arm(
    order: StudyOrder, arm: StudyArm, seed: int, folder: Path, clock: PartClock, said: TellLine
) -> dict[str, Any]:
    """Train the model of one arm and seed; returns what its file says of that.

    Raises:
        PartOver: the time is over; a checkpoint is in the folder.
    """
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = settle_vocabulary(order)
    shape = Shape(len(vocabulary), **SHAPES["small"])
    samples = samples_of(order, arm.name)
    train = encode_samples(thin_samples(samples), vocabulary, LONGEST, ASKED, seed)
    steps = [(one.prompt, one.reply) for one in read_lines(order.folder / "measured.jsonl", Sample, "train study")]
    measured = encode_samples(steps, vocabulary, LONGEST)
    schedule = Schedule(minutes=0, steps=order.steps, seed=seed, tokens=BATCH if order.device == "cpu" else GPU_BATCH)
    learner = PromptLearner(shape, vocabulary, seed, order.device)
    trainer = Trainer(learner, schedule, folder)

    def report(progress: TrainingProgress) -> None:
        said(progress_line(progress, schedule, "held-out steps right"))
        trainer.save()
        if progress.step < order.steps:
            clock.check()

    last = trainer.train(train, measured, report)[-1]
    about = {"arm": arm.name, "demonstrations": order.count}
    export_model(folder / "model", shape, trainer.named_weights(), vocabulary, intents=arm.intents, about=about)
    return {
        "tasks": len({one.task for one in samples}),
        "samples": len(samples),
        "trained": last.step,
        "tokens": last.tokens,
        "seconds": round(last.seconds, 1),
        "loss": last.loss,
        "named": last.accuracy,
    }


def settle_vocabulary(order: StudyOrder) -> Vocabulary:
    """The vocabulary of all arms; the first call learns it from their samples and writes it."""
    path = order.folder / "vocabulary.json"
    if not path.exists():
        every = [one for arm in order.arms for one in samples_of(order, arm)]
        known = learn_vocabulary((text for one in every for text in (one.prompt, one.reply)), TOKENS)
        path.write_text(json.dumps(known.tokens, ensure_ascii=False), encoding="utf-8")
    return Vocabulary(json.loads(read_text(path)))
