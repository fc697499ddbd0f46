"""Any chat model, hosted or your own: one conversation in, one reply out, within a deadline.

What is the same for all of them is here: fitting media, cassettes, keys, retries, prices, scrubbing. How a request
travels is the matter of the provider's client.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from omnipilot.memory.allowance import estimate_tokens
from omnipilot.memory.messages import Message, Reply, Usage, answered_by, scrub_reply
from omnipilot.memory.models.broker.permits import permit_for
from omnipilot.memory.models.cassette import Cassette
from omnipilot.memory.models.client import ChatRequest, ModelClient
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.exchange import WatchedCall, current_episode, current_listener
from omnipilot.memory.models.failures import ConversationTooLong, describe
from omnipilot.memory.models.keys import key_of, register_keys
from omnipilot.memory.models.made_models import note_model
from omnipilot.memory.models.media import fit, kind_of
from omnipilot.memory.models.media_captions import Captioner, check_readers, load_readers
from omnipilot.memory.models.prices import cost, has_price
from omnipilot.memory.models.providers import endpoint_forms, provider_of
from omnipilot.memory.models.retry import RetryClock, RetryPolicy, Turns
from omnipilot.memory.models.sampling import Sampling

if TYPE_CHECKING:
    from omnipilot.memory.models.tool import Tool

_CAPTURE = 1_000
"""Tokens that a capture is taken to be, before a server has counted any."""


class ChatModel:
    """Calls one model of one endpoint. Threads may share it; it keeps no conversation state.

    Args:
        endpoint: where, and how.
        cassette: answers what was asked before, keeps what is new; None asks every time.
        readers: describe media in words where the endpoint's `degrade` wants it, by kind; our own readers where None.
        clock: time, pauses and random numbers of retries.

    Raises:
        ConfigError: the variable that should hold the key does not, and there is no cassette that may do without; or
            the endpoint's URL is none.
        MissingExtra: the client's library is not installed, and there is no cassette with any answer; or what reads
            media that are to be described is not.
    """

    def __init__(
        self,
        endpoint: LlmEndpoint,
        cassette: Cassette | None = None,
        *,
        readers: Mapping[str, Captioner] | None = None,
        clock: RetryClock | None = None,
    ) -> None:
        self.endpoint, self.cassette = endpoint, cassette
        self._closed = threading.Event()
        self._readers, self._clock = readers, clock or RetryClock(wait=self._closed.wait)
        self._turns = Turns(endpoint.concurrency) if endpoint.concurrency else None
        self._made: dict[str, ModelClient] = {}
        self._making = threading.Lock()
        if readers is None:
            check_readers(self._described)
        if cassette is None or (cassette.mode == "record" and cassette.blank):
            self._clients()
        if cassette is None:
            key_of(endpoint)
        register_keys(endpoint)
        note_model(self)

    def check(self) -> None:
        """See `ChecksItself`; a model that may answer from its cassette alone is not looked at.

        Raises:
            ConfigError: the key is not set. MissingExtra: the client's library is not installed.
        """
        if self.cassette is not None and not (self.cassette.mode == "record" and self.cassette.blank):
            return
        key, (client, *_) = key_of(self.endpoint), self._clients()
        client.check_key(key)

    def preload(self) -> None:
        """See `ChecksItself`; nothing for a model that is replayed.

        Raises:
            MissingExtra: the client's library is not installed.
        """
        if self.cassette is None or self.cassette.mode != "replay":
            self._clients()[0].preload()
            has_price(self.endpoint)

    def warm_up(self) -> None:
        """Load what the first call needs and connect, without calling the model. Does nothing if all is replayed.

        Raises:
            MissingExtra: the client's library is not installed.
        """
        if self.cassette is not None and self.cassette.mode == "replay":
            return
        for client in self._clients():
            client.warm_up()
        has_price(self.endpoint)
        if self._readers is None:
            load_readers(self._described)

    @property
    def _described(self) -> tuple[str, ...]:
        """The kinds of media that are described in words instead of being sent."""
        return tuple(kind for kind, rule in self.endpoint.degrade.items() if rule == "describe")

    def complete(
        self,
        messages: Sequence[Message],
        timeout: float | None = None,
        *,
        tools: Sequence[Tool] = (),
        tool_choice: str = "required",
        schema: Mapping[str, Any] | None = None,
        sampling: Sampling | None = None,
        salt: int = 0,
    ) -> Reply:
        """Answer a conversation within `timeout` seconds (the endpoint's if None).

        `usage` of the reply counts every attempt, the tokens that the server counted, and the seconds of the attempt
        that succeeded; its cost is None where the price, or the number of tokens, is unknown.

        Args:
            messages: in order.
            timeout: see above.
            tools: that it may call.
            tool_choice: "required" (it calls at least one), "auto", "none", or the name of one.
            schema: JSON schema that the answer must keep, where the server supports it (else `dropped` says so).
            sampling: how to draw this answer; its parameters replace those of the endpoint.
            salt: tells equal requests apart in a cassette, so that a repeated trial is asked anew.

        Raises:
            ModelUnavailable: no answer in time, the attempts are used up, or the provider's filter refuses.
            ConfigError: the request is refused and would be again, the key is not accepted, media are not taken, or a
                replayed cassette has no answer.
            MissingExtra: the client's library is not installed, and the answer is in no cassette.
        """
        endpoint = self.endpoint.replica(current_episode())
        conversation, trimmed = fit(messages, endpoint, self._readers)
        parameters = endpoint.parameters if sampling is None else {**endpoint.parameters, **sampling.parameters()}
        listener = current_listener()
        watch = None if listener is None else WatchedCall(listener, endpoint.model, self._clock)
        request = ChatRequest(conversation, tools, tool_choice, schema, parameters, watch)
        kept: dict[str, Any] = {}
        if self.cassette is not None:
            kept = self._record(request, salt)
            if (found := self.cassette.find(kept)) is not None:
                reply = answered_by(self._replayed_cost(found) if endpoint.price_in is not None else found)
                if watch is not None:
                    self._tell_replayed(watch, request, reply)
                return reply
        key = key_of(endpoint)
        register_keys(endpoint)
        attempt, dropped = self._client(endpoint).prepare(request, key)
        if watch is not None:
            attempt = watch.over(attempt, self._with_cost)
        seconds = endpoint.timeout if timeout is None else timeout
        told = None if watch is None else watch.waiting
        permit = permit_for(endpoint, _about(request), lambda reply: reply.usage.tokens, told)
        policy = RetryPolicy(seconds, endpoint.attempt, endpoint.retries, self._clock, self._turns, permit)
        try:
            result = policy.call(describe(endpoint), attempt)
        except ConversationTooLong as error:
            raise ConversationTooLong(f"{error} ({_sizes(request)})") from None
        tokens = result.value.usage
        usage = Usage(result.attempts, tokens.tokens_in, tokens.tokens_out, self._cost(tokens), result.seconds)
        reply = scrub_reply(replace(result.value, usage=usage, dropped=(*dropped, *trimmed)))
        return answered_by(reply if self.cassette is None else self.cassette.keep(kept, reply))

    def close(self) -> None:
        """Close the connections. Calls that wait for a retry end immediately, as unavailable."""
        self._closed.set()
        for client in self._made.values():
            client.close()

    def __repr__(self) -> str:
        return f"ChatModel({self.endpoint.model!r})"

    def _clients(self) -> list[ModelClient]:
        """One for each replica."""
        return [self._client(replace(self.endpoint, url=url)) for url in self.endpoint.urls]

    def _client(self, endpoint: LlmEndpoint) -> ModelClient:
        with self._making:
            if endpoint.url not in self._made:
                self._made[endpoint.url] = provider_of(endpoint.model).make_client(endpoint)
            return self._made[endpoint.url]

    def _cost(self, tokens: Usage) -> float | None:
        """The cost; None also if the server sent no token counts, unless the model is free."""
        if not tokens.tokens and (self.endpoint.price_in, self.endpoint.price_out) != (0, 0):
            return None
        return cost(self.endpoint, tokens.tokens_in, tokens.tokens_out)

    def _with_cost(self, reply: Reply) -> Reply:
        return replace(reply, usage=replace(reply.usage, cost=self._cost(reply.usage)))

    def _tell_replayed(self, watch: WatchedCall, request: ChatRequest, reply: Reply) -> None:
        """Report an answer that comes from a cassette; of the request, what would have been sent."""
        from omnipilot.memory.models.openai_chat.wire import request_body

        provider = provider_of(self.endpoint.model)
        body = request_body(
            self.endpoint.model_name,
            request,
            endpoint_forms(self.endpoint),
            omit=provider.unsupported,
            strict_tools=provider.strict_tools,
        )
        watch.sending(body)
        watch.tell(reply, "", reply.usage, replayed=True)

    def _replayed_cost(self, reply: Reply) -> Reply:
        usage = reply.usage
        if not usage.tokens:
            return reply
        return replace(reply, usage=replace(usage, cost=cost(self.endpoint, usage.tokens_in, usage.tokens_out)))

    def _record(self, request: ChatRequest, salt: int) -> dict[str, Any]:
        """The whole request as stored in a cassette: media as digests, without key and URL."""
        messages = [
            {
                "role": message.role,
                "parts": [part if isinstance(part, str) else {kind_of(part): part.digest} for part in message.parts],
                "calls": [list(call) for call in message.calls],
            }
            for message in request.messages
        ]
        tools = request.tools
        return {
            "model": self.endpoint.model,
            "messages": messages,
            "tools": [{"name": t.name, "description": t.description, "parameters": dict(t.parameters)} for t in tools],
            "tool_choice": request.tool_choice if tools else "",
            "schema": None if request.schema is None else dict(request.schema),
            "parameters": dict(request.parameters),
            "salt": salt,
        }


def _about(request: ChatRequest) -> int:
    """Roughly how many tokens a request reads, before any is counted."""
    parts = [part for message in request.messages for part in message.parts]
    return sum(len(part) // 4 if isinstance(part, str) else _CAPTURE for part in parts)


def _sizes(request: ChatRequest) -> str:
    """What a request consists of, in words: servers seldom say what it is that does not fit."""
    parts = [part for message in request.messages for part in message.parts]
    calls = [text for message in request.messages for call in message.calls for text in call]
    words = sum(map(estimate_tokens, [*(part for part in parts if isinstance(part, str)), *calls]))
    told = [f"{words:,} tokens of text in its messages"]
    if request.tools:
        tools = sum(estimate_tokens(json.dumps([tool.description, tool.parameters])) for tool in request.tools)
        told.append(f"{tools:,} in the descriptions of its tools")
    if media := sum(not isinstance(part, str) for part in parts):
        told.append(f"and pictures, sounds and films: {media}")
    return f"by our estimate there are {', '.join(told)}"
