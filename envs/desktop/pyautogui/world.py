"""A world with the desktop of this machine, through PyAutoGUI: the kind of device `pyautogui`."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from omnipilot.envs.base import Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.pyautogui.env import PyAutoGuiEnv
from omnipilot.envs.desktop.pyautogui.input import INTERPRETER, missing_words
from omnipilot.envs.requirements import failed_checks
from omnipilot.envs.types.errors import ConfigError, check_installed

FROZEN = Thinking()


class PyAutoGuiWorld(World):
    """The main screen of Windows, macOS or any X11 desktop, through PyAutoGUI and screenshots alone.

    It runs all the time, so the clock is wall time. A reset restores nothing: it is the desktop as its user left it.

    Args:
        thinking: only recorded; a desktop cannot be frozen.
        clock: of the world that this one is part of, which restarts it; by default it has a clock of its own.
        name, display, still, settle: as for `PyAutoGuiEnv`.

    Raises:
        MissingExtra, ConfigError: PyAutoGUI or mss is not installed, or there is no screen.
    """

    def __init__(
        self,
        thinking: Thinking = FROZEN,
        clock: WallClock | None = None,
        *,
        name: str = "desktop",
        display: str = "",
        still: float = 0.15,
        settle: float = 2.0,
    ) -> None:
        self.thinking = thinking
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self.env = PyAutoGuiEnv(name, clock=self._clock, display=display, still=still, settle=settle)

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:  # noqa: ARG004
        """What the device needs and does not find on this machine; nothing is started."""
        return failed_checks(partial(check_installed, "pyautogui", "mss"), _check_pyautogui)

    @property
    def envs(self) -> Mapping[str, PyAutoGuiEnv]:
        """The desktop, by its name."""
        return {self.env.name: self.env}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """Begin again at 0 seconds; the desktop stays as it is."""
        if self._own_clock:
            self._clock.restart()

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        time.sleep(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the programs kept running."""

    def close(self) -> None:
        """Release the keys, the mouse and the screen. May be called twice."""
        self.env.close()


def _check_pyautogui() -> None:
    """Make sure that an interpreter with PyAutoGUI is named, or that this one has it.

    Raises:
        ConfigError: neither.
    """
    python = os.environ.get(INTERPRETER)
    if python and shutil.which(python) is None:
        raise ConfigError(f"{INTERPRETER} must name a Python interpreter: there is no program {python}")
    if not python and importlib.util.find_spec("pyautogui") is None:
        raise ConfigError(missing_words(sys.executable, "No module named 'pyautogui'"))
