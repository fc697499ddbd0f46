"""Runs: all episodes of a specification, in worker processes, into one directory, resumed where they were left."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.agents import AgentSpec
from omnipilot.agents.assembly.build import PLANNERS, prompts, solution_player
from omnipilot.bench.journal.episode_start import without_idle_limits
from omnipilot.bench.journal.events import RunStarted
from omnipilot.bench.journal.experience import with_experience
from omnipilot.bench.journal.journal import MEDIA, Journal
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.journal.provenance import provenance
from omnipilot.bench.journal.results import Episode, pending, survey_of
from omnipilot.bench.journal.run_directory import prepare
from omnipilot.bench.registry import SPEECH, load_suite
from omnipilot.bench.run.executors.coordinator import Dispatch
from omnipilot.bench.run.executors.coordinator import RunFailed as RunFailed
from omnipilot.bench.run.progress import Standing
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.settings import MESSAGES, check_jobs
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import ReportsBadRecords, Suite
from omnipilot.envs import ConfigError
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory import MediaStore
from omnipilot.memory.secrets.settings import refuse_secrets
from omnipilot.memory.store.durable import make_folder

OnProgress: TypeAlias = Callable[[Standing], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of starting or resuming a run.

    Attributes:
        spec: as it was run, with the suite's version. episodes: all complete ones, of earlier starts too.
        ran: episodes that this start brought to an end. seconds: from the beginning of the first to the end of the
            last, on the wall; the start of the processes apart.
        left: episodes still missing. interrupted: the user stopped it.
        repaired: what was lost of a journal line that an earlier kill had torn, "" for nothing.
        bad: descriptions of records of the suite's data that cannot be read, so that they are not tasks.
        over_budget: it stopped because nothing more may be spent.
    """

    folder: Path
    spec: RunSpec
    episodes: tuple[Episode, ...]
    ran: int
    seconds: float
    left: int
    interrupted: bool = False
    repaired: str = ""
    bad: tuple[str, ...] = ()
    over_budget: bool = False


def run(
    spec: RunSpec,
    out: Path,
    jobs: int = 0,
    on_progress: OnProgress | None = None,
    rerun_void: bool = False,
    known: Mapping[str, Any] | None = None,
    messages: str = MESSAGES,
    spending: Spending | None = None,
) -> RunResult:
    """Run the missing episodes of a specification in directory `out`; a smaller run that is there grows.

    Returns when all are done, Ctrl-C is pressed, or the budget is used up: episodes under way are then cut off after
    the call that did it, and played again by the next start.

    Args:
        jobs: worker processes, which die with this one, however it dies; 0 plays in this process, which a debugger
            can follow; a crash of an agent or a device then takes the run with it.
        on_progress: told how things stand a few times a second.
        rerun_void: run episodes again that ended void.
        known: plain JSON values to add to the provenance.
        messages: whether what models are sent and answer is kept: "all" or "none".
        spending: what was spent before, and what may be spent; None for no limit.

    Raises:
        ConfigError: the specification cannot be run, its suite has no task, `out` holds another run (the message says
            where they differ) or is being written by another process.
        JournalError: there is no journal.
        RunFailed: a bug in an agent, an environment or a suite; or workers keep dying.
    """
    check_jobs(jobs)
    spec, suite, tasks, bad = complete(spec)
    check_solutions(spec.agent, suite, tasks)
    make_folder(out)
    with telling_disk_errors(out), RunLock(out):
        prepare(out, spec, every_task(suite))
        MediaStore(out / MEDIA).sweep()
        with Journal.open(out) as journal:
            lost = journal.repaired.lost if journal.repaired else ""
            done = survey_of(out)
            todo = pending(spec, tasks, done, rerun_void)
            if todo or done.identity != spec.identity:
                if used := with_experience(spec, suite)[1]:
                    known = {**(known or {}), "experience": used}
                made_with = {**provenance(), **({"bad_records": len(bad)} if bad else {}), **(known or {})}
                journal.append(RunStarted(spec.identity, spec.to_json(), made_with, time.time(), list(tasks)))
                journal.sync()
            if not todo:
                return RunResult(out, spec, done.episodes, 0, 0.0, 0, repaired=lost, bad=bad)
            again = {slot.key for slot, _ in todo}
            kept = [episode for episode in done.episodes if episode.key not in again]
            start = {"spec": spec.to_json(), "media": str((out / MEDIA).resolve()), "messages": messages}
            spent = spending or Spending()
            state = Dispatch(spec, suite, journal, start, jobs, todo, kept, on_progress or (lambda _: None), spent)
            state.go()
        now = survey_of(out)
        left = len(pending(spec, tasks, now))
        over = spent.used_up and left > 0
        return RunResult(out, spec, now.episodes, state.ran, state.seconds, left, state.interrupted, lost, bad, over)


