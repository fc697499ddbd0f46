"""What an experiment tells an agent of the truth, beside the instruction."""

from __future__ import annotations

from omnipilot.bench.tasks.task import Task
from omnipilot.envs import ConfigError, World
from omnipilot.memory.window import verb_text


def hint_words(hint: str, task: Task, world: World) -> str:
    """The hint in words, to be put after the instruction; "" for none.

    Args:
        hint: "sub-goals": the names of the task's sub-goals, in order; "way": the moves of its demonstration; "".
        world: at the task's start.

    Raises:
        ConfigError: the task has no demonstration.
    """
    if not hint:
        return ""
    if hint == "sub-goals":
        return _listed("Sub-goals, in order", task.graph.order())
    if task.solution is None:
        raise ConfigError(f"{task.id!r} has no demonstration that could be told as a hint")
    moves = task.solution(world)
    return _listed("One way to do it", [f"on {one.env}: {verb_text(one.intent)}" for one in moves])


def _listed(title: str, lines: list[str]) -> str:
    return f"\n{title}:\n" + "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
