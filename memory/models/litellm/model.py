"""Every hosted or local LLM, through litellm: one conversation in, one reply out, within a deadline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from omnipilot.memory.messages import Message, Reply, answered_by, scrub_reply
from omnipilot.memory.models.cassette import Cassette
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.keys import CLOUDS, key_of, register_keys
from omnipilot.memory.models.litellm.library import library, present, rehearse
from omnipilot.memory.models.litellm.prices import cost
from omnipilot.memory.models.litellm.request import answer
from omnipilot.memory.models.media import fit, kind_of
from omnipilot.memory.models.media_captions import Captioner, load_readers
from omnipilot.memory.models.retry import RetryClock, RetryPolicy

if TYPE_CHECKING:
    from omnipilot.memory.models.tool import Tool


class LitellmModel:
    """Calls one model of one endpoint. Threads may share it; it keeps nothing of a conversation.

    Args:
        endpoint: where, and how.
        cassette: answers what was asked before, keeps what is new; None asks every time.
        readers: tell media in words where the endpoint's `degrade` wants it, by kind; our own readers where None.
        clock: time, pauses and dice of retries.

    Raises:
        ConfigError: the variable that should hold the key does not, and there is no cassette that may do without.
        MissingExtra: litellm is not installed, and there is no cassette with any answer.
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
        self._readers, self._clock = readers, clock or RetryClock()
        if cassette is None or (cassette.mode == "record" and cassette.blank):
            present()
        if cassette is None:
            key_of(endpoint)
        register_keys(endpoint)

    def warm_up(self) -> None:
        """Import litellm, and load what it loads for a call; no model is asked. Nothing where all is replayed.

        Raises:
            MissingExtra: litellm is not installed.
        """
        if self.cassette is not None and self.cassette.mode == "replay":
            return
        library()
        if self.endpoint.provider not in CLOUDS:
            rehearse(self.endpoint.model)
        if "describe" in self.endpoint.degrade.values() and self._readers is None:
            load_readers(kind for kind, rule in self.endpoint.degrade.items() if rule == "describe")

    def complete(
        self,
        messages: Sequence[Message],
        timeout: float | None = None,
        *,
        tools: Sequence[Tool] = (),
        tool_choice: str = "required",
        schema: Mapping[str, Any] | None = None,
        salt: int = 0,
    ) -> Reply:
        """Answer a conversation within `timeout` seconds (the endpoint's where None).

        `usage` of the reply counts every attempt, the tokens that the server counted, and the seconds of the attempt
        that succeeded; its cost is None where the price, or the number of tokens, is unknown.

        Args:
            messages: in order.
            timeout: see above.
            tools: that it may call.
            tool_choice: "required" (it calls at least one), "auto", "none", or the name of one.
            schema: JSON schema that the answer must keep, where the server supports it (else `dropped` says so).
            salt: tells equal requests apart in a cassette, so that a repeated trial is asked anew.

        Raises:
            ModelUnavailable: no answer in time, the attempts are used up, or the provider's filter refuses.
            ConfigError: the request is refused and would be again, the key is not accepted, media are not taken, or a
                replayed cassette has no answer.
            MissingExtra: litellm is not installed, and the answer is in no cassette.
        """
        conversation, trimmed = fit(messages, self.endpoint, self._readers)
        request = self._request(conversation, tools, tool_choice, schema, salt)
        if self.cassette is not None and (kept := self.cassette.find(request)) is not None:
            return answered_by(self._priced(kept) if self.endpoint.price_in is not None else kept)
        key = key_of(self.endpoint)
        register_keys(self.endpoint)
        policy = RetryPolicy(
            self.endpoint.timeout if timeout is None else timeout,
            self.endpoint.attempt,
            self.endpoint.retries,
            self._clock,
        )
        reply = answer(self.endpoint, key, policy, conversation, tools, tool_choice, schema)
        reply = scrub_reply(replace(reply, dropped=(*reply.dropped, *trimmed)))
        return answered_by(reply if self.cassette is None else self.cassette.keep(request, reply))

    def __repr__(self) -> str:
        return f"LitellmModel({self.endpoint.model!r})"

    def _request(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        tool_choice: str,
        schema: Mapping[str, Any] | None,
        salt: int,
    ) -> dict[str, Any]:
        """The whole request as a cassette knows it: media are their digests, and neither key nor URL is in it."""
        told = [
            {
                "role": message.role,
                "parts": [part if isinstance(part, str) else {kind_of(part): part.digest} for part in message.parts],
                "calls": [list(call) for call in message.calls],
            }
            for message in messages
        ]
        return {
            "model": self.endpoint.model,
            "messages": told,
            "tools": [{"name": t.name, "description": t.description, "parameters": dict(t.parameters)} for t in tools],
            "tool_choice": tool_choice if tools else "",
            "schema": None if schema is None else dict(schema),
            "parameters": dict(self.endpoint.parameters),
            "salt": salt,
        }

    def _priced(self, reply: Reply) -> Reply:
        usage = reply.usage
        if not usage.tokens:
            return reply
        return replace(reply, usage=replace(usage, cost=cost(self.endpoint, usage.tokens_in, usage.tokens_out)))
