"""The parent's loop over its workers: assigns episodes, journals their events, and detects dead workers."""

from __future__ import annotations

import selectors
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from omnipilot.bench.journal.control import CANCELLED, ControlFile, RunCommand
from omnipilot.bench.journal.episode_start import limits_of, started_event
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    Interrupted,
    PersonActed,
    WorkerJoined,
    event_from_json,
)
from omnipilot.bench.journal.journal import Journal, encode
from omnipilot.bench.journal.results import SUCCESS, UNJUDGED, VOID, Episode, Slot
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.journal.void_reasons import silent_words, void_words
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.commands import CommandTaker
from omnipilot.bench.run.executors.failures import RunFailure, failure_of, stop_words
from omnipilot.bench.run.executors.inline import InlineRunner
from omnipilot.bench.run.executors.permits import PermitDesk
from omnipilot.bench.run.executors.processes import ChildProcess, WarmProcess
from omnipilot.bench.run.executors.worker_process import WorkerProcess, cause_of_death, stop_all
from omnipilot.bench.run.executors.workers_file import WorkersFile, WorkerState
from omnipilot.bench.run.interrupts import ending_signals, signals_to
from omnipilot.bench.run.progress import Standing
from omnipilot.bench.run.time_left import EndedWork, seconds_left
from omnipilot.bench.settings import ALL_MEDIA, MESSAGES
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError, OmnipilotError
from omnipilot.envs.logs import logger_of
from omnipilot.envs.schema import parse_json
from omnipilot.memory.models.broker.local import LocalPermits
from omnipilot.memory.models.broker.permits import share_permits

TICK = 0.2
"""Seconds between two looks at the clock; progress is told about as often."""
PATIENCE = 10.0
"""Seconds that a worker has to close its world before it is killed."""
DEATHS_IN_A_ROW = 3
"""Workers that may die, one after the other and with no episode ended in between, for each job."""

IN_TROUBLE = 3
"""Episodes that came out void for one reason, and no other ended, before that is told while the run goes on."""
_LOG = logger_of("run")


class RunFailed(OmnipilotError):
    """A bug in an agent, environment or suite stopped the run.

    The message is a line that names the part of somebody's own that failed, and its file and line; the whole traceback
    is in `failure.txt` in the run directory. Of a bug anywhere else the message contains the traceback, too.

    Finished episodes are in the journal: once the bug is fixed, the same command resumes the run.
    """


class _Interrupted(BaseException):
    """A run that plays in this process is stopped; raised between two events."""


class _Cancelled(BaseException):
    """A person ends the episode that plays in this process; raised between two events."""


