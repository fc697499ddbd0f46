"""The suite `osworld`: tasks of a checkout on the user's machine, set up and judged by the checkout's own code.

OSWorld: Xie et al. 2024 (https://os-world.github.io); WindowsAgentArena: Bonatti et al. 2024.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.foreign import installed_versions
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.suites.osworld.task_files import Layout, TaskFile, load_checkout
from omnipilot.bench.suites.osworld.world import PORTS, JudgeSettings, MachinePlace, OSWorldTaskWorld, WindowsTaskWorld
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Modality, Thinking, failed_checks, listens

ADAPTER = "1"
"""Version of this folder's rules; part of a run's identity."""
STEPS = 15
"""Steps of a task in the released runner."""
JUDGES_USE = ("openpyxl", "python-docx", "python-pptx", "rapidfuzz", "pymupdf", "playwright")
"""Packages whose version may change a verdict, and which are named with a figure."""
LISTS: Mapping[Layout, str] = {"osworld": "test_all", "waa": "test_all"}


class OSWorldSuite(Suite):
    """The suite.

    Args:
        data: the checkout, with `desktop_env/` and `evaluation_examples/`.
        layout: "osworld", also for OSWorld-Verified and forks, or "waa" for WindowsAgentArena.
        server: the machine, as HOST[:SERVER[:CHROMIUM[:VNC[:VLC]]]]; without it, tasks can be listed and not played.
        subset: a list of tasks of the checkout, such as "test_nogdrive".
        python: the interpreter that has the packages of the checkout's evaluators; by default ours.
        files: a folder with files of the web; without it, the judge's process fetches them.
        reset: the command that restores the machine, run on this one before each task.
        dirty: play further tasks on what earlier ones left, where there is no `reset`.
        password: of the machine's user.
        mcp: the address of an MCP server in the machine, whose tools become verbs (OSWorld-MCP).

    Raises:
        ConfigError: no checkout, no such layout or list, or a server of another form.
    """

    name = "osworld"
    modalities = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})
    version: str

    def __init__(
        self,
        data: str = "",
        layout: str = "osworld",
        server: str = "",
        subset: str = "",
        python: str = "",
        files: str = "",
        reset: str = "",
        dirty: bool = False,
        password: str = "password",
        mcp: str = "",
    ) -> None:
        if layout not in get_args(Layout):
            raise ConfigError(describe_unknown("layout", layout, get_args(Layout)))
        if files and not Path(files).expanduser().is_dir():
            raise ConfigError(f"files: there is no folder {files}")
        self.layout: Layout = layout  # type: ignore[assignment]
        self._place = MachinePlace.parse(server) if server else None
        self._checkout = load_checkout(data, self.layout, subset or LISTS[self.layout], files)
        self._judge = JudgeSettings(self._checkout.folder, self.layout, python or sys.executable, password, files)
        self._reset, self._dirty, self._mcp = reset, dirty, mcp
        self.bad: Sequence[Bad] = self._checkout.bad
        self.version = f"{self._checkout.version}+{ADAPTER}"

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks that can be had and judged, in the checkout's order; `bad` lists the others."""
        return [
            TaskInfo(task.id, str(task.content["instruction"]), ("desktop",), tags_of(task), seeded=False)
            for task in self._checkout.tasks.values()
        ]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task; all instances are equal.

        Raises:
            ConfigError: no such task, or it cannot be had or judged here; the message says why.
        """
        task = self._checkout.tasks.get(task_id)
        if task is None:
            lost = next((bad for bad in self.bad if task_id.endswith(f"/{bad.record}")), None)
            if lost is not None:
                raise ConfigError(f"{task_id} cannot be played here: {lost.reason}")
            raise ConfigError(describe_unknown("task", task_id, self._checkout.tasks))
        return Task(
            task_id,
            instance,
            lambda world: world.start(task, instance),
            JudgeGraph((Judge("evaluate", _evaluate, when="end", env="desktop"),)),
            limits=Limits(STEPS, None),
            tags=tags_of(task),
        )

    def world(self, thinking: Thinking) -> OSWorldTaskWorld:
        """The user's machine.

        Raises:
            ConfigError: no machine is named. EnvLost: it does not answer.
        """
        if self._place is None:
            raise ConfigError("no machine is named; say where OSWorld's server runs with -o suite.server=HOST")
        make = OSWorldTaskWorld if self.layout == "osworld" else WindowsTaskWorld
        tools = None
        if self._mcp:
            from omnipilot.bench.suites.osworld.mcp_tools import offer_tools

            tools = partial(offer_tools, self._mcp)
        return make(self._place, self._judge, thinking, self._reset, self._dirty, tools)

    def programs(self) -> Mapping[str, str]:
        """The checkout's code as a hash, and the versions of what judges with it."""
        name = "OSWorld" if self.layout == "osworld" else "WindowsAgentArena"
        return {name: self._checkout.version, **installed_versions(self._judge.python, JUDGES_USE)}

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:
        """A machine that answers, and a way to restore it between tasks."""
        if self._place is None:
            return ["no machine is named; say where OSWorld's server runs with -o suite.server=HOST"]
        found = [] if self._reset else failed_checks(partial(listens, self._place.url))
        if self.layout == "waa" and self._place.ports[0] != PORTS[0]:
            found.append(f"WindowsAgentArena's controllers know no other port than {PORTS[0]}; forward it there")
        if len(tasks) > 1 and not (self._reset or self._dirty):
            found.append(
                f"{len(tasks)} tasks, and nothing that restores the machine between them: say how with "
                "-o suite.reset=COMMAND, or play on what is left with -o suite.dirty=true"
            )
        return found


def tags_of(task: TaskFile) -> dict[str, str]:
    """The tags by which tasks are grouped and selected."""
    content = task.content
    return {
        "platform": "os_windows" if any("windows" in part for part in task.path.parts[-4:]) else "os_linux",
        "domain": task.domain,
        "app": "+".join(content.get("related_apps", ())),
        "feasible": "no" if task.is_infeasible else "yes",
        "web": "yes" if task.addresses() else "no",
        "change": str(content.get("possibility_of_env_change", "")),
    }


def _evaluate(case: Case) -> Verdict:
    """OSWorld's own score, as progress."""
    world: OSWorldTaskWorld = case.world  # type: ignore[assignment]
    return world.evaluate()
