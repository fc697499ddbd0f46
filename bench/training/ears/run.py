"""What `omnipilot train ears` does: speech, training, the finished model, and the picture of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from omnipilot.bench.training.ears.learner import EarsLearner
from omnipilot.bench.training.ears.samples import PHRASES, SUFFIX, Utterance, read_speech, write_speech
from omnipilot.bench.training.ears.speech import check_program
from omnipilot.bench.training.ears.texts import TAUGHT_NAMES, TAUGHT_WORDS
from omnipilot.bench.training.export import write_json, write_weights
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
from omnipilot.envs import ConfigError
from omnipilot.memory.mini import EarsConfig
from omnipilot.memory.mini.model_folder import LEXICON, MINI_EARS

if TYPE_CHECKING:
    from torch import Tensor

SHAPES: Mapping[str, EarsConfig] = MappingProxyType(
    {
        "small": EarsConfig(width=192, inner=384, layers=10, kernel=9, penalty=2.0),
        "tiny": EarsConfig(width=64, inner=128, layers=4, kernel=7, penalty=2.0),
    }
)
"""Forms of the network, by name: the one that is shipped, and one for tests."""


@dataclass(frozen=True, slots=True)
class EarsOrder(TrainingOrder):
    """Which ears to train; `instances` are voices at one rate and pitch.

    Attributes:
        shape: one of `SHAPES`. speech: folder of speech that was made before; None for the folder's own.
    """

    shape: str = "small"
    speech: Path | None = None

    def __post_init__(self) -> None:
        TrainingOrder.__post_init__(self)
        if self.shape not in SHAPES:
            raise ConfigError(f"there is no shape {self.shape!r}; choose from {', '.join(SHAPES)}")


def train_ears(order: EarsOrder, said: TellLine) -> TrainingProgress:
    """Train the small ears; returns how it ended.

    Args:
        said: called with each line of progress.

    Raises:
        ConfigError: `espeak-ng` is not installed.
    """
    check_program()
    folder = order.speech or order.folder / "speech"
    paths = write_missing(write_speech, folder, order, said, "speech", suffix=SUFFIX)
    done = work_together(order, partial(_work, order, paths), said)
    for line in draw_training(order.folder, "Training on speech, measured on unheard texts", "utterances right"):
        said(line)
    return done


def _work(order: EarsOrder, paths: Sequence[Path], rank: int, exchange: Exchange | None, said: TellLine) -> None:
    config = SHAPES[order.shape]
    learner = EarsLearner(config, order.schedule.seed, order.device)
    held_out: list[Utterance] = read_speech(paths[:HELD_OUT])
    # Each process has voices of its own.
    mine = read_speech(paths[HELD_OUT + rank :: order.workers])
    trainer: Trainer[Utterance] = Trainer(learner, order.schedule, order.folder, exchange, rank)
    train_told(trainer, order, mine, held_out, "unheard utterances right", said)
    if rank == 0:
        export_ears(order.model, config, trainer.named_weights())


def export_ears(folder: Path, config: EarsConfig, weights: Mapping[str, Tensor]) -> None:
    """Write the configuration, the weights in float16, and the lexicon: all words that were trained on."""
    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder, weights)
    write_json(folder / MINI_EARS.config, config.to_json())
    known = {*TAUGHT_WORDS, *TAUGHT_NAMES, *(word for phrase in PHRASES for word in phrase.split())}
    (folder / LEXICON).write_text("\n".join(sorted(known)) + "\n", encoding="utf-8")
