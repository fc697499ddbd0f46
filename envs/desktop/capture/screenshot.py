"""Pictures of the screen, exact to the pixel."""

from __future__ import annotations

from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.connection import xauthority
from omnipilot.envs.types.errors import EnvLost, require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image


class Screenshots:
    """Takes pictures of one X server through shared memory, without the pointer.

    Raises:
        MissingExtra: mss is not installed.
        EnvLost: there is no such X server.
    """

    def __init__(self, address: DesktopAddress, name: str) -> None:
        mss: Any = require("mss", "desktop")
        self._name = name
        self._display = address.display
        try:
            with xauthority(address):
                self._mss = mss.MSS(display=address.display)
        except Exception as error:
            raise EnvLost(f"there is no X server at {address.display!r} to take pictures of: {error}") from error

    def take(self, size: Size, now: float) -> Image:
        """The whole screen.

        Args:
            size: of the screen. now: what time it is on the world's clock.

        Raises:
            EnvLost: the X server is gone.
        """
        place = {"left": 0, "top": 0, "width": size.width, "height": size.height}
        try:
            grabbed = self._mss.grab(place)
        except Exception as error:  # of a server that is gone mss says it with a bare AssertionError
            raise EnvLost(f"no picture of the X server {self._display}: {error or type(error).__name__}") from error
        return Image.raw(size, rgb_bytes(grabbed.raw, size), self._name, now)

    def close(self) -> None:
        """Release the connection. May be called twice."""
        try:
            self._mss.close()
        except Exception as error:
            # A server that is gone has nothing left to be told.
            self._display = f"{self._display} ({error})"


def rgb_bytes(bgrx: Any, size: Size) -> bytes:
    """Pixels of four bytes (blue, green, red, unused) as those of three (red, green, blue); nothing else changes."""
    from PIL import Image as pil

    return pil.frombuffer("RGB", (size.width, size.height), bgrx, "raw", "BGRX", 0, 1).tobytes()
