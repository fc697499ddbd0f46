"""How long to wait before a call to a model is made again."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Upper ends, in seconds, of the first and of every late pause between attempts."""


def is_retried(status: int) -> bool:
    """Whether a request that got this HTTP status is worth making again: too many requests, or the server failed."""
    return status == 429 or 500 <= status < 600


def pause(failed: int, asked: float | None, draw: Callable[[], float], longest: float = LONGEST_PAUSE) -> float:
    """Seconds to wait after so many failed attempts (1, 2, …).

    Exponential with full jitter, as in "Exponential Backoff and Jitter" (AWS Architecture Blog, 2015): uniform between
    0 and an end that doubles, so that clients which failed together do not come back together. Never less than what
    the server asked for.

    Args:
        failed: attempts that failed so far, at least 1.
        asked: seconds the server asked for (`retry_after`).
        draw: uniform numbers of 0..1.
        longest: upper end of every late pause.
    """
    end = min(longest, FIRST_PAUSE * 2.0 ** min(failed - 1, 30))
    return max(asked or 0.0, end * draw())


def retry_after(header: str, now: Callable[[], float] = time.time) -> float | None:
    """Seconds that a `Retry-After` header asks for (a number, or a date of HTTP); None where it says nothing legible.

    Args:
        header: its value.
        now: seconds since 1970.
    """
    text = header.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now())
    except (ValueError, OverflowError):
        return None
