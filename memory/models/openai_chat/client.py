"""The lean client: any server that speaks the OpenAI chat protocol, called in the caller's own thread."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from omnipilot.envs.types import require
from omnipilot.memory.messages import Reply
from omnipilot.memory.models.client import Attempt, ChatRequest, ModelClient
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.failures import failure
from omnipilot.memory.models.keys import usual_key
from omnipilot.memory.models.openai_chat.wire import (
    Malformed,
    UpstreamFailed,
    Writer,
    read_error,
    read_reply,
    request_body,
)
from omnipilot.memory.models.providers import endpoint_forms, provider_of
from omnipilot.memory.models.retry import TransientError, retry_after
from omnipilot.memory.secrets.scrub import scrub_error

if TYPE_CHECKING:
    from omnipilot.memory.models.openai_chat.connections import HttpResponse

IDLE_CONNECTIONS = 16
"""Connections that are kept open while nobody uses them, where the endpoint has no limit of its own."""


class OpenAiChatClient(ModelClient):
    """The client of servers of the OpenAI chat protocol; connections are kept alive.

    Raises:
        MissingExtra: urllib3 is not installed.
        ConfigError: the endpoint's URL is none.
    """

    def __init__(self, endpoint: LlmEndpoint) -> None:
        require("urllib3", "llm")
        from omnipilot.memory.models.openai_chat.connections import ConnectionPool

        self._endpoint = endpoint
        self._provider = provider_of(endpoint.model)
        self._pool = ConnectionPool(endpoint.url or self._provider.url, endpoint.concurrency or IDLE_CONNECTIONS)
        self._writer = Writer()

    def prepare(self, request: ChatRequest, key: str | None) -> tuple[Attempt, tuple[str, ...]]:
        """See `ModelClient`.

        Raises:
            ConfigError: the provider's key is not set.
        """
        dropped = tuple(sorted(self._provider.unsupported & set(request.parameters)))
        forms = endpoint_forms(self._endpoint)
        body = self._writer.request(
            self._endpoint.model_name, request, forms, omit=dropped, strict_tools=self._provider.strict_tools
        )
        if request.watch is not None:
            told = request_body(
                self._endpoint.model_name, request, forms, omit=dropped, strict_tools=self._provider.strict_tools
            )
            request.watch.sending(told)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if sent := self._usual_key if key is None else key:
            headers["Authorization"] = f"Bearer {sent}"

        def attempt(seconds: float) -> Reply:
            from omnipilot.memory.models.openai_chat.connections import ConnectionFailed

            try:
                answer = self._pool.exchange("POST", "/chat/completions", body, headers, seconds)
                if request.watch is not None:
                    request.watch.received(answer.body.decode("utf-8", "backslashreplace"))
                if answer.status == 200:
                    return read_reply(answer.body)
            except ConnectionFailed as error:
                raise TransientError(f"{error}") from error
            except UpstreamFailed as error:
                told = scrub_error(f"{error}")
                raise failure(self._endpoint, error.status, told, code=error.code, keyless=not sent) from None
            except Malformed as error:
                # No cause: it would show the whole body, and whatever the server repeats there.
                raise TransientError(f"{error}") from None
            raise self._failure(answer, keyless=not sent)

        return attempt, dropped

    def check_key(self, key: str | None) -> None:
        """See `ModelClient.check_key`."""
        if key is None:
            _ = self._usual_key

    def warm_up(self) -> None:
        """Open a connection and keep it, without a request. A server that is down is noticed by the first call."""
        self._pool.open(self._endpoint.timeout)

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()

    @cached_property
    def _usual_key(self) -> str:
        return usual_key(self._endpoint)

    def _failure(self, answer: HttpResponse, keyless: bool) -> Exception:
        quote, code = read_error(answer.body)
        return failure(
            self._endpoint,
            answer.status,
            scrub_error(quote),
            code=code,
            wait=retry_after(answer.headers.get("retry-after", "")),
            keyless=keyless,
            moved_to=scrub_error(answer.moved_to),
        )
