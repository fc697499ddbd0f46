"""Code of others that tries to end the program, or raises what no part may raise: who did it, in one line."""

from __future__ import annotations

import sys
import traceback
from types import FrameType

_OURS = frozenset({"omnipilot", "typer", "click", "runpy", "__main__"})


def ends_the_program(error: BaseException) -> bool:
    """Whether an exception is one that passes every `except Exception`, other than Ctrl-C: SystemExit and its kind."""
    return not isinstance(error, Exception | KeyboardInterrupt)


def exit_words(error: BaseException) -> str:
    """Which code raised such an exception, and that it may not: "plugin (/a.py, line 3) raised SystemExit(0)"."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    lines = dict(traceback.walk_tb(error.__traceback__))
    foreign = [frame for frame in frames if _is_foreign(frame)]
    said = f"raised {type(error).__name__}({', '.join(map(repr, error.args))}), which would end the program unseen"
    if not frames:
        return f"a part {said}"
    frame = foreign[-1] if foreign else frames[-1]
    name = frame.f_globals.get("__name__", "code")
    return f"{name} ({frame.f_code.co_filename}, line {lines[frame]}) {said}; correct it there, or leave that part out"


def _is_foreign(frame: FrameType) -> bool:
    """Whether a frame is neither of ours nor of the standard library, which calls exit for others."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package not in _OURS and package not in sys.stdlib_module_names
