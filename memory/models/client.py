"""The interface of every provider client: prepare a request, and send it as often as the retry policy allows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from omnipilot.memory.messages import Message, Reply
from omnipilot.memory.models.tool import Tool

Attempt: TypeAlias = Callable[[float], Reply]
"""Sends a request once and waits at most so many seconds; the reply's usage has its tokens alone.

Raises `TransientError` where another attempt is worth it, `ConfigError` or `ModelUnavailable` where none is.
"""


class ExchangeWatch(Protocol):
    """Sees a request and its answers as they travel."""

    def sending(self, body: Mapping[str, Any]) -> None:
        """The body of the request, with `omnipilot.memory.models.exchange.Enclosed` in the place of each capture."""
        ...

    def received(self, body: str) -> None:
        """The body of an answer, whatever it is."""
        ...


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request to a model; its media are of kinds that the model accepts.

    Attributes:
        tool_choice: "required" (it calls at least one), "auto", "none", or the name of one.
        schema: JSON schema that the answer must satisfy.
        parameters: names in `omnipilot.memory.models.endpoint.PARAMETERS`.
        watch: told what is sent and what comes back, for a record; None if nobody keeps one.
    """

    messages: Sequence[Message]
    tools: Sequence[Tool] = ()
    tool_choice: str = "required"
    schema: Mapping[str, Any] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    watch: ExchangeWatch | None = None


class ModelClient(ABC):
    """Calls the model of one endpoint. Threads may share it."""

    @abstractmethod
    def prepare(self, request: ChatRequest, key: str | None) -> tuple[Attempt, tuple[str, ...]]:
        """A function that sends a request, and the names of omitted parameters that the model does not accept.

        Args:
            key: to send; "" is none, None the provider's usual one from the environment.

        Raises:
            ConfigError: the model takes no tools and some are wanted, or there is no key.
        """

    @abstractmethod
    def warm_up(self) -> None:
        """Load what the first call needs, without calling the model; that call will notice a server that is down."""

    @abstractmethod
    def close(self) -> None:
        """Close open connections; calls in progress finish by themselves."""

    def preload(self) -> None:
        """Import what the first call needs, and nothing more: no thread begins and no connection is opened, so that
        the process may be forked afterwards."""
        return

    def check_key(self, key: str | None) -> None:
        """Look for the key, as given to `prepare`, before there is a request; nothing is sent. A client that cannot
        tell does nothing: the first request will.

        Raises:
            ConfigError: there is none, and the provider wants one.
        """
