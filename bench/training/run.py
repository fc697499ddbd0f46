"""What `omnipilot train planner` does: demonstrations, vocabulary, training, export, and the picture of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from omnipilot.bench.training.data import (
    MEMORY,
    POOL,
    TRAINABLE,
    read_samples,
    sample_files,
    write_readers,
    write_samples,
)
from omnipilot.bench.training.demonstrations import MOST_SAW, Sample
from omnipilot.bench.training.export import export_model, load_model, trained_on
from omnipilot.bench.training.network import Shape
from omnipilot.bench.training.order import (
    HELD_OUT,
    Exchange,
    TrainingOrder,
    draw_training,
    train_told,
    work_together,
    write_missing,
)
from omnipilot.bench.training.pool_tasks.allowed import PoolRecord
from omnipilot.bench.training.pool_tasks.samples import (
    describe_samples,
    read_pool_samples,
    write_pool_samples,
    write_record,
)
from omnipilot.bench.training.progress import TellLine
from omnipilot.bench.training.prompts import Encoded, PromptLearner, encode_samples
from omnipilot.bench.training.readers import GOLD, make_reader, watches
from omnipilot.bench.training.remembered import MOST_RECALLED
from omnipilot.bench.training.trainer import Trainer, TrainingProgress
from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text
from omnipilot.planners.mini.model_folder import read_config
from omnipilot.planners.mini.vocabulary import ACT, END, UNKNOWN, Vocabulary

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
class PlannerOrder(TrainingOrder):
    """Which planner to train.

    Attributes:
        shape: one of `SHAPES`.
        samples: folder with samples that were written before; None for the folder's own.
        measured: of the samples that are held out, every so-manieth is measured on.
        tasks: development tasks that are trained on, by id; empty for all. All are demonstrated, so that several
            trainings can share their samples.
        suites: that are trained on, each for an equal share of the steps.
        start: folder of weights to begin with, whose shape and vocabulary are kept; None to begin with nothing.
        pool: which of its tasks the suite `pool` is trained on, and how they are told.
        readers: what tells of sounds in `duet` and in the pool, by name; one that watches films also teaches what
            moves.
    """

    shape: str = "small"
    samples: Path | None = None
    measured: int = 3
    tasks: frozenset[str] = frozenset()
    suites: tuple[str, ...] = ("duet",)
    start: Path | None = None
    pool: PoolRecord | None = None
    readers: str = GOLD

    def __post_init__(self) -> None:
        TrainingOrder.__post_init__(self)
        if self.shape not in SHAPES:
            raise ConfigError(f"there is no shape {self.shape!r}; choose from {', '.join(SHAPES)}")
        if not self.suites:
            raise ConfigError(f"no suite to train on; choose from {', '.join(TRAINABLE)}")
        make_reader(self.readers)
        if (POOL in self.suites) != (self.pool is not None):
            raise ConfigError("train on a pool with --suite pool and its folder, --data POOL")

    @property
    def told_intents(self) -> bool:
        """Whether the model is told what a task is for."""
        return (self.pool is not None and self.pool.intents) or (
            self.start is not None and read_config(self.start).intents
        )

    @property
    def about(self) -> dict[str, Any]:
        """What the model's configuration says of its training, and of that of the weights to begin with."""
        pool = self.pool
        told = {} if pool is None else {"pool": pool.version, "with_test_effects": pool.with_test_effects}
        before = trained_on(self.start) if self.start is not None else {}
        heard = {} if self.readers == GOLD else {"readers": self.readers}
        return {"suites": list(self.suites), **told, **heard, **({"before": before} if before else {})}

    @property
    def recalled(self) -> int:
        """Lines of what memory recalled that the model is told."""
        before = read_config(self.start).recalled if self.start is not None else 0
        return max(before, MOST_RECALLED if "duet-memory" in self.suites else 0)

    @property
    def saw(self) -> int:
        """Lines of what moved that the model is told."""
        before = read_config(self.start).saw if self.start is not None else 0
        return max(before, MOST_SAW if watches(self.readers) else 0)


