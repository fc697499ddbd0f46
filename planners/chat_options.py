"""Whom a planner over a chat model asks: the options of its endpoint, and the model behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from omnipilot.envs.observation import ALL_MODALITIES, Modality
from omnipilot.memory.transcript import Message, Reply
from omnipilot.planners.tools import Tool

if TYPE_CHECKING:
    from omnipilot.planners.endpoint import LlmEndpoint


class ToolModel(Protocol):
    """A chat model that can be given tools or held to a schema."""

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
        """Answer a conversation; see `omnipilot.planners.llm.LitellmModel`."""
        ...


@dataclass(eq=False)
class ChatOptions:
    """Options of an endpoint, as a registry gives them.

    Attributes:
        model: provider and model as litellm names them. url, key_env, timeout, attempt, retries, price_in, price_out,
            images, audios, videos, degrade, parameters: see `LlmEndpoint`.
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
    images: int | None = None
    audios: int | None = None
    videos: int | None = None
    degrade: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cassette: str = ""
    replay: bool = False

    whereabouts: ClassVar[frozenset[str]] = frozenset({"url", "key_env", "cassette", "replay"})
    """Options that say where a model is asked, and not what: no part of a run's identity."""

    @property
    def endpoint(self) -> LlmEndpoint:
        """Where its model is asked, and how."""
        from omnipilot.planners.endpoint import LlmEndpoint

        return LlmEndpoint(
            model=self.model,
            url=self.url,
            key_env=self.key_env,
            timeout=self.timeout,
            attempt=self.attempt,
            retries=self.retries,
            price_in=self.price_in,
            price_out=self.price_out,
            images=self.images,
            audios=self.audios,
            videos=self.videos,
            degrade=self.degrade,
            parameters=self.parameters,
        )

    @property
    def reads(self) -> frozenset[Modality]:
        """What it looks at: everything but media that its model does not take and for which `degrade` has no rule."""
        return ALL_MODALITIES - self.untaken

    @property
    def untaken(self) -> frozenset[Modality]:
        """Media that its model does not take, so that it is shown none."""
        if not self.model:
            return frozenset()
        from omnipilot.planners.media_forms import forms

        kinds = {"image": Modality.SCREENSHOT, "audio": Modality.AUDIO, "video": Modality.VIDEO}
        taken, endpoint = forms(self.model), self.endpoint
        return frozenset(
            modality
            for kind, modality in kinds.items()
            if not (taken.of(kind) and endpoint.limit(kind) != 0) and kind not in self.degrade
        )

    def connected(self) -> ToolModel:
        """The model, ready to be asked; nothing is sent yet.

        Raises:
            ConfigError: the endpoint cannot be, or the variable that should hold its key is empty.
        """
        from omnipilot.planners.cassette import Cassette
        from omnipilot.planners.llm import LitellmModel

        kept = Cassette(self.cassette, "replay" if self.replay else "record") if self.cassette else None
        return LitellmModel(self.endpoint, kept)
