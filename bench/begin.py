"""What an attempt begins with: its limits, and the event that says what is attempted."""

from __future__ import annotations

import time
from typing import Any

from omnipilot.agents.limits import LIMITS, Limits
from omnipilot.bench.episodes import Slot
from omnipilot.bench.events import EpisodeStarted
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.task import Task


def limits_of(task: Task, spec: RunSpec) -> Limits:
    """The limits of an episode: the run's where it asks for other than the default, else the task's own, else that."""
    own, run, default = task.limits or Limits(), spec.limits, Limits()

    def chosen(name: str) -> Any:
        asked, usual, by_task = (getattr(limits, name) for limits in (run, default, own))
        return by_task if asked == usual and by_task is not None else asked

    return Limits(**{name: chosen(name) for name in LIMITS})


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
        {name: getattr(limits, name) for name in LIMITS},
        time.time(),
    )
