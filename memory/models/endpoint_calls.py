"""Calls of a model by other paths of OpenAI's API than chat, such as embeddings and transcriptions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from omnipilot.envs.types import require
from omnipilot.memory.messages import Reply
from omnipilot.memory.models.broker.permits import permit_for
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.exchange import WatchedCall, current_episode, current_listener
from omnipilot.memory.models.failures import describe, failure
from omnipilot.memory.models.keys import NO_KEY, key_of, needs_no_key, register_keys, usual_key, usual_keys
from omnipilot.memory.models.made_models import note_model
from omnipilot.memory.models.providers import LITELLM, provider_of
from omnipilot.memory.models.retry import CallResult, RetryClock, RetryPolicy, TransientError, retry_after
from omnipilot.memory.secrets.scrub import scrub_error

if TYPE_CHECKING:
    from omnipilot.memory.models.openai_chat.connections import ConnectionPool

CONNECTIONS = 4
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CallRecord(Generic[T]):
    """What a record of calls is told of one.

    Attributes:
        body: of the request, with `omnipilot.memory.models.exchange.Enclosed` in the place of captures.
        describe: gives what it says of the result, in words; the usage has tokens and cost.
        raw: whether an answer that could be read is kept as it came; one that could not be always is.
    """

    body: Mapping[str, Any]
    describe: Callable[[T], Reply]
    raw: bool = True


class EndpointCalls:
    """Asks a model behind an endpoint, with the keys, retries and deadlines of chat models.

    Servers of OpenAI's API (OpenAI's own, vLLM, whisper.cpp, …) are asked directly, every other provider through
    litellm.

    Args:
        endpoint: model, address, key and patience; its parameters and limits are those of chat and not used.
        clock: time and pauses of retries.

    Raises:
        MissingExtra: the client's library is not installed.
        ConfigError: the endpoint's URL is none, or the variable of its key holds none.
    """

    def __init__(self, endpoint: LlmEndpoint, clock: RetryClock | None = None) -> None:
        self.endpoint = endpoint
        self._closed = threading.Event()
        self._clock = clock or RetryClock(wait=self._closed.wait)
        self._key = key_of(endpoint)
        register_keys(endpoint)
        self._provider = provider_of(endpoint.model)
        self._pools: dict[str, ConnectionPool] = {}
        if endpoint.url or self._provider.url or self._provider.client_for(endpoint) != LITELLM:
            require("urllib3", "llm")
            from omnipilot.memory.models.openai_chat.connections import ConnectionPool

            self._pools = {url: ConnectionPool(url or self._provider.url, CONNECTIONS) for url in endpoint.urls}
        else:
            from omnipilot.memory.models.litellm.library import present
            from omnipilot.memory.models.model_names import check_provider

            check_provider(endpoint.model, endpoint.url)
            present()
        note_model(self)

    def check(self) -> None:
        """See `ChecksItself`."""
        if self._pools:
            _ = self._sent_key
        elif self._key is None and not needs_no_key(self.endpoint) and not usual_keys(self.endpoint):
            usual_key(self.endpoint)

    def preload(self) -> None:
        """See `ChecksItself`."""
        if self.through_litellm:
            from omnipilot.memory.models.litellm.library import library

            library()

    @property
    def through_litellm(self) -> bool:
        """Whether litellm is asked, because there is no server of OpenAI's API."""
        return not self._pools

    def post(
        self,
        path: str,
        kind: str,
        body: Sequence[bytes],
        read: Callable[[bytes], T],
        record: CallRecord[T] | None = None,
    ) -> CallResult[T]:
        """Post to a path of the server.

        Args:
            path: below the endpoint's URL, such as "/embeddings". kind: content type of the body, given in pieces.
            read: makes the result of the answer's body, or raises `TransientError` where it is none.
            record: what whoever keeps a record is told; None for nothing.

        Raises:
            ModelUnavailable: no answer within the endpoint's time and attempts.
            ConfigError: the server refuses the request or the key.
        """
        assert self._pools, "litellm is asked by call_litellm"
        endpoint = self.endpoint.replica(current_episode())
        pool = self._pools[endpoint.url]
        headers = {"Content-Type": kind, "Accept": "application/json"}
        if self._sent_key:
            headers["Authorization"] = f"Bearer {self._sent_key}"
        watch = self._watch(record)

        def attempt(seconds: float) -> T:
            from omnipilot.memory.models.openai_chat.connections import ConnectionFailed

            try:
                answer = pool.exchange("POST", path, body, headers, seconds)
            except ConnectionFailed as error:
                raise TransientError(f"{error}") from error
            if watch is not None:
                watch.received(answer.body.decode("utf-8", "replace"))
            if answer.status == 200:
                return read(answer.body)
            raise failure(
                endpoint,
                answer.status,
                scrub_error(answer.body[:10_000].decode("utf-8", "replace")),
                wait=retry_after(answer.headers.get("retry-after", "")),
                keyless=not self._sent_key,
                moved_to=scrub_error(answer.moved_to),
            )

        return self._call(endpoint, attempt, watch, record)

    def call_litellm(
        self,
        ask: Callable[[dict[str, Any], float], Any],
        given: Mapping[str, Any],
        read: Callable[[Any], T],
        record: CallRecord[T] | None = None,
    ) -> CallResult[T]:
        """Ask through litellm.

        Args:
            ask: a function of `omnipilot.memory.models.litellm.library`. given: its request, without model and key.
            read: makes the result of what it returns, or raises `TransientError` where it is none.
            record: as in `post`.

        Raises:
            ModelUnavailable, ConfigError: as in `post`.
        """
        request = {"model": self.endpoint.model, **given}
        if self._key is not None:
            request["api_key"] = self._key or NO_KEY
        watch = self._watch(record)

        def attempt(seconds: float) -> T:
            from omnipilot.memory.models.litellm.errors import meaning

            try:
                response = ask(request, seconds)
            except Exception as error:
                raise meaning(error, self.endpoint) from None
            if watch is not None and isinstance(response, bytes):
                watch.received(response.decode("utf-8", "replace"))
            return read(response)

        return self._call(self.endpoint, attempt, watch, record)

    def close(self) -> None:
        """Close connections; a call that waits for another attempt gives up."""
        self._closed.set()
        for pool in self._pools.values():
            pool.close()

    def _watch(self, record: CallRecord[T] | None) -> WatchedCall | None:
        listener = current_listener()
        if listener is None or record is None:
            return None
        watch = WatchedCall(listener, self.endpoint.model, self._clock)
        watch.sending(record.body)
        return watch

    def _call(
        self,
        endpoint: LlmEndpoint,
        attempt: Callable[[float], T],
        watch: WatchedCall | None,
        record: CallRecord[T] | None,
    ) -> CallResult[T]:
        if watch is not None and record is not None:
            attempt = watch.over(attempt, record.describe, record.raw)
        permit = permit_for(endpoint, told=None if watch is None else watch.waiting)
        policy = RetryPolicy(endpoint.timeout, endpoint.attempt, endpoint.retries, self._clock, permit=permit)
        return policy.call(describe(endpoint), attempt)

    @cached_property
    def _sent_key(self) -> str:
        return usual_key(self.endpoint) if self._key is None else self._key


def no_answer(what: str, body: bytes) -> TransientError:
    """The error of an answer that cannot be read; it quotes the beginning, without secrets."""
    shown = scrub_error(body[:10_000].decode("utf-8", "replace"))[:120]
    return TransientError(f"the answer is no {what}: {shown!r}")
