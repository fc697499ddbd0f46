"""Which tasks of a suite a run takes, and which it leaves out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from omnipilot.agents.assembly.part_names import is_object, split_sum, split_value
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.registry import SUITES, load_suite
from omnipilot.bench.run.runner import chosen_tasks
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.failure_cells import draw_weighted, task_weights, telling_tag
from omnipilot.bench.tasks.filter import select
from omnipilot.bench.tasks.reviewed_tasks import listed_tasks
from omnipilot.bench.tasks.task import Suite, TaskInfo
from omnipilot.envs import ConfigError

SPLIT = "split"
"""The tag that names a task's split, and the suite's option that chooses one."""


def select_tasks(spec: RunSpec, settings: RunSettings, sets: str | None = None, with_intent: bool = False) -> RunSpec:
    """The run with its tasks narrowed to those that meet the conditions of its settings, and to their sample.

    Args:
        settings: their `where` (see `select`), `sample`, and with it `sample_from` and `sample_seed`.
        sets: a tag; tasks without it are left out, and the sample is of whole sets of tasks with the same value, as
            many as hold no more than `sample` tasks, and at least one.
        with_intent: leave out tasks that state no intent.

    Raises:
        ConfigError: a condition that no task can meet, or no task meets all of them, or none has the tag or an intent;
            or the sample cannot be drawn from that run.
    """
    where, sample = settings.where or [], settings.sample
    conditions = [where] if isinstance(where, str) else where
    if not conditions and sample is None and sets is None and not with_intent:
        return spec
    if sets is not None and settings.sample_from:
        raise ConfigError(f"--sample-from draws single tasks; this study needs all with the same {sets}: leave it out")
    suite = load_suite(spec.suite)
    infos = [info for info in listed_tasks(suite) if not spec.tasks or info.id in chosen_tasks(spec, suite)]
    taken = [info for info in select(infos, conditions) if info.intent or not with_intent]
    if sets is not None:
        taken = _draw_sets([info for info in taken if sets in info.tags], sets, sample)
    tasks = tuple(info.id for info in taken)
    if not tasks:
        wanted = [*conditions, *([f"the tag {sets}"] if sets else []), *(["an intent"] if with_intent else [])]
        raise ConfigError(f"no task has {' and '.join(wanted)}; see `omnipilot list tasks --suite {spec.suite.name}`")
    if sample is None or sets:
        return replace(spec, tasks=tasks)
    if settings.sample_from:
        return replace(spec, tasks=draw_failing(taken, settings.sample_from, sample, settings.sample_seed or 0))
    return replace(spec, tasks=draw_sample(tasks, sample))


def _draw_sets(infos: Sequence[TaskInfo], tag: str, sample: int | None) -> list[TaskInfo]:
    """The tasks of so many whole sets as hold no more than `sample` tasks, but at least one set."""
    if sample is None or not infos:
        return list(infos)
    sizes = Counter(info.tags[tag] for info in infos)
    drawn = set(draw_sample(list(sizes), max(1, sample // max(sizes.values()))))
    return [info for info in infos if info.tags[tag] in drawn]


def draw_sample(tasks: Sequence[str], count: int) -> tuple[str, ...]:
    """So many of some tasks, in their order: those that come first by a hash of their ids.

    The same on every machine; a smaller sample is part of a larger one, so that a run can grow.
    """
    drawn = set(sorted(tasks, key=lambda id: hashlib.sha256(f"sample/{id}".encode()).digest())[:count])
    return tuple(id for id in tasks if id in drawn)


def draw_failing(infos: Sequence[TaskInfo], source: str, count: int, seed: int) -> tuple[str, ...]:
    """So many of some tasks, in their order, each with a chance in proportion to how often tasks like it failed in a
    run; void episodes say nothing.

    Args:
        source: the folder of the run, and which tags of tasks make them alike: RUN:TAG+TAG; without these, the one
            that best tells the run's failures (`telling_tag`).
        seed: another one draws others.

    Raises:
        ConfigError: there is no run, it has no episode, or no task has one of the tags.
    """
    folder, named = (None if Path(source).is_dir() else split_value(source)) or (source, "")
    tags = tuple(split_sum(named)) if named else ()
    known = {tag for info in infos for tag in info.tags}
    if not known:
        raise ConfigError("these tasks have no tags, so that none is like another; leave --sample-from out")
    for tag in tags:
        if tag not in known:
            why = describe_unknown("tag of a task", tag, sorted(known))
            raise ConfigError(f"{why}; say with --sample-from RUN:TAG+TAG what makes tasks alike")
    episodes = [one for one in judged_episodes(load_run(Path(folder)).episodes) if not one.void]
    if not episodes:
        raise ConfigError(f"{folder} has no episode yet that says what fails")
    if not named:
        shared = [{tag: value for tag, value in one.tags.items() if tag in known} for one in episodes]
        tags = telling_tag([(one.task, given, not one.success) for one, given in zip(episodes, shared, strict=True)])
    weights = task_weights(infos, ((one.tags, not one.success) for one in episodes), tags)
    drawn = set(draw_weighted({info.id: info.id for info in infos}, weights, count, seed))
    return tuple(info.id for info in infos if info.id in drawn)


def held_back_note(spec: RunSpec, settings: RunSettings) -> str:
    """A note on the tasks that a run leaves out because no split was chosen; "" if there are none.

    Args:
        settings: of the run; tasks or a split chosen there need no note.
    """
    name = spec.suite.name
    if settings.tasks or SPLIT in spec.suite.options or (name not in SUITES.names() and not is_object(name)):
        return ""
    # Suites that list no more than their tasks may read much data, so they are not loaded.
    factory = SUITES.load(name)
    if not (isinstance(factory, type) and issubclass(factory, Suite)) or factory.every is Suite.every:
        return ""
    suite = load_suite(spec.suite)
    every, taken = suite.every(), suite.tasks()
    if len(taken) == len(every):
        return ""
    mine = {info.tags.get(SPLIT, "") for info in taken}
    others = [name for name in count_by_split(every) if name not in mine]
    return (
        f"{name}: {len(taken)} of {len(every)} tasks, those of split {' and '.join(sorted(mine))}; "
        f"choose others with -o suite.{SPLIT}={' or '.join([*others, 'all'])}"
    )


def tasks_available(spec: RunSpec) -> int:
    """How many tasks a run could have chosen from: those of its suite, with its options, and so of its split."""
    return len(listed_tasks(load_suite(spec.suite)))


def count_by_split(infos: Sequence[TaskInfo]) -> dict[str, int]:
    """Number of tasks in each split; empty if there are no splits."""
    return dict(Counter(info.tags[SPLIT] for info in infos if SPLIT in info.tags))


def check_tag(spec: RunSpec, tag: str) -> None:
    """Refuse a tag that no task of a run has.

    Raises:
        ConfigError: the tasks have other tags; the message names the nearest.
    """
    suite = load_suite(spec.suite)
    tasks = chosen_tasks(spec, suite)
    tags = {one for info in listed_tasks(suite) if info.id in tasks for one in info.tags}
    if tag in tags:
        return
    # A task may have tags that the suite does not list.
    for task in tasks:
        tags |= set(suite.instantiate(task, 0).tags)
        if tag in tags:
            return
    if not tags:
        raise ConfigError(f"the tasks of suite {suite.name!r} have no tags to group them by, so none {tag!r}")
    raise ConfigError(describe_unknown("tag of a task", tag, sorted(tags)))
