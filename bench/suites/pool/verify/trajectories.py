"""Demonstrations as OmniBench writes them (C.2): pictures before each action and at the end, and words for each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from omnipilot.bench.suites.duet.kit.play import play
from omnipilot.bench.suites.pool.records import Trajectory, TrajectoryAction
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.bench.suites.pool.verify.open_by_clicks import small_steps
from omnipilot.bench.suites.pool.verify.wording import StepFacts, describe_screen, explain
from omnipilot.envs import (
    Absent,
    Box,
    Click,
    Context,
    Drag,
    Element,
    Image,
    Modality,
    Point,
    Press,
    Ref,
    Scroll,
    Size,
    Swipe,
    TypeText,
)
from omnipilot.envs.schema import from_json, to_json
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import MediaStore, Move

CONTEXT_ONLY = (Modality.CONTEXT,)
PICTURE_ONLY = (Modality.SCREENSHOT,)
SWIPE_NOTCHES = 7
"""Notches of a mouse wheel that scroll as far as a swipe does here."""
_SPECIAL = re.compile(r"([+^%~(){}\[\]])")
_KEY_NAMES: Mapping[str, str] = {"ctrl": "^", "shift": "+", "alt": "%"}


def demonstrate(
    instance: SubtaskInstance,
    media: MediaStore | None = None,
    moves: Sequence[Move] | None = None,
    words: Sequence[tuple[str, str]] = (),
) -> Trajectory:
    """Play a demonstration on a fresh instance and write it down.

    Args:
        media: where pictures go; None takes no pictures, and `observations` are then empty names.
        moves: other moves than the subtask's own; `open_app` becomes clicks in either case.
        words: a description and a thought for each of these moves, instead of those that the grammar makes.

    Raises:
        NotFound: a move points at an element that is not on the screen. ActionRejected: a device cannot do a move.
    """
    world = instance.world()
    steps: list[tuple[StepFacts, Size]] = []
    observations: list[str] = []
    said: list[tuple[str, str]] = []
    for number, move in enumerate(instance.demonstration() if moves is None else moves):
        for step in small_steps(world, move):
            env = step.env or _only_env(instance)
            observations.append(_picture(world, env, media))
            steps.append(_facts(world, env, step))
            said += words[number : number + 1]
            play(world, step)
    observations.append(_picture(world, steps[-1][0].move.env if steps else _only_env(instance), media))
    actions = [
        _action(replace(facts, ahead=_ahead(steps, number), last=number == len(steps) - 1), size, instance)
        for number, (facts, size) in enumerate(steps)
    ]
    if words:
        actions = [
            replace(action, description=description, thought=thought)
            for action, (description, thought) in zip(actions, said, strict=True)
        ]
    id = f"{instance.template.id}-{instance.number}"
    return Trajectory(
        trajectory_id=id,
        instruction=instance.instruction,
        observations=tuple(observations),
        actions=tuple(actions),
        subtask_id=instance.template.id,
        instance=instance.number,
    )


def moves_of(trajectory: Trajectory) -> list[Move]:
    """The moves of a trajectory, to be played again.

    Raises:
        ActionRejected: an action holds no move of this project.
    """
    return [Move(action.env, from_json(dict(action.move))) for action in trajectory.actions]


def _only_env(instance: SubtaskInstance) -> str:
    return instance.template.env.split("+")[0]


def _picture(world: SimWorld, env: str, media: MediaStore | None) -> str:
    if media is None:
        return ""
    shot = world.envs[env].observe(PICTURE_ONLY, world.now).screenshot
    assert isinstance(shot, Image)
    return media.put(shot).path


def _facts(world: SimWorld, env: str, move: Move) -> tuple[StepFacts, Size]:
    device = world.envs[env]
    context = device.observe(CONTEXT_ONLY, world.now).context
    elements = device.ui_tree()

    def find(place: Any) -> Element | None:
        return elements.by_id(place.id) if isinstance(place, Ref) else None

    intent = move.intent
    start = intent.start if isinstance(intent, Drag) else getattr(intent, "at", None)
    end = find(intent.end) if isinstance(intent, Drag) else None
    facts = StepFacts(
        Move(env, intent), Context() if isinstance(context, Absent) else context, elements, find(start), end
    )
    return facts, device.size


def _ahead(steps: Sequence[tuple[StepFacts, Size]], number: int) -> str:
    later = (facts.target for facts, _ in steps[number + 1 :] if facts.target is not None)
    return next((target.name for target in later if target.name), "")


def _action(facts: StepFacts, size: Size, instance: SubtaskInstance) -> TrajectoryAction:
    function, args = function_of(facts.move)
    target = facts.target
    return TrajectoryAction(
        function=function,
        args=args,
        rect=_rect(facts, size),
        description=describe_screen(facts.move.env, facts.context, facts.elements),
        thought=explain(facts, instance.instruction, instance.values),
        control_text=target.name if target is not None else "",
        env=facts.move.env,
        move=to_json(facts.move.intent),
    )


def _rect(facts: StepFacts, size: Size) -> tuple[int, int, int, int] | None:
    """Where the step acts, in pixels: what is typed on what has the focus, a swipe on the whole screen."""
    box = facts.target.box if facts.target is not None else None
    if box is None and isinstance(facts.move.intent, TypeText):
        focused = [element for element in facts.elements if "focused" in element.states]
        box = focused[0].box if focused else None
    if box is None and isinstance(facts.move.intent, Swipe):
        return 0, 0, size.width, size.height
    if box is None:
        at = getattr(facts.move.intent, "at", None)
        return (*at.to_pixel(size), 1, 1) if isinstance(at, Point) else None
    return pixels(box, size)


def pixels(box: Box, size: Size) -> tuple[int, int, int, int]:
    """A box as x, y, width and height in pixels."""
    left, top, right, bottom = (round(edge) for edge in box.to_pixels(size))
    return left, top, max(1, right - left), max(1, bottom - top)


def function_of(move: Move) -> tuple[str, dict[str, Any]]:
    """OmniBench's function and its arguments for a move; a verb that it has none for keeps its own name.

    Returns:
        `click_input(button, double)`, `wheel_mouse_input(wheel_dist)` in notches, up positive,
        `keyboard_input(keys)` in pywinauto's notation, or a verb with its fields and a `note`.
    """
    intent = move.intent
    match intent:
        case Click():
            return "click_input", {"button": intent.button, "double": intent.count == 2}
        case TypeText():
            cleared = "^a{DELETE}" if intent.clear else ""
            return "keyboard_input", {
                "keys": f"{cleared}{escape_keys(intent.text)}{'{ENTER}' if intent.submit else ''}"
            }
        case Press():
            return "keyboard_input", {"keys": _pressed(intent.keys) * intent.repeat}
        case Scroll():
            distance = max(1, round(intent.amount))
            return "wheel_mouse_input", {"wheel_dist": distance if intent.direction == "up" else -distance}
        case Swipe() if intent.direction in ("up", "down"):
            return "wheel_mouse_input", {"wheel_dist": -SWIPE_NOTCHES if intent.direction == "up" else SWIPE_NOTCHES}
    own = {name: value for name, value in to_json(intent).items() if name != "kind"}
    return intent.kind, {**own, "note": "OmniBench has no such function"}


def escape_keys(text: str) -> str:
    """Text as pywinauto types it: characters that mean keys there stand in braces."""
    return _SPECIAL.sub(r"{\1}", text).replace("\n", "{ENTER}")


def _pressed(keys: Sequence[str]) -> str:
    held = "".join(_KEY_NAMES[key] for key in keys if key in _KEY_NAMES)
    others = [key for key in keys if key not in _KEY_NAMES]
    return held + "".join(key if len(key) == 1 else f"{{{key.upper()}}}" for key in others)
