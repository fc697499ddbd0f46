"""Suite `browsergym`: the benchmarks that BrowserGym offers, set up and judged by its own package.

BrowserGym: Le Sellier De Chezelles et al. 2024 (https://arxiv.org/abs/2412.05467).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.foreign import ForeignFailure, ForeignLost, ForeignProcess, choose_python, reward_graph
from omnipilot.bench.suites.browsergym.actions import Addressing
from omnipilot.bench.suites.browsergym.world import PATIENCE, BrowserGymWorld
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Modality, Thinking, failed_checks
from omnipilot.envs.web import chromium_version, find_chromium

ADAPTER = "1"
"""Version of this folder's rules; part of a run's identity."""
SCRIPT = Path(__file__).with_name("gym_script.py")
OPEN = "openended"
STEPS: Mapping[str, int] = {
    "miniwob": 10,
    "webarena": 30,
    "webarena_verified": 30,
    "webarenalite": 30,
    "visualwebarena": 30,
    "workarena": 15,
    "assistantbench": 30,
    "weblinx": 1,
}
"""Steps that BrowserGym's experiments allow, by benchmark; WorkArena's levels 2 and 3 have `LONG_STEPS`."""
LONG_STEPS = 50
PACKAGES: Mapping[str, Sequence[str]] = {
    "miniwob": ("browsergym-miniwob", "miniwob"),
    "webarena": ("browsergym-webarena", "libwebarena"),
    "webarena_verified": ("browsergym-webarena-verified", "webarena-verified"),
    "webarenalite": ("browsergym-webarenalite", "libwebarena"),
    "visualwebarena": ("browsergym-visualwebarena", "libvisualwebarena"),
    "workarena": ("browsergym-workarena",),
    "assistantbench": ("browsergym-assistantbench",),
    "weblinx": ("weblinx-browsergym",),
    OPEN: (),
}
"""The packages of each benchmark, beside browsergym-core; the first is what is installed."""
SERVERS = ("SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE")
"""WebArena's sites; the variable WA_… says where each is."""


class BrowserGym(Suite):
    """The suite.

    Args:
        benchmark: which of BrowserGym's, such as "miniwob" or "webarena"; "openended" for a page of your own.
        python: the interpreter that has its packages; "" for this one.
        actions: "coord" to send places as coordinates, "bid" to send them as the ids of elements.
        delay: seconds that BrowserGym waits after an action before it looks.
        url, goal: of "openended": the page to begin on, and the instruction.

    Raises:
        ConfigError: an unknown benchmark or way to send places, no such interpreter or no BrowserGym in it.
    """

    name = "browsergym"
    version: str
    modalities = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})

    def __init__(
        self,
        benchmark: str = "miniwob",
        python: str = "",
        actions: str = "coord",
        delay: float = 0.5,
        url: str = "",
        goal: str = "",
    ) -> None:
        if benchmark not in PACKAGES:
            raise ConfigError(describe_unknown("benchmark of BrowserGym", benchmark, PACKAGES))
        if actions not in get_args(Addressing):
            raise ConfigError(describe_unknown("suite.actions", actions, get_args(Addressing)))
        if not 0 <= delay <= 60:
            raise ConfigError(f"suite.delay is seconds, 0 to 60, not {delay:g}")
        if (benchmark == OPEN) != bool(url and goal):
            raise ConfigError(f"suite.url and suite.goal go with -o suite.benchmark={OPEN}, which needs both")
        self.benchmark = benchmark
        self._tags = {"benchmark": benchmark, "platform": "os_web"}
        self._python = choose_python(
            python, "browsergym", f"suite browsergym needs an interpreter that has BrowserGym: {_cure(benchmark)}"
        )
        self._actions: Addressing = "bid" if actions == "bid" else "coord"
        self._delay = delay
        self._arguments: dict[str, Any] = {"start_url": url, "goal": goal} if benchmark == OPEN else {}
        self._ids, self._versions = _catalogue(self._python, benchmark)
        told = (f"{name} {version}" for name, version in sorted(self._versions.items()))
        self.version = "+".join([*told, ADAPTER])

    def tasks(self) -> tuple[TaskInfo, ...]:
        """The benchmark's tasks, in BrowserGym's order."""
        return tuple(TaskInfo(id, _about(id), ("browser",), self._tags) for id in self._ids)

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task; `instance` is the seed that BrowserGym is given, which not every benchmark heeds."""
        if task_id not in self._ids:
            raise ConfigError(describe_unknown("BrowserGym task", task_id, self._ids))

        def setup(world: BrowserGymWorld) -> str:
            return world.start(task_id, instance)

        return Task(
            task_id,
            instance,
            setup,
            reward_graph("browser"),
            limits=_limits(self.benchmark, task_id),
            tags=self._tags,
            judged=self.benchmark != OPEN,
        )

    def world(self, thinking: Thinking) -> BrowserGymWorld:
        """A browser for these tasks, in a process of its own."""
        chromium = ""
        with contextlib.suppress(ConfigError):  # then Playwright's own, if that environment has one
            chromium = str(find_chromium())
        return BrowserGymWorld(
            lambda: _start(self._python),
            self.benchmark,
            thinking,
            addressing=self._actions,
            chromium=chromium,
            delay=self._delay,
            arguments=self._arguments,
            browses=self.benchmark != "miniwob",
        )

    def programs(self) -> Mapping[str, str]:
        """The versions of BrowserGym's packages, and of the browser, where this machine has one of its own."""
        found = dict(self._versions)
        with contextlib.suppress(ConfigError):
            found["Chromium"] = chromium_version()
        return found

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        return failed_checks(self._check_servers)

    def _check_servers(self) -> None:
        if not self.benchmark.startswith("webarena"):
            return
        if missing := [f"WA_{site}" for site in SERVERS if not os.environ.get(f"WA_{site}")]:
            raise ConfigError(f"WebArena's servers are not named: set {', '.join(missing)} to their URLs")


def _cure(benchmark: str) -> str:
    packages = [*PACKAGES[benchmark][:1], *(["miniwob"] if benchmark == "miniwob" else [])] or ["browsergym-core"]
    return (
        f"python -m venv gym && gym/bin/pip install {' '.join(packages)}; then -o suite.python=gym/bin/python. "
        "It wants Playwright 1.44 and no other, so give it an environment of its own"
    )


def _start(python: str) -> ForeignProcess:
    return ForeignProcess(python, SCRIPT, name="BrowserGym")


@cache
def _catalogue(python: str, benchmark: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The ids of a benchmark's tasks, and the versions of its packages."""
    process = _start(python)
    try:
        ids = process.ask("list_tasks", PATIENCE, benchmark=benchmark)
        versions = process.ask("versions", PATIENCE, packages=["browsergym-core", *PACKAGES[benchmark]])
    except (ForeignFailure, ForeignLost) as error:
        raise ConfigError(f"{python} cannot load {benchmark}: {error}. To get it: {_cure(benchmark)}") from None
    finally:
        process.close()
    if not ids:
        raise ConfigError(f"the BrowserGym of {python} has no tasks of {benchmark}: {_cure(benchmark)}")
    return tuple(ids), versions


def _about(id: str) -> str:
    words = id.partition(".")[2].rpartition(".")[2].replace("-", " ")
    return words or "a page and an instruction of your own"


def _limits(benchmark: str, task_id: str) -> Limits | None:
    steps = STEPS.get(benchmark)
    if benchmark == "workarena" and task_id.endswith(("-l2", "-l3")):
        steps = LONG_STEPS
    return None if steps is None else Limits(turns=steps, actions=steps)
