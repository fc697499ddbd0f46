"""The start of an attempt: its limits, and the event that describes it."""

from __future__ import annotations

import time
from typing import Any

from omnipilot.agents import Limits
from omnipilot.agents.limits import IDLE, LIMITS
from omnipilot.bench.journal.events import EpisodeStarted
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Task


def limits_of(task: Task, spec: RunSpec) -> Limits:
    """The limits of an episode.

    Each limit is the run's setting if given, otherwise the task's, otherwise the default.
    """

    def chosen(name: str) -> Any:
        given = getattr(spec.limits, name)
        if given is not None:
            return given or None
        own = getattr(task.limits, name, None)
        return getattr(Limits(), name) if own is None else own

    return Limits(**{name: chosen(name) for name in (*LIMITS, IDLE)})


def started_event(task: Task, slot: Slot, attempt: int, instruction: str, limits: Limits) -> EpisodeStarted:
    """The event that begins an attempt."""
    return EpisodeStarted(
        slot.key,
        attempt,
        slot.task,
        slot.instance,
        slot.trial,
        instruction,
        [{"name": node.name, "env": node.env, "when": node.when} for node in task.graph.nodes],
        [list(edge) for edge in task.graph.edges],
        dict(task.tags),
        {name: getattr(limits, name) for name in LIMITS} | ({IDLE: limits.idle} if limits.idle is not None else {}),
        time.time(),
    )
