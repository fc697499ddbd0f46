"""Our agents in AndroidWorld's own loop: a class of theirs, for `suite_utils.run`.

It is imported where their package is, beside ours:

    from omnipilot.bench.doors.androidworld import OmnipilotAgent
    agent = OmnipilotAgent(env, AgentSpec(planner=PartSpec("function-calling", "openai/gpt-4o")))
    suite_utils.run(suite, agent)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Generator, Mapping
from typing import Any

import numpy as np
from android_world.agents import base_agent
from android_world.env import json_action

from omnipilot.agents import AgentSpec, Choice, Ending, Limits, Unrecorded, build, episode
from omnipilot.bench.tasks import seed_of
from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Answer,
    AskUser,
    Capability,
    Click,
    CustomVerb,
    Done,
    Elements,
    Env,
    Image,
    LongPress,
    Modality,
    Observation,
    OpenApp,
    Platform,
    Point,
    Press,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
    World,
)
from omnipilot.envs.android import Hierarchy, PixelMapping, UiNode, elements
from omnipilot.memory import Step
from omnipilot.planners import Brief, Verbs

MANY = 1000
"""Stands for no limit on actions, which their loop does not count apart from steps."""
_SIDES = {"left": "right", "right": "left", "up": "up", "down": "down"}
"""The finger's direction → what they call it: sideways, their swipe is named after where the content comes from."""


