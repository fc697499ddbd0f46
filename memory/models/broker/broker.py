"""Who may ask which endpoint when: requests in flight, requests and tokens a minute, and what servers say.

It has no clock, no thread and no connection: whoever owns it says what time it is and carries its answers.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable
from omnipilot.memory.models.broker.permits import TOO_MANY, EndpointId, RequestOutcome

MINUTE = 60.0
FIRST_CLOSED, MOST_CLOSED = 0.5, 20.0
"""Seconds that an endpoint is left alone after one, and after many answers of too many requests, if it names none."""
LONGEST_CLOSED = 300.0
"""Most seconds that an endpoint is left alone because it asks for that; it is then asked again."""
_SHARE = 0.98
"""Of the requests and tokens a minute that an endpoint allows, the part that it is asked for."""
_WEIGHT = 0.2
"""Of a call's tokens in the mean of an endpoint's calls."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for a permit: whose, its number among theirs, for what, and about how many tokens it takes."""

    owner: Hashable
    number: int
    endpoint: EndpointId
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class EndpointStanding:
    """How an endpoint stands: requests in flight and waiting, and how many may be in flight; None for any number.

    `rpm` and `tpm` are the requests and tokens a minute that it is asked for at most; None for any number.
    """

    base: str
    in_flight: int
    waiting: int
    window: int | None
    rpm: int | None = None
    tpm: int | None = None


class Broker:
    """Gives permits for requests, first come, first served at each endpoint.

    Beside the limits that are given, an endpoint that answers 429 or 529 is asked by half as many at once as before,
    and by one more after each minute without such an answer. Nobody asks it for as long as it says, at most
    `LONGEST_CLOSED` seconds; where it does not say, for a time that doubles with each such answer until another comes.

    Args:
        limits: by endpoint. minute: seconds of a minute, for tests.
    """

    def __init__(self, limits: LimitTable | None = None, minute: float = MINUTE) -> None:
        self._limits = limits or LimitTable()
        self._minute = minute
        self._endpoints: dict[tuple[str, str], _Endpoint] = {}

    def ask(self, ask: Ask) -> None:
        """Take a request for a permit; `grant` says when it is given."""
        where = ask.endpoint
        if where.key_of_limit not in self._endpoints:
            limits = self._limits.find(where.base, where.provider)
            self._endpoints[where.key_of_limit] = _Endpoint(where.base, limits, self._minute)
        self._endpoints[where.key_of_limit].waiting.append(ask)

    def tell(self, owner: Hashable, number: int, outcome: RequestOutcome, now: float) -> None:
        """Take a permit back, or a request for one that is no longer wanted."""
        for endpoint in self._endpoints.values():
            endpoint.tell((owner, number), outcome, now)

    def drop(self, owner: Hashable, now: float) -> None:
        """Take back everything of somebody who is gone."""
        for endpoint in self._endpoints.values():
            endpoint.waiting = deque(ask for ask in endpoint.waiting if ask.owner != owner)
            for holder in [holder for holder in endpoint.flight if holder[0] == owner]:
                endpoint.tell(holder, RequestOutcome(), now)

    def grant(self, now: float) -> list[Ask]:
        """The requests that get their permits now."""
        return [ask for endpoint in self._endpoints.values() for ask in endpoint.grant(now)]

    def next_grant(self, now: float) -> float | None:
        """Seconds until somebody who waits may get a permit by the mere passing of time; None if nobody does."""
        times = [endpoint.opens(now) for endpoint in self._endpoints.values() if endpoint.waiting]
        return max(0.0, min(times) - now) if min(times, default=math.inf) < math.inf else None

    def standing(self) -> list[EndpointStanding]:
        """How each endpoint that was asked stands."""
        return [
            EndpointStanding(one.base, len(one.flight), len(one.waiting), one.window, one.limits.rpm, one.limits.tpm)
            for one in self._endpoints.values()
        ]


@dataclass
class _Pace:
    """So many units a minute, evenly, a little fewer than allowed: a server may see two requests closer together than
    they were let go, and counts them in minutes of its own. What comes late by a moment may be made up for."""

    units: int
    minute: float
    free: float = -math.inf

    def spend(self, units: float, now: float) -> None:
        self.free = max(self.free, now - self.minute / 600) + units * self._each

    @property
    def _each(self) -> float:
        return self.minute / self.units / _SHARE

    def correct(self, units: float) -> None:
        self.free += units * self._each


@dataclass
class _Flight:
    """A request under way: since when, and the tokens that it was taken to need."""

    since: float
    tokens: float


@dataclass
class _Endpoint:
    base: str
    limits: EndpointLimits
    minute: float
    waiting: deque[Ask] = field(default_factory=deque)
    flight: dict[tuple[Hashable, int], _Flight] = field(default_factory=dict)
    window: int | None = None
    closed: float = -math.inf
    halved: float = -math.inf
    clean: float = 0.0
    mean: float = 0.0
    refusals: int = 0

    def __post_init__(self) -> None:
        self.window = self.limits.in_flight
        self.requests = _Pace(self.limits.rpm, self.minute) if self.limits.rpm else None
        self.tokens = _Pace(self.limits.tpm, self.minute) if self.limits.tpm else None

    def grant(self, now: float) -> Iterator[Ask]:
        self._grow(now)
        while self.waiting and self._open(now):
            ask = self.waiting.popleft()
            tokens = self.mean or ask.tokens
            self.flight[ask.owner, ask.number] = _Flight(now, tokens)
            if self.requests is not None:
                self.requests.spend(1, now)
            if self.tokens is not None:
                self.tokens.spend(tokens, now)
            yield ask

    def opens(self, now: float) -> float:
        """The earliest time at which another permit may be given, if nobody gives one back before."""
        if self.window is not None and len(self.flight) >= self.window:
            return self.clean + self.minute if self._grows else math.inf
        return max(now, self.closed, *(pace.free for pace in (self.requests, self.tokens) if pace is not None))

    def tell(self, holder: tuple[Hashable, int], outcome: RequestOutcome, now: float) -> None:
        flight = self.flight.get(holder)
        if flight is None:
            self.waiting = deque(ask for ask in self.waiting if (ask.owner, ask.number) != holder)
            return
        if outcome.status in TOO_MANY:
            # Those that were under way together are one sign, not several.
            if flight.since >= self.halved:
                self.window, self.halved = max(1, len(self.flight) // 2), now
                if not outcome.wait:
                    self.closed = max(self.closed, now + min(MOST_CLOSED, FIRST_CLOSED * 2.0 ** min(self.refusals, 30)))
                self.refusals += 1
            self.clean = now
        else:
            self.refusals = 0
        if outcome.wait is not None and outcome.status:
            self.closed = max(self.closed, now + min(outcome.wait, LONGEST_CLOSED))
        if outcome.tokens:
            self.mean += (_WEIGHT if self.mean else 1.0) * (outcome.tokens - self.mean)
        if self.tokens is not None and not outcome.status:
            self.tokens.correct((outcome.tokens or flight.tokens) - flight.tokens)
        del self.flight[holder]

    @property
    def _grows(self) -> bool:
        most = self.limits.in_flight
        return self.window is not None and (most is None or self.window < most)

    def _grow(self, now: float) -> None:
        while self.window is not None and self._grows and now - self.clean >= self.minute:
            self.window += 1
            self.clean += self.minute

    def _open(self, now: float) -> bool:
        return self.opens(now) <= now
