"""Ports of a private desktop's own loopback interface, such as Chromium's for debugging, reached from this machine.

A relay here takes a port of this machine to a socket in the desktop's runtime folder; the same file runs as a script in
the desktop and takes that socket on to the port there. It imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

LOOPBACK = "127.0.0.1"
PORTION = 65536


class PortRelay:
    """Takes whoever connects to one place on to another, until it is closed.

    Args:
        listening: a socket that listens. connect: makes a connection to the other place; an OSError of it hangs up.
    """

    def __init__(self, listening: socket.socket, connect: Callable[[], socket.socket]) -> None:
        self._listening, self._connect = listening, connect
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    @classmethod
    def to_file(cls, path: Callable[[], Path]) -> PortRelay:
        """From a free port of this machine to the socket at a path, which is asked for at each connection."""
        return cls(socket.create_server((LOOPBACK, 0)), lambda: _at_file(path()))

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listening.getsockname()[1])

    def close(self) -> None:
        """Take nobody on any more. May be called twice."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                came, _ = self._listening.accept()
                threading.Thread(target=self._join, args=(came,), daemon=True).start()

    def _join(self, came: socket.socket) -> None:
        with came, contextlib.suppress(OSError), self._connect() as there:
            back = threading.Thread(target=_pass_on, args=(there, came), daemon=True)
            back.start()
            _pass_on(came, there)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(PORTION):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _at_file(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    try:
        made.connect(str(path))
    except OSError:
        made.close()
        raise
    return made


def _listen_at_file(path: Path, port: int) -> PortRelay:
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    return PortRelay(listening, lambda: socket.create_connection((LOOPBACK, port)))


def main(folder: str, *ports: str) -> None:
    """In the desktop: take the sockets `port-NUMBER` of a folder to these ports, until it is ended."""
    relays = [_listen_at_file(Path(folder, f"port-{port}"), int(port)) for port in ports]
    for one in relays:
        one.thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
