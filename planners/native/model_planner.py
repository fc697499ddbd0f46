"""A planner with a model of its own, asked until its reply can be read, as often as the planner allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from omnipilot.envs import ConfigError
from omnipilot.memory import MalformedReply, Message, Model, Reply, Usage
from omnipilot.memory.models import Tool
from omnipilot.memory.models.model_options import ModelOptions
from omnipilot.memory.warm_up import warm_up

if TYPE_CHECKING:
    from omnipilot.memory.models import LlmEndpoint

T = TypeVar("T")
P = TypeVar("P", bound="ModelPlanner")
LONGEST_ECHO = 4_000
"""Characters of an unreadable reply that its model is shown again."""


@dataclass(eq=False)
class ModelPlanner(ModelOptions):
    """A planner's model, by the options of its endpoint; what it is asked is the subclass's matter.

    Attributes:
        parameters: of a request; they go before the usual ones.
        repairs: times that a malformed reply is answered with what was wrong, before it is given up.

    Raises:
        ConfigError: an option that cannot be; or the variable that should hold the key is empty.
    """

    repairs: int = 1

    def __post_init__(self) -> None:
        if self.repairs < 0:
            raise ConfigError(f"planner option repairs is at least 0, not {self.repairs}")
        self._client: Model | None = self.connect() if self.model else None

    @classmethod
    def over(cls: type[P], model: Model, **options: Any) -> P:
        """The planner over a model that there is already; options but those of the endpoint."""
        planner = cls("", **options)
        planner._client = model
        return planner

    def warm_up(self) -> None:
        """Load what the first call of its model would."""
        warm_up(self._client)

    @property
    def usual(self) -> Mapping[str, Any]:
        """Parameters of a request where none are given."""
        return {}

    @property
    def endpoint(self) -> LlmEndpoint:
        """Where its model is asked, and how."""
        return replace(super().endpoint, parameters={**self.usual, **self.parameters})

    def ask(
        self, messages: Sequence[Message], read: Callable[[Reply], T], tools: Sequence[Tool] = (), seed: int = 0
    ) -> tuple[T, Reply, Usage]:
        """What was read from the first reply that can be read, that reply, and what all of them cost.

        A reply that cannot be read is answered, in the same conversation, with what was wrong.

        Args:
            read: raises MalformedReply for such a reply.
            tools: that the model may call; it is not made to, because it may finish in plain words.
            seed: tells trials apart in a cassette.

        Raises:
            MalformedReply: the last reply cannot be read either; with what all of them cost.
            ModelUnavailable: the model did not answer.
        """
        if self._client is None:
            raise ConfigError("the planner needs the option model, such as hosted_vllm/ByteDance-Seed/UI-TARS-1.5-7B")
        client: Any = self._client
        options: dict[str, Any] = {"tools": tools, "tool_choice": "auto"} if tools else {}
        # Trials differ by the seed alone; a cassette must not answer the second with what was said in the first.
        options |= {"salt": seed} if seed else {}
        conversation = list(messages)
        usage = Usage()
        for left in range(self.repairs, -1, -1):
            reply: Reply = client.complete(conversation, self.timeout, **options)
            usage += reply.usage
            try:
                return read(reply), reply, usage
            except MalformedReply as error:
                cut = " (the reply was cut off; be brief)" if reply.finish == "length" else ""
                if not left:
                    raise MalformedReply(f"{error}{cut}", usage) from None
                conversation += _mending(reply, f"{error}{cut}")
        raise AssertionError("the last attempt returns or raises")


def in_words(reply: Reply) -> str:
    """A reply with its tool calls written out, cut where it is very long."""
    said = "\n".join(filter(None, (reply.text.strip(), *(f"{name}({told})" for name, told in reply.calls))))
    return said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]} …"


def _mending(reply: Reply, problem: str) -> list[Message]:
    """The reply in words (calls that are none cannot stand in a conversation), and what was wrong with it."""
    return [
        Message("assistant", (in_words(reply) or "(an empty reply)",)),
        Message("user", (f"Nothing was carried out: {problem}. Answer again, with the next action.",)),
    ]
