"""Keys of X servers: who has none is turned away, whichever user of the machine it is."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

LOCAL = 256
"""FamilyLocal of <X11/Xauth.h>: a server on the machine whose name is the address."""


def key_file(display: int, hosts: Iterable[str]) -> bytes:
    """The content of an authority file with a new key (MIT-MAGIC-COOKIE-1, 128 random bits) of one X server.

    Args:
        display: number of the server.
        hosts: names by which its clients know their machine; in a sandbox it has another one.
    """
    key = secrets.token_bytes(16)
    return b"".join(
        LOCAL.to_bytes(2, "big")
        + b"".join(
            len(part).to_bytes(2, "big") + part
            for part in (host.encode(), str(display).encode(), b"MIT-MAGIC-COOKIE-1", key)
        )
        for host in sorted(set(hosts))
    )


def write_key(path: Path, content: bytes, uid: int) -> Path:
    """Write an authority file that only one user can read."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(number, "wb") as file:
        file.write(content)
        if uid != os.geteuid():
            os.fchown(number, uid, uid)
    return path
