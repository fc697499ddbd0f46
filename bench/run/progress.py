"""Progress of a run: one line, redrawn on a terminal, repeated every few seconds elsewhere.

Written without rich: a line cut at the terminal's width needs no redraw thread, and other output in between stays
readable.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

REDRAW = 0.2
"""Seconds between two updates on a terminal."""
REPEAT = 10.0
"""Seconds between two lines if there is no terminal."""
ERASE = "\x1b[K"
"""Erases a terminal's line from here to its end."""
AFRESH = f"\r{ERASE}"


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a run at one moment.

    Attributes:
        done, total: episodes finished and planned. solved, void: of the finished ones.
        ran: episodes finished since the run was last started, `seconds` of wall clock ago. running: episodes under way.
        over: this start of the run has ended.
        paid, budget: dollars that model calls have cost in all starts of the run, and may cost; None for no limit.
        trouble: the common reason if all episodes since this start are void; "" otherwise.
    """

    done: int
    total: int
    solved: int
    void: int
    ran: int
    running: int
    seconds: float
    over: bool = False
    trouble: str = ""
    paid: float = 0.0
    budget: float | None = None

    @property
    def left(self) -> int:
        """Unfinished episodes."""
        return self.total - self.done

    @property
    def rate(self) -> float | None:
        """Episodes per minute since this start; None before the first."""
        return 60 * self.ran / self.seconds if self.ran and self.seconds > 0 else None

    @property
    def time_left(self) -> float | None:
        """Estimated seconds remaining; None before the first episode is finished."""
        return None if self.rate is None else 60 * self.left / self.rate


def progress_line(now: Standing, width: int = 1000) -> str:
    """One line of at most `width` characters, most important items first."""
    parts = [f"{now.done}/{now.total} done", f"{now.solved} solved"]
    if now.void:
        parts.append(f"{now.void} void")
    if now.left:
        parts.append(f"{now.left} left")
    if now.budget is not None:
        parts.append(f"${now.paid:,.2f} of ${now.budget:,.2f}")
    if now.rate is not None:
        parts.append(f"{now.rate:.3g} a minute" if now.rate < 100 else f"{now.rate:.0f} a minute")
    if now.time_left and not now.over:
        parts.append(f"{duration(now.time_left)} to go")
    if now.over:
        parts.append(f"in {duration(now.seconds)}")
    line = " · ".join(parts)
    return line if len(line) <= width else line[: max(0, width - 1)] + "…"


def duration(seconds: float) -> str:
    """Seconds as text: "8 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Progress:
    """Writes the state of a run to a stream; pass it to `run` as `on_progress`.

    A stream that is closed, such as that of a terminal that is gone, stops no run: it goes on unseen.

    Args:
        stream: None where the process has none.
        clock: returns seconds; replaced in tests.
    """

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._terminal = stream is not None and stream.isatty()
        self._shown = float("-inf")
        self._last = ""
        self._troubled = False

    def __call__(self, now: Standing) -> None:
        """Write the state, unless the last update was very recent."""
        if self._stream is None:
            return
        try:
            self._write(now, self._stream)
        except (OSError, ValueError):
            self._stream = None

    def _write(self, now: Standing, stream: TextIO) -> None:
        if now.trouble and not now.over and not self._troubled:
            self._troubled = True
            stream.write(
                f"{AFRESH if self._terminal else ''}every episode so far is void: {now.trouble}\n"
                "  to fix this first, press Ctrl-C; the same command with --rerun-void then runs these episodes again\n"
            )
            stream.flush()
        pause = REDRAW if self._terminal else REPEAT
        if not now.over and self._clock() - self._shown < pause:
            return
        self._shown = self._clock()
        if self._terminal:
            line = progress_line(now, shutil.get_terminal_size().columns - 1)
            # Erased to its end, so that nothing of a longer line before it stays.
            stream.write(f"\r{line}{ERASE}" + ("\n" if now.over else ""))
        else:
            line = progress_line(now)
            if line != self._last:
                stream.write(line + "\n")
        self._last = line
        stream.flush()
