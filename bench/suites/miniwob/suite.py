"""Suite `miniwob`: every page of the package `miniwob`, scored by the page's own raw reward.

MiniWoB++: Shi et al. 2017, Liu et al. 2018 (https://miniwob.farama.org).
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.miniwob.world import MiniwobWorld, TimeLimit
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, MissingExtra, Modality, Thinking, failed_checks
from omnipilot.envs.web import chromium_version

ADAPTER = "1"
"""Version of this file's rules; part of a run's identity."""

UNSEEDED = {
    "chase-circle": "the circle moves by the clock from the first moment",
    "click-pie": "the labels are placed by measurements that differ by a few pixels from load to load",
}
"""Pages whose content is not the same after two loads with the same seed, and why."""


class Miniwob(Suite):
    """The suite.

    Args:
        time_limit: "page" for each page's own limit (10 s for most of them), "none" for none.

    Raises:
        MissingExtra: the package `miniwob` is not installed.
        ConfigError: another time limit.
    """

    name = "miniwob"
    modalities = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})

    def __init__(self, time_limit: TimeLimit = "none") -> None:
        if time_limit not in ("none", "page"):
            raise ConfigError(f"time_limit must be none or page, not {time_limit!r}")
        self.time_limit: TimeLimit = time_limit
        self.html = _html()

    @property
    def version(self) -> str:
        """The versions of the package with the pages and of this adapter."""
        return f"{metadata.version('miniwob')}+{ADAPTER}"

    def tasks(self) -> tuple[TaskInfo, ...]:
        """One task for each page, sorted by name."""
        return tuple(
            TaskInfo(page, _title(file), ("browser",), _tags(page), page not in UNSEEDED)
            for page, file in _pages(self.html).items()
        )

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One page, its random generator seeded with `instance`."""
        pages = _pages(self.html)
        if task_id not in pages:
            raise ConfigError(describe_unknown("miniwob page", task_id, pages))

        def setup(world: MiniwobWorld) -> str:
            return world.start(task_id, instance)

        return Task(
            task_id, instance, setup, JudgeGraph((Judge("reward", _reward, env="browser"),)), tags=_tags(task_id)
        )

    def programs(self) -> Mapping[str, str]:
        """The version of the browser.

        Raises:
            MissingExtra, ConfigError: Playwright or Chromium is missing.
        """
        return {"Chromium": chromium_version()}

    def world(self, thinking: Thinking) -> MiniwobWorld:
        """A browser for these pages."""
        return MiniwobWorld(self.html, thinking, self.time_limit)

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        from omnipilot.envs.web import find_chromium

        return failed_checks(find_chromium)


def _reward(case: Case) -> Verdict:
    """Reached when the page ended the episode with a raw reward above 0, including partial rewards."""
    state = case.state
    if not state.done:
        return Verdict(0.0, "the page has not ended the episode")
    reason = f"raw reward {state.reward:g}" + (f": {state.reason}" if state.reason else "")
    return Verdict(float(state.reward > 0), reason)


def _html() -> Path:
    """The package's folder of pages, found without importing the package and its dependencies."""
    found = importlib.util.find_spec("miniwob")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("web", "miniwob")
    return Path(next(iter(found.submodule_search_locations))) / "html"


@cache
def _pages(html: Path) -> dict[str, Path]:
    single = {file.stem: file for file in html.glob("miniwob/*.html")}
    flights = {f"flight.{file.parent.name}": file for file in html.glob("flight/*/wrapper.html")}
    return dict(sorted({**single, **flights}.items()))


@cache
def _title(file: Path) -> str:
    found = re.search(r"<title>\s*(.*?)\s*</title>", file.read_text(encoding="utf-8", errors="replace"), re.S)
    return found.group(1) if found else file.stem


def _tags(page: str) -> dict[str, str]:
    return {"pages": "flight" if page.startswith("flight.") else "miniwob", "apps": "one"}
