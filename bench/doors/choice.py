"""Which task a door opens: what was asked for, and what its tool can carry."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from omnipilot.bench.registry import load_suite
from omnipilot.bench.tasks import listed_tasks
from omnipilot.bench.tasks.task import Suite, TaskInfo, values_of
from omnipilot.envs import ConfigError

SCREEN = "screen"
_SUITES: dict[tuple[int, str], Suite] = {}


def shared_suite(name: str, options: Mapping[str, Any]) -> Suite:
    """A suite for all sessions of this process: many worlds share its data.

    Raises:
        ConfigError: there is no such suite or option.
    """
    from omnipilot.agents import PartSpec

    key = os.getpid(), json.dumps([name, options], sort_keys=True, default=str)
    if key not in _SUITES:
        _SUITES[key] = load_suite(PartSpec(name).with_options(options))
    return _SUITES[key]


def senses_needed(info: TaskInfo) -> tuple[str, ...]:
    """What of a task has to be heard or seen moving, such as "sound", "speech" or "motion"; empty for most tasks.

    A suite says so by the tag `hangs_on`; a task of the level "AV-supportive" can be solved without.
    """
    if info.tags.get("level") == "AV-supportive":
        return ()
    return tuple(sense for sense in values_of(info.tags, "hangs_on") if sense != SCREEN)


def playable_tasks(suite: Suite, deaf: bool) -> Sequence[str]:
    """The tasks of a suite that a tool without sound and film can show, in the suite's order; with `deaf` all."""
    return [info.id for info in listed_tasks(suite) if deaf or not senses_needed(info)]


def check_playable(suite: Suite, task: str, deaf: bool, carried: Collection[str] = ()) -> None:
    """Refuse a task that cannot be perceived through a tool without sound and film.

    Args:
        carried: senses that the tool does pass on, as `senses_needed` names them.

    Raises:
        ConfigError: so it is, and `deaf` is not set; or there is no such task among those that are listed, with the
            nearest one.
    """
    infos = {info.id: info for info in suite.every()}
    if task not in infos:
        near = difflib.get_close_matches(task, infos, 1)
        raise ConfigError(
            f"suite {suite.name!r} has no task {task!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        )
    needed = [sense for sense in senses_needed(infos[task]) if sense not in carried]
    if needed and not deaf:
        raise ConfigError(
            f"task {task!r} hangs on {' and '.join(needed)}, which cannot be passed on here; choose another, or give "
            "deaf=True to have it played without"
        )
