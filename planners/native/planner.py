"""The planner `native`: a GUI model that plans and grounds in one step, with its own prompt and action syntax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from omnipilot.envs import Absent, ConfigError, Image, Intent, Modality, Point
from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.envs.types.actions import CONTROL
from omnipilot.envs.types.resize import resize_image
from omnipilot.memory import Message, Move, Reply
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.action_text import join_thoughts
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.native.actions_pointing import cursor_after
from omnipilot.planners.native.families.table import find, get
from omnipilot.planners.native.family import NativeFamily
from omnipilot.planners.native.model_planner import ModelPlanner, in_words
from omnipilot.planners.native.prompt import fill_slots, history_text, own_prompt, parts, slots
from omnipilot.planners.native.turn import (
    actions_so_far,
    feedback_text,
    operated_env,
    placeholder_screen,
    recorded_action,
    without_sight,
)
from omnipilot.planners.prompts import load
from omnipilot.planners.recalled import told_parts


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of the conversation: the text and screenshot that were sent, and the reply."""

    words: str
    image: Image
    reply: Reply


@dataclass(eq=False)
class NativePlanner(ModelPlanner):
    """Prompts a native model as its family's record says; it returns points, so no grounder is used.

    Attributes:
        family: name of the family; "" to look it up by the model.
        env: the environment it operates; "" if there is only one.
        prompt: file with the prompt of the model's authors, in parts as `planners.native.prompt` says; "" for ours.

    Raises:
        ConfigError: as `ModelPlanner`; or the family is unknown, or none lists the model.
    """

    family: str = ""
    env: str = ""
    prompt: str = ""

    points: ClassVar[bool] = True
    """It gives coordinates itself: no grounder is used."""
    reads: ClassVar[frozenset[Modality]] = frozenset({Modality.SCREENSHOT})

    def __post_init__(self) -> None:
        self.record: NativeFamily = get(self.family) if self.family else find(self.model)
        super().__post_init__()
        self._own: Mapping[str, str] | None = None
        self._digest = ""
        if self.prompt:
            self._own, self._digest = own_prompt(self.prompt)
        self._turns: list[_Turn] = []
        self._done: list[str] = []
        self._cursor: Point | None = None

    @property
    def usual(self) -> Mapping[str, Any]:
        """The request parameters of the family."""
        return self.record.parameters

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the family, and hashes of its prompts."""
        if self._digest:
            return {"family": self.record.name, "prompt": self._digest}
        layout = self.record.layout
        prompts = [load(name).digest for name in (layout.prompt, layout.mobile) if name]
        return {"family": self.record.name, "prompt": " ".join(prompts)}

    def begin(self, brief: Brief) -> None:
        """Forget the last episode.

        Raises:
            ConfigError: it is ambiguous which environment to operate.
        """
        self._turns, self._done = [], []
        self._cursor = None
        operated_env(brief, self.env, "native")

    def plan(self, request: Request) -> Decision:
        """Ask the model; its reply becomes moves in its environment.

        Raises:
            MalformedReply: the model's replies cannot be read.
            ModelUnavailable: it did not answer.
            ConfigError: it is granted no screenshot, or the family does not support its shape.
        """
        env = operated_env(request.brief, self.env, "native")
        shot = request.observations[env].screenshot if env in request.observations else Absent("ablated")
        if isinstance(shot, Absent):
            return without_sight(shot, "native")
        for told_of in request.feedback:
            if told_of.move is not None and told_of.move.env == env and told_of.outcome.result == "done":
                self._cursor = cursor_after(told_of.move.intent, self._cursor)
        try:
            image = resize_image(shot, self.record.resize)
        except ValueError as error:
            raise ConfigError(f"planner 'native' with {self.record.name}: {error}") from error
        self._done = actions_so_far(self._done, request)
        words = self._words(request)

        def read(reply: Reply) -> tuple[list[Intent], str]:
            found, thought = self.record.parse(self._reply_content(reply), image.size, shot.size, self._cursor)
            own = reply.text if reply.calls else ""
            return found, join_thoughts([reply.reasoning, own, thought])

        messages = self._messages(request.brief, env, words, image, self._remembered(request))
        (intents, thought), reply, usage = self.ask(messages, read, self.record.tools, request.brief.seed)
        self._turns.append(_Turn(words, image, replayable_reply(reply)))
        self._done.append(self.record.layout.done(self._turns[-1].reply.text))
        moves = tuple(Move("" if intent.kind in CONTROL else env, intent) for intent in intents)
        return Decision(moves, thought, usage=usage)

    def preview(self, request: Request) -> tuple[list[Message], dict[str, Any]]:
        """The request the model would get now, on a blank screen if there is no screenshot; no model is called.

        Raises:
            ConfigError: it is ambiguous which environment to operate.
        """
        env = operated_env(request.brief, self.env, "native")
        seen = request.observations.get(env)
        shot = placeholder_screen(env, request.brief.envs[env].platform) if seen is None else seen.screenshot
        if isinstance(shot, Absent):
            raise ConfigError("planner 'native' works from screenshots only; grant it the modality screenshot")
        options = {"tools": self.record.tools} if self.record.tools else {}
        image = resize_image(shot, self.record.resize)
        return self._messages(request.brief, env, self._words(request), image, self._remembered(request)), options

    def _words(self, request: Request) -> str:
        """Feedback on its last actions; in a recording, a listed history already contains the recorded ones."""
        was = recorded_action(request.feedback) if self.record.layout.history == "turns" else ""
        return join_thoughts([feedback_text(request.feedback), f"What was done then: {was}" if was else ""])

    def _remembered(self, request: Request) -> tuple[Part, ...]:
        """What a memory chose for this turn, in words, pictures and clips; it is not kept in the conversation."""
        seen = [one.screenshot for one in request.observations.values()]
        return told_parts(request.recalled, request.turn, range(request.turn), seen)

    def _reply_content(self, reply: Reply) -> str | Sequence[tuple[str, str]]:
        return reply.calls if reply.calls and self.record.read_handed is not None else reply.text

    def _messages(
        self, brief: Brief, env: str, words: str, image: Image, remembered: tuple[Part, ...] = ()
    ) -> list[Message]:
        layout = self.record.layout
        platform = brief.envs[env].platform
        part = self._own or parts(layout.mobile if platform == "phone" and layout.mobile else layout.prompt)
        values = slots(brief, platform, image.size)
        system = [Message("system", (fill_slots(part["system"], values),))] if part["system"] else []
        if layout.history == "list":
            task = fill_slots(part["task"], {**values, "history": history_text(part, self._done)})
            return [*system, Message("user", (*remembered, *self._turn_parts([task, words], image)))]
        task, each = fill_slots(part["task"], values), fill_slots(part["turn"], values)
        out = system
        shown = len(self._turns) + 1 - layout.images
        for number, turn in enumerate(self._turns):
            texts = [task if number == 0 else "", turn.words, each]
            if seen := self._turn_parts(texts, turn.image if number >= shown else None):
                out.append(Message("user", seen))
            text = layout.replay(turn.reply.text)
            out.append(Message("assistant", (text,) if text else (), turn.reply.calls))
            out += [Message("tool", ("Received.",)) for _ in turn.reply.calls]
        now = self._turn_parts([task if not self._turns else "", words, each], image)
        out.append(Message("user", (*remembered, *now)))
        return out

    def _turn_parts(self, texts: list[str], image: Image | None) -> tuple[Part, ...]:
        layout = self.record.layout
        text = "\n".join(text for text in (*texts, "" if image else layout.gap) if text)
        found: list[Part | None] = [text or None, image]
        if layout.image_first:
            found.reverse()
        return tuple(part for part in found if part is not None)


def replayable_reply(reply: Reply) -> Reply:
    """The reply in a form valid in a conversation: calls with non-JSON arguments become text."""
    try:
        for _, arguments in reply.calls:
            parse_json(arguments)
    except ValueError:
        return replace(reply, text=in_words(reply), calls=())
    return reply
