"""Runs: all episodes of a specification, in worker processes, into one directory, resumed where they were left."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly import PLANNERS
from omnipilot.agents.assembly.build import solution_player
from omnipilot.agents.assembly.examine import ExaminedAgent, examine
from omnipilot.bench.episode.guarding import check_approver
from omnipilot.bench.journal.control import ControlFile
from omnipilot.bench.journal.events import RunStarted
from omnipilot.bench.journal.experience import with_experience
from omnipilot.bench.journal.journal import MEDIA, Journal
from omnipilot.bench.journal.kept_media import note_not_kept
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.journal.provenance import provenance
from omnipilot.bench.journal.results import Episode, Slot, pending, slots, survey_of
from omnipilot.bench.journal.run_directory import prepare, read_spec
from omnipilot.bench.registry import SPEECH, SUITES, load_suite
from omnipilot.bench.run.code import code_here
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.commands import take_waiting
from omnipilot.bench.run.executors.coordinator import Dispatch
from omnipilot.bench.run.executors.coordinator import RunFailed as RunFailed
from omnipilot.bench.run.executors.processes import ChildProcess
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.servers import server_mistakes
from omnipilot.bench.run.starting_order import expected_lengths, longest_first
from omnipilot.bench.shards.shard import NOTE, Shard, places_of
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.nearest import with_examples
from omnipilot.bench.tasks.reviewed_tasks import listed_tasks, taken_out
from omnipilot.bench.tasks.task import Suite
from omnipilot.bench.users.choice import ExaminedUser, examine_user
from omnipilot.envs import ConfigError
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory import MediaStore
from omnipilot.memory.secrets.settings import refuse_secrets
from omnipilot.memory.store.durable import make_folder


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of starting or resuming a run.

    Attributes:
        spec: as it was run, with the suite's version. episodes: all complete ones, of earlier starts too.
        ran: episodes that this start brought to an end. seconds: from the beginning of the first to the end of the
            last, on the wall; the start of the processes apart.
        left: episodes still missing of those that it was to play. interrupted: the user or the machine stopped it.
        repaired: what was lost of a journal line that an earlier kill had torn, "" for nothing.
        bad: descriptions of records of the suite's data that cannot be read, so that they are not tasks.
        over_budget: it stopped because nothing more may be spent.
        given_up: it stopped after too many void episodes in a row for one cause.
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
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class CompleteRun:
    """A run with everything that is filled in when it starts, and what was made to fill it in.

    Attributes:
        tasks: those that it plays, in the suite's order.
        bad: the records of the suite's data that cannot be read, in words.
        experience: what of earlier runs its agent is given, in words; "" for nothing.
        examples: what of the suite's training split it is shown, in words; "" for nothing.
        agent: its agent, looked at; the agents that play are made anew.
        user: who answers its agent's questions, looked at.
    """

    spec: RunSpec
    suite: Suite
    tasks: tuple[str, ...]
    bad: tuple[str, ...]
    experience: str
    examples: str
    agent: ExaminedAgent
    user: ExaminedUser


def run(
    spec: RunSpec,
    out: Path,
    how: RunExecution | None = None,
    *,
    known: Mapping[str, Any] | None = None,
    agent: ExaminedAgent | None = None,
    shard: Shard | None = None,
) -> RunResult:
    """Run the missing episodes of a specification in directory `out`; a smaller run that is there grows.

    Returns when all are done, Ctrl-C is pressed, a SIGTERM comes, the budget is used up, or too many episodes in a row
    came out void for one cause: episodes under way are then cut off, and played again by the next start.

    Args:
        how: it is played; None for in this process, without limits of what may be spent.
        known: plain JSON values to add to the provenance.
        agent: the one of the specification, if it was looked at before; None to do it now.
        shard: plays only these of the episodes; None for all.

    Raises:
        ConfigError: the specification cannot be run, its suite has no task, `out` holds another run (the message says
            where they differ) or is being written by another process.
        JournalError: there is no journal.
        RunFailed: a bug in an agent, an environment or a suite; or workers keep dying.
    """
    how = how or RunExecution()
    whole = complete(spec, agent)
    spec, suite, tasks, bad = whole.spec, whole.suite, whole.tasks, whole.bad
    # Before anything is written; what a run lacks that is gone on with is only known once its journal is read.
    whole.user.refuse_absent(how.jobs)
    check_approver(spec.guard, how.jobs)
    if fresh := read_spec(out) is None:
        refuse_unready(whole, tasks)
    make_folder(out)
    with telling_disk_errors(out), RunLock(out):
        prepare(out, spec, every_task(suite))
        MediaStore(out / MEDIA).sweep()
        with Journal.open(out) as journal:
            lost = journal.repaired.lost if journal.repaired else ""
            done = survey_of(out)
            control = ControlFile(out, [act.command for act in done.acts])
            if take_waiting(control, journal, done):
                done = survey_of(out)
            due = due_slots(spec, suite, tasks, shard)
            todo = [one for one in pending(spec, tasks, done, how.rerun_void) if one[0] in due]
            if todo and not fresh:
                refuse_unready(whole, tuple(dict.fromkeys(slot.task for slot, _ in todo)))
            identity, plain = spec.identity, spec.to_json()
            if todo or done.identity != identity:
                notes = {"experience": whole.experience, "examples": whole.examples}
                known = {**(known or {}), **{name: note for name, note in notes.items() if note}}
                programs = dict(suite.programs())
                part = {"number": shard.number, "of": shard.of, "episodes": len(due)} if shard else {}
                found = {"programs": programs, "bad_records": len(bad), "media": how.media, NOTE: part}
                made_with = {**provenance(), **{name: what for name, what in found.items() if what}, **(known or {})}
                journal.append(RunStarted(identity, plain, made_with, time.time(), list(tasks)))
                journal.sync()
            if not todo:
                return RunResult(out, spec, done.episodes, 0, 0.0, 0, repaired=lost, bad=bad)
            again = {slot.key for slot, _ in todo}
            kept = [episode for episode in done.episodes if episode.key not in again]
            start = {"spec": plain, "media": str((out / MEDIA).resolve()), "messages": how.messages, "keep": how.media}
            note_not_kept(out / MEDIA, how.media)
            lengths = expected_lengths(todo, suite, spec, done.episodes) if how.jobs > 1 else None
            todo = longest_first(todo, lengths) if lengths else todo
            with workers_of(how.cluster, out / MEDIA, suite) as elsewhere:
                state = Dispatch(spec, suite, journal, start, how, todo, kept, control, elsewhere, lengths)
                state.go()
        now = survey_of(out)
        left = sum(slot in due for slot, _ in pending(spec, tasks, now))
        over = how.spending.used_up and left > 0
        given_up = how.voids.reached and left > 0
        return RunResult(
            out, spec, now.episodes, state.ran, state.seconds, left, state.interrupted, lost, bad, over, given_up
        )


def workers_of(
    cluster: str, media: Path, suite: Suite
) -> AbstractContextManager[Callable[[tuple[int, int]], ChildProcess] | None]:
    """What begins the processes of a run's workers in a cluster; None for those of this machine.

    Args:
        cluster: its address; "" if there is none. media: the run's folder of media.

    Raises:
        MissingExtra: Ray is not installed. ConfigError: there is no such cluster, or it refuses this process.
    """
    if not cluster:
        return nullcontext()
    from omnipilot.bench.run.cluster.ray_cluster import ray_workers

    return ray_workers(cluster, media, suite.resources())


def complete(spec: RunSpec, agent: ExaminedAgent | None = None) -> CompleteRun:
    """A specification with everything that is filled in when a run starts.

    Args:
        agent: as in `run`.

    Raises:
        ConfigError: the specification cannot be run, or its suite has no task; several mistakes are told at once.
    """
    agent = agent or examine(spec.agent)
    mistakes = Mistakes()
    with mistakes.noting():
        plain = spec.to_json()
        refuse_secrets({"agent": plain["agent"], "suite": plain["suite"], "user": plain["user"]})
    mistakes.add(*agent.mistakes)
    suite: Suite | None = None
    bad: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    used = shown = player = ""
    with mistakes.noting():
        suite = load_suite(spec.suite)
        bad = tuple(map(str, suite.bad))
        tasks = chosen_tasks(spec, suite)
        if not tasks:
            raise ConfigError(empty(spec.suite.name, bad))
        spec, used = with_experience(spec, suite)
        spec, shown = with_examples(spec, suite, tasks)
    if spec.examples is not None and not agent.reads_examples:
        mistakes.add(
            ConfigError(
                f"planner {spec.agent.planner.name!r} reads no examples, so --examples would change nothing; choose a "
                "planner over a chat model, or leave them out with --examples 0"
            )
        )
    with mistakes.noting():
        player = solution_player(spec.agent)
        if spec.stand_in and player and getattr(PLANNERS.load(player), "true_media", False):
            raise ConfigError(
                f"planner {player!r} goes by when clips were recorded, and cannot tell substitutes from them; leave "
                "out --stand-in, or choose another planner"
            )
    with mistakes.noting():
        if spec.speech is not None:
            SPEECH.make(spec.speech)
    user = examine_user(spec.user)
    mistakes.add(*user.mistakes)
    if suite is not None and tasks and not mistakes.found:
        with mistakes.noting():
            check_solutions(player, suite, tasks)
            spec = with_statements(spec, suite, agent, user)
    if suite is None or mistakes.found:
        # All at once: what would stand in the way next is told with it.
        mistakes.add(*not_ready(agent, suite, tasks, user))
        mistakes.refuse()
    assert suite is not None
    filled = replace(spec, suite_version=suite.version, tasks=tasks if spec.tasks else ())
    return CompleteRun(filled, suite, tasks, bad, used, shown, agent, user)


def with_statements(spec: RunSpec, suite: Suite, agent: ExaminedAgent, user: ExaminedUser) -> RunSpec:
    """A specification with what parts and worlds state of themselves besides their options.

    Args:
        agent, user: those of the specification.

    Raises:
        MissingExtra: a part or a world uses what is not installed. ConfigError: the agent cannot be built.
    """
    agent.check_packages(suite.modalities)
    conditions = suite.conditions(spec.agent.modalities & suite.modalities)
    return replace(
        spec,
        prompts={**agent.prompts, **user.prompts()},
        conditions=conditions,
        taken_out=taken_out(suite) or None,
        code=code_here(spec),
    )


def not_ready(agent: ExaminedAgent, suite: Suite | None, tasks: Sequence[str], user: ExaminedUser) -> list[ConfigError]:
    """What keeps the first episode from being played here and now: keys that are not set, devices, programs and
    packages that are not there. Nothing is started, and no model is called.

    Args:
        suite: None if it cannot be made; then nothing is said of its world.
        tasks: those that would be played. user: who answers the agent's questions.
    """
    mistakes = Mistakes()
    mistakes.add(*agent.mistakes, *agent.uncallable(), *user.mistakes)
    with mistakes.noting():
        user.refuse_uncallable()
    if suite is not None and tasks:
        with mistakes.noting():
            mistakes.add(*map(ConfigError, suite.lacking(tasks)))
    return list(mistakes.found)


def refuse_unready(whole: CompleteRun, tasks: Sequence[str]) -> None:
    """Refuse a run that could not play its first episode; see `not_ready` and `server_mistakes`.

    Args:
        tasks: those that would be played.

    Raises:
        ConfigError: what is missing, all at once.
    """
    mistakes = Mistakes()
    mistakes.add(*not_ready(whole.agent, whole.suite, tasks, whole.user))
    mistakes.add(*server_mistakes(whole.spec.agent, whole.spec.user))
    mistakes.refuse()


def empty(suite: str, bad: Sequence[str]) -> str:
    """The message for a suite without tasks.

    Args:
        bad: the records of its data that cannot be read, in words.
    """
    why = f": {len(bad)} records of its data cannot be read or used, the first: {bad[0]}" if bad else ""
    takes_data = suite not in SUITES.names() or "data" in signature(SUITES.load(suite)).parameters
    folder, it = ("--data DIR names the folder; ", "belongs into it") if takes_data else ("", "it needs")
    cure = f"{folder}`omnipilot list suites --suite {suite}` says what {it}"
    return f"suite {suite} has no task to run{why}; {cure}"


def check_solutions(player: str, suite: Suite, tasks: Sequence[str]) -> None:
    """Refuse tasks without a solution, for a planner that plays solutions.

    Args:
        player: the planner's name; "" for an agent whose planner plays none, see `solution_player`.

    Raises:
        ConfigError: some tasks have none; the message names the first of them.
    """
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
        if task in (out := taken_out(suite)):
            raise ConfigError(f"task {task!r} was {out[task]}; leave it out of the tasks, or the reviews")
        if task not in known:
            suite.instantiate(task, 0)
            raise ConfigError(f"suite {suite.name!r} does not list its task {task!r}; leave it out")
    return tuple(task for task in known if not spec.tasks or task in spec.tasks)


def due_slots(spec: RunSpec, suite: Suite, tasks: Sequence[str], shard: Shard | None = None) -> frozenset[Slot]:
    """The episodes that a start of a run is to play, or has played: all, or those of a shard.

    Args:
        tasks: of the run, in the suite's order.
    """
    every = slots(spec, tasks)
    if shard is None:
        return frozenset(every)
    places = places_of(every_task(suite))
    return frozenset(slot for slot in every if shard.plays(places, slot.task, slot.instance, slot.trial))


def every_task(suite: Suite) -> tuple[str, ...]:
    """The ids of a suite's tasks, in its order."""
    return tuple(info.id for info in listed_tasks(suite))
