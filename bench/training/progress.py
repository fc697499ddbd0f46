"""Lines of progress of a training: what takes them, also in another process than the command's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

TellLine: TypeAlias = Callable[[str], object]
"""Takes each line of progress."""


def tell_error_stream(line: str) -> None:
    """Say a line of progress from another process than the command's."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
