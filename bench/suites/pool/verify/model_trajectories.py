"""Trajectories by a model: it sees the plain and the marked screen side by side, and answers one action at a time.

Its answers are read as data: a function that is none of the three, or text that asks for something else, is refused and
never run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any, Literal, TypeAlias

from omnipilot.bench import StageModel
from omnipilot.bench.suites.duet.kit.play import try_move
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.envs import (
    Absent,
    Click,
    Element,
    Elements,
    Image,
    Modality,
    Point,
    Press,
    Ref,
    Scroll,
    Swipe,
    TypeText,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.grounders.marks import mark
from omnipilot.memory import MalformedReply, Move
from omnipilot.memory.models import side_by_side

MOST_STEPS = 30
FIRST_TEMPERATURE, LATER_TEMPERATURE = 0.0, 0.7
"""In the first round, and in those after it."""
FUNCTIONS = ("click_input", "keyboard_input", "wheel_mouse_input")
FIELDS = ("status", "observation", "thought", "label", "text", "function", "arguments")
_KEY = re.compile(r"\^(.)|\{([^{}]+|[{}])\}|([^{}^]+)")
_NAMED_KEYS: Mapping[str, str] = {
    "enter": "enter",
    "tab": "tab",
    "esc": "esc",
    "backspace": "backspace",
    "delete": "delete",
    "space": "space",
    "home": "home",
    "end": "end",
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
}
LOOK = (Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT)
Schema: TypeAlias = Mapping[str, Any]
ACTION_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in FIELDS if name != "arguments"},
        "arguments": {"type": "object"},
    },
    "required": list(FIELDS),
}


@dataclass(frozen=True, slots=True)
class ModelStep:
    """One answer: the moves that it comes to, and its words.

    Attributes:
        finished: it says FINISH. observation, thought: in the model's words.
    """

    finished: bool
    observation: str
    thought: str
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelTrajectory:
    """What a model did.

    Attributes:
        moves: those that were carried out. words: its observation and thought for each move.
        finished: whether it said so within `MOST_STEPS`. problem: why it ended otherwise.
        controls: names of the controls that it was shown, without repetitions.
    """

    moves: tuple[Move, ...]
    words: tuple[tuple[str, str], ...]
    finished: bool
    problem: str = ""
    controls: tuple[str, ...] = ()


def act_by_model(
    model: StageModel, instance: SubtaskInstance, feedback: Sequence[str] = (), temperature: float = FIRST_TEMPERATURE
) -> ModelTrajectory:
    """Let a model carry out a subtask on a fresh instance.

    Args:
        feedback: what was wrong with its earlier trajectories.

    Raises:
        BudgetSpent: the money is spent. ModelUnavailable: it does not answer.
    """
    world = instance.world()
    env = instance.template.env.split("+")[0]
    moves: list[Move] = []
    words: list[tuple[str, str]] = []
    history: list[str] = []
    controls: dict[str, None] = {}

    def end(problem: str = "") -> ModelTrajectory:
        return ModelTrajectory(tuple(moves), tuple(words), not problem, problem, tuple(controls))

    for _ in range(MOST_STEPS):
        picture, marked, elements = _shown(world, env)
        controls |= dict.fromkeys(element.name for element in marked.values())
        question = _question(instance, marked, elements, feedback, history)
        try:
            step = model.ask_parts(
                prompt_of("act"),
                (picture, question),
                ACTION_SCHEMA,
                partial(read_step, marked=marked, env=env),
                temperature,
            )
        except MalformedReply as error:
            return end(f"its answer cannot be read: {error}")
        if step.finished:
            return end()
        done = True
        for move in step.moves:
            done = try_move(world, move) and done
        moves += step.moves
        words += [(step.observation, step.thought)] * len(step.moves)
        history.append(f"{len(history) + 1}. {step.thought}{'' if done else ' (this could not be carried out)'}")
    return end(f"it did not say FINISH within {MOST_STEPS} steps")


def read_step(answer: Mapping[str, Any], marked: Mapping[str, Element], env: str) -> ModelStep:
    """An answer as moves.

    Args:
        marked: what each label stands for.

    Raises:
        ValueError: the answer is none; the message says what to answer instead.
    """
    missing = [name for name in FIELDS if name not in answer]
    if missing:
        raise ValueError(f"the object lacks {', '.join(missing)}")
    status = str(answer["status"]).upper()
    words = str(answer["observation"]), str(answer["thought"])
    if status == "FINISH":
        return ModelStep(True, *words)
    if status != "CONTINUE":
        raise ValueError(f'status is CONTINUE or FINISH, not "{str(answer["status"])[:40]}"')
    label, arguments = str(answer["label"] or ""), answer["arguments"]
    if label and label not in marked:
        raise ValueError(f'there is no label "{label[:20]}"; the labels are 1 to {len(marked)}')
    target = marked.get(label)
    if target is not None and str(answer["text"] or target.name) != target.name:
        raise ValueError(f'label {label} is "{target.name}", not "{str(answer["text"])[:60]}"')
    if not isinstance(arguments, Mapping):
        raise ValueError("arguments is an object")
    return ModelStep(False, *words, tuple(_moves(str(answer["function"]), arguments, target, env)))


def _moves(function: str, arguments: Mapping[str, Any], target: Element | None, env: str) -> list[Move]:
    place: Ref | Point | None = None if target is None else Ref(target.id) if target.id else target.box.center
    if function == "click_input":
        if place is None:
            raise ValueError("click_input needs the label of a control")
        button: Literal["left", "right"] = "right" if arguments.get("button") == "right" and env != "phone" else "left"
        return [Move(env, Click(place, button, 2 if arguments.get("double") is True else 1))]
    if function == "keyboard_input":
        keys = arguments.get("keys")
        if not isinstance(keys, str) or not keys:
            raise ValueError('keyboard_input needs {"keys": TEXT}')
        focus = [] if place is None else [Move(env, Click(place))]
        return [*focus, *(Move(env, intent) for intent in read_keys(keys))]
    if function == "wheel_mouse_input":
        distance = arguments.get("wheel_dist")
        if isinstance(distance, bool) or not isinstance(distance, int | float) or not distance:
            raise ValueError('wheel_mouse_input needs {"wheel_dist": NUMBER}, not 0')
        if env == "phone":
            return [Move(env, Swipe("up" if distance < 0 else "down"))]
        middle = target.box.center if target is not None else Point(0.5, 0.5)
        amount = min(100.0, abs(float(distance)))
        return [Move(env, Scroll("down" if distance < 0 else "up", at=middle, amount=amount))]
    raise ValueError(f'function is one of {", ".join(FUNCTIONS)}, not "{function[:40]}"')


def read_keys(keys: str) -> list[TypeText[Ref] | Press]:
    """What pywinauto's notation types: texts, and keys in between.

    Raises:
        ValueError: a key that there is none of.
    """
    found: list[TypeText[Ref] | Press] = []
    text = ""
    at = 0
    for part in _KEY.finditer(keys):
        if part.start() != at:
            raise ValueError(f"the keys cannot be read from {keys[at : at + 20]!r} on; write a brace as {{{{}}")
        at = part.end()
        held, name, plain = part.groups()
        if plain is not None:
            text += plain
            continue
        if name is not None and len(name) == 1:
            text += name
            continue
        if name is not None and name.casefold() not in _NAMED_KEYS:
            raise ValueError(f"there is no key {{{name[:20]}}}")
        if text:
            found.append(TypeText(text))
            text = ""
        found.append(Press(("ctrl", held)) if held is not None else Press((_NAMED_KEYS[str(name).casefold()],)))
    if at != len(keys):
        raise ValueError(f"the keys cannot be read from {keys[at : at + 20]!r} on")
    return [*found, TypeText(text)] if text else found


def _shown(world: SimWorld, env: str) -> tuple[Image, Mapping[str, Element], Elements]:
    """The plain and the marked screen as one picture, and what each label stands for."""
    observation = world.envs[env].observe(LOOK, world.now)
    marks = mark(observation, ("elements",))
    assert isinstance(observation.screenshot, Image)
    picture = observation.screenshot if marks.image is None else side_by_side(observation.screenshot, marks.image)
    elements = Elements(()) if isinstance(observation.elements, Absent) else observation.elements
    return picture, {str(one.number): one.element for one in marks.items}, elements


def _question(
    instance: SubtaskInstance,
    marked: Mapping[str, Element],
    elements: Elements,
    feedback: Sequence[str],
    history: Sequence[str],
) -> str:
    lines = ["Steps so far:", *(history or ["none"])]
    lines += ["", "Controls:", *(control_line(label, element, elements) for label, element in marked.items())]
    if feedback:
        lines += ["", "Earlier attempts failed:", *(f"- {one}" for one in feedback)]
    return "\n".join([*lines, "", f"Task: {instance.instruction}"])


def control_line(label: str, element: Element, elements: Elements) -> str:
    """A control in the list: label, kind, text, and those of the parent."""
    parent = elements.parent(element)
    within = f' in {parent.role} "{parent.name}"' if parent is not None else ""
    return f'[{label}] {element.role} "{element.name}"{within}'


def prompt_of(name: str) -> str:
    """The system prompt in `prompt_NAME.md`."""
    return resources.files(__package__).joinpath(f"prompt_{name}.md").read_text(encoding="utf-8")
