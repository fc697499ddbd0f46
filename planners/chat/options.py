"""Whom a planner over a chat model asks: what its endpoint takes, and which media its model is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from omnipilot.envs import Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Message, Reply
from omnipilot.memory.models import Tool
from omnipilot.memory.models.model_options import ModelOptions

if TYPE_CHECKING:
    from omnipilot.memory.models import LlmEndpoint


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
        """Answer a conversation; see `omnipilot.memory.models.litellm.model.LitellmModel`."""
        ...


@dataclass(eq=False)
class ChatOptions(ModelOptions):
    """Options of an endpoint that is shown media.

    Attributes:
        images, audios, videos, degrade: see `LlmEndpoint`.
    """

    images: int | None = None
    audios: int | None = None
    videos: int | None = None
    degrade: Mapping[str, str] = field(default_factory=dict)

    @property
    def endpoint(self) -> LlmEndpoint:
        """Where its model is asked, and how."""
        media = {name: getattr(self, name) for name in ("images", "audios", "videos", "degrade")}
        return replace(super().endpoint, **media)

    @property
    def reads(self) -> frozenset[Modality]:
        """What it looks at: everything but media that its model does not take and for which `degrade` has no rule."""
        return ALL_MODALITIES - self.untaken

    @property
    def untaken(self) -> frozenset[Modality]:
        """Media that its model does not take, so that it is shown none."""
        if not self.model:
            return frozenset()
        from omnipilot.memory.models.media_forms import forms

        kinds = {"image": Modality.SCREENSHOT, "audio": Modality.AUDIO, "video": Modality.VIDEO}
        taken, endpoint = forms(self.model), self.endpoint
        return frozenset(
            modality
            for kind, modality in kinds.items()
            if not (taken.of(kind) and endpoint.limit(kind) != 0) and kind not in self.degrade
        )
