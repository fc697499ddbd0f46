"""What planners over a chat model share: the conversation, its history, and asking again after a malformed reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, get_args

from omnipilot.envs import ConfigError
from omnipilot.memory import MalformedReply, Message, Reply, Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.base import Brief, Decision, Request, Verbs
from omnipilot.planners.chat.history import Answer, Rounds
from omnipilot.planners.chat.options import ChatOptions
from omnipilot.planners.chat.options import ToolModel as ToolModel
from omnipilot.planners.chat.render import (
    closing,
    devices,
    feedback_words,
    joined,
    message_parts,
    noted_parts,
    recalled_parts,
    seen_parts,
)
from omnipilot.planners.prompts import Prompt, load
from omnipilot.planners.tools import CONTROLS, Places

T = TypeVar("T")
P = TypeVar("P", bound="ChatPlanner")
LONGEST_ECHO = 4_000
"""Characters of an unreadable reply that its model is shown again."""


@dataclass(eq=False)
class ChatPlanner(ChatOptions):
    """Shows a chat model what a request holds and reads its reply; what is shown and read is its subclass's matter.

    Attributes:
        model, url, key_env and the other options of its endpoint: see `ChatOptions`.
        history: rounds (observation, reply, what became of it) that the model is shown again.
        repairs: times that a malformed reply is answered with what was wrong, before it is given up.
        actions: most in one turn.
        places: how it names a place: `described`, `grounded` (by coordinates) or `any`.
        controls: the control verbs that it is offered, with commas between.
        prompt: name of another prompt than the planner's own; PACKAGE:NAME for one of another package.

    Raises:
        ConfigError: an option that cannot be; or the variable that should hold the key is empty.
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
                raise ConfigError(f"planner option {name} is at least {least}, not {getattr(self, name)}")
        if self.places not in get_args(Places):
            raise ConfigError(f"planner option places is one of {', '.join(get_args(Places))}, not {self.places!r}")
        self.offered = tuple(name.strip() for name in self.controls.split(",") if name.strip())
        if strangers := [name for name in self.offered if name not in CONTROLS]:
            raise ConfigError(f"controls are of {', '.join(CONTROLS)}; {', '.join(strangers)} is none")
        package, _, name = (self.prompt or self.own_prompt).rpartition(":")
        self.told: Prompt = load(name, package)
        self._asked: ToolModel | None = self.connect() if self.model else None
        self.begin(Brief("", {}))

    @classmethod
    def over(cls: type[P], model: ToolModel, **options: Any) -> P:
        """The planner over a model that there is already; options but those of the endpoint."""
        planner = cls("", **options)
        planner._asked = model
        return planner

    def identity(self) -> dict[str, str]:
        """What can change its numbers and is no option of it: the prompt, by the hash of its text."""
        return {"prompt": self.told.digest}

    def warm_up(self) -> None:
        """Load what the first call of its model would."""
        warm_up(self._asked)

    def begin(self, brief: Brief) -> None:
        """A new episode; nothing of the last one remains."""
        self._brief = brief
        self._rounds = Rounds(self.history)
        self._made: dict[str, Any] = {}
        self._made_for: Mapping[str, Verbs] = brief.envs

    def preview(self, request: Request) -> tuple[Sequence[Message], Mapping[str, Any]]:
        """What its model would be asked first: the conversation, and its tools or schema. No model is called."""
        shown = seen_parts(request.observations, request.recalled, self.places != "described")
        asked = joined((*shown, *message_parts(request), closing(request)))
        told = Message("system", self._system(request)), Message("user", asked)
        return told, self._format(request)

    def plan(self, request: Request) -> Decision:
        """Show the request, read the reply; a malformed one is answered with what was wrong, `repairs` times.

        Raises:
            MalformedReply: the reply cannot be read, nor could those after it; its usage is that of all of them.
            ModelUnavailable: the model did not answer.
            ConfigError: the model refuses the request, and would again.
        """
        rest = self._rounds.settle(request.feedback)
        seen = seen_parts(request.observations, request.recalled, self.places != "described")
        shown = (*feedback_words(rest), *seen, *message_parts(request))
        recalled = self._rounds.unsaid(request.recalled)
        before, beside = recalled_parts(recalled, request.turn), noted_parts(recalled, request.turn)
        user = Message("user", joined((*before, *shown, *beside, closing(request))))
        messages = [Message("system", self._system(request)), *self._rounds.messages(), user]
        answer, usage = self._answered(messages, request)
        self._rounds.keep(request, shown, answer)
        return Decision(answer.moves, answer.thought, usage=usage)

    def _answered(self, messages: list[Message], request: Request) -> tuple[Answer, Usage]:
        """The reply, read, and what it cost with those before it that could not be."""
        usage = Usage()
        for left in range(self.repairs, -1, -1):
            reply = self._complete(messages, request)
            usage += reply.usage
            try:
                return self._read(reply, request), usage
            except MalformedReply as error:
                problem = f"{error}{_cut_off(reply)}"
                if not left:
                    raise MalformedReply(problem, usage) from None
                messages += _mending(reply, problem)
        raise AssertionError("the last attempt returns or raises")

    def _complete(self, messages: Sequence[Message], request: Request) -> Reply:
        if self._asked is None:
            raise ConfigError("the planner needs the option model, such as openai/gpt-4o")
        # Trials differ by the seed alone; a cassette must not answer the second with what was said in the first.
        salt: dict[str, Any] = {"salt": self._brief.seed} if self._brief.seed else {}
        return self._asked.complete(messages, **{**self._format(request), **salt})

    def _once(self, what: str, envs: Mapping[str, Verbs], make: Callable[[], T]) -> T:
        """What is made of the verbs of the environments: the same in every turn."""
        if self._made_for is not envs:
            self._made, self._made_for = {}, envs
        if what not in self._made:
            self._made[what] = make()
        made: T = self._made[what]
        return made

    def _system(self, request: Request) -> tuple[Part, ...]:
        return ("\n".join(filter(None, (self.told.text, devices(request.brief)))),)

    def _format(self, request: Request) -> dict[str, Any]:
        """What the model is asked with, beside the conversation: tools, or a schema."""
        raise NotImplementedError

    def _read(self, reply: Reply, request: Request) -> Answer:
        """What a reply says.

        Raises:
            MalformedReply: it cannot be read; the message is for the model.
        """
        raise NotImplementedError


def _mending(reply: Reply, problem: str) -> list[Message]:
    """The reply in words (calls that are none cannot stand in a conversation), and what was wrong with it."""
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
