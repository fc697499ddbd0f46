"""The planner `native`: a GUI model that plans and grounds in one step, with its own prompt and action syntax."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from omnipilot.envs import Absent, Answer, Click, ConfigError, Done, Image, Intent, Modality, Point, Size
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import CONTROL_VERBS, OutOfRange, Square, place_fields, resize_image
from omnipilot.memory import MalformedReply, Message, Move, Reply, Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.action_text import join_thoughts
from omnipilot.memory.models.replies.reasoning import without_lost_answer
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.native.actions_pointing import cursor_after
from omnipilot.planners.native.families.table import find, get
from omnipilot.planners.native.family import NativeFamily
from omnipilot.planners.native.model_planner import ModelPlanner, in_words
from omnipilot.planners.native.prompt import fill_slots, history_text, own_prompt, parts, slots
from omnipilot.planners.native.turn import (
    actions_so_far,
    feedback_text,
    operated_envs,
    placeholder_screen,
    recorded_action,
    without_sight,
)
from omnipilot.planners.prompts import load
from omnipilot.planners.recalled import told_parts

ONE_OF_SEVERAL = (
    "You see and operate the {env} alone. The task also needs the {others}, which another conversation operates. When "
    "nothing is left to do here, say that it is finished, with every text and number that the other one has to know."
)
"""What a model is told of a task's other devices; its authors know of one."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of the conversation: the text and screenshot that were sent, and the reply."""

    words: str
    image: Image
    reply: Reply


@dataclass(slots=True)
class _Dialogue:
    """The conversation about one device: its turns, its listed history, its pointer, and what it is told of others."""

    turns: list[_Turn] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    cursor: Point | None = None
    news: list[str] = field(default_factory=list)


