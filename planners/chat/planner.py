"""The base of planners over a chat model: conversation, history, and repair of malformed replies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast, get_args

from omnipilot.envs import Absent, ConfigError, Image
from omnipilot.memory import MalformedReply, Message, Reply, Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.models.exchange import tell_unread
from omnipilot.memory.models.replies.reasoning import ONLY_REASONING, without_loops, without_lost_answer
from omnipilot.planners.base import Brief, Decision, Planner, Request, Verbs
from omnipilot.planners.chat.history import ParsedReply, Rounds
from omnipilot.planners.chat.observation import MarkedScreens, Style, introduce_devices, show_now, show_turn
from omnipilot.planners.chat.own_words import (
    ACTIONS,
    DEVICE_NAME,
    DEVICES,
    TASK,
    check_arguments,
    check_names,
    check_wording,
    fill_slots,
    has_slot,
    list_actions,
    rename_tools,
)
from omnipilot.planners.chat.prompted_model import PromptedModel
from omnipilot.planners.chat.toolset import OF_DEVICE, Naming, toolset
from omnipilot.planners.tools import CONTROLS, Places, offers_notes, tool_lines

T = TypeVar("T")
P = TypeVar("P", bound="ChatPlanner")
LONGEST_ECHO = 4_000
"""Characters of an unreadable reply that are shown to its model again."""


@dataclass(eq=False)
class ChatPlanner(PromptedModel, Planner):
    """Shows a request to a chat model and reads its reply; subclasses define the format of both.

    Attributes:
        prompt, repairs, model: and other options of its model, see `PromptedModel`. The prompt of a team's head is its
            own, that of a worker is its job's.
        prompts: package whose prompts are used instead of ours of the same names, a team's included. They may have the
            slots of `omnipilot.planners.chat.own_words`.
        names: other names of actions, by verb, such as {"done": "complete"}.
        arguments: other arguments of control verbs, such as {"answer": {"text": "content"}, "done": {}, "wait":
            {"seconds": 5}}: by each field its name (text) or what it always is (a number); no other is offered.
        wording: other words for what a conversation says, by `omnipilot.planners.chat.own_words.WORDING`, such as
            {"end": "Your target: {task_description}"}. With words for a screen, a turn is the screens and its end, and
            nothing else but what memory holds.
        history: the last so many rounds (observation, reply, outcome) are shown to the model again as they were, and
            nothing of older ones; None for all rounds as text.
        history_tokens: with `history` None, of the text of all rounds together, by
            `omnipilot.memory.allowance.estimate_tokens`; the oldest are left out, several at once.
        history_media: with `history` None, at most so many rounds show screens that have changed since, and what was
            heard and seen to move; the last picture of each screen is always shown.
        actions: maximum number of actions per turn.
        places: how it names a place: `described`, `grounded` (by coordinates) or `any`.
        controls: the control verbs that it is offered, comma-separated.
        tools: `shared`: one action a verb, with the device as an argument; `per-device`: one a verb and device, named
            such as `click_in_phone`.
        marks: where marks are drawn, show the marked screen `alone`, `both` it and the plain one, or the two `beside`
            each other in one picture, which takes described places.
        unchanged: say so of a screen that looks as it last did, instead of sending it again. Never done where `images`
            limits how many are sent, as the one before might be left out.
        stitched: show each screen in one picture with that of the turn before at its left, with red frames around what
            was acted on (OmniBench, D.3); earlier turns are then shown in words alone. Takes described places.
        square: pictures are fitted into squares of so many pixels a side, and padded; 0 for none. Takes described
            places, which a grounder finds on the screen itself.

    Raises:
        ConfigError: an option is invalid, or the variable that should hold the key is empty.
    """

    prompts: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    history: int | None = None
    history_tokens: int = 6_000
    history_media: int = 1
    actions: int = 8
    places: str = "described"
    controls: str = ",".join(CONTROLS)
    tools: str = "shared"
    marks: str = "alone"
    unchanged: bool = True
    stitched: bool = False
    square: int = 0

    def __post_init__(self) -> None:
        self.refuse_less({"history": 0, "history_tokens": 0, "history_media": 0, "actions": 1})
        choices: dict[str, Any] = {"places": Places, "tools": Naming, "marks": MarkedScreens}
        for name, options in choices.items():
            if getattr(self, name) not in get_args(options):
                allowed = " or ".join(get_args(options))
                raise ConfigError(f"planner option {name} must be {allowed}, not {getattr(self, name)!r}")
        if self.marks == "beside" and self.places != "described":
            raise ConfigError("planner option marks=beside shows two screens in one picture: take places=described")
        check_names(self.names)
        check_arguments(self.arguments)
        check_wording(self.wording)
        if "screen" in self.wording and (self.stitched or self.marks == "beside"):
            option = "stitched" if self.stitched else "marks=beside"
            raise ConfigError(f"planner option wording has words for single screens; leave out {option}")
        if (self.stitched or self.square) and self.places != "described":
            option = "stitched" if self.stitched else "square"
            raise ConfigError(f"planner option {option} shows no screen as it is: take places=described")
        self.offered = tuple(name.strip() for name in self.controls.split(",") if name.strip())
        if strangers := [name for name in self.offered if name not in CONTROLS]:
            unknown = ", ".join(map(repr, strangers))
            raise ConfigError(f"unknown control verb {unknown}; choose from {', '.join(CONTROLS)}")
        super().__post_init__()

    @property
    def prompt_package(self) -> str:
        """See `prompts`."""
        return self.prompts

    @property
    def knows_task(self) -> bool:
        """As a worker it is told the task where its prompt has a slot for it."""
        return has_slot(self.loaded_prompt.text, TASK)

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

    def begin(self, brief: Brief) -> None:
        """Start a new episode; nothing of the previous one remains."""
        super().begin(brief)
        self._rounds = Rounds(
            self.history, self.history_tokens, self.history_media, self.stitched, self.wording.get("result", "")
        )
        self._remarks: tuple[str, ...] = ()
        self._introduction: str | None = None
        self._before: dict[str, Image] = {}
        self._made: dict[str, Any] = {}
        self._made_for: Mapping[str, Verbs] = brief.envs

    def preview(self, request: Request) -> tuple[Sequence[Message], Mapping[str, Any]]:
        """The first request to its model: the conversation, and its tools or schema; no model is called."""
        style = self._style
        shown = show_turn(request, style, {})
        asked = (*shown.parts(request.observations), *show_now(request, request.recalled, style))
        return (Message("system", self._system(request)), Message("user", asked)), self._format(request)

    def plan(self, request: Request) -> Decision:
        """Show the request and read the reply; up to `repairs` malformed replies are answered with the error.

        Raises:
            MalformedReply: no reply can be read, retries included; its usage covers all of them.
            ModelUnavailable: the model did not answer.
            ConfigError: the model rejects the request, and would reject it again.
        """
        if self._introduction is None:
            # Kept as it was in the first turn: the beginning of all requests of an episode is the same.
            self._introduction = introduce_devices(request.brief, request.observations)
        opening = (*self._rounds.settle(request.feedback), *self._remarks)
        recalled = self._rounds.unsaid(request.recalled)
        style = self._style
        shown = show_turn(request, style, self._rounds.pictures(), opening)
        self._rounds.release(shown.pictures)
        # What changes with every turn comes last and as a part of its own, so that all before it stays as it is.
        asked = (*shown.parts(request.observations), *show_now(request, recalled, style))
        messages = [Message("system", self._system(request)), *self._rounds.messages(), Message("user", asked)]
        answer, usage = self._ask_until_read(messages, request)
        self._rounds.keep(request, shown, answer)
        if self.stitched:
            screens = {env: seen.screenshot for env, seen in request.observations.items()}
            self._before |= {env: one for env, one in screens.items() if not isinstance(one, Absent)}
        self._remarks = answer.remarks
        return Decision(answer.moves, answer.thought, answer.notes, answer.expectations, usage)

    @property
    def _style(self) -> Style:
        """How it shows a turn. An unchanged screen is sent again where `images` might leave out the one before."""
        limit = self.images if not self.model else self.endpoint.limit("image")
        unchanged = self.unchanged and limit is None
        marks = cast(MarkedScreens, self.marks)
        return Style(self.places != "described", marks, unchanged, self._before, self.square, self.wording)

    def _ask_until_read(self, messages: list[Message], request: Request) -> tuple[ParsedReply, Usage]:
        """The parsed reply, and the usage including earlier unreadable replies."""
        usage = Usage()
        for left in range(self.repairs, -1, -1):
            reply = self.complete(messages, **self._format(request))
            usage += reply.usage
            try:
                return self._read(reply, request), usage
            except MalformedReply as error:
                problem = f"{error}{_cut_off(reply)}"
                tell_unread(problem, error.unknown)
                if not left:
                    raise MalformedReply(problem, usage, unknown=error.unknown) from None
                messages += _mending(reply, problem)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, what: str, envs: Mapping[str, Verbs], make: Callable[[], T]) -> T:
        """Cache something derived from the environments' verbs, which do not change between turns."""
        if self._made_for is not envs:
            self._made, self._made_for = {}, envs
        if what not in self._made:
            self._made[what] = make()
        made: T = self._made[what]
        return made

    def _system(self, request: Request) -> tuple[Part, ...]:
        introduction = self._introduction
        if introduction is None:
            introduction = introduce_devices(request.brief, request.observations)
        text = self._fill(self.loaded_prompt.text)
        if has_slot(text):
            brief = request.brief
            devices = introduction.partition("\n\n")[2]
            words = {TASK: brief.task or brief.instruction, DEVICES: devices, DEVICE_NAME: ", ".join(brief.envs)}
            return (fill_slots(text, {**words, ACTIONS: self._actions_in_words(brief)}),)
        return ("\n".join(filter(None, (text, introduction))),)

    @property
    def _says_actions(self) -> bool:
        """Whether its prompt tells the actions itself."""
        return has_slot(self.loaded_prompt.text)

    def _actions_in_words(self, brief: Brief) -> str:
        """The actions that there are, one a line."""
        naming, places = cast(Naming, self.tools), cast(Places, self.places)
        keeps = offers_notes(brief)

        def all_actions() -> str:
            tools = toolset(brief.envs, naming, places, self.offered, keeps, thought=False, of_device=self._of_device)
            tools = rename_tools(tools, self.names, self.arguments)
            return list_actions(tools, words) if (words := self.wording.get("action")) else tool_lines(tools)

        return self._once("actions", brief.envs, all_actions)

    @property
    def _of_device(self) -> str:
        """How an action is described that is of one of several devices."""
        return self.wording.get("device", OF_DEVICE)

    def _fill(self, prompt: str) -> str:
        """The prompt with the planner's own words in its slots, such as `{thought}`."""
        return prompt

    def _format(self, request: Request) -> dict[str, Any]:
        """Request arguments besides the conversation: tools, or a schema."""
        raise NotImplementedError

    def _read(self, reply: Reply, request: Request) -> ParsedReply:
        """Parse a reply.

        Raises:
            MalformedReply: it cannot be read; the message is for the model.
        """
        raise NotImplementedError


def _mending(reply: Reply, problem: str) -> list[Message]:
    """The reply as text (a conversation cannot contain invalid calls), and what was wrong with it."""
    said = "\n".join(filter(None, (reply.text.strip(), *(f"{name}({told})" for name, told in reply.calls))))
    said = without_loops(said)
    cut = said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]} …"
    return [
        Message("assistant", (cut or "(an empty reply)",)),
        Message("user", (f"Nothing was carried out. {problem}\nAnswer again, with what you want done in this turn.",)),
    ]


def _cut_off(reply: Reply) -> str:
    """What the server did to a reply that cannot be read: it cut it off, or took all of it for reasoning."""
    if reply.finish == "length":
        return " (the reply was cut off, because it was longer than allowed; be brief)"
    return "" if without_lost_answer(reply) is reply else f" {ONLY_REASONING}"
