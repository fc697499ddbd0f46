"""The options of a component that calls a model: its endpoint, and the model built from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from omnipilot.memory.models.endpoint import LlmEndpoint
    from omnipilot.memory.models.model import ChatModel


@dataclass(eq=False)
class ModelOptions:
    """Options of an endpoint, as passed by a registry.

    Attributes:
        model: provider and model, such as openai/gpt-4o. url, key_env, timeout, attempt, retries, price_in, price_out,
            parameters: see `LlmEndpoint`.
        cassette: folder of kept calls, "" for none. replay: make no live call.
    """

    model: str
    url: str = ""
    key_env: str = ""
    timeout: float = 300.0
    attempt: float = 120.0
    retries: int = 4
    price_in: float | None = None
    price_out: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cassette: str = ""
    replay: bool = False

    whereabouts: ClassVar[frozenset[str]] = frozenset({"url", "key_env", "cassette", "replay"})
    """Options that say where a model is asked, and not what: no part of a run's identity."""

    @property
    def endpoint(self) -> LlmEndpoint:
        """The model's address and call settings: every option that has the name of one of `LlmEndpoint`."""
        from omnipilot.memory.models.endpoint import LlmEndpoint

        own = {option.name for option in fields(self)}
        return LlmEndpoint(**{one.name: getattr(self, one.name) for one in fields(LlmEndpoint) if one.name in own})

    def connect(self) -> ChatModel:
        """The model, ready to be called; nothing is sent yet.

        Raises:
            ConfigError: the endpoint cannot be, or the variable that should hold its key is empty.
        """
        from omnipilot.memory.models.cassette import Cassette
        from omnipilot.memory.models.model import ChatModel

        kept = Cassette(self.cassette, "replay" if self.replay else "record") if self.cassette else None
        return ChatModel(self.endpoint, kept)
