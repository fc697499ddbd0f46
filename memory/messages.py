"""What passes between our code and a model: parts, messages, replies, and what they cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

from omnipilot.envs import AudioClip, Image, OmnipilotError, VideoClip
from omnipilot.memory.secrets.scrub import scrub

Part: TypeAlias = str | Image | AudioClip | VideoClip
"""One piece of a message: text, or one capture. Order is meaning; nothing is ever dropped silently."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        calls: of tools that an assistant's message makes, as (name, JSON arguments). The messages of role `tool` that
            follow it answer them, one each and in their order.
    """

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Part, ...]
    calls: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls to models cost.

    Attributes:
        cost: in dollars, None where the price is unknown. seconds: on the wall.
        models: ids by which the servers that answered call their models, each once.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    models: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
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


class MalformedReply(OmnipilotError):
    """A model's reply cannot be read; the message says what was wrong, for the model. The planner asks again.

    Attributes:
        usage: what the unreadable replies cost.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class ModelUnavailable(OmnipilotError):
    """A model did not answer within its deadline and retries. The episode is void."""


def without_reprs(text: str) -> str:
    """An error's words without the addresses of objects that libraries put into them ("ssl:<… object at 0x7f…>")."""
    return re.sub(r"\s?(?:\b\w+[:=])?<[\w.]+ object at 0x[0-9a-fA-F]+>(?::\s)?", "", text)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: text and tool calls (name, JSON arguments), with its usage and the id it calls itself.

    Attributes:
        finish: why it stopped, as the server says ("stop", "length", "tool_calls", …); "" where it does not.
        reasoning: what it thought before, where the server tells that apart from the text.
        dropped: what the request lost on its way, in words: parameters that the model does not take, media beyond the
            endpoint's limits.
        replayed: it was kept from an earlier call; nothing was paid for it now.
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
    """The reply with the id of its model in its usage, so that sums of usage say who answered."""
    return replace(reply, usage=replace(reply.usage, models=(reply.model,))) if reply.model else reply


def scrub_reply(reply: Reply) -> Reply:
    """The reply without any key in use, wherever the server repeats what it was sent. Every client's replies pass."""
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
