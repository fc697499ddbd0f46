"""The world of a cube's task: its actions are verbs, and what it tells is the screen."""

from __future__ import annotations

import base64
import contextlib
import json
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from omnipilot.bench.foreign import ForeignProcess, ForeignWorld
from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Answer,
    AskUser,
    Box,
    Click,
    Custom,
    CustomVerb,
    Done,
    Element,
    Elements,
    Env,
    EnvLost,
    Image,
    Modality,
    Observation,
    Platform,
    Point,
    Size,
    Thinking,
)
from omnipilot.envs.remote import remote_verb
from omnipilot.envs.types import VERBS

PATIENCE = 600.0
"""Seconds in which a cube has to answer: some start a container for a task."""
STOP = "final_step"
CLICK = "browser_mouse_click_xy"
"""The action of cubes with a browser that clicks at a place of the screenshot."""
UNDRAWN = Size(1280, 720)
"""The size of the screen of a cube that shows no picture."""
SHORT = 300
"""Characters of a message that is repeated where an action failed."""


class CubeWorld(ForeignWorld):
    """A cube's task, in a process of its own.

    Args:
        start: starts the process, with the cube loaded.
    """

    judged_by = "the cube"

    def __init__(self, start: Callable[[], ForeignProcess], thinking: Thinking) -> None:
        super().__init__(start(), thinking, PATIENCE)
        self.cube = CubeEnv(self)

    @property
    def envs(self) -> Mapping[str, CubeEnv]:
        """What the cube shows, as "cube"."""
        return {self.cube.name: self.cube}

    def start(self, task: str, instance: int) -> str:
        """Begin a task with a seed; returns the instruction, which is in the words of its first observation.

        Raises:
            EnvLost: it cannot begin, or says nothing.
        """
        self._task = task
        begun = self._process.ask("reset", PATIENCE, task=task, seed=instance)
        words = [part["text"] for part in begun["seen"] if "text" in part and not part["name"]]
        words = words or [part["text"] for part in begun["seen"] if "text" in part][:1]
        if not words:
            raise EnvLost(f"the first observation of {task} has no words, so there is no instruction")
        self.begin(task)
        self.cube.begin(begun["actions"], begun["seen"])
        return "\n".join(words)

    def send(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Let the cube carry out an action.

        Raises:
            ActionRejected: it failed; the cube's words say why.
            EnvLost: the process is gone, or its reward is none.
        """
        told = self._process.ask("step", PATIENCE, name=name, arguments=dict(arguments))
        self.take_reward(told)
        self.cube.take_in(told["seen"])
        if told["error"]:
            raise ActionRejected(told["error"][:SHORT])

    def hear(self, said: Answer | AskUser | Done) -> None:
        """End the episode for the cube, too, so that it judges; answers are given by the cube's own actions."""
        if isinstance(said, Done) and not self._state.ended and STOP in self.cube.actions:
            self.send(STOP, {})

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        threading.Event().wait(seconds)


class CubeEnv(Env):
    """What the cube shows: each text of its last observation is an element of role text, one below the other."""

    name: str
    custom: Mapping[str, CustomVerb]
    platform: Platform = "desktop"

    def __init__(self, world: CubeWorld) -> None:
        self.name = "cube"
        self.actions: frozenset[str] = frozenset()
        self.custom = {}
        self._world = world
        self._names: dict[str, str] = {}
        self._observation = Observation(self.name, 0.0, UNDRAWN)

    @property
    def verbs(self) -> frozenset[str]:
        """A click, where the cube has one at a place; all else are its own actions, as custom verbs."""
        return frozenset({"click"} if CLICK in self.actions else ()) | frozenset({"custom"} if self.custom else ())

    @property
    def size(self) -> Size:
        """Of the last picture."""
        return self._observation.size

    def begin(self, actions: Sequence[Mapping[str, Any]], seen: Sequence[Mapping[str, Any]]) -> None:
        """Take in a task's actions and first observation.

        Raises:
            EnvLost: an action cannot be offered as a verb.
        """
        self.actions = frozenset(one["name"] for one in actions)
        self._names, custom = {}, {}
        for one in actions:
            if one["name"] in (STOP, CLICK):
                continue
            name = f"cube_{one['name']}" if one["name"] in VERBS else one["name"]
            self._names[name] = one["name"]
            parameters = dict(one["parameters"])
            parameters["properties"] = {
                key: without_objects(value) for key, value in parameters.get("properties", {}).items()
            }
            try:
                custom[name] = remote_verb(name, one["description"], parameters, _act_by_world)
            except ValueError as error:
                raise EnvLost(f"the cube's action {one['name']!r} cannot be offered: {error}") from None
        self.custom = custom
        self.take_in(seen)

    def take_in(self, seen: Sequence[Mapping[str, Any]]) -> None:
        """Take in the parts of an observation."""
        now = self._world.now
        pictures = [part for part in seen if "png" in part]
        picture: Image | Absent = Absent("unsupported")
        size = UNDRAWN
        if pictures:
            picture = Image.encoded(base64.b64decode(pictures[-1]["png"]), self.name, now)
            size = picture.size
        elif isinstance(self._observation.screenshot, Image):
            picture, size = self._observation.screenshot.at(self.name, now), self._observation.size
        texts = [part for part in seen if "text" in part and part["text"].strip()]
        rows = [
            Element(
                "text",
                f"{part['name']}: {part['text']}" if part["name"] else part["text"],
                Box(0.0, number / len(texts), 1.0, (number + 1) / len(texts)),
                id=f"text{number}",
            )
            for number, part in enumerate(texts)
        ]
        self._observation = Observation(self.name, now, size, picture, Elements(tuple(rows)))

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        """What the cube told after the last action; it tells nothing at other times."""
        return self._observation.only(modalities, "unasked")

    def act(self, action: Action) -> None:
        """Carry out one of the cube's actions.

        Raises:
            ActionRejected: the cube has none for it, or it failed.
        """
        match action:
            case Custom(name=name, arguments=arguments) if name in self._names:
                self.custom[name].bind(arguments)
                self._world.send(self._names[name], {key: _read_object(value) for key, value in arguments.items()})
            case Click(at=Point() as at, button="left", count=1, modifiers=()) if CLICK in self.actions:
                x, y = at.to_pixel(self.size)
                self._world.send(CLICK, {"x": x, "y": y})
            case _:
                raise ActionRejected(f"this cube cannot do that; its actions are {', '.join(sorted(self._names))}")

    def close(self) -> None:
        """The world closes it."""


def without_objects(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter's JSON schema as a custom verb can have it: an object is a text, which holds it as JSON."""
    if branches := schema.get("anyOf"):
        kept = [without_objects(branch) for branch in branches if branch.get("type") != "null"]
        return {**schema, "anyOf": [branch for number, branch in enumerate(kept) if branch not in kept[:number]]}
    if schema.get("type") == "array":
        return {**schema, "items": without_objects(schema.get("items", {}))}
    if "enum" in schema or schema.get("type") in ("string", "integer", "number", "boolean"):
        return dict(schema)
    return {"type": "string"}


def _read_object(value: Any) -> Any:
    """A text that holds a JSON object, as the object; anything else as it is."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):
            return json.loads(value)
    return value


def _act_by_world(arguments: Mapping[str, Any]) -> None:
    """Custom verbs of a cube are carried out by `CubeEnv.act`, which knows their cube."""
    raise NotImplementedError(f"call CubeEnv.act instead of the verb itself, with {dict(arguments)!r}")
