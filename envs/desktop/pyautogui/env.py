"""A desktop through PyAutoGUI and screenshots alone: Windows, macOS, and any X11 screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

from omnipilot.envs.base import Env
from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.pyautogui.input import VERBS, PyAutoGuiInput
from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost, MissingExtra
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image
from omnipilot.envs.types.observation import Absent, Context, Modality, Observation

FRAME = 0.05
"""Seconds between the looks that find out whether a screen is still."""


class PyAutoGuiEnv(Env):
    """The main screen of a desktop: pictures and the title of the window in front; no elements, no sound, no video.

    Args:
        clock: of the world.
        display: of an X server, such as ":7"; "" for the system's own screen.
        still: seconds without a change after which a screen counts as settled.
        settle: maximum seconds to wait for that after an action.
        make_input: the mouse and keyboard.

    Raises:
        MissingExtra, ConfigError: what it needs is not there.
    """

    name: str
    size: Size
    verbs: frozenset[str]

    def __init__(
        self,
        name: str = "desktop",
        *,
        clock: WallClock | None = None,
        display: str = "",
        still: float = 0.15,
        settle: float = 2.0,
        make_input: Callable[..., PyAutoGuiInput] = PyAutoGuiInput,
    ) -> None:
        try:
            import mss
        except ImportError as error:
            raise MissingExtra("pyautogui", "mss") from error
        self.name = name
        self.verbs = VERBS
        self._clock = clock or WallClock()
        self._still, self._settle = still, settle
        import os

        self._input = make_input({**os.environ, "DISPLAY": display} if display else None)
        try:
            self._screens: Any = mss.MSS(display=display) if display else mss.MSS()
            self.size = self._shoot().size
        except Exception as error:
            self._input.close()
            raise ConfigError(f"the screen cannot be read: {error}") from error
        self._closed = False

    @property
    def platform(self) -> Literal["desktop"]:
        """The kind of device."""
        return "desktop"

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """No custom verbs."""
        return {}

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        """The screen as it is now."""
        seen: dict[str, Any] = {
            modality.value: Absent("unsupported" if modality in modalities else "unasked") for modality in Modality
        }
        now = self._clock.now
        if Modality.SCREENSHOT in modalities:
            seen["screenshot"] = self._shoot()
            now = seen["screenshot"].start
        if Modality.CONTEXT in modalities:
            seen["context"] = Context("", self._input.title())
        return Observation(self.name, now, self.size, **seen)

    def act(self, action: Action) -> None:
        """Execute one action; return when the screen is still, or after the time limit for that."""
        if action.kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot do {action.kind!r}; it can: {', '.join(sorted(self.verbs))}")
        getattr(self._input, action.kind)(action)
        self._wait_until_still()

    def close(self) -> None:
        """Release the keys, the mouse and the screen. May be called twice."""
        if not self._closed:
            self._closed = True
            self._input.close()
            self._screens.close()

    def _shoot(self) -> Image:
        try:
            shot = self._screens.grab(self._screens.monitors[1])
        except Exception as error:  # mss raises whatever the system's own calls raise.
            raise EnvLost(f"the screen of {self.name} cannot be read any more: {error!r}") from error
        return Image.raw(Size(shot.width, shot.height), shot.rgb, self.name, self._clock.now)

    def _wait_until_still(self) -> None:
        end = time.monotonic() + self._settle
        last, since = self._shoot(), time.monotonic()
        while (now := time.monotonic()) - since < self._still and now < end:
            time.sleep(FRAME)
            if (shot := self._shoot()).rgb != last.rgb:
                last, since = shot, time.monotonic()
