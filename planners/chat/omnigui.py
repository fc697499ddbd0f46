"""The planner `omnigui`: OmniGUI's unified prompt (§4.1), thirteen primitives, media in a fixed order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.envs import (
    Absent,
    Click,
    ConfigError,
    Done,
    Image,
    Intent,
    LongPress,
    Point,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.schema.validation_messages import nearest, short
from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.json_text import objects_in
from omnipilot.memory.models.replies.reasoning import thought_of, without_thoughts
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.chat.history import ParsedReply
from omnipilot.planners.chat.planner import ChatPlanner
from omnipilot.planners.chat.render import left_words, outcome_words
from omnipilot.planners.recalled import join_words, told_parts

Json = Mapping[str, Any]


@dataclass(eq=False)
class OmniGuiPlanner(ChatPlanner):
    """One primitive per turn from one message: earlier screenshot, video, audio, current screenshot, goal and actions.

    It gives coordinates itself, so no grounder is used. There is no conversation history: the actions so far are a list
    in the message. In a recording they are the recorded actions, in the recording's words.

    Attributes:
        before: steps back to the earlier screenshot: 1 for the previous step, or 2 as in the released code.
    """

    before: int = 1

    own_prompt: ClassVar[str] = "omnigui"
    points: ClassVar[bool] = True
    """It gives coordinates itself: no grounder is used."""

    def __post_init__(self) -> None:
        if self.before not in (1, 2):
            raise ConfigError(f"planner 'omnigui': before must be 1 or 2, not {self.before}")
        super().__post_init__()

    def begin(self, brief: Brief) -> None:
        """Start a new episode; nothing of the previous one remains."""
        super().begin(brief)
        self._actions: list[str] = []
        self._screens: list[dict[str, Image]] = []

    def plan(self, request: Request) -> Decision:
        """Show the step and read the primitive; see `ChatPlanner.plan` for errors."""
        self._settle(request)
        messages = [Message("system", self._system(request)), Message("user", self._step(request))]
        screens = {name: seen.screenshot for name, seen in request.observations.items()}
        shown = {name: screen for name, screen in screens.items() if not isinstance(screen, Absent)}
        self._screens = [*self._screens, shown][-self.before :]
        answer, usage = self._ask_until_read(messages, request)
        self._actions.append(json.dumps(_object(without_thoughts(str(answer.said.parts[0]))), ensure_ascii=False))
        return Decision(answer.moves, answer.thought, usage=usage)

    def _settle(self, request: Request) -> None:
        """Record the last action; a recording continues with its own action, whatever was proposed."""
        if forced := [told.outcome.message for told in request.feedback if told.outcome.result == "forced"]:
            self._actions[request.turn - 1 :] = forced
        elif self._actions and (failed := [told for told in request.feedback if told.outcome.refused]):
            self._actions[-1] += f" ({outcome_words(failed[0].outcome)})"

    def preview(self, request: Request) -> tuple[Sequence[Message], Mapping[str, Any]]:
        """The first request to its model; no model is called."""
        return (Message("system", self._system(request)), Message("user", self._step(request))), {}

    def _step(self, request: Request) -> tuple[Part, ...]:
        """§4.1: historical screenshot, video clip, audio, current screenshot, goal and history; before them
        what a memory chose. Absent media and zero-length clips are left out."""
        seen = request.observations
        parts: list[Part] = []
        earlier = self._screens[-self.before] if len(self._screens) >= self.before else {}
        held = [*earlier.values(), *(one.screenshot for one in seen.values())]
        parts += told_parts(request.recalled, request.turn, request.brief.anchors, range(request.turn), held)
        for name, image in earlier.items():
            parts += [f"Screenshot of {name} {_STEPS[self.before]} before:", image]
        for name, one in seen.items():
            if not isinstance(one.video, Absent) and one.video.seconds > 0:
                parts += [f"Video of {name} since then:", one.video]
        for name, one in seen.items():
            if not isinstance(one.audio, Absent) and one.audio.seconds > 0:
                parts += [f"Sound of {name} since then:", one.audio]
        for name, one in seen.items():
            if not isinstance(one.screenshot, Absent):
                parts += [f"Current screenshot of {name}:", one.screenshot]
        goal = [f"Goal: {request.brief.instruction}"]
        if request.brief.intent:
            goal.append(f"Why: {request.brief.intent}")
        done = [f"{number}. {told}" for number, told in enumerate(self._actions, 1)]
        goal += [f"Step: {request.turn + 1}", "Actions so far:", *(done or ["none"])]
        if left := left_words(request.left):
            goal.append(f"Left: {left}")
        return join_words((*parts, *goal, "Answer with the next action as one JSON object."))

    def _format(self, request: Request) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def _read(self, reply: Reply, request: Request) -> ParsedReply:
        text = without_thoughts(reply.text)
        move = read_primitive(_object(text), tuple(request.brief.envs))
        return ParsedReply((move,), thought_of(reply), Message("assistant", (text,)))


def read_primitive(told: Json, envs: Sequence[str]) -> Move:
    """Convert a primitive to a move.

    Args:
        told: an object with `action_type` (a name or its number) and parameters.
        envs: the devices; if there are several, `device` says which.

    Raises:
        MalformedReply: unknown primitive or wrong parameters; the message is for the model.
    """
    said = told.get("action_type")
    name = said.strip().upper() if isinstance(said, str) else ""
    if isinstance(said, int) and not isinstance(said, bool):
        name = _NUMBERS.get(said, "")
    if name not in _PRIMITIVES:
        raise MalformedReply(
            f"there is no action_type {short(said)}; {nearest(str(said), tuple(_PRIMITIVES))}", unknown=(str(said),)
        )
    make, wanted = _PRIMITIVES[name]
    if strangers := sorted(set(told) - {"action_type", "device", "thought", *wanted}):
        raise MalformedReply(f"{name} takes {', '.join(wanted) or 'no parameters'}, not {', '.join(strangers)}")
    intent = make(told)
    if isinstance(intent, Wait | Done):
        return Move("", intent)
    device = told.get("device", envs[0] if len(envs) == 1 else None)
    if device not in envs:
        raise MalformedReply(f'"device" is one of {", ".join(envs)}, not {short(device)}')
    return Move(str(device), intent)


def _object(text: str) -> dict[str, Any]:
    found = [value for value in objects_in(text) if isinstance(value, dict)]
    if len(found) != 1:
        raise MalformedReply(f"Answer with one JSON object; there are {len(found)} in your reply.")
    return found[0]


def _place(told: Json, key: str) -> Point:
    value = told.get(key)
    given = value if isinstance(value, list) else []
    numbers = [number for number in given if isinstance(number, int | float) and not isinstance(number, bool)]
    if len(given) != 2 or len(numbers) != 2 or not all(0 <= number <= 1000 for number in numbers):
        raise MalformedReply(f'"{key}" is [x, y] with both from 0 to 1000, not {short(value)}')
    return Point.from_permille(*numbers)


def _text(told: Json) -> Intent:
    text = told.get("text")
    if not isinstance(text, str) or not text:
        raise MalformedReply(f'"text" is what to type, not {short(text)}')
    return TypeText(text)


def _swipe(told: Json) -> Intent:
    return Swipe(start=_place(told, "start_coordinate"), end=_place(told, "end_coordinate"))


_STEPS = {1: "one step", 2: "two steps"}
_ENDS = ("start_coordinate", "end_coordinate")
_PRIMITIVES: dict[str, tuple[Callable[[Json], Intent], tuple[str, ...]]] = {
    "NONE": (lambda _: Wait(1.0), ()),
    "TAP": (lambda told: Click(_place(told, "coordinate")), ("coordinate",)),
    "DOUBLE_TAP": (lambda told: Click(_place(told, "coordinate"), count=2), ("coordinate",)),
    "LONG_PRESS": (lambda told: LongPress(_place(told, "coordinate")), ("coordinate",)),
    "SWIPE_UP": (_swipe, _ENDS),
    "SWIPE_DOWN": (_swipe, _ENDS),
    "SWIPE_LEFT": (_swipe, _ENDS),
    "SWIPE_RIGHT": (_swipe, _ENDS),
    "INPUT": (_text, ("text",)),
    "BACK": (lambda _: System("back"), ()),
    "HOME": (lambda _: System("home"), ()),
    "TASK_COMPLETE": (lambda _: Done("success"), ()),
    "TASK_IMPOSSIBLE": (lambda _: Done("infeasible"), ()),
}
_NUMBERS = dict(enumerate(_PRIMITIVES, -1))
