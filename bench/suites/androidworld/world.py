"""A phone of a world file, with AndroidWorld's own code beside it, which sets tasks up and judges them."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.foreign import ForeignFailure, ForeignProcess, finite_score
from omnipilot.bench.tasks.task import TaskVoid
from omnipilot.envs import (
    Answer,
    AskUser,
    Capability,
    ConfigError,
    Done,
    Env,
    EnvLost,
    Modality,
    Observation,
    World,
)
from omnipilot.envs.composite import open_world

SCRIPT = Path(__file__).with_name("serve_android_world.py")
LISTING = 120.0
CONNECTING = 300.0
STARTING = 600.0
JUDGING = 180.0
"""Seconds that their code may take: to list its tasks, to reach the device, to set a task up or tear it down, to
judge."""
_EMULATOR = re.compile(r"emulator-(\d+)")


@dataclass(frozen=True, slots=True)
class AndroidWorldCheckout:
    """Where AndroidWorld is, and how it reaches the device.

    Attributes:
        checkout: of its repository. python: an interpreter with what it needs.
        family, seed: of its tasks.
        connection: "emulator" for its own way, by adb and the emulator's gRPC; "adb" for adb alone.
        grpc_port: of the emulator.
        freeze: whether the device's clock is set to the day that tasks are written for.
    """

    checkout: Path
    python: str
    family: str
    seed: int
    connection: str
    grpc_port: int
    freeze: bool

    def process(self) -> ForeignProcess:
        """Their code, in a process of its own.

        Raises:
            ConfigError: the interpreter cannot be started.
        """
        arguments = ["--checkout", str(self.checkout), "--family", self.family, "--seed", str(self.seed)]
        variables = {"PYTHONDONTWRITEBYTECODE": "1"}
        return ForeignProcess(self.python, SCRIPT, arguments, variables=variables, name="AndroidWorld")


@dataclass(frozen=True, slots=True)
class WhatWasSaid:
    """What judges are told besides the phone.

    Attributes:
        task: AndroidWorld's name of it; "" before the first. done: whether the agent said that it is done.
        answer: the last one that it gave.
    """

    task: str = ""
    done: bool = False
    answer: str = ""


class AndroidWorldTasks(World):
    """One phone, operated by our environment, and set up and judged by AndroidWorld's code.

    Args:
        bench: where that code is.
        devices: a world's table with one Android device, as `omnipilot.envs.composite.read_world` gives it.

    Raises:
        ConfigError: the device or the interpreter cannot be started. EnvLost: the device cannot be reached.
    """

    capabilities = frozenset({Capability.STATE, Capability.HEARS})

    def __init__(self, bench: AndroidWorldCheckout, devices: Mapping[str, Any]) -> None:
        self._bench = bench
        self._name = next(iter(devices["devices"]))
        self._state = WhatWasSaid()
        self._process: ForeignProcess | None = None
        self._devices = open_world(devices)

    @property
    def envs(self) -> Mapping[str, Env]:
        """The phone, by the name of its device."""
        return self._devices.envs

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._devices.now

    def reset(self, instance: int) -> None:
        """Reset the phone as its device does. Tasks are begun by `start`."""
        self._state = WhatWasSaid()
        self._devices.reset(instance)

    def start(self, task: str, instance: int) -> str:
        """Reset the phone, and let AndroidWorld bring it to a task's start; returns the goal.

        Raises:
            TaskVoid: AndroidWorld's code fails at it. EnvLost: the phone or the process is gone.
        """
        self.reset(instance)
        process = self._connected()
        try:
            begun = process.ask("start", STARTING, task=task, instance=instance)
        except ForeignFailure as error:
            self._leave()  # what half a set-up left there is unknown
            raise TaskVoid(f"AndroidWorld cannot set it up: {error}") from error
        self._state = WhatWasSaid(task)
        if begun["home"]:
            self._devices.ask(self._name, lambda world: next(iter(world.envs.values())).go_home())
        return str(begun["goal"])

    def score(self) -> float:
        """What AndroidWorld's judge says of the phone as it is, 0..1.

        Raises:
            EnvLost: no task was begun, the judge fails or does not answer, or answers no score.
        """
        if not self._state.task or self._process is None:
            raise EnvLost("AndroidWorld has no task to judge")
        return finite_score(self._process.ask("score", JUDGING), f"the judge of {self._state.task}")

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Keep an answer where AndroidWorld's judges look for it, and that the agent is done."""
        if isinstance(said, Answer):
            if self._process is not None:
                self._process.ask("hear", JUDGING, answer=said.text)
            self._state = WhatWasSaid(self._state.task, self._state.done, said.text)
        elif isinstance(said, Done):
            self._state = WhatWasSaid(self._state.task, True, self._state.answer)

    def state(self) -> WhatWasSaid:
        """The task, and what the agent said."""
        return self._state

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        """As the phone."""
        return self._devices.observe_together(modalities, since)

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        self._devices.wait(seconds)

    def think(self, measured: float) -> None:
        """As the phone, which keeps running unless it is simulated."""
        self._devices.think(measured)

    def close(self) -> None:
        """Tear the task down, end the process and release the phone. May be called twice."""
        self._leave()
        self._devices.close()

    def _connected(self) -> ForeignProcess:
        """The process, with the task before torn down; a new one where that failed."""
        if self._process is not None:
            try:
                self._process.ask("end", STARTING)
            except EnvLost:  # the episode before is judged; the next one gets a fresh process
                self._leave()
        if self._process is None:
            serial, server = self._devices.ask(self._name, _address)
            process = self._process = self._bench.process()
            number = _EMULATOR.fullmatch(serial)
            if number is None and self._bench.connection == "emulator":
                raise ConfigError(
                    f"AndroidWorld reaches emulators (emulator-5554), and {serial} is none: "
                    "-o suite.connection=adb reaches it over adb alone"
                )
            process.ask(
                "connect",
                CONNECTING,
                connection=self._bench.connection,
                serial=serial,
                console_port=int(number[1]) if number else 0,
                grpc_port=self._bench.grpc_port,
                server=server,
                adb=shutil.which("adb") or "adb",
                freeze=self._bench.freeze,
            )
        return self._process

    def _leave(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            if process.alive:
                with contextlib.suppress(EnvLost):  # it has no task then, or is gone, and has said so in the log
                    process.ask("end", STARTING)
            process.close()


def _address(world: Any) -> tuple[str, int]:
    """Serial and port of the adb server of a device's only phone.

    Raises:
        ConfigError: it is no phone that adb reaches.
    """
    env = next(iter(world.envs.values()))
    if not (hasattr(env, "serial") and hasattr(env, "server")):
        raise ConfigError('AndroidWorld needs a phone that is reached over adb: kind = "android"')
    return str(env.serial), int(env.server.port)
