"""Tasks that nobody judges: an instruction of the user's own, or a world that is opened to do what one likes."""

from __future__ import annotations

from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import World


def unjudged_task(id: str, instance: int, instruction: str = "") -> Task:
    """A task whose world begins as it is, and whose episodes end `unjudged`.

    Args:
        instance: only a repetition, where the world has no content of its own. instruction: "" asks for nothing.
    """

    def setup(world: World) -> str:
        world.reset(instance)
        return instruction

    return Task(id, instance, setup, JudgeGraph((Judge("solved", _nobody_says, "end"),)), judged=False)


def _nobody_says(case: Case) -> Verdict:  # noqa: ARG001
    return Verdict(0.0, "only a person can say whether it was solved")
