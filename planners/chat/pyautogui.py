"""The planner `pyautogui`: a model writes a PyAutoGUI script, which is parsed into verbs (OmniACT's script writer)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.envs import Absent, ConfigError, Done, Elements, Image, Intent, Modality, Platform, Size
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.action_text import last_fence, split_reasoning, words
from omnipilot.memory.quoting import plain, quote
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.chat.script import parse_script
from omnipilot.planners.native.model_planner import ModelPlanner
from omnipilot.planners.native.prompt import fill_slots, history_text, parts, slots
from omnipilot.planners.native.turn import (
    actions_so_far,
    feedback_text,
    operated_env,
    placeholder_screen,
    without_sight,
)
from omnipilot.planners.prompts import load
from omnipilot.planners.recalled import join_words, told_parts

PROMPT = "pyautogui"
ENDING = {
    False: 'done(), fail(), answer("text") # the task is done, cannot be done, or asks for an answer\n'
    "You are shown the screen again after each script. End the last one with done().",
    True: "There is one script for the whole task, from this one look at the screen.",
}
WANTED = "write the script in a code block, such as\n```python\npyautogui.click(100, 200)\n```"
"""What a model is told that answered without a code block, in words or with a bare script that cannot be read."""
SHOWN = {True: "a screenshot", False: "a list of what is on a screen"}


@dataclass(eq=False)
class ScriptPlanner(ModelPlanner):
    """Asks for a script on each turn, or once for the whole task.

    Attributes:
        env: the environment it operates; "" if there is only one.
        once: one script is the whole episode, as in OmniACT; always so if the task asks for a script.
        elements: maximum number of elements listed with their pixel coordinates, if visible to it; 0 for none.
        screenshot: show the screenshot; false for a model that takes words alone, which then needs the elements.
    """

    env: str = ""
    once: bool = False
    elements: int = 150
    screenshot: bool = True

    points: ClassVar[bool] = True
    """It gives coordinates itself: no grounder is used."""

    @property
    def reads(self) -> frozenset[Modality]:
        """Modalities it uses."""
        shown = {Modality.SCREENSHOT: self.screenshot, Modality.ELEMENTS: self.elements > 0}
        return frozenset(modality for modality, is_read in shown.items() if is_read)

    def __post_init__(self) -> None:
        if not self.screenshot and self.elements < 1:
            raise ConfigError("without a screenshot, planner option elements must be at least 1")
        super().__post_init__()
        self._done: list[str] = []

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the prompt, as a hash of its text."""
        return {"prompt": load(PROMPT).digest}

    def begin(self, brief: Brief) -> None:
        """Forget the last episode.

        Raises:
            ConfigError: it is ambiguous which environment to operate.
        """
        self._done = []
        operated_env(brief, self.env, "pyautogui")

    def plan(self, request: Request) -> Decision:
        """The moves of one script.

        Raises:
            MalformedReply: the model's scripts cannot be read. ModelUnavailable: it did not answer.
            ConfigError: it is granted no screenshot, or no elements where it is to do without one.
        """
        env = operated_env(request.brief, self.env, "pyautogui")
        seen = request.observations.get(env)
        if seen is None:
            return without_sight(Absent("ablated"), "pyautogui")
        if not self.screenshot and isinstance(seen.elements, Absent):
            return without_sight(seen.elements, "pyautogui", Modality.ELEMENTS)
        if self.screenshot and isinstance(seen.screenshot, Absent):
            return without_sight(seen.screenshot, "pyautogui")
        shot = seen.screenshot if self.screenshot and isinstance(seen.screenshot, Image) else None
        size = seen.size if shot is None else shot.size
        once = self.once or request.brief.script
        self._done = actions_so_far(self._done, request)

        def read(reply: Reply) -> tuple[list[Intent], str, str]:
            thought, script = script_of(reply.text)
            try:
                found = parse_script(script, size, ends=not once)
            except MalformedReply as error:
                if "```" in reply.text:
                    raise
                raise MalformedReply(f"{error}; {WANTED}") from None
            if not found and not once:
                raise MalformedReply("the script calls nothing; end the task with done()")
            return found, thought, script

        messages = self._messages(request, request.brief.envs[env].platform, seen.elements, size, shot)
        (intents, thought, script), _, usage = self.ask(messages, read, seed=request.brief.seed)
        self._done.append(script.strip())
        if once:
            intents.append(Done())
        moves = tuple(Move("" if intent.kind in CONTROL_VERBS else env, intent) for intent in intents)
        return Decision(moves, thought, usage=usage)

    def preview(self, request: Request) -> tuple[list[Message], dict[str, Any]]:
        """The request the model would get now, on a blank screen if there is no screenshot; no model is called.

        Raises:
            ConfigError: it is ambiguous which environment to operate.
        """
        env = operated_env(request.brief, self.env, "pyautogui")
        platform = request.brief.envs[env].platform
        seen = request.observations.get(env)
        shot = (
            placeholder_screen(env, platform)
            if seen is None or isinstance(seen.screenshot, Absent)
            else seen.screenshot
        )
        elements = None if seen is None else seen.elements
        return self._messages(request, platform, elements, shot.size, shot if self.screenshot else None), {}

    def _messages(
        self, request: Request, platform: Platform, elements: object, size: Size, shot: Image | None
    ) -> list[Message]:
        part = parts(PROMPT)
        ending = ENDING[self.once or request.brief.script]
        values = {**slots(request.brief, platform, size), "ending": ending, "shown": SHOWN[shot is not None]}
        told = [
            fill_slots(part["task"], values),
            self._element_list(elements, size),
            history_text(part, self._done),
            feedback_text(request.feedback),
        ]
        pictures = () if shot is None else (shot,)
        past = told_parts(request.recalled, request.turn, request.brief.anchors, range(request.turn), pictures)
        if shot is None:
            past = tuple(part for part in past if isinstance(part, str))
        words = "\n".join(text for text in told if text)
        user: tuple[Part, ...] = (*join_words((*past, words)), *pictures)
        return [Message("system", (fill_slots(part["system"], values),)), Message("user", user)]

    def _element_list(self, elements: object, size: Size) -> str:
        if not isinstance(elements, Elements) or not self.elements:
            return ""
        lines = []
        for element in elements.items[: self.elements]:
            x, y = element.box.center.to_pixel(size)
            value = f" = {quote(element.value)}" if element.value else ""
            lines.append(f"{plain(element.role)} {quote(element.name)}{value} at ({x}, {y})")
        more = len(elements) - len(lines)
        return "\n".join(["On the screen:", *lines, *([f"(and {more} more)"] if more > 0 else [])]) if lines else ""


def script_of(reply: str) -> tuple[str, str]:
    """The thought of a reply and its script: the last code block, or the whole text if there is none.

    Raises:
        MalformedReply: the reply is too long.
    """
    thought, rest = split_reasoning(reply)
    before, script = last_fence(rest) or ("", rest)
    return "\n".join(text for text in (thought, words(before)) if text), script