def train_planner(order: PlannerOrder, said: TellLine) -> TrainingProgress:
    """Train a small planner; returns how it ended.

    Args:
        said: called with each line of progress.
    """
    folder = order.samples or order.folder / "samples"
    if order.pool is not None:
        write_record(sample_files(folder, POOL), order.pool)
    for name in order.suites:
        write_readers(sample_files(folder, name), GOLD if name == MEMORY else order.readers)
    paths = {
        name: write_missing(
            partial(write_pool_samples, readers=order.readers)
            if name == POOL
            else partial(write_samples, suite_name=name, readers=order.readers),
            sample_files(folder, name),
            order,
            said,
            f"demonstrations of {name}",
            number,
            len(order.suites),
        )
        for number, name in enumerate(order.suites, 1)
    }
    for line in describe_samples(paths[POOL]) if POOL in paths else ():
        said(line)
    order.folder.mkdir(parents=True, exist_ok=True)
    _settle_vocabulary(order, paths)
    done = work_together(order, partial(_work, order, paths), said)
    for line in draw_training(
        order.folder, "Training on demonstrations, measured on unseen instances", "steps named exactly"
    ):
        said(line)
    return done


def _settle_vocabulary(order: PlannerOrder, paths: Mapping[str, Sequence[Path]]) -> None:
    """Write the vocabulary: that of the weights to begin with, or one that is learnt from the samples."""
    file = order.folder / "vocabulary.json"
    if order.start is not None:
        *_, known = load_model(order.start)
        if file.exists() and _tokens(file) != known.tokens:
            raise ConfigError(f"{order.folder} holds a training with another vocabulary; choose another --out")
    elif file.exists():
        return
    else:
        train = [one for name, files in paths.items() for one in _read(name, files[HELD_OUT:], order)]
        known = learn_vocabulary((text for one in train for text in (one.prompt, one.reply)), TOKENS)
    file.write_text(json.dumps(known.tokens, ensure_ascii=False), encoding="utf-8")


def _tokens(file: Path) -> tuple[str, ...]:
    """The tokens of a vocabulary that an earlier training has written.

    Raises:
        ConfigError: the file is broken.
    """
    try:
        told = parse_json(read_text(file))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file} cannot be read ({error}); choose another --out") from None
    if not isinstance(told, list) or not {UNKNOWN, END, ACT} <= {one for one in told if isinstance(one, str)}:
        raise ConfigError(f"{file} is no vocabulary; choose another --out")
    return tuple(map(str, told))


def _work(
    order: PlannerOrder, paths: Mapping[str, Sequence[Path]], rank: int, exchange: Exchange | None, said: TellLine
) -> None:
    vocabulary = Vocabulary(_tokens(order.folder / "vocabulary.json"))
    seed = order.schedule.seed
    shape, weights = Shape(len(vocabulary), **SHAPES[order.shape]), None
    if order.start is not None:
        shape, weights, _ = load_model(order.start)
    held_out: list[tuple[str, str]] = []
    train: list[list[Encoded]] = []
    for name, files in paths.items():
        held_out += _pairs(_read(name, files[:HELD_OUT], order))[:: order.measured]
        # Each process has instances of its own.
        mine = _read(name, files[HELD_OUT + rank :: order.workers], order)
        train.append(encode_samples(thin_samples(mine), vocabulary, LONGEST, ASKED, seed))
    learner = PromptLearner(shape, vocabulary, seed, order.device, weights)
    asked = encode_samples(held_out, vocabulary, LONGEST)
    trainer = Trainer(learner, order.schedule, order.folder, exchange, rank)
    train_told(trainer, order, _equal_shares(train), asked, "unseen steps right", said)
    if rank == 0:
        export_model(
            order.model,
            shape,
            trainer.named_weights(),
            vocabulary,
            recalled=order.recalled,
            saw=order.saw,
            intents=order.told_intents,
            about=order.about,
        )


def _read(suite: str, paths: Sequence[Path], order: PlannerOrder) -> list[Sample]:
    return read_pool_samples(paths) if suite == POOL else read_samples(paths, order.tasks)


def _pairs(samples: Sequence[Sample]) -> list[tuple[str, str]]:
    return [(one.prompt, one.reply) for one in samples]


def thin_samples(samples: Sequence[Sample]) -> list[tuple[str, str]]:
    """The samples that are trained on: of the plain ones only a part."""
    pointing = [one for one in samples if "<r" in one.reply]
    plain = [one for one in samples if "<r" not in one.reply]
    waits = [one for one in plain if one.reply.startswith("wait")]
    others = [one for one in plain if not one.reply.startswith("wait")]
    return _pairs((*pointing, *others[::PLAIN], *waits[::WAITS]))


def _equal_shares(groups: Sequence[list[Encoded]]) -> list[Encoded]:
    """All samples, those of smaller groups again and again, so that each group has as many as the largest."""
    most = max(map(len, groups))
    return [one for group in groups if group for one in (group * ceil(most / len(group)))[:most]]