@dataclass(eq=False)
class NativePlanner(ModelPlanner):
    """Prompts a native model as its family's record says; it returns points, so no grounder is used.

    Attributes:
        family: name of the family; "" to look it up by the model.
        env: the environment it operates; "" for all of the task, with one conversation for each.
        prompt: file with the prompt of the model's authors, in parts as `planners.native.prompt` says; "" for ours.
        doubled: every single click of the left button is a double click. So OmniBench plays OS-Atlas (D.3), which never
            clicks twice by itself.
        square: screens are fitted into squares of so many pixels a side, and padded, before the family's own resizing;
            places are mapped back to the screen. 0 for none.

    Raises:
        ConfigError: as `ModelPlanner`; or the family is unknown, or none lists the model.
    """

    family: str = ""
    env: str = ""
    prompt: str = ""
    doubled: bool = False
    square: int = 0

    points: ClassVar[bool] = True
    """It gives coordinates itself: no grounder is used."""
    reads: ClassVar[frozenset[Modality]] = frozenset({Modality.SCREENSHOT})

    def __post_init__(self) -> None:
        self.record: NativeFamily = get(self.family) if self.family else find(self.model)
        super().__post_init__()
        if self.square < 0:
            raise ConfigError(f"planner option square must be at least 0, not {self.square}")
        self._own: Mapping[str, str] | None = None
        self._digest = ""
        if self.prompt:
            self._own, self._digest = own_prompt(self.prompt)
        self._dialogues: dict[str, _Dialogue] = {}
        self._active = ""
        self._ended: dict[str, Done] = {}
        self._answer: Answer | None = None

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
            ConfigError: the task has no environment of the name that it should operate.
        """
        envs = operated_envs(brief, self.env, "native")
        self._dialogues = {env: _Dialogue() for env in envs}
        self._active = envs[0]
        self._ended, self._answer = {}, None

    def plan(self, request: Request) -> Decision:
        """Ask the model; its reply becomes moves in its environment.

        With several environments, the model works on one until it says that nothing is left to do there; what it says
        is then told in the conversation of the next. The task is done when all of them say so one after the other.

        Raises:
            MalformedReply: the model's replies cannot be read.
            ModelUnavailable: it did not answer.
            ConfigError: it is granted no screenshot, or the family does not support its shape.
        """
        usage, thoughts = Usage(), list[str]()
        for _ in range(len(self._dialogues)):
            try:
                decision = self._plan_for(self._active, request)
            except MalformedReply as error:
                raise MalformedReply(str(error), usage + error.usage) from None
            usage += decision.usage
            thoughts.append(decision.thought)
            if not self._hands_over(decision):
                break
        return replace(self._concluded(decision), thought=join_thoughts(thoughts), usage=usage)

    def _hands_over(self, decision: Decision) -> bool:
        """Whether a device only says that it has ended, and another one is to be asked now."""
        if len(self._dialogues) == 1:
            return False
        intents = [move.intent for move in decision.moves]
        end = next((intent for intent in intents if isinstance(intent, Done)), None)
        if end is None or any(not isinstance(intent, Answer | Done) for intent in intents):
            self._ended.clear()
        if end is None:
            return False
        env, names = self._active, list(self._dialogues)
        self._ended[env] = end
        said = [intent for intent in intents if isinstance(intent, Answer)]
        self._answer = said[-1] if said else self._answer
        words = said[-1].text if said else end.text
        for name, dialogue in self._dialogues.items():
            if name != env:
                told = f" and says: {words}" if words else ""
                status = "done" if end.status == "success" else f"over ({end.status})"
                dialogue.news.append(f"The work on the {env} is {status}{told}")
        self._active = names[(names.index(env) + 1) % len(names)]
        return len(self._ended) < len(names) and len(intents) == 1 + len(said)

    def _concluded(self, decision: Decision) -> Decision:
        """A decision without an end that holds for one device alone; with the last answer where all have ended."""
        if len(self._dialogues) == 1 or not any(isinstance(move.intent, Done) for move in decision.moves):
            return decision
        moves = [move for move in decision.moves if not isinstance(move.intent, Answer | Done)]
        if len(self._ended) == len(self._dialogues):
            end = next((end for end in self._ended.values() if end.status != "success"), Done())
            moves += [Move("", intent) for intent in (self._answer, end) if intent is not None]
        return replace(decision, moves=tuple(moves))

    def _plan_for(self, env: str, request: Request) -> Decision:
        dialogue = self._dialogues[env]
        shot = request.observations[env].screenshot if env in request.observations else Absent("ablated")
        if isinstance(shot, Absent):
            return without_sight(shot, "native")
        for told_of in request.feedback:
            if told_of.move is not None and told_of.move.env == env and told_of.outcome.result == "done":
                dialogue.cursor = cursor_after(told_of.move.intent, dialogue.cursor)
        try:
            image = self._sent(shot)
        except ValueError as error:
            raise ConfigError(f"planner 'native' with {self.record.name}: {error}") from error
        dialogue.done = actions_so_far(dialogue.done, request)
        words = self._words(env, request)

        def read(given: Reply) -> tuple[list[Intent], str]:
            reply = without_lost_answer(given)
            content = self._reply_content(reply)
            if reply is not given and isinstance(content, str):
                # A thought that never ends: it goes over to the answer where that is announced, and not before.
                content = f"<think>\n{content}"
            found, thought = self._intents(content, image.size, shot.size, dialogue.cursor)
            own = reply.text if reply.calls else ""
            return found, join_thoughts([reply.reasoning, own, thought])

        messages = self._messages(request.brief, env, words, image, self._remembered(request))
        (intents, thought), reply, usage = self.ask(messages, read, self.record.tools, request.brief.seed)
        dialogue.turns.append(_Turn(words, image, replayable_reply(without_lost_answer(reply))))
        if self.record.layout.history == "turns":
            dialogue.news.clear()
        dialogue.done.append(self.record.layout.done(dialogue.turns[-1].reply.text))
        moves = tuple(Move("" if intent.kind in CONTROL_VERBS else env, intent) for intent in intents)
        return Decision(moves, thought, usage=usage)

    def preview(self, request: Request) -> tuple[list[Message], dict[str, Any]]:
        """The request the model would get now, on a blank screen if there is no screenshot; no model is called.

        Raises:
            ConfigError: the task has no environment of the name that it should operate.
        """
        env = operated_envs(request.brief, self.env, "native")[0]
        if env not in self._dialogues:
            self.begin(request.brief)
        seen = request.observations.get(env)
        shot = placeholder_screen(env, request.brief.envs[env].platform) if seen is None else seen.screenshot
        if isinstance(shot, Absent):
            raise ConfigError("planner 'native' works from screenshots only; grant it the modality screenshot")
        options = {"tools": self.record.tools} if self.record.tools else {}
        image = self._sent(shot)
        return self._messages(request.brief, env, self._words(env, request), image, self._remembered(request)), options

    def _sent(self, shot: Image) -> Image:
        """The screen as the model is sent it."""
        return resize_image(Square(self.square).fit(shot) if self.square else shot, self.record.resize)

    def _intents(
        self, content: str | Sequence[tuple[str, str]], sent: Size, screen: Size, cursor: Point | None
    ) -> tuple[list[Intent], str]:
        """The intents of a reply, with places on the screen, and the thought.

        Raises:
            MalformedReply: it cannot be read, or points at the padding.
        """
        if not self.square:
            found, thought = self.record.parse(content, sent, screen, cursor)
        else:
            square = Square(self.square)
            shown = None if cursor is None else square.from_screen(cursor, screen)
            found, thought = self.record.parse(content, sent, Size(self.square, self.square), shown)
            try:
                found = [map_points(one, lambda point: square.to_screen(point, screen)) for one in found]
            except OutOfRange:
                raise MalformedReply(
                    "that place is in the black padding beside the screen; point at the screen"
                ) from None
        if self.doubled:
            found = [doubled_click(one) for one in found]
        return found, thought

    def _words(self, env: str, request: Request) -> str:
        """Feedback on its last actions; in a recording, a listed history already contains the recorded ones."""
        mine = [told for told in request.feedback if told.move is None or told.move.env in (env, "")]
        was = recorded_action(mine) if self.record.layout.history == "turns" else ""
        dialogue, others = self._dialogues[env], [name for name in self._dialogues if name != env]
        listed = self.record.layout.history == "list"
        where = ""
        if others and (listed or not dialogue.turns):
            where = ONE_OF_SEVERAL.format(env=env, others=" and the ".join(others))
        told = [where, *dialogue.news, feedback_text(mine), f"What was done then: {was}" if was else ""]
        return join_thoughts(told)

    def _remembered(self, request: Request) -> tuple[Part, ...]:
        """What a memory chose for this turn, in words, pictures and clips; it is not kept in the conversation."""
        seen = [one.screenshot for one in request.observations.values()]
        return told_parts(request.recalled, request.turn, request.brief.anchors, range(request.turn), seen)

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
            task = fill_slots(part["task"], {**values, "history": history_text(part, self._dialogues[env].done)})
            return [*system, Message("user", (*remembered, *self._turn_parts([task, words], image)))]
        task, each = fill_slots(part["task"], values), fill_slots(part["turn"], values)
        out = system
        shown = len(self._dialogues[env].turns) + 1 - layout.images
        for number, turn in enumerate(self._dialogues[env].turns):
            texts = [task if number == 0 else "", turn.words, each]
            if seen := self._turn_parts(texts, turn.image if number >= shown else None):
                out.append(Message("user", seen))
            text = layout.replay(turn.reply.text)
            out.append(Message("assistant", (text,) if text else (), turn.reply.calls))
            out += [Message("tool", ("Received.",)) for _ in turn.reply.calls]
        now = self._turn_parts([task if not self._dialogues[env].turns else "", words, each], image)
        out.append(Message("user", (*remembered, *now)))
        return out

    def _turn_parts(self, texts: list[str], image: Image | None) -> tuple[Part, ...]:
        layout = self.record.layout
        text = "\n".join(text for text in (*texts, "" if image else layout.gap) if text)
        found: list[Part | None] = [text or None, image]
        if layout.image_first:
            found.reverse()
        return tuple(part for part in found if part is not None)


def map_points(intent: Intent, change: Callable[[Point], Point]) -> Intent:
    """The intent with every point changed; described places stay."""
    changes: dict[str, Any] = {}
    for name in place_fields(intent):
        value = getattr(intent, name)
        if isinstance(value, Point):
            changes[name] = change(value)
        elif isinstance(value, tuple):
            changes[name] = tuple(change(one) if isinstance(one, Point) else one for one in value)
    return replace(intent, **changes) if changes else intent


def doubled_click(intent: Intent) -> Intent:
    """A double click instead of a single one of the left button; any other intent as it is."""
    if isinstance(intent, Click) and intent.button == "left" and intent.count == 1:
        return replace(intent, count=2)
    return intent


def replayable_reply(reply: Reply) -> Reply:
    """The reply in a form valid in a conversation: calls with non-JSON arguments become text."""
    try:
        for _, arguments in reply.calls:
            parse_json(arguments)
    except ValueError:
        return replace(reply, text=in_words(reply), calls=())
    return reply
