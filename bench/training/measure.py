"""How many steps of unseen demonstrations small planners name exactly, by a property of the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.pool.sampling import draw_sample
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.task import TaskInfo
from omnipilot.bench.training.data import tasks_of
from omnipilot.bench.training.demonstrations import FIRST_MEASURED, Sample, demonstrate
from omnipilot.bench.training.pool_tasks.demonstrations import demonstrate_pool
from omnipilot.bench.training.pool_tasks.lessons import PoolLessons
from omnipilot.envs import ConfigError
from omnipilot.planners.mini.network import MiniNetwork

Steps: TypeAlias = dict[tuple[str, int], list[bool]]
"""Whether each step was named exactly, by task and instance."""


def unseen_samples(instances: int) -> list[Sample]:
    """The steps of development tasks, demonstrated without slips, in instances that nothing is trained on."""
    suite = Duet("dev")
    numbers = range(FIRST_MEASURED, FIRST_MEASURED + instances)
    return [one for at in numbers for task in tasks_of(suite, at) for one in demonstrate(suite, task, at, slips=0.0)]


def unseen_pool_samples(pool: Path, tasks: int, intents: bool = False) -> tuple[list[Sample], list[TaskInfo]]:
    """The steps of tasks of a pool's test split, demonstrated without slips, and all tasks of that split.

    No task for development has a subtask that each of these has one of, so nothing is trained on it.

    Args:
        tasks: how many, drawn by a fixed seed; all where there are fewer. intents: whether they are told a purpose.

    Raises:
        ConfigError: the pool has no such task.
    """
    known = list(PoolSuite(str(pool), "test").tasks())
    if not known:
        raise ConfigError(f"no task of {pool} is held out; compose more: omnipilot synth compose {pool} --add")
    lessons, found = PoolLessons(pool, intents), list[Sample]()
    for info in draw_sample(known, tasks, 0):
        found += demonstrate_pool(lessons, info.id, FIRST_MEASURED, slips=0.0).samples
    return found, known


def named_steps(network: MiniNetwork, samples: Sequence[Sample]) -> Steps:
    """Whether a network names each step exactly, asked once."""
    found: Steps = {}
    for one in samples:
        right = network.reply(one.prompt)[0].split() == one.reply.split()
        found.setdefault((one.task, one.instance), []).append(right)
    return found


def steps_table(models: Mapping[str, Steps], by: str, infos: Sequence[TaskInfo] | None = None) -> Table:
    """A row for each model and each value of a tag.

    Args:
        models: by name. by: the tag; "" for all tasks in one row. infos: of the tasks; None for duet's development.

    Raises:
        ConfigError: the tasks have no such tag.
    """
    tags = {info.id: info.tags for info in (Duet("dev").tasks() if infos is None else infos)}
    known = sorted({name for one in tags.values() for name in one})
    if by and by not in known:
        raise ConfigError(describe_unknown("tag of a task", by, known))
    rows = []
    for name, steps in models.items():
        groups = {"all": steps}
        for (task, instance), right in steps.items() if by else ():
            groups.setdefault(tags[task].get(by, ""), {})[task, instance] = right
        for group, chosen in groups.items():
            parts, wholes = [sum(right) for right in chosen.values()], [len(right) for right in chosen.values()]
            share = ratio_of(parts, wholes, [task for task, _ in chosen], "tasks")
            tasks = len({task for task, _ in chosen})
            rows.append((name, *([group] if by else []), str(tasks), str(sum(wholes)), share.text() if share else ""))
    columns = ("model", *([by] if by else []), "tasks", "steps in all", "named exactly %")
    notes = (
        "named exactly: steps of demonstrations of unseen instances for which the model, asked once, replies what was "
        "demonstrated; each step is asked for where the demonstration is, so none suffers from the one before",
        "[…]: 95 % confidence intervals; the steps of a task count as one cluster",
    )
    return Table(columns, tuple(rows), notes, 2 if by else 1)
