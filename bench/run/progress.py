"""Progress of a run: one line, redrawn on a terminal, repeated every few seconds elsewhere.

Written without rich: its `Progress(auto_refresh=False)` would replace the five lines that redraw a terminal's line.
What a line says, lines where there is no terminal, and streams that close would stay ours.
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
QUIET = 1.0
"""Seconds of work on a number of things before anything is said of it."""
LONGEST = 1000
"""Characters of a line where no terminal's width limits it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a run at one moment.

    Attributes:
        done, total: episodes finished and planned. solved, void, unjudged: of the finished ones.
        ran: episodes finished since the run was last started, `seconds` of wall clock ago. running: episodes under way.
        over: this start of the run has ended.
        paid, budget: dollars that model calls have cost in all starts of the run, and may cost; None for no limit.
        trouble: the common reason if all episodes since this start are void; "" otherwise.
        paused: a person wants no further episode to begin.
        time_left: estimated seconds remaining; None before the first episode is finished.
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
    paused: bool = False
    unjudged: int = 0
    time_left: float | None = None

    @property
    def left(self) -> int:
        """Unfinished episodes."""
        return self.total - self.done

    @property
    def rate(self) -> float | None:
        """Episodes per minute since this start; None before the first."""
        return 60 * self.ran / self.seconds if self.ran and self.seconds > 0 else None


def progress_line(now: Standing, width: int = LONGEST) -> str:
    """One line of at most `width` characters, most important items first."""
    parts = [f"{now.done}/{now.total} done"]
    if now.solved or now.unjudged < now.done or not now.done:
        parts.append(f"{now.solved} solved")
    if now.unjudged:
        parts.append(f"{now.unjudged} unjudged")
    if now.void:
        parts.append(f"{now.void} void")
    if now.left:
        parts.append(f"{now.left} left")
    if now.paused and not now.over:
        parts.append("paused by a person")
    if now.budget is not None:
        parts.append(f"${now.paid:,.2f} of ${now.budget:,.2f}")
    if now.rate is not None:
        parts.append(f"{now.rate:.3g} a minute" if now.rate < 100 else f"{now.rate:.0f} a minute")
    if now.time_left and not now.over and not now.paused:
        parts.append(f"{duration(now.time_left)} to go")
    if now.over:
        parts.append(f"in {duration(now.seconds)}")
    return _cut(" · ".join(parts), width)


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: max(0, width - 1)] + "…"


def duration(seconds: float) -> str:
    """Seconds as text: "8 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class StatusLine:
    """A line of a stream that is redrawn on a terminal, and repeated every few seconds elsewhere.

    A stream that is closed, such as that of a terminal that is gone, stops nothing: what follows is not shown.

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

    def show(self, line: Callable[[int], str], over: bool = False) -> None:
        """Show a line, unless the last one was shown very recently.

        Args:
            line: makes it, of at most so many characters. over: it is the last one, and is shown in any case.
        """
        pause = REDRAW if self._terminal else REPEAT
        if not over and self._clock() - self._shown < pause:
            return
        self._shown = self._clock()
        if self._terminal:
            text = line(shutil.get_terminal_size().columns - 1)
            # Erased to its end, so that nothing of a longer line before it stays.
            self._write(f"\r{text}{ERASE}" + ("\n" if over else ""))
        else:
            text = line(LONGEST)
            if text != self._last:
                self._write(text + "\n")
        self._last = text

    def tell(self, text: str) -> None:
        """Write lines of their own above it."""
        self._write(f"{AFRESH if self._terminal else ''}{text}\n")

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None


class Progress:
    """Writes the state of a run to a stream; pass it to `run` as `on_progress`.

    Args:
        stream, clock: as for `StatusLine`.
    """

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._line = StatusLine(stream, clock)
        self._troubled = False

    def __call__(self, now: Standing) -> None:
        """Write the state, unless the last update was very recent."""
        if now.trouble and not now.over and not self._troubled:
            self._troubled = True
            self._line.tell(
                f"every episode so far is void: {now.trouble}\n"
                "  to fix this first, press Ctrl-C; the same command with --rerun-void then runs these episodes again"
            )
        self._line.show(lambda width: progress_line(now, width), now.over)


class CountProgress:
    """Writes how many of a number of things are done; a call that is done within a second writes nothing.

    Args:
        what: the things and what is done to them, such as "captures checked".
        stream, clock: as for `StatusLine`.
    """

    def __init__(self, what: str, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._line = StatusLine(stream, clock)
        self._clock = clock
        self._began = clock()
        self._visible = False

    def __call__(self, done: int, total: int) -> None:
        """Write the state; 0 begins anew."""
        if not done:
            self._began, self._visible = self._clock(), False
        seconds = self._clock() - self._began
        self._visible |= seconds >= QUIET and done < total
        if self._visible:
            self._line.show(lambda width: count_line(self._what, done, total, seconds, width), done == total)


def count_line(what: str, done: int, total: int, seconds: float, width: int = LONGEST) -> str:
    """One line of at most `width` characters: how many of a number of things were done in so many seconds."""
    parts = [f"{done:,}/{total:,} {what}"]
    if done == total:
        parts.append(f"in {duration(seconds)}")
    elif done:
        parts.append(f"{duration(seconds / done * (total - done))} to go")
    return _cut(" · ".join(parts), width)
