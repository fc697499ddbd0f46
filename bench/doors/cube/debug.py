"""The cube's debug tasks, which `cube test` plays: two demonstrations of their authors."""

from __future__ import annotations

from typing import Any

from omnipilot.bench.doors.choice import shared_suite
from omnipilot.bench.doors.cube.benchmark import STOP, SUITE, OmnipilotBenchmarkConfig
from omnipilot.envs import Thinking
from omnipilot.envs.schema import to_json
from omnipilot.envs.types import require

require("cube.core", "cube")

from cube.core import Action, ActionSchema, Observation  # noqa: E402

TASKS = ("send-message", "add-alarm")


def get_debug_benchmark() -> OmnipilotBenchmarkConfig:
    """The cube with its debug tasks alone."""
    return OmnipilotBenchmarkConfig().subset_from_list(list(TASKS))


class DemonstrationAgent:
    """Plays what the task's author would do at instance 0, and stops."""

    def __init__(self, task: str) -> None:
        suite = shared_suite(SUITE, {})
        world = suite.world(Thinking())
        try:
            made = suite.instantiate(task, 0)
            made.setup(world)
            assert made.solution is not None, f"{task} has no demonstration"
            self._moves = list(made.solution(world))
        finally:
            world.close()

    def __call__(self, seen: Observation, actions: list[ActionSchema]) -> Action:  # noqa: ARG002
        """The next action."""
        if not self._moves:
            return Action(name=STOP, arguments={})
        move = self._moves.pop(0)
        fields: dict[str, Any] = to_json(move.intent)
        kind = fields.pop("kind")
        return Action(name=kind, arguments={**({"device": move.env} if move.env else {}), **fields})


def make_debug_agent(task_id: str) -> DemonstrationAgent:
    """The agent that solves a debug task."""
    return DemonstrationAgent(task_id)
