"""The tasks of a suite as people reviewed them: which of them a run may take, and which were taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omnipilot.bench.tasks.review import TAG, TAKEN_OUT, state_of
from omnipilot.bench.tasks.task import Suite, TaskInfo


def listed_tasks(suite: Suite) -> Sequence[TaskInfo]:
    """The tasks that a run may take: those of the suite that were not taken out, each tagged with its state."""
    return [info for info in _tagged(suite, suite.tasks()) if info.tags.get(TAG) != TAKEN_OUT]


def every_listed_task(suite: Suite) -> Sequence[TaskInfo]:
    """The tasks of all splits, those that were taken out too, each tagged with its state."""
    return _tagged(suite, suite.every())


def _tagged(suite: Suite, infos: Sequence[TaskInfo]) -> Sequence[TaskInfo]:
    if not suite.reviews:
        return infos
    return [replace(info, tags={**info.tags, TAG: state_of(suite.reviews, info.id)}) for info in infos]


def taken_out(suite: Suite) -> dict[str, str]:
    """The tasks that a run of a suite leaves out because they were taken out, with who did so and why."""
    return {
        info.id: suite.reviews[info.id].words()
        for info in suite.tasks()
        if state_of(suite.reviews, info.id) == TAKEN_OUT
    }
