"""What is studied, how long a call works on it, and the samples that an arm is trained on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.bench.training.data import read_lines
from omnipilot.bench.training.demonstrations import FIRST_INSTANCE, Sample
from omnipilot.envs import ConfigError

Said: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """What is studied.

    Attributes:
        pool: its folder. folder: for everything that is made. arms: names. seeds: one training each.
        count: demonstrations that each arm is trained on. steps: of each training. instances: of each measured task.
        test: whether the finished models also play duet's test split.
    """

    pool: Path
    folder: Path
    arms: tuple[str, ...]
    seeds: tuple[int, ...]
    count: int
    steps: int
    instances: int = 3
    test: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.instances <= FIRST_INSTANCE:
            raise ConfigError(f"{self.instances} instances; measure on 1 to {FIRST_INSTANCE}")
        if self.count < 1 or self.steps < 1 or not self.seeds:
            raise ConfigError("a study needs at least one demonstration, one step and one seed")

    def settings(self) -> dict[str, Any]:
        """What must be equal in a folder that is gone on with."""
        # Of the samples of all arms the vocabulary is learnt, once.
        return {
            "pool": str(self.pool),
            "arms": list(self.arms),
            "count": self.count,
            "steps": self.steps,
            "instances": self.instances,
        }

    def result(self, arm: str, seed: int, test: bool = False) -> Path:
        """The file of a finished arm."""
        return self.folder / "arms" / f"{arm}-{seed}{'-test' if test else ''}.json"


class PartOver(Exception):
    """The time of this part is over; what was done stays."""


@dataclass
class PartClock:
    """When a call has to stop."""

    end: float

    def check(self) -> None:
        """Raises:
        PartOver: it is time.
        """
        if time.monotonic() >= self.end:
            raise PartOver


def samples_of(order: StudyOrder, arm: str) -> list[Sample]:
    """The samples of the first demonstrations of an arm, as many as were ordered."""
    found: list[Sample] = []
    shown: set[tuple[str, int]] = set()
    for path in sorted((order.folder / "samples" / arm).glob("*.jsonl")):
        for sample in read_lines(path, Sample, "omnipilot train study"):
            shown.add((sample.task, sample.instance))
            if len(shown) > order.count:
                return found
            found.append(sample)
    return found
