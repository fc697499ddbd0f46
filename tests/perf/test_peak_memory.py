"""A process shows its own peak, whoever started it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from peak_memory import peak_memory

HERE = Path(__file__).parent
ASK = f"import sys; sys.path.insert(0, {str(HERE)!r}); from peak_memory import peak_memory; "


def shown(before: str = "") -> float:
    """What a new process shows, having done something."""
    done = subprocess.run(
        [sys.executable, "-c", f"{ASK}{before}print(peak_memory())"], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def test_the_peak_of_a_process_is_not_that_of_its_parent() -> None:
    held = bytearray(200 << 20)
    held[:: 1 << 12] = b"x" * (len(held) >> 12)
    assert peak_memory() > 200
    assert shown() < 100
    # And what it held itself counts, also after it gave it back.
    assert shown("held = b'x' * (150 << 20); del held; ") > 150
