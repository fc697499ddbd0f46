"""A connection to an X server that ends instead of hanging."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.logs import logger_of
from omnipilot.envs.types.errors import EnvLost, require
from omnipilot.envs.types.geometry import Size

_LOG = logger_of("x11")

_environment = threading.RLock()


@contextmanager
def xauthority(address: DesktopAddress) -> Iterator[None]:
    """The environment in which libraries that read XAUTHORITY themselves connect to a desktop; one at a time."""
    with _environment:
        if not address.xauthority:
            yield
            return
        before = os.environ.get("XAUTHORITY")
        os.environ["XAUTHORITY"] = address.xauthority
        try:
            yield
        finally:
            if before is None:
                del os.environ["XAUTHORITY"]
            else:
                os.environ["XAUTHORITY"] = before


class XConnection:
    """One connection to an X server, for one thread.

    Attributes:
        display: python-xlib's Display.
        root: the root window.

    Args:
        patience: seconds after which a server that does not answer is given up.

    Raises:
        MissingExtra: python-xlib is not installed.
        EnvLost: there is no such server, or it turns us away.
    """

    def __init__(self, address: DesktopAddress, patience: float = 10.0) -> None:
        xdisplay: Any = require("Xlib.display", "desktop")
        self._address = address
        self._patience = patience
        self._lost = ""
        try:
            with xauthority(address):
                self.display = xdisplay.Display(address.display)
        except Exception as error:  # what python-xlib raises here ranges from OSError to AssertionError
            raise EnvLost(f"there is no X server at {address.display!r}: {error}") from error
        self.display.set_error_handler(lambda *_: None)  # windows go while they are asked about
        self.root = self.display.screen().root
        _LOG.info("connected to %s", address.display)
        self._socket: socket.socket = self.display.display.socket

    @property
    def size(self) -> Size:
        """Size of the screen as it is now, in pixels."""
        with self.talking():
            geometry = self.root.get_geometry()
        return Size(geometry.width, geometry.height)

    def fileno(self) -> int:
        """For `select`."""
        return self._socket.fileno()

    @contextmanager
    def talking(self, seconds: float = 0.0) -> Iterator[None]:
        """What is said to the server within; it is given up when it does not answer.

        Args:
            seconds: that what is done takes itself.

        Raises:
            EnvLost: the server is gone or does not answer.
        """
        if self._lost:
            raise EnvLost(self._lost)
        watch = threading.Timer(self._patience + seconds, self._give_up)
        watch.daemon = True
        watch.start()
        try:
            yield
        except Exception as error:
            if not is_lost(error):
                raise
            self._lost = self._lost or f"the X server {self._address.display} is gone: {error}"
            raise EnvLost(self._lost) from error
        finally:
            watch.cancel()

    def atom(self, name: str) -> int:
        """The number of an atom; python-xlib remembers it."""
        return int(self.display.get_atom(name))

    def sync(self) -> None:
        """Return when the server has taken everything that was sent."""
        self.display.sync()

    def pause(self, seconds: float) -> None:
        """Send what was asked for, and let time pass: keys are held and pointers move in time."""
        self.display.flush()
        if seconds > 0:
            time.sleep(seconds)

    def close(self) -> None:
        """Close the connection. May be called twice."""
        self._lost = self._lost or f"the connection to {self._address.display} is closed"
        try:
            self._socket.settimeout(1.0)
            self.display.close()
        except Exception:
            self._socket.close()

    def _give_up(self) -> None:
        self._lost = f"the X server {self._address.display} did not answer for {self._patience:g} s"
        _LOG.info("%s", self._lost)
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            self._lost += "; its connection was closed already"


def is_lost(error: Exception) -> bool:
    """Whether an exception of python-xlib says that the server is gone, rather than a window or a property."""
    from Xlib.error import ConnectionClosedError, DisplayError

    return isinstance(error, ConnectionClosedError | DisplayError | ConnectionError)


def is_refused(error: Exception) -> bool:
    """Whether an exception of python-xlib says that what was asked about is not there, such as a closed window."""
    from Xlib.error import XError

    return isinstance(error, XError)
