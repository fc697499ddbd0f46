"""Retries: which failures are retried, after what delay, and until which deadline.

The library tenacity would replace the loop of `RetryPolicy.call`, but neither the deadline on a clock that tests can
set, nor the pause that a server asks for, nor the turns of callers: each would be a callback of ours.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar

from omnipilot.envs.logs import log_time, logger_of
from omnipilot.memory.messages import ModelUnavailable
from omnipilot.memory.models.broker.permits import TOO_MANY, CallPermit, RequestOutcome

_LOG = logger_of("model")

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 20.0
"""Upper ends, in seconds, of the first and of every late pause between attempts."""
LONGEST_REFUSED = 1800.0
"""Seconds after its first answer of too many requests, waits included, in which a call with a permit asks again."""

T = TypeVar("T")


def is_retried(status: int) -> bool:
    """Whether a response with this HTTP status is worth retrying: 429, or a server failure (5xx)."""
    return status == 429 or 500 <= status < 600


def pause(failed: int, asked: float | None, draw: Callable[[], float]) -> float:
    """Seconds to wait before the next attempt.

    Exponential with full jitter, as in "Exponential Backoff and Jitter" (AWS Architecture Blog, 2015): uniform between
    0 and an end that doubles, so that clients which failed together do not come back together. Never less than what
    the server asked for.

    Args:
        failed: attempts that failed so far, at least 1.
        asked: seconds the server asked for (`retry_after`).
        draw: uniform numbers of 0..1.
    """
    end = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(failed - 1, 30))
    return max(asked or 0.0, end * draw())


def retry_after(header: str, now: Callable[[], float] = time.time) -> float | None:
    """Seconds that a `Retry-After` header asks for (a number or an HTTP date); None if it cannot be read.

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


_ASKED = re.compile(
    r"(?:retryDelay\W{1,10}|\b(?:try again|retry) in )(?=\d)"
    r"(?:(\d{1,2})h)?(?:(\d{1,2})m(?!s))?(?:(\d{1,5}(?:\.\d{1,12})?)(ms|s))?"
)


def wait_in(message: str) -> float | None:
    """Seconds that an error's own words ask for, None if they name none.

    Google writes "Please retry in 34.07s" and `"retryDelay": "34s"`, OpenAI "Please try again in 6m0s" or "in 120ms".
    """
    found = _ASKED.search(message)
    if found is None or not any(found.groups()):
        return None
    seconds = float(found[3] or 0) / (1000 if found[4] == "ms" else 1)
    return 3600 * int(found[1] or 0) + 60 * int(found[2] or 0) + seconds


class TransientError(Exception):
    """An attempt failed in a way that may be temporary; the message says how.

    Attributes:
        asked: seconds that the server asked to wait, where it did.
        status: HTTP status of its answer; 0 if there was none.
    """

    def __init__(self, message: str, asked: float | None = None, status: int = 0) -> None:
        super().__init__(message)
        self.asked = asked
        self.status = status


def _wait(seconds: float) -> object:
    return threading.Event().wait(seconds)


@dataclass(frozen=True, slots=True)
class RetryClock:
    """Time and random numbers for retries, replaceable in tests.

    Attributes:
        now: seconds, for deadlines.
        wait: waits so many seconds; true where it is not worth another attempt, because the model was closed.
        draw: uniform numbers of 0..1.
    """

    now: Callable[[], float] = time.monotonic
    wait: Callable[[float], object] = _wait
    draw: Callable[[], float] = random.random


class Turns:
    """Limits the number of concurrent calls; others wait for their turn."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._free = threading.BoundedSemaphore(number)

    def take(self, seconds: float) -> bool:
        """Wait for a turn up to a time limit; returns whether it was granted."""
        return self._free.acquire(timeout=max(0.0, seconds))

    def end(self) -> None:
        """Pass the turn to the next caller."""
        self._free.release()


@dataclass(frozen=True, slots=True)
class CallResult(Generic[T]):
    """The value of the successful attempt, its seconds, and the number of attempts."""

    value: T
    attempts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and until when a call is attempted.

    Attributes:
        timeout: seconds for the call with all its attempts, pauses and waiting for its turn.
        attempt: seconds for one attempt.
        retries: attempts after the first.
        turns: bounds the attempts under way, where it is given.
        permit: what each attempt waits for, where it is given; that time is not the call's. An attempt that met too
            many requests (429, 529) then does not count, only its time, and the next follows as soon as it is
            permitted, for whoever gives permits knows how long the server is to be left alone. So it goes on for
            `LONGEST_REFUSED` seconds by the clock after the first such answer; the next one then ends the call.
    """

    timeout: float
    attempt: float
    retries: int
    clock: RetryClock = field(default_factory=RetryClock)
    turns: Turns | None = None
    permit: CallPermit | None = None

    def call(self, who: str, attempt: Callable[[float], T]) -> CallResult[T]:
        """Call until it succeeds; `attempt` receives the seconds available to it.

        Args:
            who: the model and its server, for the error message.
            attempt: raises `TransientError` where another attempt is worth it; all else it raises ends the call.

        Raises:
            ModelUnavailable: the attempts or the time are used up, or the server was asked too much for too long.
        """
        clock, trouble, asked = self.clock, "", None
        until = clock.now() + self.timeout
        made = counted = 0
        refused: float | None = None
        permitted = False
        while counted <= self.retries:
            if made:
                seconds = 0.0 if permitted else pause(counted, asked, clock.draw)
                if seconds >= until - clock.now():
                    raise _unavailable(who, f"{trouble}; no time for another attempt", made)
                if clock.wait(seconds):
                    raise _unavailable(who, f"{trouble}; it was closed", made)
            if self.turns is not None and not self.turns.take(until - clock.now()):
                busy = f"{self.turns.number} other requests are under way (concurrency)"
                raise _unavailable(who, trouble or busy, made)
            made += 1
            try:
                if self.permit is not None:
                    until += self.permit.take(clock.now)
                began = clock.now()
                with log_time(_LOG, f"{who}, attempt {made}"):
                    value = self._attempt(attempt, max(min(self.attempt, until - began), 0.001))
                return CallResult(value, made, clock.now() - began)
            except TransientError as error:
                trouble, asked = f"{error}", error.asked
                permitted = self.permit is not None and error.status in TOO_MANY
                counted += not permitted
                _LOG.info("%s, attempt %d: %s", who, made, trouble)
                if permitted:
                    refused = clock.now() if refused is None else refused
                    if clock.now() - refused >= LONGEST_REFUSED:
                        raise _unavailable(who, f"{trouble}, for {LONGEST_REFUSED:g} s", made) from error
            finally:
                if self.turns is not None:
                    self.turns.end()
        raise _unavailable(who, trouble, made)

    def _attempt(self, attempt: Callable[[float], T], seconds: float) -> T:
        """One attempt, after which its permit is given back with what came of it."""
        if self.permit is None:
            return attempt(seconds)
        status, wait, tokens = 0, None, 0
        try:
            value = attempt(seconds)
            tokens = self.permit.tokens_of(value)
            return value
        except TransientError as error:
            status, wait = error.status, error.asked
            raise
        finally:
            self.permit.give_back(RequestOutcome(status, wait, tokens))


def _unavailable(who: str, trouble: str, made: int) -> ModelUnavailable:
    return ModelUnavailable(f"{who} gave no answer in {made} attempt{'s' if made != 1 else ''}: {trouble}")
