"""What a worker's memory does between episodes."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

HELD = """
import re
from pathlib import Path
from omnipilot.bench.run.executors.worker import return_freed_memory

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

# Many small pieces with one in a hundred kept: malloc alone gives nothing back.
pieces = [bytearray(b"x" * 30_000) for _ in range(5_000)]
full = resident()
pieces = pieces[99::100]
before = resident()
return_freed_memory()
print(full, before, resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another malloc")
def test_freed_memory_goes_back_to_the_system() -> None:
    said = subprocess.run([sys.executable, "-c", HELD], capture_output=True, text=True, timeout=60, check=True).stdout
    full, before, after = map(int, said.split())
    assert before > full - 30 and after < full - 100
