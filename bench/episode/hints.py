"""What an experiment tells an agent of the truth, beside the instruction."""

from __future__ import annotations

from omnipilot.bench.tasks.task import Task
from omnipilot.envs import ConfigError, World
from omnipilot.memory.window import verb_text


def with_hint(told: str, hint: str, task: Task, world: World) -> str:
    """What an agent is told, with a hint of the truth.

    Args:
        told: without it. hint: "low": the wording that names every step, in place of the task's own; "sub-goals": the
            names of the task's sub-goals, in order, behind it; "way": the moves of its demonstration, behind it; "".
        world: at the task's start.

    Raises:
        ConfigError: the task has no such wording, or no demonstration.
    """
    if not hint:
        return told
    if hint == "low":
        if not task.low:
            raise ConfigError(f"{task.id!r} has no wording that names its steps beside the one that is told")
        return task.low
    if hint == "sub-goals":
        return told + _listed("Sub-goals, in order", task.graph.order())
    if task.solution is None:
        raise ConfigError(f"{task.id!r} has no demonstration that could be told as a hint")
    moves = task.solution(world)
    return told + _listed("One way to do it", [f"on {one.env}: {verb_text(one.intent)}" for one in moves])


def _listed(title: str, lines: list[str]) -> str:
    return f"\n{title}:\n" + "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
