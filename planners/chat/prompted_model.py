"""A chat model with a prompt: what planners over a chat model share with critics, trackers and gates that ask one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Message, Reply
from omnipilot.memory.models import ModelOptions, Tool
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.base import Brief
from omnipilot.planners.prompts import Prompt, load

if TYPE_CHECKING:
    from omnipilot.memory.models import LlmEndpoint

M = TypeVar("M", bound="PromptedModel")


class ToolModel(Protocol):
    """A chat model that supports tools or a response schema."""

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
        """Answer a conversation; see `omnipilot.memory.models.model.ChatModel`."""
        ...


SERVER = "server"
"""Instead of a value: what the server takes if none is sent."""


@dataclass(eq=False)
class ChatOptions(ModelOptions):
    """Options of an endpoint that takes media.

    Attributes:
        images, audios, videos, degrade, takes, detail, scale, jpeg: see `LlmEndpoint`.
        temperature, max_tokens: parameters of each request that are sent unless `parameters` has others; "server" sends
            none, so that the server's own count.
    """

    images: int | None = None
    audios: int | None = None
    videos: int | None = None
    degrade: Mapping[str, str] = field(default_factory=dict)
    takes: str = ""
    detail: str = ""
    scale: int = 0
    jpeg: int = 0
    temperature: float | str = 0.0
    max_tokens: int | str = 4096

    asks_as: ClassVar[str] = "planner"
    """Its role: in messages about its options, and in the record of its calls."""

    @property
    def sent_parameters(self) -> dict[str, Any]:
        """The parameters of each request, besides tools and schema.

        Raises:
            ConfigError: a temperature below 0, fewer tokens than 1, or another word than "server".
        """
        usual: dict[str, Any] = {}
        for name, least in (("temperature", 0), ("max_tokens", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not (value == SERVER or (isinstance(value, int | float) and value >= least)):
                raise ConfigError(f"{self.asks_as} option {name} must be {least} or more, or {SERVER!r}, not {value!r}")
            if value != SERVER:
                usual[name] = value
        if "max_completion_tokens" in self.parameters:
            usual.pop("max_tokens", None)
        return {**usual, **self.parameters}

    @property
    def endpoint(self) -> LlmEndpoint:
        """The endpoint of its model."""
        return replace(super().endpoint, parameters=self.sent_parameters)

    @property
    def reads(self) -> frozenset[Modality]:
        """Modalities it uses: all but media that its model does not accept and `degrade` has no rule for."""
        return ALL_MODALITIES - self.untaken

    @property
    def untaken(self) -> frozenset[Modality]:
        """Media that its model does not accept and is therefore not shown."""
        if not self.model:
            return frozenset()
        from omnipilot.memory.models.providers import endpoint_forms

        kinds = {"image": Modality.SCREENSHOT, "audio": Modality.AUDIO, "video": Modality.VIDEO}
        endpoint = self.endpoint
        taken = endpoint_forms(endpoint)
        return frozenset(
            modality
            for kind, modality in kinds.items()
            if not (taken.of(kind) and endpoint.limit(kind) != 0) and kind not in self.degrade
        )


@dataclass(eq=False)
class PromptedModel(ChatOptions):
    """A chat model, its prompt, and the episode that it is asked in.

    Attributes:
        model, url, key_env: and other options of its endpoint, see `ChatOptions`.
        repairs: how often a malformed reply is answered with an error message before giving up.
        prompt: name of a prompt to use instead of the class's own; PACKAGE:NAME for one of another package.

    Raises:
        ConfigError: an option is invalid, or the variable that should hold the key is empty.
    """

    repairs: int = 1
    prompt: str = ""

    own_prompt: ClassVar[str] = ""

    def __post_init__(self) -> None:
        self.refuse_less({"repairs": 0})
        package, _, name = (self.prompt or self.own_prompt).rpartition(":")
        self.loaded_prompt: Prompt = load(name, package or self.prompt_package)
        self._client: ToolModel | None = self.connect() if self.model else None
        self.begin(Brief("", {}))

    @property
    def prompt_package(self) -> str:
        """The package of a prompt that is named without one; "" for ours."""
        return ""

    @classmethod
    def over(cls: type[M], model: ToolModel, **options: Any) -> M:
        """One over an existing model; takes all options but those of the endpoint."""
        made = cls("", **options)
        made._client = model
        return made

    def refuse_less(self, bounds: Mapping[str, int]) -> None:
        """Refuse options that are less than these; None, for no bound, is not.

        Raises:
            ConfigError: one is.
        """
        for name, least in bounds.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise ConfigError(f"{self.asks_as} option {name} must be at least {least}, not {value}")

    def begin(self, brief: Brief) -> None:
        """Start a new episode; nothing of the previous one remains."""
        self._brief = brief

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the prompt, as a hash of its text."""
        return {"prompt": self.loaded_prompt.digest}

    def warm_up(self) -> None:
        """Load everything the first model call would load."""
        warm_up(self._client)

    def complete(self, messages: Sequence[Message], **asked: Any) -> Reply:
        """Ask its model.

        Args:
            asked: tools, or a schema of the reply.

        Raises:
            ModelUnavailable: the model did not answer.
            ConfigError: no model is named, or it rejects the request and would reject it again.
        """
        if self._client is None:
            raise ConfigError(f"the {self.asks_as} needs the option model, such as openai/gpt-4o")
        # Trials differ only by the seed; a cassette must not replay the first trial's answer in the second.
        salt: dict[str, Any] = {"salt": self._brief.seed} if self._brief.seed else {}
        return self._client.complete(messages, **asked, **salt)
