"""The screen as numbered JPEG pictures, a new one only where something has changed."""

from __future__ import annotations

import io
import time
import zlib
from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.connection import xauthority
from omnipilot.envs.types.errors import EnvLost, require

RATE = 20
"""Pictures a second at most."""
QUALITY = 85


class Frames:
    """Takes pictures of a screen with the pointer on them; for one thread.

    Raises:
        MissingExtra: mss is not installed. EnvLost: there is no such X server.
    """

    def __init__(self, address: DesktopAddress) -> None:
        mss: Any = require("mss", "desktop")
        try:
            with xauthority(address):
                self._mss = mss.MSS(display=address.display, with_cursor=True)
        except Exception as error:
            raise EnvLost(f"there is no X server at {address.display!r}: {error}") from error
        self._sum: int | None = None
        self._number = 0
        self._jpeg = b""
        self._last = 0.0

    def after(self, number: int, seconds: float) -> tuple[int, bytes] | None:
        """The newest picture and its number, once that is not `number`; None if nothing changes for some seconds.

        Raises:
            EnvLost: the X server is gone.
        """
        until = time.monotonic() + seconds
        while True:
            pause = self._last + 1 / RATE - time.monotonic()
            if pause > 0:
                # The pace of pictures, however many ask for them.
                self._wait(pause)
            self._take()
            if self._number != number:
                return self._number, self._jpeg
            if time.monotonic() > until:
                return None

    def _wait(self, seconds: float) -> None:
        import select

        select.select([], [], [], seconds)

    def _take(self) -> None:
        from PIL import Image

        self._last = time.monotonic()
        try:
            shot = self._mss.grab(self._mss.monitors[0])
        except Exception as error:  # of a server that is gone mss says it with a bare AssertionError
            raise EnvLost(f"the X server is gone: {error or type(error).__name__}") from error
        now = zlib.adler32(shot.raw)
        if now == self._sum:
            return
        self._sum = now
        self._number += 1
        picture = Image.frombuffer("RGB", (shot.width, shot.height), shot.raw, "raw", "BGRX", 0, 1)
        written = io.BytesIO()
        picture.save(written, "JPEG", quality=QUALITY)
        self._jpeg = written.getvalue()

    def close(self) -> None:
        """Release the connection."""
        self._mss.close()
