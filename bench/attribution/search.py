"""Finds the cause of a failure: where the episode was lost, and which part of the truth would have saved it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.examine import examine
from omnipilot.bench.attribution.experiments import EXPERIMENTS, Experiment
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.attributions import Attribution, Cause, ExperimentResult
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import VOID, Episode, Slot, judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.fork import ForkPoint, fork_spec
from omnipilot.bench.run.runner import run
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.stage_model import BudgetSpent
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import ConfigError

ORACLE, CONTROL = "oracle", "nothing exchanged"
OnFinding = Callable[[str, ExperimentResult], None]


class Attributor:
    """Finds the causes of a run's failures: plays episodes again from a turn, each time with one part exchanged.

    1. The oracle says from which turns on the task can still be solved, by halving: the last of these is where the
       episode was *lost*, and a task that it cannot solve from the start is the world's fault or the task's.
    2. From there, or from the last turn where nothing was lost, each part in turn is exchanged for the truth, and once
       nothing is. What is solved with one part and not without is that part's failure.
    3. What none of these repairs is tried once more from the first turn, since a part may have misled long before.

    Args:
        folder: the run's directory. out: where the forks are written, a directory each, so that they can be looked at
            and what was played is not played again.
        times: forks of each experiment; more where the agent draws at random or asks a model. jobs: worker processes.
        spending: what may be spent on all of them.
        on_finding: told each experiment, with the episode's key, when it is over.

    Raises:
        ConfigError: `times` is below 1, the run cannot be read, or its world cannot be put back.
    """

    def __init__(
        self,
        folder: Path,
        out: Path,
        times: int = 1,
        jobs: int = 0,
        spending: Spending | None = None,
        on_finding: OnFinding | None = None,
    ) -> None:
        if times < 1:
            raise ConfigError(f"--times must be at least 1, not {times}")
        self.folder, self.out, self.times, self.jobs = folder, out, times, jobs
        self.origin = load_run(folder)
        self._suite = load_suite(self.origin.spec.suite)
        self._spending = spending or Spending()
        self._tell = on_finding or (lambda _key, _finding: None)

    def failures(self) -> tuple[Episode, ...]:
        """As `failures_of`, of this run."""
        return failures_of(self.origin)

    def attribute(self, episode: Episode) -> Attribution:
        """Why an episode failed.

        Raises:
            ConfigError: it cannot be played again as it was recorded.
            BudgetSpent: the money was spent before its cause was known.
        """
        if episode.void:
            return Attribution(episode.key, Cause.ENVIRONMENT, f"the attempt was void: {episode.detail}")
        return _Search(self, episode).find()

    def play(self, episode: Episode, turn: int, name: str, exchange: PartExchange) -> ExperimentResult:
        """Play one experiment, or read what was played before."""
        slot = Slot.of_key(episode.key)
        point = ForkPoint(self.folder, slot, turn, shadow=False if exchange.anew else None)
        # What is exchanged may know the truth, whatever the run promised of itself.
        settings = replace(exchange.settings, honest="")
        spec, record = fork_spec(point, settings, (), 1 if exchange.anew else self.times)
        spec = _with_room(spec, turn, record.started.limits, exchange.hint)
        folder = self.out / _file_name(episode.key) / f"{_file_name(name)}-{turn}"
        how = RunExecution(self.jobs, spending=self._spending)
        result = run(spec, folder, how, agent=examine(spec.agent))
        if result.interrupted:
            raise KeyboardInterrupt
        if result.over_budget:
            raise BudgetSpent(self._spending.words())
        played = [one for one in result.episodes if one.reason != VOID]
        finding = ExperimentResult(
            name, exchange.cause, turn, sum(one.success for one in played), len(played), str(folder)
        )
        self._tell(episode.key, finding)
        return finding

    def task(self, slot: Slot) -> Task:
        """The task of an episode, as the suite has it."""
        return self._suite.instantiate(slot.task, slot.instance)


def failures_of(run: Run) -> tuple[Episode, ...]:
    """The episodes of a run that were not solved, void ones included, in its order; none that nobody judged."""
    return tuple(one for one in judged_episodes(run.episodes) if not one.success)


class PartExchange:
    """What differs in an experiment.

    Args:
        settings: of the agent. cause: see `ExperimentResult`. hint: see `ForkSpec`.
        anew: whether the agent is another one, which learns nothing from the turns before.
    """

    def __init__(self, settings: RunSettings, cause: Cause | None = None, hint: str = "", anew: bool = False) -> None:
        self.settings, self.cause, self.hint, self.anew = settings, cause, hint, anew


class _Search:
    """The search for the cause of one episode."""

    def __init__(self, attributor: Attributor, episode: Episode) -> None:
        self.whole, self.episode = attributor, episode
        self.findings: list[ExperimentResult] = []
        slot = Slot.of_key(episode.key)
        self.record = RecordedAttempt.of_events(attempt_events(attributor.folder, slot.key, episode.attempt))
        ended = self.record.ended
        # The turn of a claim is decided anew; after any other end there is one more turn to decide.
        last = len(self.record.turns)
        self.last = last if ended is not None and ended.status and last else last + 1
        task = attributor.task(slot)
        self.knows_way, self.has_low = task.solution is not None, bool(task.low)

    def find(self) -> Attribution:
        broken: int | None = None
        if self.knows_way and not self._oracle(self.last):
            if not self._oracle(1):
                return self._because(Cause.ENVIRONMENT, "its demonstration does not solve it from the start either")
            broken = self._broken()
        start = broken or self.last
        for turn in dict.fromkeys((start, 1)):
            if found := self._swap(turn, broken):
                return found
        return self._unrepaired(broken)

    def _oracle(self, turn: int) -> bool:
        changes = RunSettings(planner=PartSpec("oracle"), grounder=PartSpec("elements"), stop=PartSpec("none"))
        exchange = PartExchange(changes, anew=True)
        return self._play(turn, ORACLE, exchange).repairs

    def _broken(self) -> int:
        """The last turn from which the oracle can finish; it can from the first, and not from the last."""
        good, bad = 1, self.last
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if self._oracle(middle) else (good, middle)
        return good

    def _swap(self, turn: int, broken: int | None) -> Attribution | None:
        control = self._play(turn, CONTROL, PartExchange(RunSettings()))
        repaired = [
            (one, found)
            for one in EXPERIMENTS
            if (found := self._try(one, turn)) is not None and found.repairs and found.solved > control.solved
        ]
        if control.repairs and not repaired:
            return self._because(
                Cause.CHANCE, f"the same agent solved it when it went on again from turn {turn}", broken
            )
        if not repaired:
            return None
        best, found = repaired[0]
        others = [f"{one.name}" for one, _ in repaired[1:]]
        too = f"; so do {', '.join(others)}" if others else ""
        score = f"{found.solved} of {found.times}, against {control.solved} of {control.times} with nothing exchanged"
        return self._because(best.cause, f"{best.name} from turn {turn} repairs it ({score}){too}", broken)

    def _try(self, experiment: Experiment, turn: int) -> ExperimentResult | None:
        spec = self.whole.origin.spec.agent
        why = experiment.refuse(spec)
        if not why and experiment.hint == "way" and not self.knows_way:
            why = "the suite has no demonstration"
        if not why and experiment.hint == "low" and not self.has_low:
            why = "the task has one wording"
        if not why:
            try:
                return self._play(
                    turn, experiment.name, PartExchange(experiment.changes, experiment.cause, experiment.hint)
                )
            except BudgetSpent:
                raise
            except ConfigError as error:
                why = str(error)
        self.findings.append(ExperimentResult(experiment.name, experiment.cause, turn, 0, 0, note=why))
        return None

    def _play(self, turn: int, name: str, exchange: PartExchange) -> ExperimentResult:
        finding = self.whole.play(self.episode, turn, name, exchange)
        self.findings.append(finding)
        return finding

    def _unrepaired(self, broken: int | None) -> Attribution:
        if self.episode.status == "success":
            return self._because(Cause.CLAIMED, "it claimed success, and no exchange of one part repairs it", broken)
        return self._because(Cause.OPEN, "no exchange of one part repairs it", broken)

    def _because(self, cause: Cause, why: str, broken: int | None = None) -> Attribution:
        return Attribution(self.episode.key, cause, why, broken, tuple(self.findings))


def _with_room(spec: RunSpec, turn: int, limits: Mapping[str, Any], hint: str) -> RunSpec:
    """The specification with the hint, and with room after the fork for as much as the whole episode was allowed.

    Args:
        turn: the first that is decided anew, from 1. limits: of the recorded episode.
    """
    assert spec.forked is not None
    room = {name: 2 * limits[name] for name in ("actions", "tokens", "seconds", "cost", "working") if limits.get(name)}
    if limits.get("turns"):
        room["turns"] = turn - 1 + limits["turns"]
    return replace(spec, limits=replace(spec.limits, **room), forked=replace(spec.forked, hint=hint))


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text)
