"""Suite `cube`: any benchmark that follows cube-standard, set up and judged by its own package.

cube-standard is a pre-release: 0.1.0rc10 was read (https://github.com/The-AI-Alliance/cube-standard).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.foreign import ForeignFailure, ForeignLost, ForeignProcess, choose_python, reward_graph
from omnipilot.bench.suites.cube.world import PATIENCE, CubeWorld
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Modality, Thinking

ADAPTER = "1"
"""Version of this folder's rules; part of a run's identity."""
SCRIPT = Path(__file__).with_name("cube_script.py")
CURE = "python3.12 -m venv cubes && cubes/bin/pip install NAME; then -o suite.python=cubes/bin/python"


class Cube(Suite):
    """The suite.

    Args:
        cube: the cube's name, as `cube list` shows it.
        python: the interpreter that has its package, Python 3.12 or later; "" for this one.
        config: fields of the cube's configuration, such as {tool_config = {_type = "…"}}.
        debug: only the tasks that the cube names for debugging.

    Raises:
        ConfigError: no such interpreter, or no such cube in it.
    """

    name = "cube"
    version: str
    modalities = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})

    def __init__(
        self, cube: str = "", python: str = "", config: Mapping[str, Any] | None = None, debug: bool = False
    ) -> None:
        if not cube:
            raise ConfigError("suite cube needs the name of one: -o suite.cube=NAME, as `cube list` shows it")
        python = choose_python(python, "cube", f"suite cube needs an interpreter that has cube-standard: {CURE}")
        self._load = python, cube, json.dumps(dict(config or {}), sort_keys=True), debug
        told = _catalogue(*self._load)
        self._tasks: Mapping[str, Mapping[str, Any]] = {one["id"]: one for one in told["tasks"]}
        self.version = f"{told['version']}+{ADAPTER}"
        self._programs = dict(one.rsplit(" ", 1) for one in str(told["version"]).split(", "))

    def tasks(self) -> tuple[TaskInfo, ...]:
        """The cube's tasks, in its order. Whether it heeds a seed is not known."""
        return tuple(
            TaskInfo(id, one["about"] or id, ("cube",), {"split": one["split"]}, seeded=False)
            for id, one in self._tasks.items()
        )

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task; `instance` is the seed that the cube is given."""
        if task_id not in self._tasks:
            raise ConfigError(describe_unknown("task of this cube", task_id, self._tasks))

        def setup(world: CubeWorld) -> str:
            return world.start(task_id, instance)

        steps = self._tasks[task_id]["steps"]
        return Task(
            task_id,
            instance,
            setup,
            reward_graph("cube"),
            limits=Limits(turns=steps, actions=steps) if steps else None,
            tags={"split": self._tasks[task_id]["split"]},
        )

    def programs(self) -> Mapping[str, str]:
        """The versions of the cube's package and of cube-standard."""
        return self._programs

    def world(self, thinking: Thinking) -> CubeWorld:
        """The cube, in a process of its own."""
        return CubeWorld(lambda: _start(*self._load)[0], thinking)


def _start(python: str, cube: str, config: str, debug: bool) -> tuple[ForeignProcess, dict[str, Any]]:
    process = ForeignProcess(python, SCRIPT, name=f"the cube {cube}")
    try:
        return process, process.ask("open", PATIENCE, cube=cube, config=json.loads(config), debug=debug)
    except BaseException:
        process.close()
        raise


@cache
def _catalogue(python: str, cube: str, config: str, debug: bool) -> dict[str, Any]:
    try:
        process, told = _start(python, cube, config, debug)
    except (ForeignFailure, ForeignLost) as error:
        raise ConfigError(f"{python} cannot load the cube {cube!r}: {error}. To get one: {CURE}") from None
    process.close()
    return told
