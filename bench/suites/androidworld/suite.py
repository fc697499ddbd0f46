"""The suite `androidworld`: AndroidWorld's 116 tasks, set up and judged by the user's checkout of it.

AndroidWorld: Rawles et al. 2024 (https://github.com/google-research/android_world, Apache-2.0). None of its code is
here: it runs in a process of its own, with an interpreter that the user names.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.foreign import ForeignFailure, ForeignLost, checkout_hash
from omnipilot.bench.suites.androidworld.world import LISTING, AndroidWorldCheckout, AndroidWorldTasks
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Modality, Thinking
from omnipilot.envs.composite import check_world, missing_requirements, world_conditions
from omnipilot.envs.types import documentation_page

ADAPTER = "1"
"""Version of this folder's rules; part of a run's identity."""
DEFAULT = {"devices": {"phone": {"kind": "android", "serial": "emulator-5554"}}}
"""The emulator that AndroidWorld's own script takes."""
JUDGING_FILES = tuple(f"android_world/**/{kind}" for kind in ("*.py", "*.json", "*.textproto"))
"""The sources and tables of a checkout, whose hash is part of the suite's version."""
CONNECTIONS = ("emulator", "adb")
GET = "git clone https://github.com/google-research/android_world, and name the folder with --data"
MANY = 1000
"""Stands for no limit on actions, which theirs does not count apart from steps."""


class AndroidWorldSuite(Suite):
    """The suite.

    Args:
        data: the checkout of AndroidWorld's repository.
        python: an interpreter with what it needs; by default that of a folder `.venv` in the checkout, else `python3`.
        family: of tasks, as AndroidWorld's registry names it: `android_world` for all, `information_retrieval`, ….
        seed: of their suite; 30 is what they publish. An instance is theirs of that number.
        connection: "emulator" for their own way to it, by adb and gRPC; "adb" for adb alone, which real phones have.
        grpc_port: of the emulator, as it was started with `-grpc`.
        freeze: whether the phone's clock is set to 2023-10-15, as they do.
        world: a world with one Android device; by default the emulator `emulator-5554`.

    Raises:
        ConfigError: no checkout, no such connection, a world that does not fit, or their code cannot be asked.
    """

    name = "androidworld"

    def __init__(
        self,
        data: str = "",
        python: str = "",
        family: str = "android_world",
        seed: int = 30,
        connection: str = "emulator",
        grpc_port: int = 8554,
        freeze: bool = True,
        world: Mapping[str, Any] | None = None,
    ) -> None:
        checkout = Path(data).expanduser().resolve()
        if not data or not (checkout / "android_world" / "suite_utils.py").is_file():
            where = f"{data} has no android_world/suite_utils.py" if data else "its repository is not named"
            raise ConfigError(f"AndroidWorld: {where}; {GET}")
        if connection not in CONNECTIONS:
            raise ConfigError(describe_unknown("connection", connection, CONNECTIONS))
        table = DEFAULT if world is None else world
        check_world(table)
        if len(table["devices"]) != 1:
            raise ConfigError(f"AndroidWorld plays on one phone; this world has {', '.join(table['devices'])}")
        self._devices = table
        own = checkout / ".venv" / "bin" / "python"
        interpreter = python or (str(own) if own.is_file() else shutil.which("python3") or "python3")
        self._bench = AndroidWorldCheckout(checkout, interpreter, family, seed, connection, grpc_port, freeze)
        self._hash = checkout_hash(checkout, JUDGING_FILES)
        process = self._bench.process()
        try:
            found = process.ask("list_tasks", LISTING)
        except (ForeignFailure, ForeignLost) as error:
            raise ConfigError(
                f"the tasks of {checkout} cannot be listed with {interpreter}: {error}. Name an interpreter that has "
                f"its requirements with -o suite.python=…; {documentation_page('outside')} says how to make one"
            ) from None
        finally:
            process.close()
        env = next(iter(table["devices"]))
        self._steps = {str(one["name"]): int(one["steps"]) for one in found["tasks"]}
        self._infos = {
            str(one["name"]): TaskInfo(
                str(one["name"]),
                str(one["goal"]),
                (env,),
                {"app": "+".join(one["apps"]), "platform": "os_android"},
                bool(one["seeded"]),
            )
            for one in found["tasks"]
        }
        self._versions = {str(name): str(number) for name, number in found["versions"].items()}

    @property
    def version(self) -> str:
        """What their checkout holds, the versions of packages that judge, and that of this adapter."""
        packages = "".join(f"+{name}-{number}" for name, number in self._versions.items() if name != "Python")
        return f"{self._hash}{packages}+{ADAPTER}"

    def tasks(self) -> Sequence[TaskInfo]:
        """Their tasks, sorted by name, each told as its first instance is."""
        return tuple(self._infos.values())

    def instantiate(self, task_id: str, instance: int) -> Task:
        """Their instance of that number; its limit is theirs, 10 steps for each unit of complexity."""
        if task_id not in self._infos:
            raise ConfigError(describe_unknown("AndroidWorld task", task_id, self._infos))
        info = self._infos[task_id]

        def setup(world: AndroidWorldTasks) -> str:
            return world.start(task_id, instance)

        judge = Judge("is_successful", _judge, when="end", env=info.envs[0])
        limits = Limits(self._steps[task_id], MANY)
        return Task(task_id, instance, setup, JudgeGraph((judge,)), limits=limits, tags=info.tags)

    def world(self, thinking: Thinking) -> AndroidWorldTasks:  # noqa: ARG002
        """The phone, with their code beside it."""
        return AndroidWorldTasks(self._bench, self._devices)

    def conditions(self, shown: frozenset[Modality]) -> Mapping[str, str]:
        """What the device finds on this machine; see `Suite.conditions`."""
        return world_conditions(self._devices, shown)

    def programs(self) -> Mapping[str, str]:
        """The versions of what judges, by name."""
        return {"android_world": self._hash, **self._versions}

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        return missing_requirements(self._devices)


def _judge(case: Case) -> Verdict:
    """Their rule: what their judge says, if the agent said that it is done; otherwise 0."""
    if not case.state.done:
        return Verdict(0.0, "the agent did not say that it is done, which AndroidWorld counts as 0")
    score = case.world.score()  # type: ignore[attr-defined]
    return Verdict(score, f"is_successful: {score:g}")
