"""Plays episodes in this process: for debuggers, and for runs too small for a worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from omnipilot.agents import build
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.control import RunCommand
from omnipilot.bench.journal.events import Event
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.journal.run_directory import CHECKED
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.memory.store.episode_store import EpisodeStore, Keep
from omnipilot.memory.warm_up import warm_up


class InlineRunner:
    """Plays episodes in the calling thread. A crash of an agent or device ends the whole run.

    Args:
        media: folder of the run's media. keep: which captures are kept.
        emit: receives each event in order; an exception from it ends the episode.
        messages: whether what models are sent and answer is kept.

    Attributes:
        slot, attempt: the current episode; None between episodes. tally: of that attempt since its first event.
        began: when, on the monotonic clock. handed: when it was given to it. heard: when its last event came.
        over: the attempt has ended. ready: always true.
    """

    ready = True

    def __init__(
        self,
        spec: RunSpec,
        suite: Suite,
        media: Path,
        emit: Callable[[InlineRunner, Event], None],
        messages: bool = True,
        keep: Keep = "all",
    ) -> None:
        self.slot: Slot | None = None
        self.attempt = 0
        self.tally: Tally | None = None
        self.began = 0.0
        self.heard = self.handed = time.monotonic()
        self.over = False
        truth = EpisodeTruth()
        # Without a writer: this thread does everything, where a debugger can follow it.
        store = EpisodeStore(media, media.parent / CHECKED, keep)
        agent = build(spec.agent, truth, store)
        warm_up(agent)
        self._player = EpisodeRunner(spec, suite, agent, store, lambda event: emit(self, event), truth, messages)

    def play(self, slot: Slot, attempt: int) -> None:
        """Play one attempt to its end. Exceptions from the agent, the environment or the suite pass through."""
        self.slot, self.attempt, self.tally, self.over = slot, attempt, None, False
        self.heard = self.handed = time.monotonic()
        self._player.play(slot, attempt)
        self.slot = None

    def raise_limit(self, command: RunCommand) -> None:
        """Raise a limit of the episode that is being played."""
        self._player.raise_limit(command)

    def abandon(self) -> None:
        """Leave the episode that an exception ended, with its world."""
        self._player.abandon()
        self.slot = None

    def close(self) -> None:
        """Release the world."""
        self._player.close()
