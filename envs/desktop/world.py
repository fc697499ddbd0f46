"""A world with one private desktop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from omnipilot.envs.base import Capability, Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.env import INPUTS, DesktopEnv
from omnipilot.envs.desktop.private.desktop import (
    DEFAULT,
    DISK,
    LEAST,
    MEMORY,
    PROCESSES,
    PrivateDesktop,
    check_system,
    start_desktop,
)
from omnipilot.envs.desktop.private.network import parse_network
from omnipilot.envs.desktop.private.sandbox import Isolation, why_no_bubblewrap
from omnipilot.envs.desktop.programs import PROGRAMS, WINDOW_MANAGERS, find_program
from omnipilot.envs.requirements import failed_checks
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost, check_installed
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Modality

FROZEN = Thinking()
WINDOW = 30.0
"""Seconds that a program may take to show its window."""


class DesktopWorld(World):
    """One private desktop on which programs run all the time, so the clock is wall time.

    Judges may read its files (`Files`) and run commands in its sandbox as its user (`Shell`).

    Args:
        thinking: only recorded; a desktop cannot be frozen.
        size: of the screen in pixels.
        programs: names in `PROGRAMS` that each reset starts, in this order.
        home: folder whose content the home starts with at each reset.
        network: what programs reach: "none", "host", or ports of the machine, such as [8080]; see `start_desktop`.
        window_manager: a name in `WINDOW_MANAGERS`, "" for none.
        environment: more variables of its programs.
        input: the way to its mouse and keyboard, "xtest" or "pyautogui".
        clock: of the world that this one is part of, which restarts it; by default it has a clock of its own.
        name: of the environment.
        deadline: seconds at most to collect the elements of an observation.
        processes, disk: processes and threads, and megabytes of files, at most; a desktop with more is ended.
        memory: megabytes at most in each of its folders that lie in memory, such as /tmp and /dev/shm.

    Raises:
        MissingExtra, ConfigError: a library or program is missing.
    """

    capabilities = frozenset({Capability.FILES, Capability.SHELL})

    def __init__(
        self,
        thinking: Thinking = FROZEN,
        size: Size = DEFAULT,
        programs: Sequence[str] = (),
        home: Path | None = None,
        network: str | Sequence[int] = "none",
        window_manager: str = "xfwm4",
        environment: Mapping[str, str] | None = None,
        input: str = "xtest",
        clock: WallClock | None = None,
        name: str = "desktop",
        deadline: float = 0.5,
        processes: int = PROCESSES,
        disk: int = DISK,
        memory: int = MEMORY,
    ) -> None:
        self.thinking = thinking
        self.programs = tuple(programs)
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._name = name
        self._input = input
        self._deadline = deadline
        self._used = False
        self._start: Callable[[], PrivateDesktop] = lambda: start_desktop(
            size,
            network=network,
            window_manager=window_manager,
            home=home,
            environment=environment,
            processes=processes,
            disk=disk,
            memory=memory,
        )
        self.desktop = self._start()
        try:
            self.env = self._connect()
        except BaseException:
            self.desktop.close()
            raise

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """Programs, window managers and ways in that are not known, a home that is no folder, limits that are too low.

        See `World.option_mistakes`. Whether programs are installed is seen when a desktop is started.
        """
        for name in options.get("programs", ()):
            if name not in PROGRAMS:
                yield f"programs: there is no program {name!r}; {nearest(name, PROGRAMS)}"
        manager, way = options.get("window_manager", ""), options.get("input", INPUTS[0])
        if manager and manager not in WINDOW_MANAGERS:
            yield f'window_manager must be one of {", ".join(WINDOW_MANAGERS)}, or "" for none, not {manager!r}'
        if way not in INPUTS:
            yield f"input must be one of {', '.join(INPUTS)}, not {way!r}"
        if "home" in options and not Path(options["home"]).is_dir():
            yield f"home: there is no folder {options['home']}"
        try:
            parse_network(options.get("network", "none"))
        except ConfigError as error:
            yield str(error)
        for name, least in LEAST.items():
            if options.get(name, least) < least:
                yield f"{name} must be at least {least}, not {options[name]}"
        for name in options.get("environment", {}):
            if not name or "=" in name or "\0" in name:
                yield f"environment: {name!r} is no name of a variable"

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:
        """What a desktop with these options needs and does not find on this machine; nothing is started."""
        programs = options.get("programs", ())
        return failed_checks(
            *(partial(check_installed, "desktop", module) for module in ("Xlib", "mss", "jeepney", "av")),
            partial(check_system, options.get("window_manager", "xfwm4")),
            *(partial(find_program, name) for name in programs if isinstance(name, str)),
        )

    def _connect(self) -> DesktopEnv:
        return DesktopEnv(
            self.desktop.address,
            self._name,
            clock=self._clock,
            input=self._input,
            launch=self._launch,
            deadline=self._deadline,
            why_gone=self.desktop.why_ended,
        )

    def _launch(self, name: str) -> None:
        """Start a known program, by its name or what it is for."""
        wanted = name.strip().casefold()
        ready = (*self.programs, *(one for one in PROGRAMS if one not in self.programs))
        for known in ready:
            program = PROGRAMS[known]
            if wanted in (program.name, program.kind, program.title.casefold()):
                try:
                    self.desktop.open(known)
                except ConfigError as error:
                    raise ActionRejected(str(error)) from error
                return
        titles = ", ".join(PROGRAMS[one].title for one in self.programs or PROGRAMS)
        raise ActionRejected(f"there is no program {name!r}; there are {titles}")

    @staticmethod
    def conditions(options: Mapping[str, Any], shown: frozenset[Modality]) -> Mapping[str, str]:  # noqa: ARG004
        """How far its desktop will be shut off on this machine: see `Isolation.kind`."""
        return {"isolation": "processes" if why_no_bubblewrap() else "bubblewrap"}

    @property
    def isolation(self) -> Isolation:
        """How far the desktop is shut off, for the record of a run."""
        return self.desktop.isolation

    @property
    def envs(self) -> Mapping[str, DesktopEnv]:
        """The desktop, by its name."""
        return {self._name: self.env}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """The desktop as it was at its start, with a fresh home, and its programs started anew.

        The content does not depend on `instance`: whoever sets a task writes it into `desktop.home`. Servers that
        still are as they were stay, so that film and sound go on; otherwise the whole desktop is replaced.

        Raises:
            EnvLost: it does not start again, or a program shows no window.
        """
        if self._used:
            try:
                self.desktop.refresh()
            except EnvLost:
                self._replace()
        self._used = True
        for name in self.programs:
            self.desktop.open(name, wait=WINDOW)
        if self._own_clock:
            self._clock.restart()

    def _replace(self) -> None:
        self.env.close()
        self.desktop.close()
        try:
            self.desktop = self._start()
            self.env = self._connect()
        except ConfigError as error:
            raise EnvLost(f"the private desktop does not start again: {error}") from error

    def wait(self, seconds: float) -> None:
        """Wait in real time.

        Raises:
            EnvLost: the desktop is gone.
        """
        time.sleep(seconds)
        if not self.desktop.usable:
            why = self.desktop.why_ended()
            raise EnvLost(f"the private desktop has ended{f': {why}' if why else ''}")

    def think(self, measured: float) -> None:
        """Do nothing: the programs kept running."""

    def read_file(self, path: str) -> bytes:
        """Content of a file in the desktop's home; see `HomeFolder`."""
        return self.desktop.home.read_file(path)

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command, run in the desktop's sandbox as its user."""
        return self.desktop.shell(command, timeout)

    def close(self) -> None:
        """Disconnect, and end the desktop."""
        self.env.close()
        self.desktop.close()
