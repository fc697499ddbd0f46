"""What a worker's memory does between episodes."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

RESIDENT = """
import re
from pathlib import Path
from omnipilot.bench.run.executors.worker import return_freed_memory, return_memory_when_freed

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024
"""
HELD = """
# Many small pieces with one in a hundred kept: malloc alone gives nothing back.
pieces = [bytearray(b"x" * 30_000) for _ in range(5_000)]
full = resident()
pieces = pieces[99::100]
before = resident()
return_freed_memory()
print(full, before, resident())
"""
PICTURES = """
import numpy
numpy.ones(4_000_000, numpy.uint8)  # a large one that is freed teaches malloc to put smaller ones into its heap
{}
pictures = []
for _ in range(30):
    pictures += [numpy.ones(3_000_000, numpy.uint8), numpy.ones(100_000, numpy.uint8)]
full = resident()
pictures = pictures[1::2]
print(full - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another malloc")
def test_freed_memory_goes_back_to_the_system() -> None:
    full, before, after = _numbers(HELD)
    assert before > full - 30 and after < full - 100


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another malloc")
def test_freed_pictures_go_back_at_once_where_asked() -> None:
    (kept,), (given_back,) = _numbers(PICTURES.format("")), _numbers(PICTURES.format("return_memory_when_freed()"))
    assert kept < 10 and given_back > 80


def _numbers(program: str) -> list[int]:
    said = subprocess.run(
        [sys.executable, "-c", RESIDENT + program], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    return [int(word) for word in said.split()]
