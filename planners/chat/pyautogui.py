"""The planner `pyautogui`: a model writes a PyAutoGUI script, which is parsed into verbs (OmniACT's script writer)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.envs import Absent, ConfigError, Done, Elements, Image, Intent, Modality, Observation, Platform, Size
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.examples.index import SOURCE as EXAMPLE
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.action_text import last_fence, split_reasoning, words
from omnipilot.memory.quoting import own_lines
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.chat.script import parse_script
from omnipilot.planners.chat.script_prompt import ScriptPrompt
from omnipilot.planners.native.model_planner import ModelPlanner
from omnipilot.planners.native.prompt import fill_slots, parts, slots
from omnipilot.planners.native.turn import (
    actions_so_far,
    feedback_text,
    operated_env,
    placeholder_screen,
    without_sight,
)
from omnipilot.planners.prompts import load
from omnipilot.planners.recalled import told_parts

PROMPT = "pyautogui"
ENDING = {
    False: 'done(), fail(), answer("text"): the task is done, cannot be done, or asks for an answer.',
    True: "",
}
CLOSE = {
    False: "You are shown the screen again after each script. End the last one with done().",
    True: "There is one script for the whole task, from this one look at the screen.",
}
PLACES = {
    (True, True): "Coordinates are pixels of the screen; take those of the list where it has what you mean.",
    (True, False): "Coordinates are pixels of the screen.",
    (False, True): "Coordinates are pixels, taken from the list.",
}
"""By whether a screenshot and whether elements are shown."""
WANTED = "write the script in a code block, such as\n```python\npyautogui.click(100, 200)\n```"
"""What a model is told that answered without a code block, in words or with a bare script that cannot be read."""
LEAST_TOKENS = 800
"""Below this not even role and functions have room beside a task."""
SHOWN = {True: "a screenshot", False: "a list of what is on a screen"}


@dataclass(eq=False)
class ScriptPlanner(ModelPlanner):
    """Asks for a script on each turn, or once for the whole task.

    Attributes:
        env: the environment it operates; "" if there is only one.
        once: one script is the whole episode, as in OmniACT; always so if the task asks for a script.
        elements: maximum number of elements listed with their pixel coordinates, if visible to it; 0 for none.
        screenshot: show the screenshot, if visible to it; false for a model that takes words alone. Without one it
            works from the elements.
        tokens: most tokens of the prompt, pictures apart; the paper's is 4,000, and 2,000 for small models. Left out
            for it are elements of the least confidence, then examples from the farthest; see `ScriptPrompt`.
    """

    env: str = ""
    once: bool = False
    elements: int = 150
    screenshot: bool = True
    tokens: int = 4_000

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
        if self.tokens < LEAST_TOKENS:
            raise ConfigError(f"planner option tokens must be at least {LEAST_TOKENS}, not {self.tokens}")
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
            ConfigError: it is granted neither a screenshot nor elements, or works from elements where there are none.
        """
        env = operated_env(request.brief, self.env, "pyautogui")
        seen = request.observations.get(env)
        if seen is None:
            return without_sight(Absent("ablated"), "pyautogui")
        shot = seen.screenshot if self.screenshot and isinstance(seen.screenshot, Image) else None
        if shot is None and (missing := self._lacks(seen)) is not None:
            return missing
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
        blank = placeholder_screen(env, platform)
        if seen is None:
            return self._messages(request, platform, None, blank.size, blank if self.screenshot else None), {}
        shot = seen.screenshot
        if isinstance(shot, Absent):
            shown = None if shot.reason == "ablated" or not self.screenshot else blank
            return self._messages(request, platform, seen.elements, seen.size, shown), {}
        return self._messages(request, platform, seen.elements, shot.size, shot if self.screenshot else None), {}

    def _lacks(self, seen: Observation) -> Decision | None:
        """The decision where there is no picture and elements do not do instead; None where they do.

        Raises:
            ConfigError: it is granted neither, or nothing tells the elements.
        """
        shot, elements = seen.screenshot, seen.elements
        withheld = ("ablated", "unsupported") if self.elements else ()
        if self.screenshot and isinstance(shot, Absent) and shot.reason not in withheld:
            return without_sight(shot, "pyautogui")
        if not isinstance(elements, Absent):
            return None
        if elements.reason == "unsupported":
            raise ConfigError(
                "planner 'pyautogui' works from elements here, and nothing tells any; read them from the screenshot "
                "(--perception detact), or grant it the screenshot"
            )
        if elements.reason == "ablated" and self.screenshot:
            raise ConfigError("planner 'pyautogui' works from a screenshot or from elements; grant it one of them")
        return without_sight(elements, "pyautogui", Modality.ELEMENTS)

    def _messages(
        self, request: Request, platform: Platform, elements: object, size: Size, shot: Image | None
    ) -> list[Message]:
        part = parts(PROMPT)
        once = self.once or request.brief.script
        listed = elements if isinstance(elements, Elements) and self.elements else None
        values = {
            **slots(request.brief, platform, size),
            "ending": ENDING[once],
            "close": CLOSE[once],
            "shown": SHOWN[shot is not None],
            "places": PLACES[shot is not None, listed is not None or shot is None],
        }
        examples = [item.part for item in request.recalled if item.source == EXAMPLE and isinstance(item.part, str)]
        others = [item for item in request.recalled if item.source != EXAMPLE]
        pictures = () if shot is None else (shot,)
        past = told_parts(others, request.turn, request.brief.anchors, range(request.turn), pictures)
        prompt = ScriptPrompt(
            fill_slots(part["system"], values).strip(),
            fill_slots(part["turn"], values),
            fill_slots(part["task"], values),
            size,
            [own_lines(text) for text in examples],
            None if listed is None else listed.items[: self.elements],
            0 if listed is None else max(0, len(listed) - self.elements),
            [line for one in past for line in (one.split("\n") if isinstance(one, str) else self._seen(one, shot))],
            self._done,
            feedback_text(request.feedback),
        )
        user: tuple[Part, ...] = (*prompt.user_parts(self.tokens), *pictures)
        return [Message("system", (prompt.system,)), Message("user", user)]

    def _seen(self, picture: Part, shot: Image | None) -> tuple[Part, ...]:
        """A recalled picture, for a model that sees pictures."""
        return () if shot is None else (picture,)


def script_of(reply: str) -> tuple[str, str]:
    """The thought of a reply and its script: the last code block, or the whole text if there is none.

    Raises:
        MalformedReply: the reply is too long.
    """
    thought, rest = split_reasoning(reply)
    before, script = last_fence(rest) or ("", rest)
    return "\n".join(text for text in (thought, words(before)) if text), script
