"""Calls that are made again: when, after how long, and until when."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from omnipilot.memory.messages import ModelUnavailable
from omnipilot.memory.models.backoff import pause

LONGEST_PAUSE = 20.0
"""Upper end, in seconds, of every late pause: hosted models limit requests by the minute."""

T = TypeVar("T")


class MayPass(Exception):
    """An attempt failed in a way that may pass; says how.

    Attributes:
        asked: seconds that the server asked to wait, where it did.
    """

    def __init__(self, message: str, asked: float | None = None) -> None:
        super().__init__(message)
        self.asked = asked


def _wait(seconds: float) -> object:
    return threading.Event().wait(seconds)


@dataclass(frozen=True, slots=True)
class Nerves:
    """What patience is made of, so that tests have no need of it.

    Attributes:
        clock: seconds, for deadlines. wait: waits so many seconds. draw: uniform numbers of 0..1.
    """

    clock: Callable[[], float] = time.monotonic
    wait: Callable[[float], object] = _wait
    draw: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Got(Generic[T]):
    """What an attempt brought, how many were made, and the seconds of the one that succeeded."""

    value: T
    attempts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call is tried.

    Attributes:
        timeout: seconds for the call with all its attempts and pauses. attempt: for one. retries: after the first.
    """

    timeout: float
    attempt: float
    retries: int
    nerves: Nerves = field(default_factory=Nerves)

    def call(self, who: str, attempt: Callable[[float], T]) -> Got[T]:
        """Call until it succeeds; `attempt` gets the seconds that it may take.

        Args:
            who: is called, for the error.
            attempt: raises `MayPass` where another attempt is worth it; all else it raises ends the call.

        Raises:
            ModelUnavailable: the attempts or the time are used up.
        """
        nerves, trouble, asked = self.nerves, "", None
        until = nerves.clock() + self.timeout
        for made in range(self.retries + 1):
            if made:
                seconds = pause(made, asked, nerves.draw, LONGEST_PAUSE)
                if seconds >= until - nerves.clock():
                    raise _unavailable(who, f"{trouble}; no time for another attempt", made)
                nerves.wait(seconds)
            began = nerves.clock()
            try:
                value = attempt(max(min(self.attempt, until - began), 0.001))
                return Got(value, made + 1, nerves.clock() - began)
            except MayPass as error:
                trouble, asked = f"{error}", error.asked
        raise _unavailable(who, trouble, self.retries + 1)


def _unavailable(who: str, trouble: str, made: int) -> ModelUnavailable:
    return ModelUnavailable(f"{who} gave no answer in {made} attempt{'s' if made != 1 else ''}: {trouble}")
