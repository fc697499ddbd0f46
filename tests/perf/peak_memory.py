"""The most memory that a process has held, of its own program alone."""

from __future__ import annotations

import re
import resource
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_memory() -> float:
    """The greatest resident memory of this process in MB (2²⁰ bytes).

    `ru_maxrss` survives an exec: a process shows the peak of the one that started it (Linux, fs/exec.c), so it is asked
    only where there is no /proc.
    """
    if STATUS.exists() and (found := re.search(r"^VmHWM:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)):
        return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
