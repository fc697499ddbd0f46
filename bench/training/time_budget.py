"""The minutes of a training as a whole: demonstrations get a share of them, and training has what is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.training.progress import TellLine
from omnipilot.envs import ConfigError

SHARE = 0.4
"""Part of the minutes that the samples may take at most; what they leave is the training's."""
TELL = 10.0
"""Seconds between two lines of progress."""
LEAST_SECONDS = 1.0
"""Seconds that a training has at least, however long its samples took."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """When a training has to be over, for all processes that work on it.

    Attributes:
        minutes: of the whole: samples, training, and measuring on what was held out.
        began: on `clock`, which all processes share: seconds since 1970.
    """

    minutes: float
    began: float
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        if not 0 < self.minutes < float("inf"):
            raise ConfigError(f"--minutes must be more than 0, not {self.minutes:g}; or count --steps")

    @classmethod
    def start(cls, minutes: float, clock: Callable[[], float] = time.time) -> TimeBudget:
        """A budget from now on.

        Raises:
            ConfigError: no minutes.
        """
        return cls(minutes, clock(), clock)

    @property
    def left(self) -> float:
        """Seconds until its end; at least `LEAST_SECONDS`."""
        return max(LEAST_SECONDS, self.began + 60 * self.minutes - self.clock())

    def samples_end(self, part: int = 1, parts: int = 1) -> float:
        """When no further samples may be begun, on the clock.

        Args:
            part, parts: the share is split evenly among so many kinds of samples, and this is the end of the `part`th.
        """
        return self.began + 60 * self.minutes * SHARE * part / parts


def write_within(
    write: Callable[[int], object],
    missing: Sequence[int],
    pool: Executor,
    workers: int,
    said: TellLine,
    end: float | None = None,
    least: int = 0,
    clock: Callable[[], float] = time.time,
) -> int:
    """Write the samples of instances, in order, until all are written or the time for them is over.

    Args:
        write: writes those of one instance; runs in the pool.
        workers: instances that are written at once. said: takes each line of progress.
        end: after which none is begun, on the clock; None for all.
        least: so many are written whatever the time.

    Returns:
        The number of instances that were written.
    """
    todo, running = list(missing), set[Future[Any]]()
    began = told = clock()
    done = 0
    while True:
        while todo and len(running) < workers:
            if end is not None and clock() >= end and len(missing) - len(todo) >= least:
                todo.clear()
                break
            running.add(pool.submit(write, todo.pop(0)))
        if not running:
            break
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for one in finished:
            one.result()
        done += len(finished)
        now = clock()
        if now - told >= TELL or not (todo or running):
            told = now
            said(f"{done} of {len(missing)} instances written, {(now - began) / 60:.1f} min")
    return done
