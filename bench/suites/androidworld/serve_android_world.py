"""Runs with the user's interpreter: answers for the checkout of AndroidWorld what `AndroidWorldTasks` asks.

It imports their packages and `serve_lines` alone. What it calls is public in their code: the registry, `create_suite`,
`load_and_setup_env`, and `initialize_task`, `is_successful` and `tear_down` of a task. Their imports stand in
functions, so that what is missing is an answer and not an end.
"""

from __future__ import annotations

import argparse
import io
import logging
import sys
import threading
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from serve_lines import serve_lines

PACKAGES = ("android_env", "protobuf", "grpcio")
STEPS = 10
"""Steps that they allow for each unit of a task's complexity (`suite_utils.run`)."""


class AdbAlone:
    """A device that is reached over adb alone, without an emulator's gRPC: what their tasks ask of a controller.

    Args:
        server: port of the adb server. adb: path of the program.
    """

    def __init__(self, serial: str, server: int, adb: str) -> None:
        from android_env.components import adb_call_parser, adb_controller, config_classes

        config = config_classes.AdbControllerConfig(adb_path=adb, adb_server_port=server, device_name=serial)
        self._adb = adb_controller.AdbController(config)
        self._parser = adb_call_parser.AdbCallParser(self._adb)

    def execute_adb_call(self, call: Any) -> Any:
        """Carry out one of android_env's requests."""
        return self._parser.parse(call)

    def reset(self) -> Any:
        """The screen as it is; nothing is reset."""
        return self.step(None)

    def step(self, action: Any) -> Any:  # noqa: ARG002
        """The screen as it is; nothing is done, since no task of theirs acts this way."""
        import dm_env
        import numpy as np
        from PIL import Image

        png = self._adb.execute_command(["exec-out", "screencap", "-p"])
        pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
        return dm_env.restart({"pixels": pixels})

    def close(self) -> None:
        """Nothing is held."""


class DeviceTasks:
    """One task at a time, on one device.

    Args:
        family: of tasks, as their registry names it. seed: of their suite.
    """

    def __init__(self, family: str, seed: int) -> None:
        self._family, self._seed = family, seed
        self._env: Any = None
        self._task: Any = None

    def _registry(self) -> dict[str, Any]:
        from android_world import registry

        return dict(registry.TaskRegistry().get_registry(self._family))

    def _instance(self, task: str, instance: int) -> Any:
        from android_world import suite_utils

        # What an instance holds depends on the seed, its number and its task's name alone; the last one is ours.
        return suite_utils.create_suite({task: self._registry()[task]}, instance + 1, self._seed)[task][-1]

    def list_tasks(self) -> dict[str, Any]:
        """All tasks with their first instance, and the versions of what they are made of.

        A task is unseeded if its goal is another one a second later: one of theirs has the time of day in it.
        """
        from android_world import suite_utils

        found = suite_utils.create_suite(self._registry(), 1, self._seed)
        # Some ways to ask for the time are some milliseconds behind others.
        later = int(time.time()) + 1.05
        while time.time() < later:
            threading.Event().wait(later - time.time())
        again = suite_utils.create_suite(self._registry(), 1, self._seed)
        tasks = [
            {
                "name": name,
                "goal": str(one.goal),
                "steps": int(STEPS * one.complexity),
                "apps": sorted({str(app) for app in one.app_names if app}),
                "seeded": str(one.goal) == str(again[name][0].goal),
            }
            for name, (one, *_) in found.items()
        ]
        return {"tasks": tasks, "versions": versions()}

    def connect(
        self, connection: str, serial: str, console_port: int, grpc_port: int, server: int, adb: str, freeze: bool
    ) -> None:
        """Reach the device as they do, or over adb alone, and set it up as they do before a run."""
        from android_env.components import adb_controller
        from android_world.env import env_launcher
        from android_world.task_evals import task_eval

        # Where a command fails, android_env restarts the adb server, and with it every connection of others is gone.
        adb_controller.AdbController._restart_server = lambda *_, **__: None
        if not freeze:
            # Their tasks set the clock too, each when it begins, which a phone without root refuses.
            task_eval.TaskEval.initialize_device_time = lambda *_: None
        if connection == "emulator":
            self._env = env_launcher.load_and_setup_env(
                console_port=console_port,
                emulator_setup=False,
                freeze_datetime=freeze,
                adb_path=adb,
                grpc_port=grpc_port,
            )
            return
        from android_world.env import android_world_controller, interface

        controller = android_world_controller.AndroidWorldController(
            AdbAlone(serial, server, adb), a11y_method=android_world_controller.A11yMethod.UIAUTOMATOR
        )
        self._env = interface.AsyncAndroidEnv(controller)
        env_launcher.setup_env(self._env, False, freeze)

    def start(self, task: str, instance: int) -> dict[str, Any]:
        """Bring the device to a task's start; the task before is torn down first."""
        self.end()
        one = self._instance(task, instance)
        one.initialize_task(self._env)
        self._task = one
        return {"goal": str(one.goal), "home": bool(one.start_on_home_screen)}

    def hear(self, answer: str) -> None:
        """Keep what the agent answered where their judges look for it."""
        self._env.interaction_cache = answer

    def score(self) -> Any:
        """What their judge says of the device as it is."""
        return self._task.is_successful(self._env)

    def end(self) -> None:
        """Tear the task down, if there is one."""
        task, self._task = self._task, None
        if task is not None:
            task.tear_down(self._env)


def versions() -> dict[str, str]:
    """Of the interpreter and of the packages that judge."""
    found = {"Python": ".".join(map(str, sys.version_info[:3]))}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def main() -> None:
    """Serve until standard input ends."""
    logging.basicConfig(stream=sys.stderr)
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkout", required=True)
    parser.add_argument("--family", required=True)
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args()
    sys.path.insert(0, str(Path(given.checkout)))
    tasks = DeviceTasks(given.family, given.seed)
    names = ("list_tasks", "connect", "start", "hear", "score", "end")
    serve_lines({name: getattr(tasks, name) for name in names})


if __name__ == "__main__":
    main()
