"""The record of a session: a run directory like any other, with one episode for each task that was opened."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from omnipilot.agents import AgentSpec, Limits, PartSpec
from omnipilot.bench.episode.course import AttemptEnd
from omnipilot.bench.episode.pointing import TruthfulJudge
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.episode_start import started_event
from omnipilot.bench.journal.events import Event, RunStarted
from omnipilot.bench.journal.journal import MEDIA, Journal
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.journal.provenance import provenance
from omnipilot.bench.journal.recorder import EpisodeRecorder, change_to_json
from omnipilot.bench.journal.results import Slot, survey_of
from omnipilot.bench.journal.run_directory import CHECKED, check_folder, prepare, read_spec
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.settings import MOST_COUNT
from omnipilot.bench.spec import GuardSpec, RunLimits, RunSpec
from omnipilot.bench.tasks.task import Suite, Task
from omnipilot.envs import Modality, Thinking, World
from omnipilot.memory import MediaStore
from omnipilot.memory.store.durable import make_folder

PLANNER = "session"
"""The name of the planner of runs that a session recorded: whoever called it decided."""


class SessionRecord:
    """Writes a session into a run directory, which it holds until it is closed; `report`, `show` and the other commands
    read it as any run.

    Args:
        folder: of the record; one that holds an earlier record of the same settings goes on.
        part: the suite, by name. grounder: what finds described places. limits: those that were given; None for none.
        guard: what the caller may do; None for everything.

    Raises:
        ConfigError: the folder holds something else, or is being written.
    """

    def __init__(
        self,
        folder: Path,
        suite: Suite,
        part: PartSpec,
        grounder: PartSpec,
        modalities: frozenset[Modality],
        limits: Limits | None,
        thinking: Thinking,
        guard: GuardSpec | None = None,
    ) -> None:
        self.folder = folder
        self._suite = suite
        given = {} if limits is None else {spec.name: getattr(limits, spec.name) or 0 for spec in fields(limits)}
        agent = AgentSpec(planner=PartSpec(PLANNER), grounder=grounder, memory=PartSpec("none"), modalities=modalities)
        most = RunLimits(**given)
        self._spec = RunSpec(
            agent, part, suite.version, limits=most, thinking=thinking, retries=MOST_COUNT, guard=guard
        )
        make_folder(folder)
        self._lock = RunLock(folder)
        try:
            earlier = read_spec(folder)
            tasks = () if earlier is None else tuple(earlier["tasks"])
            if earlier is not None:
                sizes = {name: earlier[name] for name in ("instances", "trials")}
                self._spec = replace(self._spec, tasks=tasks, **sizes)
            # A new record has no tasks yet: it states its first one when that is opened.
            check_folder(folder, self._spec, self._all_tasks())
            self._journal = Journal.open(folder)
            self._attempts = dict(survey_of(folder).attempts)
        except BaseException:
            self._lock.release()
            raise
        self._started = False
        self._store = MediaStore(folder / MEDIA, folder / CHECKED)
        self._tally: Tally | None = None

    def next_trial(self, task: str, instance: int) -> int:
        """The first trial of an instance that is not in the record."""
        trial = 0
        while Slot(task, instance, trial).key in self._attempts:
            trial += 1
        return trial

    def begin(self, task: Task, slot: Slot, instruction: str, limits: Limits, truth: EpisodeTruth) -> EpisodeRecorder:
        """Begin an episode; the recorder takes what happens in it."""
        self._grow(slot)
        self._store.forget()
        self._attempts[slot.key] = attempt = self._attempts.get(slot.key, 0) + 1
        started = started_event(task, slot, attempt, instruction, limits)
        self._journal.append(started)
        self._tally = tally = Tally(started)

        def emit(event: Event) -> None:
            tally.take(event)
            self._journal.append(event)

        return EpisodeRecorder(
            slot.key,
            attempt,
            self._store,
            emit,
            granted=self._spec.agent.modalities,
            judge=TruthfulJudge(truth),
            policy=self._spec.guard.digest if self._spec.guard is not None else "",
        )

    def end(self, end: AttemptEnd, observations: Mapping[str, Any], now: float | None, wall: float) -> None:
        """End the episode."""
        if self._tally is None:
            return
        changes = [change_to_json(change) for change in end.changes]
        self._store.sync()
        told = self._tally.ended(end.reason, end.status, end.detail, changes, observations, now, wall, harms=end.harms)
        self._journal.append(told)
        self._journal.sync()
        self._tally = None

    def close(self) -> None:
        """Release the folder. An episode that was not ended counts as cut off. May be called twice."""
        self._journal.close()
        self._lock.release()

    def _grow(self, slot: Slot) -> None:
        """State in the record that it has this episode, too."""
        spec = self._spec
        if self._started and slot.task in spec.tasks and slot.instance < spec.instances and slot.trial < spec.trials:
            return
        named = {*spec.tasks, slot.task}
        tasks = tuple(task for task in self._all_tasks() if task in named)
        sizes = max(spec.instances, slot.instance + 1), max(spec.trials, slot.trial + 1)
        self._spec = replace(spec, tasks=tasks, instances=sizes[0], trials=sizes[1])
        self._started = True
        prepare(self.folder, self._spec, self._all_tasks())
        plain = self._spec.to_json()
        self._journal.append(RunStarted(self._spec.identity, plain, provenance(), time.time(), list(tasks)))
        self._journal.sync()

    def _all_tasks(self) -> tuple[str, ...]:
        return tuple(info.id for info in self._suite.every())


def last_look(world: World, recorder: EpisodeRecorder) -> dict[str, Any]:
    """The final observation of each environment, as the end of an episode records it.

    Raises:
        EnvLost: a device is gone.
    """
    since = {name: recorder.latest.get(name, world.now) for name in world.envs}
    return {name: recorder.kept(seen) for name, seen in world.observe_together(recorder.modalities, since).items()}
