"""The exchange with a model: message parts, messages, replies, and usage."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias

from omnipilot.envs import AudioClip, Image, OmnipilotError, VideoClip
from omnipilot.memory.secrets.scrub import has_secrets, label, scrub

MOST_TOKENS = 10**12
"""Most tokens of a call that are believed."""

Part: TypeAlias = str | Image | AudioClip | VideoClip
"""One part of a message: text, or one capture. Order matters; nothing is ever dropped silently."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        calls: tool calls of an assistant message, as (name, JSON arguments). The messages of role `tool` that follow
            answer them one by one, in order.
    """

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Part, ...]
    calls: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What model calls cost.

    Attributes:
        cost: in USD, None if the price is unknown. seconds: wall time.
        models: distinct model ids as reported by the servers.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    models: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost is None or other.cost is None
        return Usage(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            None if unknown else (self.cost or 0.0) + (other.cost or 0.0),
            self.seconds + other.seconds,
            self.models if self.models == other.models else tuple(dict.fromkeys((*self.models, *other.models))),
        )


def read_count(count: object) -> int | None:
    """A number of tokens as a server tells it, 0 where it tells none; None for anything else, or beyond reason.

    Gateways write 100 as 100.0 and "100", too; part of a token counts as one.
    """
    if count is None:
        return 0
    if isinstance(count, str):
        try:
            count = float(count)
        except ValueError:
            return None
    if isinstance(count, float) and math.isfinite(count):
        count = math.ceil(count)
    return count if type(count) is int and 0 <= count <= MOST_TOKENS else None


class MalformedReply(OmnipilotError):
    """A model's reply cannot be parsed; the message tells the model what was wrong, and the planner asks again.

    Attributes:
        usage: usage of the unreadable replies.
        told, recalled: what the decision was shown besides observations, as `omnipilot.agents.Choice` holds it.
        unknown: actions that it asks for and that the agent's action space has no word for.
        replayed: of a reply that was unreadable in a record, as `omnipilot.agents.Choice` holds it.
    """

    def __init__(
        self,
        message: str,
        usage: Usage | None = None,
        told: Sequence[Any] = (),
        recalled: Sequence[Any] = (),
        unknown: Sequence[str] = (),
        replayed: float | None = None,
    ) -> None:
        super().__init__(message)
        self.usage = usage or Usage()
        self.told = tuple(told)
        self.recalled = tuple(recalled)
        self.unknown = tuple(unknown)
        self.replayed = replayed


class ModelUnavailable(OmnipilotError):
    """A model did not answer within its deadline and retries; the episode is void."""


def without_reprs(text: str) -> str:
    """An error message without the object addresses that libraries include ("ssl:<… object at 0x7f…>")."""
    return re.sub(r"\s?(?:\b\w+[:=])?<[\w.]+ object at 0x[0-9a-fA-F]+>(?::\s)?", "", text)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer: text and tool calls (name, JSON arguments), with its usage and the server's model id.

    Attributes:
        finish: finish reason from the server ("stop", "length", "tool_calls", …); "" if it gives none.
        reasoning: the model's reasoning, if the server separates it from the text.
        dropped: what was removed from the request, in words: parameters the model does not accept, media beyond the
            endpoint's limits.
        replayed: whether it comes from an earlier call, so that nothing was paid for it now.
    """

    text: str
    calls: tuple[tuple[str, str], ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    finish: str = ""
    reasoning: str = ""
    dropped: tuple[str, ...] = ()
    replayed: bool = False


def answered_by(reply: Reply) -> Reply:
    """The reply with its model id in the usage, so that summed usage lists the models."""
    model = label(reply.model)
    return replace(reply, model=model, usage=replace(reply.usage, models=(model,))) if model else reply


def scrub_reply(reply: Reply) -> Reply:
    """The reply without any registered key, in case the server echoes it; applied to the replies of every client."""
    if not has_secrets():
        return reply
    return replace(
        reply,
        text=scrub(reply.text),
        calls=tuple((scrub(name), scrub(arguments)) for name, arguments in reply.calls),
        model=scrub(reply.model),
        finish=scrub(reply.finish),
        reasoning=scrub(reply.reasoning),
        dropped=tuple(map(scrub, reply.dropped)),
        usage=replace(reply.usage, models=tuple(map(scrub, reply.usage.models))),
    )


class Model(Protocol):
    """Any chat model."""

    def complete(self, messages: Sequence[Message], timeout: float) -> Reply:
        """Answer a conversation within `timeout` seconds.

        Raises:
            ModelUnavailable: no answer in time.
        """
        ...
