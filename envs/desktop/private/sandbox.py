"""The command line that shuts a desktop off from the rest of the machine."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from omnipilot.envs.desktop.private.reservations import USERS

HOME = Path("/home/user")
"""Where programs see their home, in every sandbox; it is also bound at its path outside."""
HOST = "desktop"
"""The name of the machine, as programs see it in every sandbox."""
NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
ROOTS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
READABLE = ("/usr", "/etc", "/opt", "/var/lib", "/var/cache/fontconfig")
IN_MEMORY = ("/tmp", "/run", "/var/tmp", "/dev/shm")
"""Folders of its own, in memory, that its programs can write."""
MACHINE_ID = "6f6d6e6970696c6f746465736b746f70\n"


@dataclass(frozen=True, slots=True)
class Isolation:
    """How far a desktop is shut off, for the record of a run.

    Attributes:
        kind: `bubblewrap`: namespaces of its own for users, processes, IPC, host name and mounts; nothing but its home
            and runtime folder is writable. `processes`: none; it only ends as a whole, and sees the machine's files.
        network: `own`: a loopback interface of its own and nothing else. `host`: the machine's.
        uid: user id of its programs.
        reason: why there is no more than this; "" for all there can be.
        ports: of this machine's loopback interface, which its programs reach besides on their own.
    """

    kind: Literal["bubblewrap", "processes"]
    network: Literal["own", "host"]
    uid: int
    reason: str = ""
    ports: tuple[int, ...] = ()


def as_user(uid: int) -> list[str]:
    """The start of a command line that runs the rest as another user, if we may and it is not ourselves."""
    if uid == os.geteuid():
        return []
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]


@functools.cache
def why_no_bubblewrap() -> str:
    """Why bubblewrap cannot be used here, "" if it can; tried once, as the user that programs would run as."""
    if shutil.which("bwrap") is None:
        return "bwrap is not installed; run as root: apt install bubblewrap"
    uid = os.geteuid() or USERS[0]
    command = [*as_user(uid), "bwrap", *NAMESPACES, "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        tried = subprocess.run(
            command, capture_output=True, text=True, timeout=20, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not work: {error}"
    return "" if tried.returncode == 0 else f"bwrap does not work: {tried.stderr.strip() or tried.returncode}"


@functools.cache
def limits_tmpfs() -> bool:
    """Whether bubblewrap can limit the size of a file system in memory: version 0.7 and later."""
    try:
        told = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "--size" in told.stdout + told.stderr


def enclose(
    uid: int,
    network: bool,
    memory: int,
    bound: Mapping[Path, Path],
    written: Mapping[str, int],
    environment: Mapping[str, str],
    command: Sequence[str],
) -> list[str]:
    """The command line of a sandbox around `command`.

    Args:
        uid: of the programs. network: whether they have the machine's network.
        memory: bytes at most in each of the folders that lie in memory, `IN_MEMORY`, where bubblewrap can limit them.
        bound: folders that are writable inside, by their path there.
        written: files of our own, by their path: the number of an open file with their content.
        environment: all of it.
    """
    line = [*as_user(uid), "bwrap", *NAMESPACES, *(() if network else ("--unshare-net",)), "--die-with-parent"]
    line += ["--new-session", "--hostname", HOST, "--clearenv"]
    for path in READABLE:
        line += ["--ro-bind-try", path, path]
    for name in ROOTS:
        root = Path("/") / name
        if root.is_symlink():
            line += ["--symlink", os.readlink(root), str(root)]
        elif root.is_dir():
            line += ["--ro-bind", str(root), str(root)]
    line += ["--proc", "/proc", "--dev", "/dev"]
    for folder in IN_MEMORY:
        line += [*(("--size", str(memory)) if limits_tmpfs() else ()), "--tmpfs", folder]
    for inside, outside in bound.items():
        line += ["--bind", str(outside), str(inside)]
    for name, number in written.items():
        line += ["--ro-bind-data", str(number), name]
    for name, value in environment.items():
        line += ["--setenv", name, value]
    # Both lie in memory without a limit; their folders of devices, terminals and shared memory stay as they are.
    line += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*line, "--chdir", environment.get("HOME", "/"), "--", *command]


def account_files(uid: int) -> dict[str, bytes]:
    """The files that say who the user is: without an entry of its own the session bus does not start."""
    root = "" if uid == 0 else "root:x:0:0:root:/root:/usr/sbin/nologin\n"
    group = "" if uid == 0 else "root:x:0:\n"
    files = {
        "/etc/passwd": f"{root}user:x:{uid}:{uid}:User:{HOME}:/bin/bash\n".encode(),
        "/etc/group": f"{group}user:x:{uid}:\n".encode(),
        "/etc/machine-id": MACHINE_ID.encode(),
    }
    return {name: data for name, data in files.items() if Path(name).exists()}
