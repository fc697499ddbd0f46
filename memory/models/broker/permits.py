"""How a call of a model gets its permit: it asks whoever shares out the endpoints of this process, and waits."""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omnipilot.memory.models.broker.limits import normal_place
from omnipilot.memory.models.keys import key_of, usual_keys
from omnipilot.memory.models.providers import provider_of

if TYPE_CHECKING:
    from omnipilot.memory.models.endpoint import LlmEndpoint


TOO_MANY = (429, 529)
"""HTTP statuses that say that a server is asked too much."""


@dataclass(frozen=True, slots=True)
class EndpointId:
    """A server as one account sees it.

    Attributes:
        base: its base URL; the provider's name where it has none. provider: of the model.
        key: of the key a short hash, which says nothing of it; "" for no key.
    """

    base: str
    provider: str
    key: str = ""

    @property
    def key_of_limit(self) -> tuple[str, str]:
        """What has one limit: the server and the key."""
        return self.base, self.key


@dataclass(frozen=True, slots=True)
class RequestOutcome:
    """How a request ended.

    Attributes:
        status: HTTP status of its failure, 0 if it has none or did not fail.
        wait: seconds that the server asks to be left alone; None if it does not.
        tokens: that it read and wrote; 0 if unknown.
    """

    status: int = 0
    wait: float | None = None
    tokens: int = 0


class Permits(ABC):
    """Gives permits for requests to endpoints; threads may share it."""

    @abstractmethod
    def take(self, endpoint: EndpointId, tokens: int) -> int:
        """Wait for a permit, and return its number.

        Args:
            tokens: about how many the request reads and writes.
        """

    @abstractmethod
    def give_back(self, number: int, outcome: RequestOutcome) -> None:
        """Give a permit back once the request has ended, however."""


class _Shared:
    permits: Permits | None = None
    waited: float = 0.0


def share_permits(permits: Permits | None) -> None:
    """Let all calls of models in this process ask for permits from now on; None lets them go without."""
    _Shared.permits = permits


def waited_seconds() -> float:
    """Seconds that calls of this process have waited for permits, all together."""
    return _Shared.waited


class CallPermit:
    """The permits of one call, one for each attempt.

    Args:
        endpoint, tokens: see `Permits.take`.
        tokens_of: tokens of what an attempt returned.
        told: is told the seconds that each attempt waited; None for nobody.
    """

    def __init__(
        self,
        permits: Permits,
        endpoint: EndpointId,
        tokens: int = 0,
        tokens_of: Callable[[Any], int] = lambda _: 0,
        told: Callable[[float], None] | None = None,
    ) -> None:
        self._permits, self._endpoint, self._tokens = permits, endpoint, tokens
        self.tokens_of, self._told = tokens_of, told
        self._number = 0

    def take(self, clock: Callable[[], float]) -> float:
        """Wait for the next attempt's permit; the seconds that it took, of a clock's."""
        began = clock()
        self._number = self._permits.take(self._endpoint, self._tokens)
        waited = max(0.0, clock() - began)
        _Shared.waited += waited
        if self._told is not None:
            self._told(waited)
        return waited

    def give_back(self, outcome: RequestOutcome) -> None:
        """Give the attempt's permit back."""
        self._permits.give_back(self._number, outcome)


def permit_for(
    endpoint: LlmEndpoint,
    tokens: int = 0,
    tokens_of: Callable[[Any], int] = lambda _: 0,
    told: Callable[[float], None] | None = None,
) -> CallPermit | None:
    """The permits of a call of an endpoint; None if nobody shares out endpoints in this process."""
    permits = _Shared.permits
    return None if permits is None else CallPermit(permits, endpoint_id(endpoint), tokens, tokens_of, told)


def endpoint_id(endpoint: LlmEndpoint) -> EndpointId:
    """What of an endpoint has one limit.

    Raises:
        ConfigError: the variable that should hold its key does not.
    """
    key = key_of(endpoint)
    keys = [key] if key is not None else [os.environ[name] for name in sorted(usual_keys(endpoint))]
    digest = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:12] if any(keys) else ""
    return EndpointId(base_of(endpoint), endpoint.provider, digest)


def base_of(endpoint: LlmEndpoint) -> str:
    """The base URL of an endpoint's server; the provider's name where it has none."""
    return normal_place(endpoint.url or provider_of(endpoint.model).url or endpoint.provider)
