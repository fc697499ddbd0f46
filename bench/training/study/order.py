"""What is studied, how long a call works on it, and the samples that an arm is trained on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.training.data import read_lines
from omnipilot.bench.training.demonstrations import FIRST_INSTANCE, Sample
from omnipilot.bench.training.progress import TellLine, tell_error_stream
from omnipilot.bench.training.study.arms import HAND
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """What is studied.

    Attributes:
        pool: its folder. folder: for everything that is made. arms: names. seeds: one training each.
        count: demonstrations that each arm is trained on. steps: of each training. instances: of each measured task.
        test: whether the finished models also play duet's test split.
        workers: processes that demonstrate, train and play. device: that is trained on, "cpu" or "cuda".
    """

    pool: Path
    folder: Path
    arms: tuple[str, ...]
    seeds: tuple[int, ...]
    count: int
    steps: int
    instances: int = 3
    test: bool = False
    workers: int = 1
    device: str = "cpu"

    def __post_init__(self) -> None:
        if not 1 <= self.instances <= FIRST_INSTANCE:
            raise ConfigError(f"{self.instances} instances; measure on 1 to {FIRST_INSTANCE}")
        if self.count < 1 or self.steps < 1 or self.workers < 1 or not self.seeds:
            raise ConfigError("a study needs at least one demonstration, one step, one seed and one worker")

    def settings(self) -> dict[str, Any]:
        """What must be equal in a folder that is gone on with; of the pool its version, wherever it lies.

        Raises:
            ConfigError: an arm is trained on the pool, and it cannot be read.
        """
        # Of the samples of all arms the vocabulary is learnt, once.
        return {
            "pool": "" if set(self.arms) == {HAND} else PoolSuite(str(self.pool)).version,
            "arms": list(self.arms),
            "count": self.count,
            "steps": self.steps,
            "instances": self.instances,
            # Weights that were trained on another device are others.
            "device": self.device,
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


def work_in(workers: int, work: Sequence[Callable[[TellLine], None]], said: TellLine) -> None:
    """Do all of the work, in so many processes; with one, in this one. Each is given what takes lines of progress.

    Args:
        work: other processes must be able to import it.

    Raises:
        PartOver: the time of one was over; what had begun is done, and the rest is not.
    """
    if workers == 1 or len(work) <= 1:
        for one in work:
            one(said)
        return
    with ProcessPoolExecutor(min(workers, len(work)), get_context("spawn")) as pool:
        futures = [pool.submit(one, tell_error_stream) for one in work]
        try:
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