def complete(spec: RunSpec) -> tuple[RunSpec, Suite, tuple[str, ...], tuple[str, ...]]:
    """A specification with everything that is filled in when a run starts.

    Returns:
        The specification, its suite, its tasks in the suite's order, and the records of the suite's data that cannot be
        read, in words.

    Raises:
        ConfigError: the specification cannot be run, or its suite has no task.
    """
    refuse_secrets({"agent": spec.to_json()["agent"], "suite": spec.to_json()["suite"]})
    suite = load_suite(spec.suite)
    bad = tuple(map(str, suite.bad)) if isinstance(suite, ReportsBadRecords) else ()
    tasks = chosen_tasks(spec, suite)
    if not tasks:
        raise ConfigError(empty(spec.suite.name, bad))
    spec = without_idle_limits(spec, suite, tasks)
    spec, _ = with_experience(spec, suite)
    told = prompts(spec.agent)
    player = solution_player(spec.agent)
    if spec.stand_in and player and getattr(PLANNERS.load(player), "true_media", False):
        raise ConfigError(
            f"planner {player!r} goes by when clips were recorded, and cannot tell substitutes from them; leave out "
            "--stand-in, or choose another planner"
        )
    if spec.speech is not None:
        SPEECH.make(spec.speech.name, spec.speech.options)
    filled = replace(spec, suite_version=suite.version, tasks=tasks if spec.tasks else (), prompts=told)
    return filled, suite, tasks, bad


def empty(suite: str, bad: Sequence[str]) -> str:
    """The message for a suite without tasks.

    Args:
        bad: the records of its data that cannot be read, in words.
    """
    why = f": {len(bad)} records of its data cannot be read or used, the first: {bad[0]}" if bad else ""
    cure = f"--data DIR names the folder; `omnipilot list suites --suite {suite}` says what belongs into it"
    return f"suite {suite} has no task to run{why}; {cure}"


def check_solutions(agent: AgentSpec, suite: Suite, tasks: Sequence[str]) -> None:
    """Refuse tasks without a solution, for a planner that plays solutions.

    Raises:
        ConfigError: some tasks have none; the message names the first of them.
    """
    player = solution_player(agent)
    if not player:
        return
    lacking = [task for task in tasks if suite.instantiate(task, 0).solution is None]
    if lacking:
        raise ConfigError(
            f"planner {player!r} plays a task's solution, and {', '.join(lacking[:3])} of suite {suite.name!r} "
            "has none; choose the others with --tasks, or another planner"
        )


def chosen_tasks(spec: RunSpec, suite: Suite) -> tuple[str, ...]:
    """The tasks of a run, in the suite's order.

    Raises:
        ConfigError: a task is named twice, or is not in the suite; the message names the nearest.
    """
    known = every_task(suite)
    if twice := {task for task in spec.tasks if spec.tasks.count(task) > 1}:
        raise ConfigError(f"tasks named twice: {', '.join(sorted(twice))}")
    for task in spec.tasks:
        if task not in known:
            suite.instantiate(task, 0)
            raise ConfigError(f"suite {suite.name!r} does not list its task {task!r}; leave it out")
    return tuple(task for task in known if not spec.tasks or task in spec.tasks)


def every_task(suite: Suite) -> tuple[str, ...]:
    """The ids of a suite's tasks, in its order."""
    return tuple(info.id for info in suite.tasks())
