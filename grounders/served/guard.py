"""Stands between a server and the process that asked for it: no part of the server outlives that process.

Run as a file, with nothing but the standard library: `guard.py FD SECONDS PROGRAM ARGUMENT…`. FD is the reading
end of a pipe; when its other end is closed, by `close` or by death, the program is told to end (SIGTERM) and after
SECONDS it is killed with everything it started. The program's process id is the first line written.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading


def main(pipe: int, seconds: float, command: list[str]) -> int:
    """Run `command` in a process group of its own until it ends or nobody wants it any more; its exit code."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0)
    sys.stdout.write(f"{child.pid}\n")
    sys.stdout.flush()
    threading.Thread(target=_until_closed, args=(pipe, seconds, child), daemon=True).start()
    code = child.wait()
    _kill(child.pid)
    return 128 - code if code < 0 else code


def _until_closed(pipe: int, seconds: float, child: subprocess.Popen[bytes]) -> None:
    os.read(pipe, 1)
    child.terminate()
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        _kill(child.pid)


def _kill(group: int) -> None:
    """Kill what is left of the group: it would hold the GPU's memory and the port."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
