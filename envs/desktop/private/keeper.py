"""The process between a desktop and whoever started it: when its owner is gone, so is the desktop, and all its files.

Run as a script, because it must outlive a killed owner: `python -I -S keeper.py JSON`. It starts the desktop's
supervisor, adopts whatever that leaves orphaned, and waits until the owner's end of a pipe is closed, by `close` or by
the owner's death. Then it kills every process below it and removes the folders. The standard library only.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of <linux/prctl.h>."""


class ProcessRow(NamedTuple):
    """One line of the process table; `start`: in clock ticks since boot, so that a reused number is told apart."""

    pid: int
    parent: int
    state: str
    start: int


def process_table() -> dict[int, ProcessRow]:
    """Every process that can be seen, by its number."""
    rows = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (row := process_row(int(name))) is not None:
            rows[row.pid] = row
    return rows


def process_row(pid: int) -> ProcessRow | None:
    """One process, None if it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes().decode(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name before it may hold anything
    return ProcessRow(pid, int(fields[1]), fields[0], int(fields[19])) if len(fields) > 19 else None


def descendants(root: int) -> list[ProcessRow]:
    """The living processes below one, parents before children."""
    below: dict[int, list[ProcessRow]] = {}
    for row in process_table().values():
        below.setdefault(row.parent, []).append(row)
    found: list[ProcessRow] = []
    due = [root]
    while due:
        for row in below.get(due.pop(), ()):
            due.append(row.pid)
            if row.state not in "ZX":
                found.append(row)
    return found


def marked_processes(mark: str) -> Iterator[int]:
    """The processes that carry `mark` in their environment, as far as it can be read."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError):
                if mark.encode() in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                    yield int(name)


def kill_marked(mark: str, seconds: float = 5.0) -> None:
    """Kill those that carry `mark`, until there are none."""
    until = time.monotonic() + seconds
    while (left := list(marked_processes(mark))) and time.monotonic() < until:
        for pid in left:
            kill(pid)
        pause(0.02)


def kill(pid: int) -> None:
    """End a process at once, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def pause(seconds: float) -> None:
    """Between two looks at something that gives no notice."""
    select.select([], [], [], seconds)


def remove(folder: Path, link: Path | None, seconds: float = 5.0) -> None:
    """Remove a desktop's folder, and what its X server left outside of it.

    Args:
        link: the name of the X socket: a link into the folder, or without a sandbox the socket itself, which a killed
            server leaves behind with its lock.
    """
    if link is not None:
        with suppress(OSError):
            if not link.is_symlink():
                Path(f"/tmp/.{link.name}-lock").unlink(missing_ok=True)
                link.unlink(missing_ok=True)
            elif Path(os.readlink(link)).is_relative_to(folder):
                link.unlink()
    until = time.monotonic() + seconds
    while folder.exists():
        remove_trees(folder)
        if time.monotonic() > until:
            return
        if folder.exists():
            pause(0.02)


def remove_trees(*paths: Path) -> None:
    """Remove files and folders that hostile programs have filled, as far as they can be: folders may be nested deeper
    than Python can call itself, and closed even to their owner. No link is followed."""
    for command in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        left = [str(path) for path in paths if os.path.lexists(path)]
        if left:
            subprocess.run([*command, "--", *left], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


LOOKS = 2.0
"""Seconds between two looks at what a desktop uses."""
MOST_FILES = 300_000
"""Files and folders of a desktop, whatever their size."""
NEARLY = 0.95
"""The share of the processes at which the limit counts as reached: the kernel keeps a desktop from having more."""


def threads_below(root: int) -> int:
    """How many processes and threads there are below a process."""
    count = 0
    for row in descendants(root):
        with suppress(OSError):
            text = Path(f"/proc/{row.pid}/stat").read_bytes().decode(errors="replace")
            count += int(text.rpartition(")")[2].split()[17])
    return count


def takes_more(folder: Path, size: int) -> bool:
    """Whether the files of a folder take more than so many bytes of the disk, or are more than `MOST_FILES`. No link is
    followed."""
    taken = count = 0
    due = [str(folder)]
    while due:
        with suppress(OSError), os.scandir(due.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    taken += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        due.append(entry.path)
                count += 1
                if taken > size or count > MOST_FILES:
                    return True
    return False


class UsageWatch:
    """Looks now and then whether a desktop uses more than it may.

    Args:
        processes: processes and threads at most. disk: bytes of files at most, in `folder`.
    """

    def __init__(self, processes: int, disk: int, folder: Path) -> None:
        self._processes, self._disk, self._folder = processes, disk, folder
        self._next = 0.0

    def exceeded(self) -> Literal["", "processes", "disk"]:
        """What it uses too much of, "" for nothing, or while it is not time for a look."""
        began = time.monotonic()
        if began < self._next:
            return ""
        if threads_below(os.getpid()) >= NEARLY * self._processes:
            return "processes"
        full = takes_more(self._folder, self._disk)
        # A look at many files takes long, and is then taken less often.
        self._next = time.monotonic() + max(LOOKS, 10 * (time.monotonic() - began))
        return "disk" if full else ""


def end_all(mark: str, seconds: float = 10.0) -> None:
    """Kill and reap every process below this one, and those that carry `mark`."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for row in descendants(os.getpid()):
            kill(row.pid)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            pause(0.005)
            continue
        kill_marked(mark)
        return


def main(plan: dict[str, Any]) -> None:
    """Start what `plan` says, wait for the owner's end, clear up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, lambda *_: None)  # not SIG_IGN, which the desktop's programs would inherit
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    owner = plan["owner"]
    with open(plan["log"], "ab") as log:
        subprocess.Popen(
            plan["command"],
            env=plan["environment"],
            stdin=plan["script"],
            stdout=plan["answers"],
            stderr=log,
            pass_fds=plan["hand_on"],
            cwd="/",
            umask=0o022,
            restore_signals=True,
        )
    for number in (plan["script"], plan["answers"], *plan["hand_on"]):
        os.close(number)
    watch: UsageWatch | None = UsageWatch(plan["processes"], plan["disk"], Path(plan["folder"]))
    # A child that the owner forked has the other end of the pipe too, so its death is also looked for.
    while not select.select([owner], [], [], 0.2)[0] and os.getppid() == plan["parent"]:
        if watch is not None and (reason := watch.exceeded()):
            watch = None
            os.write(plan["told"], reason.encode())
            end_all(plan["mark"])
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # orphans that it adopted
                pass
    end_all(plan["mark"])
    remove(Path(plan["folder"]), Path(plan["link"]) if plan["link"] else None)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
