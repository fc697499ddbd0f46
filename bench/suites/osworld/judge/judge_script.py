"""Sets OSWorld's tasks up and judges them by the code of the user's checkout; runs with the user's interpreter.

`omnipilot.bench.suites.osworld.judging` starts it. It imports the standard library, `serve_lines`, and what the
checkout brings: nothing of omnipilot. Its arguments are the checkout, a folder for files, and the layout.
"""

from __future__ import annotations

import json
import logging
import numbers
import os
import sys
import types
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from serve_lines import serve_lines
from web_files import find_file  # type: ignore[import-not-found]

MOST_COMPLAINTS = 20
"""Errors that are handed on, the last ones."""
NOT_SET_UP = ("Failed to launch application", "Failed to upload", "An error occurred while trying to send the request")
"""What the checkout logs, and does not raise, when a part of a task's setup was not carried out."""
NEEDS = {"compare_image_text": "easyocr"}
"""Metrics that need a package which the environment may lack, since it brings torch."""


class _Complaints(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines = [*self.lines, record.getMessage()[:2000]][-MOST_COMPLAINTS:]


class Bench:
    """One machine, and the task that is on it.

    Args:
        checkout: a folder with `desktop_env/`. cache: for files that are fetched. layout: "osworld" or "waa".
    """

    def __init__(self, checkout: str, cache: str, layout: str) -> None:
        # Only one task needs it to read text in pictures, and it brings torch.
        self._lacking = set()
        for name in NEEDS.values():
            try:
                __import__(name)
            except ImportError:
                sys.modules[name] = types.ModuleType(name)
                self._lacking.add(name)
        sys.path.insert(0, checkout)
        # The checkout reads settings by paths that begin there.
        os.chdir(checkout)
        import desktop_env
        from desktop_env.controllers.python import PythonController
        from desktop_env.controllers.setup import SetupController

        module = "desktop_env.desktop_env" if layout == "osworld" else "desktop_env.envs.desktop_env"
        self._class = __import__(module, fromlist=["DesktopEnv"]).DesktopEnv
        self._controllers = PythonController, SetupController
        self.path = str(Path(desktop_env.__file__ or desktop_env.__path__[0]))
        self._cache = cache
        self._layout = layout
        self._complaints = _Complaints()
        logging.getLogger().addHandler(self._complaints)
        self._env: Any = None
        self._measured: list[dict[str, Any]] = []

    def where(self) -> dict[str, str]:
        """Where the package was found, and the interpreter's version."""
        return {"desktop_env": self.path, "python": sys.version.split()[0]}

    def setup(
        self,
        task: dict[str, Any],
        host: str,
        ports: list[int],
        password: str,
        screen: list[int],
        files: str,
        system: str,
    ) -> dict[str, Any]:
        """Bring the machine to the start of a task.

        Args:
            task: the task file's content. ports: of the server, Chromium, VNC and VLC. files: folder in which files of
                the web lie; "" to fetch them. system: "Ubuntu" or "Windows".
        """
        self._complaints.lines = []
        named = task["evaluator"]["func"]
        for metric in named if isinstance(named, list) else [named]:
            if NEEDS.get(metric) in self._lacking:
                raise RuntimeError(f"{metric} needs {NEEDS[metric]}: install it for {sys.executable}")
        if files:
            _take_from(Path(files), host)
        env = self._new(host, ports, password, screen, system)
        env._set_task_info(task)
        env.setup_controller.reset_cache_dir(env.cache_dir)
        if self._layout == "osworld":
            done = env.setup_controller.setup(env.config, False)
        else:
            done = env.setup_controller.setup(env.config)
        missed = [line for line in self._complaints.lines if line.startswith(NOT_SET_UP)]
        if done is False:
            missed.append("the machine did not answer")
        if missed:
            raise RuntimeError(f"the task could not be set up: {'; '.join(missed)}")
        self._env = env
        return {"complaints": self._complaints.lines}

    def evaluate(self, actions: list[str]) -> dict[str, Any]:
        """Judge the task that is on the machine.

        Args:
            actions: what was done; only the last one is read, "FAIL" for an ending as infeasible.
        """
        if self._env is None:
            raise RuntimeError("no task was set up")
        self._complaints.lines = []
        self._env.action_history[:] = actions
        self._measured = []
        self._env.metric = _each(self._env.metric, self._measure)
        score = self._env.evaluate()
        return {"score": _plain(score), "metrics": self._measured, "complaints": self._complaints.lines}

    def _new(self, host: str, ports: list[int], password: str, screen: list[int], system: str) -> Any:
        """A `DesktopEnv` as its own `__init__` leaves it, without a provider of machines."""
        python_controller, setup_controller = self._controllers
        env = self._class.__new__(self._class)
        env.vm_ip = host
        env.server_port, env.chromium_port, env.vnc_port, env.vlc_port = ports
        env.cache_dir_base = self._cache
        env.client_password = password
        env.enable_proxy = env.current_use_proxy = False
        env.os_type = system
        env.screen_width, env.screen_height = screen
        env.action_history = []
        env.is_environment_used = True
        env.action_space = "pyautogui"
        if self._layout == "osworld":
            env.controller = python_controller(vm_ip=host, server_port=ports[0])
            env.setup_controller = setup_controller(
                vm_ip=host,
                server_port=ports[0],
                chromium_port=ports[1],
                vlc_port=ports[3],
                cache_dir=self._cache,
                client_password=password,
                screen_width=screen[0],
                screen_height=screen[1],
            )
        else:
            env.controller = python_controller(host)
            env.setup_controller = setup_controller(host, self._cache)
        return env

    def _measure(self, metric: Any) -> Any:
        """The metric, which writes down what it finds."""

        def measured(*given: Any, **named: Any) -> Any:
            value = metric(*given, **named)
            self._measured.append({"metric": getattr(metric, "__name__", "?"), "value": repr(value)[:200]})
            return value

        return measured


def _each(metric: Any, change: Any) -> Any:
    return [change(one) for one in metric] if isinstance(metric, list) else change(metric)


def _plain(score: Any) -> Any:
    """A score as JSON; what is no number is told as it is, for the other side to refuse."""
    if isinstance(score, numbers.Real) or type(score).__name__ in ("bool_", "bool"):
        return float(score)
    return repr(score)[:200]


def _take_from(folder: Path, machine: str) -> None:
    """Have every request that does not go to the machine answered from a folder."""
    import requests

    adapter: Any = requests.adapters.BaseAdapter

    class Files(adapter):  # type: ignore[misc]
        def send(self, request: Any, **_: Any) -> Any:
            answer = requests.Response()
            answer.request, answer.url = request, request.url
            answer.headers["Content-Type"] = "application/octet-stream"
            path = find_file(folder, request.url)
            if path is None:
                raise requests.ConnectionError(f"{request.url} is not in {folder}")
            answer.status_code = 200
            answer.raw = path.open("rb")
            answer.headers["content-length"] = str(path.stat().st_size)
            return answer

        def close(self) -> None:
            """Nothing is held."""

    own = requests.Session.get_adapter

    def choose(session: Any, url: str) -> Any:
        return own(session, url) if urlparse(url).hostname in (machine, "localhost", "127.0.0.1") else Files()

    if not getattr(requests.Session, "reads_files", False):
        changed: Any = requests.Session
        changed.get_adapter, changed.reads_files = choose, True


def main() -> None:
    """Answer requests until standard input ends."""
    bench: list[Bench] = []

    def open_bench() -> dict[str, str]:
        if not bench:
            bench.append(Bench(**json.loads(sys.argv[1])))
        return bench[0].where()

    serve_lines(
        {
            "open": open_bench,
            "setup": lambda **given: bench[0].setup(**given),
            "evaluate": lambda **given: bench[0].evaluate(**given),
        }
    )


if __name__ == "__main__":
    main()
