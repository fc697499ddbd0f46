"""The base of planners with their own model, which is asked again until its reply can be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from omnipilot.envs import ConfigError
from omnipilot.memory import MalformedReply, Message, Model, Reply, Usage
from omnipilot.memory.models import ModelOptions, Tool
from omnipilot.memory.models.exchange import tell_unread
from omnipilot.memory.models.replies.reasoning import ONLY_REASONING, without_lost_answer
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.base import Planner

if TYPE_CHECKING:
    from omnipilot.memory.models import LlmEndpoint

T = TypeVar("T")
P = TypeVar("P", bound="ModelPlanner")
LONGEST_ECHO = 4_000
"""Characters of an unreadable reply that are shown to its model again."""


@dataclass(eq=False)
class ModelPlanner(ModelOptions, Planner):
    """A planner's model and endpoint options; subclasses define the requests.

    Attributes:
        parameters: request parameters, which override the defaults.
        repairs: how often a malformed reply is answered with an error message before giving up.

    Raises:
        ConfigError: an option is invalid, or the variable that should hold the key is empty.
    """

    repairs: int = 1

    def __post_init__(self) -> None:
        if self.repairs < 0:
            raise ConfigError(f"planner option repairs must be at least 0, not {self.repairs}")
        self._client: Model | None = self.connect() if self.model else None

    @classmethod
    def over(cls: type[P], model: Model, **options: Any) -> P:
        """A planner over an existing model; takes all options but those of the endpoint."""
        planner = cls("", **options)
        planner._client = model
        return planner

    def warm_up(self) -> None:
        """Load everything the first model call would load."""
        warm_up(self._client)

    @property
    def usual(self) -> Mapping[str, Any]:
        """Default request parameters."""
        return {}

    @property
    def endpoint(self) -> LlmEndpoint:
        """The endpoint of its model."""
        return replace(super().endpoint, parameters={**self.usual, **self.parameters})

    def ask(
        self, messages: Sequence[Message], read: Callable[[Reply], T], tools: Sequence[Tool] = (), seed: int = 0
    ) -> tuple[T, Reply, Usage]:
        """Ask until a reply can be read; returns its value, the reply, and the usage of all calls.

        An unreadable reply is answered, in the same conversation, with the error message.

        Args:
            read: parses a reply; raises MalformedReply if it cannot.
            tools: tools the model may call; calls are optional, because it may finish in plain words.
            seed: distinguishes trials in a cassette.

        Raises:
            MalformedReply: the last reply is unreadable too; its usage covers all calls.
            ModelUnavailable: the model did not answer.
        """
        if self._client is None:
            raise ConfigError("the planner needs the option model, such as hosted_vllm/ByteDance-Seed/UI-TARS-1.5-7B")
        client: Any = self._client
        options: dict[str, Any] = {"tools": tools, "tool_choice": "auto"} if tools else {}
        # Trials differ only by the seed; a cassette must not replay the first trial's answer in the second.
        options |= {"salt": seed} if seed else {}
        conversation = list(messages)
        usage = Usage()
        for left in range(self.repairs, -1, -1):
            reply: Reply = client.complete(conversation, self.timeout, **options)
            usage += reply.usage
            try:
                return read(reply), reply, usage
            except MalformedReply as error:
                cut = _what_was_lost(reply)
                tell_unread(f"{error}{cut}", error.unknown)
                if not left:
                    raise MalformedReply(f"{error}{cut}", usage, unknown=error.unknown) from None
                conversation += _mending(reply, f"{error}{cut}")
        raise AssertionError("the last attempt returns or raises")


def in_words(reply: Reply) -> str:
    """A reply with its tool calls written out, truncated if very long."""
    said = "\n".join(filter(None, (reply.text.strip(), *(f"{name}({told})" for name, told in reply.calls))))
    return said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]} …"


def _what_was_lost(reply: Reply) -> str:
    """What the server did to a reply that cannot be read: it cut it off, or took all of it for reasoning."""
    if reply.finish != "length":
        return "" if without_lost_answer(reply) is reply else f". {ONLY_REASONING}"
    if reply.reasoning and not reply.text.strip():
        return " (the reply was cut off while it reasoned; reason briefly, or raise max_tokens)"
    return " (the reply was cut off; be brief)"


def _mending(reply: Reply, problem: str) -> list[Message]:
    """The reply as text (a conversation cannot contain invalid calls), and what was wrong with it."""
    return [
        Message("assistant", (in_words(reply) or "(an empty reply)",)),
        Message("user", (f"Nothing was carried out: {problem}. Answer again, with the next action.",)),
    ]
