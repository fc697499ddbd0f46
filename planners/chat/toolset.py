"""The tools that a model may call: one a verb, with the device as an argument, and schemas as short as they can be.

A tool's name, its description and its schema are sent with every request, so what holds for all tools is said once in
the prompt, and bounds that hardly any call exceeds are left to the reader of the calls, which says what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from inspect import signature
from typing import Any, Literal, TypeAlias

from omnipilot.envs import ConfigError, CustomVerb
from omnipilot.envs.schema.docstrings import sections
from omnipilot.envs.types import VERBS, place_fields
from omnipilot.envs.types.fields import LONGEST_TEXT
from omnipilot.memory.models import Tool
from omnipilot.planners.base import Verbs
from omnipilot.planners.tools import CONTROLS, NOT_OFFERED, REMEMBER, TARGET, Places, tool_name

Naming: TypeAlias = Literal["shared", "per-device"]
"""How tools of several devices are told apart: `click` with the argument `device`, or `click_in_phone`."""

DEVICE, THOUGHT = "device", "thought"
"""Arguments that belong to no verb: the device to act on, and why; a custom verb's own come first."""

OF_DEVICE = "On {environment}: {description}"
"""How an action is described that is of one of several devices."""

DESCRIPTIONS: Mapping[str, str] = {
    "click": "Click or tap.",
    "long_press": "Press and hold.",
    "move": "Move the pointer.",
    "mouse_down": "Press a mouse button and keep it down.",
    "mouse_up": "Release a mouse button.",
    "drag": "Drag from start (default: the pointer) to end.",
    "swipe": "Swipe; up shows what is further down. Give a direction, or start and end.",
    "scroll": "Scroll; down shows what is further down.",
    "type": "Type where the focus is, or into target.",
    "select": "Choose an option of a drop-down list by its text.",
    "press": 'Press keys together, such as ["ctrl", "s"] or ["enter"].',
    "key_down": "Press keys and keep them down.",
    "key_up": "Release keys.",
    "system": "Press a button of the device.",
    "open_app": "Open an application, or bring it to the front.",
    "open_url": "Open an address in the current tab.",
    "browser": "Use a button of the browser; tab counts from 0.",
    "wait": "Let time pass on every device.",
    "answer": "Answer the task's question.",
    "ask_user": "Ask the user.",
    "done": "End the work.",
    "noop": "Do nothing this turn.",
}
"""What a tool does, in one line."""

FIELDS: Mapping[tuple[str, str], str] = {
    ("click", "count"): "2: double click",
    ("type", "clear"): "empty the field first",
    ("type", "submit"): "press Enter afterwards",
    ("press", "seconds"): "hold them so long",
    ("done", "text"): "why, if it is not done",
}
"""What an argument is, where its name does not tell."""

_BOUNDS = frozenset("default description minLength maxLength minimum exclusiveMinimum exclusiveMaximum".split())
"""What is left out of the schema of an argument, so that it costs fewer tokens; a mistake is told anyway.

The greatest length of a list and of a whole number stays: a small model that a server holds to a schema went on listing
the key shift until its tokens were used up.
"""
MOST_KEYS, MOST_PLACES = 8, 8
"""Most keys pressed together, and most waypoints of a drag."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool that is offered: its name, its verb, and the devices that it can be called for.

    Attributes:
        envs: in their order; none for a control verb.
        several: the world has more devices than one. asks: a call has to name its device.
    """

    name: str
    verb: str | CustomVerb
    envs: tuple[str, ...] = ()
    several: bool = False
    asks: bool = False


def offered_tools(
    envs: Mapping[str, Verbs], naming: Naming = "shared", controls: Collection[str] = CONTROLS
) -> dict[str, Offered]:
    """The tools by name: verbs in the vocabulary's order, custom verbs, control verbs.

    A custom verb is one tool for all devices that declare it alike. One that they declare differently, or that has an
    argument `device` of its own, is a tool a device, named `<verb>_in_<device>`.

    Raises:
        ConfigError: two tools would have one name.
    """
    several = len(envs) > 1
    found: dict[str, Offered] = {}

    def offer(name: str, verb: str | CustomVerb, able: tuple[str, ...]) -> None:
        if name in found:
            raise ConfigError(f"two verbs would both become the tool {name!r}; give one of them another name")
        found[name] = Offered(name, verb, able, several, len(able) > 1)

    if several and naming == "per-device":
        for env, verbs in envs.items():
            for kind in _kinds(verbs):
                offer(tool_name(kind, env), kind, (env,))
            for custom in verbs.custom.values():
                offer(tool_name(custom.name, env), custom, (env,))
    else:
        for kind in VERBS:
            if able := tuple(env for env, verbs in envs.items() if kind in _kinds(verbs)):
                offer(kind, kind, able)
        for name in dict.fromkeys(name for verbs in envs.values() for name in verbs.custom):
            declared = {env: verbs.custom[name] for env, verbs in envs.items() if name in verbs.custom}
            first = next(iter(declared.values()))
            if len(declared) == 1 or (_alike(declared.values()) and DEVICE not in _own_arguments(first)):
                offer(tool_name(name), first, tuple(declared))
            else:
                for env, verb in declared.items():
                    offer(tool_name(name, env), verb, (env,))
    return found | {kind: Offered(kind, kind) for kind in CONTROLS if kind in controls}


