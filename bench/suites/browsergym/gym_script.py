"""Plays BrowserGym's tasks, in a process with the interpreter that has its packages; see `ForeignProcess`."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from page_reading import read_goal, read_observation
from serve_lines import serve_lines

# Files that lie beside this one are not meant when their packages import a module of the same name.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]

MODULES = {"openended": "browsergym.core", "weblinx": "weblinx_browsergym"}
"""Where a benchmark registers its tasks, if not in `browsergym.NAME`."""
SUBSETS = ["chat", "infeas", "bid", "coord", "nav", "tab"]


class Chat:
    """What agent and task say to each other, without the browser window in which BrowserGym shows it."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.messages: list[dict[str, Any]] = []
        self.recording_start_time = None

    def add_message(self, role: str, msg: str) -> None:
        """Keep a message; those of role info are only shown."""
        if role != "info":
            self.messages.append({"role": role, "timestamp": time.time(), "message": msg})

    def wait_for_user_message(self) -> None:
        """Nobody writes."""

    def close(self) -> None:
        """There is nothing to close."""


class TaskPlayer:
    """One environment at a time."""

    def __init__(self) -> None:
        self.env: Any = None

    def list_tasks(self, benchmark: str) -> list[str]:
        """Ids of a benchmark's tasks, in the order in which they are registered."""
        load(benchmark)
        import gymnasium

        wanted = f"browsergym/{benchmark}"
        found = [id for id in gymnasium.registry if id == wanted or id.startswith(wanted + ".")]
        return [id.removeprefix("browsergym/") for id in found]

    def versions(self, packages: list[str]) -> dict[str, str]:
        """Of those packages that are installed."""
        found = {}
        for package in packages:
            try:
                found[package] = metadata.version(package)
            except metadata.PackageNotFoundError:
                continue
        return found

    def reset(
        self, task: str, seed: int, benchmark: str, chromium: str, delay: float, arguments: dict[str, Any]
    ) -> dict[str, Any]:
        """Begin a task."""
        load(benchmark)
        import gymnasium
        from browsergym.core.action.highlevel import HighLevelActionSet

        self.close()
        options: dict[str, Any] = {
            "headless": True,
            "slow_mo": 0,
            "pre_observation_delay": delay,
            "action_mapping": HighLevelActionSet(SUBSETS, multiaction=True, strict=True).to_python_code,
        }
        if chromium:
            options["pw_chromium_kwargs"] = {"executable_path": chromium}
        if arguments:
            options["task_kwargs"] = arguments
        self.env = gymnasium.make(f"browsergym/{task}", disable_env_checker=True, **options)
        observation, _ = self.env.reset(seed=seed)
        goal, pictures = read_goal(observation)
        return {
            "goal": goal,
            "pictures": pictures,
            "reward": 0.0,
            "ended": False,
            "seen": read_observation(observation),
        }

    def step(self, action: str) -> dict[str, Any]:
        """Carry out an action, given as BrowserGym's code."""
        observation, reward, ended, _, _ = self.env.step(action)
        return {"reward": reward, "ended": bool(ended), "seen": read_observation(observation)}

    def close(self) -> None:
        """Close the browser."""
        env, self.env = self.env, None
        if env is not None:
            env.close()


def load(benchmark: str) -> None:
    """Let a benchmark register its tasks."""
    if benchmark == "miniwob" and "MINIWOB_URL" not in os.environ:
        found = importlib.util.find_spec("miniwob")
        if found is None or not found.submodule_search_locations:
            raise ModuleNotFoundError("the pages of MiniWoB are missing: pip install miniwob, or set MINIWOB_URL")
        pages = Path(next(iter(found.submodule_search_locations))) / "html" / "miniwob"
        os.environ["MINIWOB_URL"] = pages.as_uri() + "/"
    importlib.import_module(MODULES.get(benchmark, f"browsergym.{benchmark}"))
    import browsergym.core.env

    browsergym.core.env.Chat = Chat


if __name__ == "__main__":
    player = TaskPlayer()
    names = ("list_tasks", "versions", "reset", "step", "close")
    serve_lines({name: getattr(player, name) for name in names})