class AsyncEnvPhone(World, Env):
    """Their environment as a world of ours with one phone. It belongs to them and is not closed.

    Places are told in pixels. An element's number is not used: they would look it up on a newer screen.

    Args:
        env: their `AsyncEnv`. pause: seconds after an action before the screen is looked at.
    """

    name: str = "phone"
    platform: Platform = "phone"
    capabilities = frozenset({Capability.HEARS})
    verbs = frozenset({"click", "long_press", "swipe", "scroll", "type", "press", "system", "open_app"})
    custom: Mapping[str, CustomVerb] = {}
    description = "an Android phone; typing ends with Enter, scrolling and swiping go over the whole screen"

    def __init__(self, env: Any, pause: float = 1.0) -> None:
        self._env = env
        self._pause = pause
        self._began = time.monotonic()
        self._seen: tuple[float, Any] | None = None

    @property
    def envs(self) -> Mapping[str, AsyncEnvPhone]:
        """The phone."""
        return {self.name: self}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return time.monotonic() - self._began

    @property
    def size(self) -> Size:
        """Of the screenshot."""
        height, width = self._look()[1].pixels.shape[:2]
        return Size(int(width), int(height))

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """Start the clock; they reset the phone."""
        self._began, self._seen = time.monotonic(), None

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        threading.Event().wait(seconds)
        self._seen = None

    def think(self, measured: float) -> None:
        """Do nothing: the phone kept running."""

    def close(self) -> None:
        """Do nothing: it is theirs."""

    def _look(self) -> tuple[float, Any]:
        """Their state, taken once after each action, and when."""
        if self._seen is None:
            self._seen = self.now, self._env.get_state(wait_to_stabilize=False)
        return self._seen

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        """Their screenshot and elements."""
        taken, state = self._look()
        size, off = self.size, Absent("unasked")
        pixels = np.ascontiguousarray(state.pixels[..., :3], dtype=np.uint8)
        return Observation(
            self.name,
            taken,
            size,
            Image.from_array(pixels, self.name, taken) if Modality.SCREENSHOT in modalities else off,
            elements_of(state.ui_elements, size) if Modality.ELEMENTS in modalities else off,
        )

    def act(self, action: Action) -> None:
        """Carry out one action by their `execute_action`.

        Raises:
            ActionRejected: theirs has no such action.
        """
        told = self._translate(action)
        self._seen = None
        self._env.execute_action(json_action.JSONAction(**told))
        threading.Event().wait(self._pause)

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Hand on an answer and the end; they have no questions."""
        if isinstance(said, Answer):
            self._env.execute_action(json_action.JSONAction(action_type=json_action.ANSWER, text=said.text))
        elif isinstance(said, Done):
            status = "complete" if said.status == "success" else "infeasible"
            self._env.execute_action(json_action.JSONAction(action_type=json_action.STATUS, goal_status=status))

    def _translate(self, action: Action) -> dict[str, Any]:
        match action:
            case Click(at=Point() as at, button="left", count=1 | 2 as count, modifiers=()):
                kind = json_action.CLICK if count == 1 else json_action.DOUBLE_TAP
                return {"action_type": kind, **self._pixel(at)}
            case LongPress(at=at):
                return {"action_type": json_action.LONG_PRESS, **self._pixel(at)}
            case Swipe(direction=None, start=Point() as start, end=Point() as end):
                across, down = end.x - start.x, end.y - start.y
                sideways = abs(across) > abs(down)
                finger = ("right" if across > 0 else "left") if sideways else ("down" if down > 0 else "up")
                return {"action_type": json_action.SWIPE, "direction": _SIDES[finger]}
            case Swipe(direction=str() as finger):
                return {"action_type": json_action.SWIPE, "direction": _SIDES[finger]}
            case Scroll(direction=direction):
                return {"action_type": json_action.SCROLL, "direction": direction}
            case TypeText(text=text, at=at, clear=clear) if text:
                place = self._pixel(at) if at is not None else {}
                return {"action_type": json_action.INPUT_TEXT, "text": text, "clear_text": clear, **place}
            case Press(keys=("enter",), repeat=1):
                return {"action_type": json_action.KEYBOARD_ENTER}
            case System(name="home" | "back" as name):
                home = name == "home"
                return {"action_type": json_action.NAVIGATE_HOME if home else json_action.NAVIGATE_BACK}
            case OpenApp(app=app):
                return {"action_type": json_action.OPEN_APP, "app_name": app}
        raise ActionRejected(
            f"AndroidWorld's phone cannot do this {action.kind}: it taps once or twice, presses long, swipes, scrolls, "
            "types, presses Enter, Home and Back, and opens applications"
        )

    def _pixel(self, at: Point) -> dict[str, int]:
        x, y = at.to_pixel(self.size)
        return {"x": x, "y": y}


def elements_of(found: Collection[Any], size: Size) -> Elements:
    """Their `UIElement`s as elements of ours, read as those of a phone over adb are.

    Args:
        size: of the screen, in the pixels of their boxes.
    """
    root = UiNode({})
    operable: list[tuple[tuple[int, int, int, int], UiNode]] = []
    for one in found:
        if one.bbox_pixels is None or one.is_visible is False:
            continue
        place = one.bbox_pixels
        box = int(place.x_min), int(place.y_min), int(place.x_max), int(place.y_max)
        node = UiNode(_attributes(one, box))
        # Theirs is a list in the order of the tree: what has no words of its own is named by what lies in it.
        around = next((other for outer, other in reversed(operable) if _encloses(outer, box)), root)
        around.children.append(node)
        if node.operable:
            operable.append((box, node))
    return elements(Hierarchy(root, 0), PixelMapping(size, size))


def _attributes(one: Any, box: tuple[int, int, int, int]) -> dict[str, str]:
    flags = {
        "clickable": one.is_clickable,
        "long-clickable": one.is_long_clickable,
        "checkable": one.is_checkable,
        "checked": one.is_checked,
        "selected": one.is_selected,
        "focused": one.is_focused,
        "scrollable": one.is_scrollable,
    }
    return {
        "text": one.text or "",
        "content-desc": one.content_description or "",
        "hint": one.hint_text or "",
        "class": one.class_name or "",
        "resource-id": one.resource_name or one.resource_id or "",
        "bounds": "[{},{}][{},{}]".format(*box),
        "enabled": "false" if one.is_enabled is False else "true",
        **{name: "true" for name, on in flags.items() if on},
    }


def _encloses(outer: tuple[int, int, int, int], inner: tuple[int, int, int, int]) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


class _CountsMoves(Unrecorded):
    """Keeps how many moves the last decision has, and its thought."""

    moves = 0
    thought = ""

    def decided(self, turn: int, choice: Choice, seconds: float) -> None:  # noqa: ARG002
        self.moves, self.thought = len(choice.decision.moves), choice.decision.thought


class OmnipilotAgent(base_agent.EnvironmentInteractingAgent):
    """An agent of ours, as a subclass of their `EnvironmentInteractingAgent`.

    A step of theirs is one decision, with all moves that it holds. Their loop decides how many there may be. A model or
    a device that is lost raises, which they record as an exception and leave out of the mean.

    Args:
        env: their `AsyncEnv`. spec: the agent.
        name: what they call it. transition_pause: seconds after an action before the screen is looked at.

    Raises:
        ConfigError, MissingExtra: the agent cannot be built.
    """

    def __init__(self, env: Any, spec: AgentSpec, name: str = "omnipilot", transition_pause: float = 1.0) -> None:
        super().__init__(env, name, transition_pause)
        self._spec = spec
        self._agent = build(spec)
        self._count = _CountsMoves()
        self._steps: Generator[Step, None, Ending] | None = None
        self._over = False

    def reset(self, go_home: bool = False) -> None:
        """Begin another episode."""
        super().reset(go_home)
        if self._steps is not None:
            self._steps.close()
        self._steps, self._over = None, False

    def step(self, goal: str) -> Any:
        """One decision on the goal, carried out.

        Returns:
            Their `AgentInteractionResult`: done once the agent said so; data holds what it thought and did.
        """
        if self._over:
            return base_agent.AgentInteractionResult(False, {"thought": "", "moves": [], "ended": "the agent stopped"})
        if self._steps is None:
            phone = AsyncEnvPhone(self.env, self.transition_pause or 0.0)
            told = Verbs(phone.platform, phone.verbs, phone.custom, phone.description, size=phone.size)
            brief = Brief(goal, {phone.name: told}, seed_of("androidworld", goal))
            limits = Limits(self._max_steps, MANY)
            self._steps = episode(phone, self._agent, brief, limits, recorder=self._count)
        moves: list[dict[str, str]] = []
        done, ended = False, ""
        try:
            while True:
                made = next(self._steps)
                moves.append({"move": str(made.executed or made.proposed), "outcome": str(made.outcome.result)})
                done = isinstance(made.executed, Done) and made.outcome.result == "control"
                if done or made.outcome.refused or len(moves) >= self._count.moves:
                    break
        except StopIteration as stop:
            self._over, ended = True, str(stop.value.reason)
        return base_agent.AgentInteractionResult(
            done, {"thought": self._count.thought, "moves": moves, "ended": "done" if done else ended}
        )