def toolset(
    envs: Mapping[str, Verbs],
    naming: Naming = "shared",
    places: Places = "described",
    controls: Collection[str] = CONTROLS,
    remembers: bool = False,
    thought: bool = True,
    of_device: str = OF_DEVICE,
) -> tuple[Tool, ...]:
    """The tools that a model is offered.

    Args:
        envs: what each device can do. naming: how tools of several devices are told apart.
        places: how a place is named. remembers: offer `remember` too, last.
        thought: the first argument of each is the thought that leads to it.
        of_device: how one is described that is of one of several devices, with `{environment}` and `{description}`.

    Raises:
        ConfigError: as `offered_tools`; or a custom verb has parameters that no schema can hold.
    """
    made = [_tool(one, places, thought, of_device) for one in offered_tools(envs, naming, controls).values()]
    return (*made, _note_tool()) if remembers else tuple(made)


def own_arguments(one: Offered) -> frozenset[str]:
    """Names of the arguments of a tool's verb, without `device` and `thought` where those are not its own."""
    return _own_arguments(one.verb)


def _tool(one: Offered, places: Places, thought: bool, of_device: str) -> Tool:
    from omnipilot.envs.schema import tool_schema

    schema = tool_schema(one.verb, places, flat=True)
    parameters = _short_custom(schema["parameters"])
    description = schema["description"]
    if isinstance(one.verb, str):
        parameters = _short_verb(schema["parameters"], one.verb, places)
        description = DESCRIPTIONS[one.verb]
    head: dict[str, Any] = {}
    if thought and THOUGHT not in parameters["properties"]:
        head[THOUGHT] = {"type": "string"}
    if one.asks:
        head[DEVICE] = {"type": "string", "enum": list(one.envs)}
    elif one.several and one.envs:
        told = {"environment": one.envs[0], "description": description}
        description = re.sub(r"\{(environment|description)\}", lambda found: told[found[1]], of_device)
    properties = {**head, **parameters["properties"]}
    required = [*head, *(name for name in parameters.get("required", ()) if name not in head)]
    return Tool(one.name, description, _object(properties, required))


def _object(properties: Mapping[str, Any], required: Iterable[str]) -> dict[str, Any]:
    made = {"type": "object", "properties": dict(properties), "required": list(required)}
    return {**made, "additionalProperties": False}


def _short_verb(parameters: Mapping[str, Any], kind: str, places: Places) -> dict[str, Any]:
    spots = place_fields(VERBS[kind])
    properties: dict[str, Any] = {}
    for name, item in parameters["properties"].items():
        if name in spots and places == "described":
            item = _texts(MOST_PLACES) if item.get("type") == "array" else {"type": "string"}
        elif name == "keys":
            item = _texts(MOST_KEYS)
        elif name not in spots:
            item = _short(item)
            if said := FIELDS.get((kind, name)):
                item["description"] = said
        properties[TARGET if name == "at" and name in spots else name] = item
    return _object(properties, (TARGET if name == "at" else name for name in parameters["required"]))


def _texts(most: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "maxItems": most}


def _short(item: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without the bounds that a model seldom misses, defaults and descriptions; options stay."""
    fraction = item.get("type") == "number"
    short = {
        word: value for word, value in item.items() if word not in _BOUNDS and not (fraction and word == "maximum")
    }
    if short.get("minItems") == 0:
        del short["minItems"]
    if "items" in short:
        short["items"] = _short(short["items"])
    return short


def _short_custom(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a custom verb without the bounds that only this program added; its author's stay."""
    from omnipilot.envs.schema.json_schema import FARTHEST, LONGEST_LIST

    added = {"maxLength": LONGEST_TEXT, "maxItems": LONGEST_LIST, "minimum": -FARTHEST, "maximum": FARTHEST}

    def short(item: Mapping[str, Any]) -> dict[str, Any]:
        out = {word: value for word, value in item.items() if word not in added or added[word] != value}
        if "items" in out:
            out["items"] = short(out["items"])
        if "anyOf" in out:
            out["anyOf"] = [short(branch) for branch in out["anyOf"]]
        return out

    properties = {name: short(item) for name, item in parameters["properties"].items()}
    return _object(properties, parameters["required"])


def _note_tool() -> Tool:
    properties = {name: _short(item) for name, item in REMEMBER.parameters["properties"].items()}
    words = "Note a value under a name, beside other calls; from then on you can have it typed exactly."
    return Tool(REMEMBER.name, words, _object(properties, REMEMBER.parameters["required"]))


def _kinds(verbs: Verbs) -> list[str]:
    return [kind for kind in VERBS if kind in verbs.kinds and kind not in NOT_OFFERED]


def _own_arguments(verb: str | CustomVerb) -> frozenset[str]:
    if isinstance(verb, CustomVerb):
        return frozenset(signature(verb.call).parameters)
    names = frozenset(spec.name for spec in fields(VERBS[verb]))
    return names | {TARGET} if "at" in names else names


def _alike(verbs: Iterable[CustomVerb]) -> bool:
    """Whether custom verbs of one name are declared in the same words, with the same arguments."""
    from omnipilot.envs.schema import tool_schema

    return len({json.dumps([sections(verb.description)[0], tool_schema(verb)["parameters"]]) for verb in verbs}) == 1


assert set(DESCRIPTIONS) == set(VERBS) - {"screenshot", "custom"}
