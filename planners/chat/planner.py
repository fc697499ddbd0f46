"""The base of planners over a chat model: conversation, history, and repair of malformed replies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, get_args

from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import MalformedReply, Message, Reply, Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.models import Tool
from omnipilot.memory.models.exchange import tell_unread
from omnipilot.memory.models.model_options import ModelOptions
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.base import Brief, Decision, Request, Verbs
from omnipilot.planners.chat.history import Answer, Rounds
from omnipilot.planners.chat.render import (
    closing,
    devices,
    feedback_words,
    message_parts,
    recalled_parts,
    seen_parts,
)
from omnipilot.planners.prompts import Prompt, load
from omnipilot.planners.recalled import anchor_parts, join_words, noted_parts
from omnipilot.planners.tools import CONTROLS, Places

if TYPE_CHECKING:
    from omnipilot.memory.models import LlmEndpoint


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
                raise ConfigError(f"planner option {name} must be {least} or more, or {SERVER!r}, not {value!r}")
            if value != SERVER:
                usual[name] = value
        if "max_completion_tokens" in self.parameters:
            usual.pop("max_tokens", None)
        return {**usual, **self.parameters}

    @property
    def endpoint(self) -> LlmEndpoint:
        """The endpoint of its model."""
        names = ("images", "audios", "videos", "degrade", "takes", "detail", "scale", "jpeg")
        media: dict[str, Any] = {name: getattr(self, name) for name in names}
        return replace(super().endpoint, parameters=self.sent_parameters, **media)

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


T = TypeVar("T")
P = TypeVar("P", bound="ChatPlanner")
LONGEST_ECHO = 4_000
"""Characters of an unreadable reply that are shown to its model again."""


@dataclass(eq=False)
class ChatPlanner(ChatOptions):
    """Shows a request to a chat model and reads its reply; subclasses define the format of both.

    Attributes:
        model, url, key_env and other options of its endpoint: see `ChatOptions`.
        history: previous rounds (observation, reply, outcome) that are shown to the model again.
        repairs: how often a malformed reply is answered with an error message before giving up.
        actions: maximum number of actions per turn.
        places: how it names a place: `described`, `grounded` (by coordinates) or `any`.
        controls: the control verbs that it is offered, comma-separated.
        prompt: name of a prompt to use instead of the planner's own; PACKAGE:NAME for one of another package.

    Raises:
        ConfigError: an option is invalid, or the variable that should hold the key is empty.
    """

    history: int = 2
    repairs: int = 1
    actions: int = 8
    places: str = "described"
    controls: str = ",".join(CONTROLS)
    prompt: str = ""

    own_prompt: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for name, least in (("history", 0), ("repairs", 0), ("actions", 1)):
            if getattr(self, name) < least:
                raise ConfigError(f"planner option {name} must be at least {least}, not {getattr(self, name)}")
        if self.places not in get_args(Places):
            raise ConfigError(f"planner option places must be {' or '.join(get_args(Places))}, not {self.places!r}")
        self.offered = tuple(name.strip() for name in self.controls.split(",") if name.strip())
        if strangers := [name for name in self.offered if name not in CONTROLS]:
            unknown = ", ".join(map(repr, strangers))
            raise ConfigError(f"unknown control verb {unknown}; choose from {', '.join(CONTROLS)}")
        package, _, name = (self.prompt or self.own_prompt).rpartition(":")
        self.loaded_prompt: Prompt = load(name, package)
        self._client: ToolModel | None = self.connect() if self.model else None
        self.begin(Brief("", {}))

    @classmethod
    def over(cls: type[P], model: ToolModel, **options: Any) -> P:
        """A planner over an existing model; takes all options but those of the endpoint."""
        planner = cls("", **options)
        planner._client = model
        return planner

    def for_job(self: P, job: str, control: Collection[str]) -> P:
        """The same planner for a job in a team, with the job's prompt unless it has its own.

        Args:
            control: control verbs of the job; it is offered no others.
        """
        controls = ",".join(name for name in self.offered if name in control)
        return replace(self, prompt=self.prompt or self.job_prompt(job), controls=controls)

    def job_prompt(self, job: str) -> str:
        """Name of this kind of planner's prompt for a job in a team."""
        return job

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the prompt, as a hash of its text."""
        return {"prompt": self.loaded_prompt.digest}

    def warm_up(self) -> None:
        """Load everything the first model call would load."""
        warm_up(self._client)

    def begin(self, brief: Brief) -> None:
        """Start a new episode; nothing of the previous one remains."""
        self._brief = brief
        self._rounds = Rounds(self.history)
        self._remarks: tuple[str, ...] = ()
        self._made: dict[str, Any] = {}
        self._made_for: Mapping[str, Verbs] = brief.envs

    def preview(self, request: Request) -> tuple[Sequence[Message], Mapping[str, Any]]:
        """The first request to its model: the conversation, and its tools or schema; no model is called."""
        shown = seen_parts(request.observations, request.recalled, self.places != "described", request.turn)
        before, beside = recalled_parts(request.recalled, request.turn), noted_parts(request.recalled, request.turn)
        asked = join_words((*before, *shown, *message_parts(request), *beside, closing(request)))
        told = Message("system", self._system(request)), Message("user", asked)
        return told, self._format(request)

    def plan(self, request: Request) -> Decision:
        """Show the request and read the reply; up to `repairs` malformed replies are answered with the error.

        Raises:
            MalformedReply: no reply can be read, retries included; its usage covers all of them.
            ModelUnavailable: the model did not answer.
            ConfigError: the model rejects the request, and would reject it again.
        """
        rest = self._rounds.settle(request.feedback)
        seen = seen_parts(request.observations, request.recalled, self.places != "described", request.turn)
        shown = (*feedback_words(rest), *self._remarks, *seen, *message_parts(request))
        recalled = self._rounds.unsaid(request.recalled)
        before, beside = recalled_parts(recalled, request.turn), noted_parts(recalled, request.turn)
        named = anchor_parts(recalled)
        user = Message("user", join_words((*before, *shown, *named, *beside, closing(request))))
        messages = [Message("system", self._system(request)), *self._rounds.messages(), user]
        answer, usage = self._ask_until_read(messages, request)
        self._rounds.keep(request, shown, answer)
        self._remarks = answer.remarks
        return Decision(answer.moves, answer.thought, answer.notes, answer.expectations, usage)

    def _ask_until_read(self, messages: list[Message], request: Request) -> tuple[Answer, Usage]:
        """The parsed reply, and the usage including earlier unreadable replies."""
        usage = Usage()
        for left in range(self.repairs, -1, -1):
            reply = self._complete(messages, request)
            usage += reply.usage
            try:
                return self._read(reply, request), usage
            except MalformedReply as error:
                problem = f"{error}{_cut_off(reply)}"
                tell_unread(problem)
                if not left:
                    raise MalformedReply(problem, usage) from None
                messages += _mending(reply, problem)
        raise AssertionError("the last attempt returns or raises")

    def _complete(self, messages: Sequence[Message], request: Request) -> Reply:
        if self._client is None:
            raise ConfigError("the planner needs the option model, such as openai/gpt-4o")
        # Trials differ only by the seed; a cassette must not replay the first trial's answer in the second.
        salt: dict[str, Any] = {"salt": self._brief.seed} if self._brief.seed else {}
        return self._client.complete(messages, **{**self._format(request), **salt})

    def _once(self, what: str, envs: Mapping[str, Verbs], make: Callable[[], T]) -> T:
        """Cache something derived from the environments' verbs, which do not change between turns."""
        if self._made_for is not envs:
            self._made, self._made_for = {}, envs
        if what not in self._made:
            self._made[what] = make()
        made: T = self._made[what]
        return made

    def _system(self, request: Request) -> tuple[Part, ...]:
        return ("\n".join(filter(None, (self.loaded_prompt.text, devices(request.brief)))),)

    def _format(self, request: Request) -> dict[str, Any]:
        """Request arguments besides the conversation: tools, or a schema."""
        raise NotImplementedError

    def _read(self, reply: Reply, request: Request) -> Answer:
        """Parse a reply.

        Raises:
            MalformedReply: it cannot be read; the message is for the model.
        """
        raise NotImplementedError


def _mending(reply: Reply, problem: str) -> list[Message]:
    """The reply as text (a conversation cannot contain invalid calls), and what was wrong with it."""
    said = "\n".join(filter(None, (reply.text.strip(), *(f"{name}({told})" for name, told in reply.calls))))
    cut = said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]} …"
    return [
        Message("assistant", (cut or "(an empty reply)",)),
        Message("user", (f"Nothing was carried out. {problem}\nAnswer again, with what you want done in this turn.",)),
    ]


def _cut_off(reply: Reply) -> str:
    if reply.finish != "length":
        return ""
    return " (the reply was cut off, because it was longer than allowed; be brief)"
