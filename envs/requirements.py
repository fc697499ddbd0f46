"""Looking for everything that a device needs, not only the first that is missing; nothing is started."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from omnipilot.envs.types.errors import ConfigError

LISTENS = 3.0
"""Seconds in which a server has to accept a connection."""


def failed_checks(*checks: Callable[[], object]) -> list[str]:
    """The messages of the checks that fail, each once; empty where all pass. Worlds and suites answer `lacking` by it.

    Args:
        checks: each raises a `ConfigError`, or a `MissingExtra`, which is one, if something is not there; whatever else
            it raises is passed on.
    """
    found: dict[str, None] = {}
    for check in checks:
        try:
            check()
        except ConfigError as error:
            found[str(error)] = None
    return list(found)


def listens(url: str, seconds: float = LISTENS) -> None:
    """Make sure that something accepts connections at the address of a URL, now or within some seconds.

    Raises:
        ConfigError: it does not, or the URL has no host.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise ConfigError(f"{url!r} is no URL of a server: {error}") from None
    if not parts.hostname:
        raise ConfigError(f"{url!r} is no URL of a server, such as http://127.0.0.1:8700")
    until, pause = time.monotonic() + seconds, threading.Event()
    while True:
        try:
            socket.create_connection((parts.hostname, port), max(0.1, until - time.monotonic())).close()
            return
        except OSError as error:
            if time.monotonic() >= until:
                raise ConfigError(f"no server answers at {url} ({error}); start it, or correct the URL") from None
        pause.wait(0.1)
