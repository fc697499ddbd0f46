"""Which part of a run's episodes a shard plays."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.envs import ConfigError

MOST = 100_000
"""Most shards of a run: more are a slip of the hand."""
NOTE = "shard"
"""Where the provenance of a start says which shard it plays."""
_WRITTEN = re.compile(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of a run, each played in a directory of its own.

    Which episodes it plays follows from the suite's tasks alone: these are put in the order of the SHA-256 of their
    ids, and the n-th of them, from 0, in instance i and trial t belongs to shard 1 + (n + i + t) mod N. So shards have
    about as many episodes each, the trials of a long task are spread over them, and a run that grows by instances,
    trials or tasks moves no episode to another shard.

    Attributes:
        number: which one, from 1. of: how many there are.

    Raises:
        ConfigError: there is no such shard.
    """

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.of <= MOST:
            raise ConfigError(f"--shard {self}: a run has 1 to {MOST:,} shards; for eight, write 1/8, 2/8, … 8/8")
        if not 1 <= self.number <= self.of:
            raise ConfigError(f"--shard {self}: shards are counted from 1/{self.of} to {self.of}/{self.of}")

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard that is written so, as "3/8".

        Raises:
            ConfigError: it is not written so, or there is no such shard.
        """
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise ConfigError(f"--shard {text}: write which of how many, such as 3/8, the third of eight")
        return cls(int(found[1]), int(found[2]))

    @classmethod
    def of_provenance(cls, made_with: Mapping[str, Any]) -> Shard | None:
        """The shard that a start of a run says it plays; None if it says none."""
        told = made_with.get(NOTE)
        try:
            return None if not isinstance(told, Mapping) else cls(int(told["number"]), int(told["of"]))
        except (KeyError, TypeError, ValueError, ConfigError):
            return None

    def plays(self, places: Mapping[str, int], task: str, instance: int, trial: int) -> bool:
        """Whether an episode is of this shard.

        Args:
            places: of all tasks of the suite, see `places_of`.
        """
        return (places[task] + instance + trial) % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def places_of(tasks: Iterable[str]) -> dict[str, int]:
    """The place of each task of a suite, from 0, in the order of the SHA-256 of their ids."""
    ordered = sorted(tasks, key=lambda task: hashlib.sha256(task.encode("utf-8", "surrogatepass")).digest())
    return {task: place for place, task in enumerate(ordered)}


def planned_here(starts: Iterable[Mapping[str, Any]], whole: int) -> int:
    """How many of a run's episodes its directory is to hold: those of the shards that were started in it, or all if a
    start was of no shard, or there was none.

    Args:
        starts: the provenance of each start. whole: episodes of the run.
    """
    shards: dict[Shard, int] = {}
    for made_with in starts:
        shard = Shard.of_provenance(made_with)
        if shard is None:
            return whole
        count = made_with[NOTE].get("episodes")
        shards[shard] = count if isinstance(count, int) else whole
    return min(whole, sum(shards.values())) if shards else whole