class Dispatch:
    """The only writer of a run's journal while its workers play.

    Args:
        start: the first message to each worker.
        how: they are played.
        todo: episodes, each with the number of its attempt.
        kept: episodes already finished.
        control: what persons ask of the run; None if nobody can.
        elsewhere: begins the process of a worker on another machine; None to play on this one.
        lengths: how long an episode of each task is expected to take, in any unit; None if they are not known.

    Attributes:
        ran: episodes finished. signals: number of Ctrl-C presses and SIGTERMs. paused: no further episode begins.
        ends: the last end of each episode that has one, as (attempt, whether it is void).
    """

    def __init__(
        self,
        spec: RunSpec,
        suite: Suite,
        journal: Journal,
        start: Mapping[str, Any],
        how: RunExecution,
        todo: Sequence[tuple[Slot, int]],
        kept: Sequence[Episode],
        control: ControlFile | None = None,
        elsewhere: Callable[[tuple[int, int]], ChildProcess] | None = None,
        lengths: Mapping[str, float] | None = None,
    ) -> None:
        self.spending = how.spending
        self.voids = how.voids
        self.spec = spec
        self.suite = suite
        self.journal = journal
        self.start = start
        self.jobs = how.jobs
        self.todo = deque(todo)
        self.tell = how.on_progress
        self.selector = selectors.DefaultSelector()
        self.workers: set[WorkerProcess] = set()
        self.inline: InlineRunner | None = None
        self._warm: WarmProcess | None = None
        self._elsewhere = elsewhere
        self._broker = how.broker
        self.permits = PermitDesk(self._broker)
        self.began = time.monotonic()
        self.first: float | None = None
        self.last_end = self.began
        self.told = 0.0
        self._idle = threading.Event()
        self.before = len(kept)
        self.solved = sum(episode.success for episode in kept)
        self.void = sum(episode.void for episode in kept)
        self.unjudged = sum(episode.unjudged for episode in kept)
        self.ran = 0
        self._work = EndedWork()
        self._lengths = lengths or {}
        self._usual = fmean(self._lengths.values()) if self._lengths else 1.0
        self.troubles: set[str] = set()
        self.deaths = 0
        self.signals = 0
        self.paused = False
        self.ends = {episode.key: (episode.attempt, episode.void) for episode in kept}
        self._commands = None if control is None else CommandTaker(self, control)
        self._looked = self.began
        self._cancel: RunCommand | None = None
        self._silence = how.silence
        self._shown = WorkersFile(journal.path.parent)

    @property
    def seconds(self) -> float:
        """Wall-clock seconds from the start of the first episode to the end of the last."""
        return 0.0 if self.first is None else max(0.0, self.last_end - self.first)

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped the run."""
        return self.signals > 0

    @property
    def stopping(self) -> bool:
        """Whether the run is to end before all episodes are played."""
        return self.interrupted or self.spending.used_up or self.voids.reached

    def go(self) -> None:
        """Play all episodes, or until Ctrl-C, the end of the budget, or too many void episodes in a row.

        No worker is left running when this returns or raises.

        Raises:
            ConfigError, RunFailed: as `omnipilot.bench.run.runner.run`.
        """
        with self._shown, _counting_interrupts(self):
            if not self.jobs:
                self._play_here()
            try:
                self._warm_up()
                self._loop()
            finally:
                running = [player.tally.started.key for player in self._players() if player.tally and not player.over]
                # A second Ctrl-C means: do not even wait for devices to be released.
                stop_all(self.workers, PATIENCE, lambda: self.signals > 1)
                for worker in self.workers:
                    self.permits.forget(worker)
                if self._warm is not None:
                    self._warm.close()
                self.selector.close()
            for one in self._broker.standing():
                if one.window is not None:
                    _LOG.info("%s: at the end, %d requests at once", one.base, one.window)
            if self.interrupted or running:
                why = "" if self.interrupted else "budget" if self.spending.used_up else "voids"
                self.journal.append(Interrupted(time.time(), sorted(running), why))
        self.tell(self._standing(over=True))

    def _warm_up(self) -> None:
        """Begin to load what workers share; a single one shares with nobody."""
        if self._elsewhere is None and min(self.jobs, len(self.todo)) > 1 and sys.platform == "linux":
            self._warm = WarmProcess(self.start)
            self.selector.register(self._warm.messages, selectors.EVENT_READ, self._warm)

    def _loop(self) -> None:
        while not self.stopping and (self.todo or any(worker.slot for worker in self.workers)):
            self._hand_out()
            self._listen()
            self._take_commands()
            self._replace_hung()
        for worker in self.workers:
            worker.quit()
        deadline = time.monotonic() + PATIENCE
        while self.workers and not self.stopping and time.monotonic() < deadline:
            # A world that cannot be closed is a bug that is heard here.
            self._listen()

    def _play_here(self) -> None:
        """Play everything in the calling thread, or until Ctrl-C."""
        share_permits(LocalPermits(self._broker))
        try:
            media, messages = Path(self.start["media"]), self.start.get("messages", MESSAGES) == MESSAGES
            keep = self.start.get("keep", ALL_MEDIA)
            with closing(InlineRunner(self.spec, self.suite, media, self._take, messages, keep)) as self.inline:
                while self.todo and not self.stopping:
                    if self.paused:
                        self._idle.wait(TICK)
                        self._take_commands()
                        self._report_progress()
                    else:
                        self._play_one(self.inline, *self.todo.popleft())
        except (_Interrupted, KeyboardInterrupt):
            if not self.stopping:
                raise
        except ConfigError:
            raise
        except BaseException as error:
            # SystemExit from foreign code is as much a bug as any other.
            playing = self.inline.slot.key if self.inline and self.inline.slot else "outside an episode"
            raise self._failed(playing, failure_of(error, self.spec)) from error
        finally:
            share_permits(None)

    def _play_one(self, player: InlineRunner, slot: Slot, attempt: int) -> None:
        try:
            player.play(slot, attempt)
        except _Cancelled:
            assert self._cancel is not None
            command, self._cancel = self._cancel, None
            # What is asked of it from now on comes too late.
            player.over = True
            player.abandon()
            self._cut_off_by(command, player, slot)

    def _take(self, player: InlineRunner, event: Event) -> None:
        if self.stopping:
            raise _Interrupted
        self._event(player, event, encode(event))
        self._report_progress()
        self._take_commands()
        if self._cancel is not None and not player.over:
            raise _Cancelled

    def _take_commands(self) -> None:
        """Do what persons asked since the last look, a few times a second."""
        if self._commands is not None and time.monotonic() - self._looked >= TICK:
            self._looked = time.monotonic()
            self._commands.take()

    def _replace_hung(self) -> None:
        """End workers from which nothing comes any more, and kill those that do not end when told to."""
        now = time.monotonic()
        for worker in self.workers:
            if worker.ending and now > worker.deadline:
                worker.kill()
            elif self._silence and worker.is_silent(now, self._silence) and not self.permits.waits(worker):
                key = worker.slot.key if worker.slot else ""
                _LOG.warning("%s: no event for %.0f s; its worker is replaced", key, now - worker.heard)
                worker.give_up(PATIENCE)

    def player_of(self, key: str) -> WorkerProcess | InlineRunner | None:
        """Who plays an episode now; None if nobody does."""
        here = (player for player in self._players() if player.slot is not None and not player.over)
        return next((player for player in here if player.slot is not None and player.slot.key == key), None)

    def cancel(self, player: WorkerProcess | InlineRunner, command: RunCommand) -> bool:
        """End the episode that somebody plays, void; the journal tells when it is. False if it was asked before."""
        if isinstance(player, WorkerProcess):
            if player.cancelled is not None:
                return False
            player.cancel(command, PATIENCE)
            return True
        if self._cancel is not None:
            return False
        self._cancel = command
        return True

    def requeue(self, slot: Slot) -> None:
        """Play a void episode once more, after the others."""
        attempt, _ = self.ends.pop(slot.key)
        self.todo.append((slot, attempt + 1))
        self.before -= 1
        self.void -= 1

    def _players(self) -> list[WorkerProcess | InlineRunner]:
        return [*self.workers, *([self.inline] if self.inline else [])]

    def _listen(self) -> None:
        for key, _ in self.selector.select(self.permits.patience(TICK)):
            if isinstance(key.data, WarmProcess):
                # It speaks once of itself; afterwards it answers.
                self.selector.unregister(key.data.messages)
                key.data.hear()
            else:
                self._hear(key.data)
        self.permits.grant()
        self._report_progress()

    def _report_progress(self) -> None:
        if time.monotonic() - self.told >= TICK:
            self.told = time.monotonic()
            self.tell(self._standing())
            states = [_state_of(player, self.told, self.permits) for player in self._players()]
            self._shown.write(states, self._broker.standing())

    def _hand_out(self) -> None:
        """Give episodes to workers that have none, and hire more workers while there may be more."""
        if self._warm is not None and not self._warm.ready:
            return
        free = [worker for worker in self.workers if worker.slot is None and not worker.ending]
        idle = [worker for worker in free if worker.here]
        coming = len(free) - len(idle)
        while self.todo and not self.paused and (idle or (coming < len(self.todo) and len(self.workers) < self.jobs)):
            worker = idle.pop() if idle else self._hire()
            if worker.here:
                worker.play(*self.todo.popleft())
            else:
                coming += 1

    def _hire(self) -> WorkerProcess:
        worker = WorkerProcess(self.start, self._warm, self._elsewhere)
        self.workers.add(worker)
        self.selector.register(worker.events, selectors.EVENT_READ, worker)
        return worker

    def _hear(self, worker: WorkerProcess) -> None:
        lines = worker.read()
        if lines is None:
            self._died(worker)
            return
        for line in lines:
            data = parse_json(line)
            if "worker" in data:
                self._message(worker, data)
            else:
                event = event_from_json(data)
                if isinstance(event, PersonActed):
                    worker.raising.pop(event.command, None)
                self._event(worker, event, line)

    def _message(self, worker: WorkerProcess, data: dict[str, Any]) -> None:
        if self.permits.hear(worker, data):
            return
        if data["worker"] == "failed":
            if worker.ending:
                # It was interrupted in any place, perhaps while it talked to a device: its death is what was asked for.
                _LOG.warning("the worker of an episode that was ended: %s", data["message"])
                return
            if data["kind"] == "config":
                raise ConfigError(data["message"])
            playing = worker.slot.key if worker.slot else "outside an episode"
            raise self._failed(playing, RunFailure(data["message"], data["traceback"], data.get("named", False)))
        if data["worker"] == "here":
            worker.here, worker.host = True, data["host"]
            self.journal.append(WorkerJoined(worker.host, data["provenance"], time.time()))
            return
        if not worker.ready:
            # What a worker does once is no episode's time.
            worker.ready, worker.handed = True, time.monotonic()
        if data["worker"] == "free":
            worker.slot = None

    def _failed(self, playing: str, failure: RunFailure) -> RunFailed:
        """The error of a bug, whose traceback goes into the run directory and the log."""
        _LOG.debug("%s: %s\n%s", playing, failure.words, failure.trace)
        return RunFailed(stop_words(playing, failure, self.journal.path.parent))

    def _event(self, worker: WorkerProcess | InlineRunner, event: Event, line: bytes) -> None:
        worker.heard = time.monotonic()
        if self.interrupted and isinstance(event, EpisodeEnded) and event.void:
            # What tells this process to end may have told the episode's device, too; it is played again.
            return
        self.journal.append_line(line)
        self.spending.take(event)
        if isinstance(event, EpisodeStarted):
            worker.tally, worker.began = Tally(event), time.monotonic()
            self.first = self.first or worker.began
        elif worker.tally is not None:
            worker.tally.take(event)
        if isinstance(event, EpisodeEnded):
            worker.over = True
            self.deaths = 0
            self._work.add(time.monotonic() - worker.handed, self._length(worker.slot))
            self._ended(event)

    def _ended(self, event: EpisodeEnded) -> None:
        self.journal.sync()
        self.ran += 1
        self.solved += event.reason == SUCCESS
        self.void += event.reason == VOID
        self.unjudged += event.reason == UNJUDGED
        self.ends[event.key] = (event.attempt, event.void)
        if event.detail != CANCELLED:
            # What a person ended says nothing of what keeps episodes from being played.
            self.voids.take(event)
            self.troubles.add(void_words(event.detail) if event.reason == VOID else "")
        self.last_end = time.monotonic()

    def _died(self, worker: WorkerProcess) -> None:
        self.selector.unregister(worker.events)
        self.workers.discard(worker)
        self.permits.forget(worker)
        # Its events have ended, so it is dead or on its last instructions.
        worker.ended(PATIENCE)
        cause = cause_of_death(worker.bury())
        for late in worker.raising.values():
            self.journal.append(late.acted(refused="the episode had ended"))
        if (command := worker.cancelled) is not None:
            if worker.slot is None or worker.over:
                self.journal.append(command.acted(refused="the episode had ended"))
            else:
                self._cut_off_by(command, worker, worker.slot)
            return
        if worker.slot is None or self.interrupted:
            if not worker.here and self.todo and not self.stopping:
                self._count_death(cause)
            return
        if worker.silent:
            if not worker.over:
                self._cut_off(worker, worker.slot, silent_words(self._silence))
            return
        if worker.cut_off:
            self._play_again(worker, worker.slot)
            if self._elsewhere is not None:
                # A machine may be lost again and again; what a process of this one is forked from dies once.
                self._count_death(cause)
            return
        if not worker.ready:
            self.todo.appendleft((worker.slot, worker.attempt))
        elif not worker.over:
            self._cut_off(worker, worker.slot, f"worker died ({cause})")
        self._count_death(cause)

    def _count_death(self, cause: str) -> None:
        self.deaths += 1
        if self.deaths >= DEATHS_IN_A_ROW * self.jobs:
            raise RunFailed(
                f"{self.deaths} workers died in a row, the last by {cause}; "
                "see their output above; fewer --jobs need less memory"
            )

    def _play_again(self, worker: WorkerProcess, slot: Slot) -> None:
        """Take back the episode of a worker that died with the process it was forked from, or with its machine.

        That is no fault of it. That process dies once, so this comes once for each worker, and is no reason to give the
        run up.
        """
        if worker.over:
            return
        _LOG.warning("%s: its worker died with what it came from; it is played again", slot.key)
        self.todo.appendleft((slot, worker.attempt + (worker.tally is not None)))

    def _cut_off_by(self, command: RunCommand, player: WorkerProcess | InlineRunner, slot: Slot) -> None:
        self.journal.append(command.acted(player.attempt))
        self._cut_off(player, slot, CANCELLED)

    def _cut_off(self, worker: WorkerProcess | InlineRunner, slot: Slot, detail: str) -> None:
        tally, wall = worker.tally, time.monotonic() - worker.began
        if tally is None:
            tally, wall = Tally(self._unbegun(slot, worker.attempt)), 0.0
            self.journal.append(tally.started)
        event = tally.ended(VOID, detail=detail, wall_seconds=wall)
        self.journal.append(event)
        self._ended(event)

    def _unbegun(self, slot: Slot, attempt: int) -> EpisodeStarted:
        task = self.suite.instantiate(slot.task, slot.instance)
        return started_event(task, slot, attempt, "", limits_of(task, self.spec))

    def _standing(self, over: bool = False) -> Standing:
        done = self.before + self.ran
        running = sum(player.slot is not None and not player.over for player in self._players())
        left = len(self.todo) + running
        seconds = time.monotonic() - self.began
        same = len(self.troubles) == 1 and self.ran >= IN_TROUBLE
        trouble = next(iter(self.troubles)) if same else ""
        spent = self.spending
        figures = (done, done + left, self.solved, self.void, self.ran, running, seconds, over, trouble)
        return Standing(*figures, spent.paid, spent.most, self.paused, self.unjudged, self._time_left())

    def _time_left(self) -> float | None:
        now = time.monotonic()
        going = [player for player in self._players() if player.slot is not None and not player.over]
        playing = [(self._length(one.slot), now - one.handed if one.ready else 0.0) for one in going]
        waiting = sum(self._length(slot) for slot, _ in self.todo)
        return seconds_left(self._work, playing, waiting, max(1, min(self.jobs, len(self.todo) + len(going))))

    def _length(self, slot: Slot | None) -> float:
        return self._usual if slot is None else self._lengths.get(slot.task, self._usual)


def _state_of(player: WorkerProcess | InlineRunner, now: float, permits: PermitDesk) -> WorkerState:
    """What a worker does, for those who look at the run from outside."""
    key = player.slot.key if player.slot else ""
    doing = "starts" if not player.ready else "waits" if not key else "ends" if player.over else "plays"
    host = "" if isinstance(player, InlineRunner) else player.host
    state = WorkerState(doing, key, player.attempt if key else 0, now - player.heard, host=host)
    if not isinstance(player, InlineRunner) and (endpoint := permits.asked(player)):
        return replace(state, endpoint=endpoint, queued=permits.waits(player))
    return state


def _counting_interrupts(state: Dispatch) -> AbstractContextManager[None]:
    """Count Ctrl-C presses and SIGTERMs; they take effect between two events, never while one is being written."""

    def count() -> None:
        state.signals += 1
        if not state.jobs and state.signals > 1:
            raise KeyboardInterrupt

    return signals_to([signal.SIGINT, *ending_signals()], count)
