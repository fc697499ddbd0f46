"""What a run leaves out of a suite that holds some of its tasks back, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.registry import SUITES, load_suite
from omnipilot.bench.run.runner import chosen_tasks
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Splits, TaskInfo
from omnipilot.envs import ConfigError

SPLIT = "split"
"""The tag that names a task's split, and the suite's option that chooses one."""


def left_out(spec: RunSpec, settings: Mapping[str, Any]) -> str:
    """Which tasks a run does not take because nobody chose a split; "" where it takes all, or was told which.

    Args:
        settings: that the run was asked for with; where they name tasks, or a split, nothing is left to be said.
    """
    name = spec.suite.name
    if settings.get("tasks") or SPLIT in spec.suite.options or (name not in SUITES.names() and ":" not in name):
        return ""
    # Only a suite that has splits is made for this: others may read much data.
    factory = SUITES.load(name)
    if not (isinstance(factory, type) and issubclass(factory, Splits)):
        return ""
    suite = load_suite(spec.suite)
    if not isinstance(suite, Splits):
        return ""
    every, taken = suite.every(), suite.tasks()
    if len(taken) == len(every):
        return ""
    mine = {info.tags.get(SPLIT, "") for info in taken}
    others = [name for name in count_by_split(every) if name not in mine]
    return (
        f"{name}: {len(taken)} of {len(every)} tasks, those of split {' and '.join(sorted(mine))}; "
        f"-o suite.{SPLIT}={' or '.join([*others, 'all'])} takes others"
    )


def count_by_split(infos: Sequence[TaskInfo]) -> dict[str, int]:
    """How many of the tasks are of each split; empty where they are of none."""
    return dict(Counter(info.tags[SPLIT] for info in infos if SPLIT in info.tags))


def known_tag(spec: RunSpec, tag: str) -> None:
    """Make sure that some task of a run has this tag, before any is run.

    Raises:
        ConfigError: the tasks have tags, and that is none of them; the message names the nearest.
    """
    suite = load_suite(spec.suite)
    tasks = chosen_tasks(spec, suite)
    tags = {one for info in suite.tasks() if info.id in tasks for one in info.tags}
    if tag in tags:
        return
    # A task may have more tags than its suite lists of it.
    for task in tasks:
        tags |= set(suite.instantiate(task, 0).tags)
        if tag in tags:
            return
    if tags:
        raise ConfigError(unknown("tag of a task", tag, sorted(tags)))
