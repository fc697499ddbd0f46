"""Display numbers and user ids that no other desktop of this machine has, free again when their holder ends.

Both are held by binding a socket in Linux's abstract namespace: the kernel lets one process have a name, and takes it
back however that process ends. For displays it is the name that X servers themselves bind, so they keep away from it.
"""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from pathlib import Path

from omnipilot.envs.types.errors import ConfigError

SOCKETS = Path("/tmp/.X11-unix")
DISPLAYS = range(40, 4000)
USERS = range(60600, 61100)
"""Ids that neither Debian nor systemd gives to anybody."""


def hold(name: str) -> socket.socket | None:
    """A socket that holds a name for as long as it is open anywhere, None if somebody else holds it."""
    held = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        held.bind(b"\0" + name.encode())
    except OSError as error:
        held.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise
    return held


def hold_display(folder: Path | None) -> tuple[int, socket.socket, Path]:
    """A free display number, its holder, and the name under which X clients find its socket.

    Args:
        folder: where the X server will make the socket, if it sees another folder of sockets than we do.

    Raises:
        ConfigError: there is none, or the folder of X sockets cannot be made.
    """
    try:
        with suppress(FileExistsError):
            SOCKETS.mkdir(mode=0o1777)
            SOCKETS.chmod(0o1777)
    except OSError as error:
        cure = f"make it as root: install -d -m 1777 {SOCKETS}"
        raise ConfigError(f"{SOCKETS} cannot be made ({error}); {cure}") from None
    for number in DISPLAYS:
        link = SOCKETS / f"X{number}"
        if Path(f"/tmp/.X{number}-lock").exists():
            continue
        held = hold(str(link))
        if held is None:
            continue
        with suppress(OSError):
            if link.is_symlink() and not link.exists():  # left behind by one that was killed with its keeper
                link.unlink()
        try:
            if folder is not None:
                os.symlink(folder / link.name, link)
            elif os.path.lexists(link):
                raise FileExistsError
        except FileExistsError:
            held.close()
            continue
        except OSError as error:
            held.close()
            raise ConfigError(f"{link} cannot be made ({error}); {SOCKETS} must be writable for everybody") from None
        return number, held, link
    raise ConfigError(f"no X display is free among :{DISPLAYS[0]} to :{DISPLAYS[-1]}")


def is_listening(path: Path) -> bool:
    """Whether a server takes connections at a socket; its file is there a moment before that."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(path))
        except OSError:
            return False
        return True


def hold_user(sandbox: bool) -> tuple[int, socket.socket | None]:
    """The user id of a desktop's programs: our own, or if we are root, one that nobody else has, and its holder.

    Args:
        sandbox: whether the programs see a list of users that is made for them; otherwise it is one of this machine's.

    Raises:
        ConfigError: there is none.
    """
    if not sandbox:
        return _known_user(), None
    if os.geteuid() != 0:
        return os.geteuid(), None
    for number in USERS:
        held = hold(f"omnipilot-desktop-user-{number}")
        if held is not None:
            return number, held
    raise ConfigError(f"no user id is free among {USERS[0]} to {USERS[-1]}")


def _known_user() -> int:
    """An ordinary user of this machine: ourselves, whoever called sudo, or nobody."""
    import pwd

    wanted = [os.geteuid()] if os.geteuid() else [int(os.environ.get("SUDO_UID") or 0), 65534]
    for number in wanted:
        with suppress(KeyError):
            if number and pwd.getpwuid(number):
                return number
    raise ConfigError("the session bus needs a user with an entry in /etc/passwd; make one, or install bubblewrap")
