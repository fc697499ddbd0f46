"""What prompts, turns and tools in somebody else's words need: slots that are filled, and other names of actions.

A prompt with one of `SLOTS` says itself where the devices and the actions are told, as those that papers print do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, TypeAlias

from omnipilot.envs import ConfigError
from omnipilot.envs.types import VERBS
from omnipilot.memory import MalformedReply
from omnipilot.memory.models import Tool
from omnipilot.memory.models.replies.json_text import call_arguments
from omnipilot.planners.chat.toolset import DESCRIPTIONS, THOUGHT
from omnipilot.planners.tools import CONTROLS

TASK, DEVICES, ACTIONS, DEVICE_NAME = "task_description", "env_description", "action_descriptions", "environment"
SLOTS = (TASK, DEVICES, ACTIONS, DEVICE_NAME)
"""In a prompt each stands in braces. In a team, the task is the team's; a worker's devices and actions are its own."""
WORDING: Mapping[str, tuple[str, ...]] = {
    "screen": (DEVICE_NAME,),
    "marked": (DEVICE_NAME,),
    "end": (TASK,),
    "message": ("message",),
    "result": (),
    "device": (DEVICE_NAME, "description"),
    "action": ("name", "description", "parameters"),
}
"""What of a conversation may be said in other words than ours, each with the slots that it may have.

    screen, marked: the line before a screen, and before one with drawn marks.
    end: the end of a turn, for who is told the task. message: the same for a worker, who is told a message.
    result: what each call is answered, instead of its outcome.
    device: the description of an action that is of one of several devices.
    action: an action where the prompt lists them, its parameters as a JSON schema.
"""
_SLOT = re.compile(r"\{(" + "|".join(SLOTS) + r")\}")


def has_slot(prompt: str, *names: str) -> bool:
    """Whether a prompt has one of these slots; any at all where none is named."""
    return any(not names or found[1] in names for found in _SLOT.finditer(prompt))


def fill_slots(prompt: str, words: Mapping[str, str]) -> str:
    """The prompt with its slots filled; what is filled in is not looked at again."""
    return _SLOT.sub(lambda found: words[found[1]], prompt)


def check_wording(wording: Mapping[str, str]) -> None:
    """Reject words for what nobody says, and slots that are not filled there.

    Raises:
        ConfigError: the message says which.
    """
    for what, words in wording.items():
        if what not in WORDING:
            raise ConfigError(f"planner option wording: there is no {what!r}; there are {', '.join(WORDING)}")
        if strangers := sorted(set(re.findall(r"\{([a-z_]+)\}", words)) - set(WORDING[what])):
            there = ", ".join(f"{{{name}}}" for name in WORDING[what]) or "none"
            raise ConfigError(f"planner option wording.{what} has no slot {{{strangers[0]}}}; there is {there}")


def say(words: str, **values: str) -> str:
    """Words of `WORDING` with their slots filled; what is filled in is not looked at again."""
    return re.sub(r"\{([a-z_]+)\}", lambda found: values.get(found[1], found[0]), words)


def list_actions(tools: Sequence[Tool], words: str) -> str:
    """The tools in the words of `WORDING`, one after the other."""
    return "\n".join(
        say(words, name=one.name, description=one.description, parameters=json.dumps(one.parameters)) for one in tools
    )


def check_names(names: Mapping[str, str]) -> None:
    """Reject names for no verb, names that no API takes for a tool, and names for two verbs.

    Raises:
        ConfigError: the message says which.
    """
    for kind, name in names.items():
        if kind not in DESCRIPTIONS:
            raise ConfigError(f"planner option names: there is no action {kind!r}; there are {', '.join(DESCRIPTIONS)}")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
            raise ConfigError(f"planner option names: {name!r} is no name of a tool; use letters, digits, - and _")
    clash = sorted(name for name in set(names.values()) if list(names.values()).count(name) > 1 or name in _kept(names))
    if clash:
        raise ConfigError(f"planner option names: {clash[0]!r} would be the name of two actions")


OwnArguments: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Other arguments of control verbs, by verb: for each of its own fields, the name that it is given (text), or what it
always is (a number). A field that is not mentioned is not offered, and has its default: {"answer": {"text": "content"},
"done": {}, "wait": {"seconds": 5}}."""


def check_arguments(arguments: OwnArguments) -> None:
    """Reject other arguments of what is no control verb, of no field of it, and values that the verb does not take.

    Raises:
        ConfigError: the message says which.
    """
    for kind, told in arguments.items():
        if kind not in CONTROLS or not isinstance(told, Mapping):
            raise ConfigError(
                f"planner option arguments: {kind!r} takes a table and is one of {', '.join(CONTROLS)}; a device's own "
                "actions are changed by a verb set (--verbs)"
            )
        there = {spec.name: spec for spec in fields(VERBS[kind])}
        if strangers := [name for name in told if name not in there]:
            raise ConfigError(
                f"planner option arguments.{kind}: there is no argument {strangers[0]!r}; "
                f"there {'are ' + ', '.join(there) if there else 'is none'}"
            )
        for name, spec in there.items():
            if name not in told and spec.default is MISSING:
                raise ConfigError(f"planner option arguments.{kind}: {name} has no default; give it a name or a value")
        said = [one for one in told.values() if isinstance(one, str)]
        if len({*said, THOUGHT}) <= len(said) or any(not re.fullmatch(r"\w{1,40}", one) for one in said):
            raise ConfigError(f"planner option arguments.{kind}: each argument needs a plain name of its own")
        try:
            VERBS[kind](
                **{name: one for name, one in told.items() if not isinstance(one, str)}
                | dict.fromkeys(
                    (name for name, one in told.items() if isinstance(one, str) and there[name].default is MISSING), "x"
                )
            )
        except (TypeError, ValueError) as error:
            raise ConfigError(f"planner option arguments.{kind}: {error}") from None


def rename_tools(tools: Sequence[Tool], names: Mapping[str, str], arguments: OwnArguments) -> tuple[Tool, ...]:
    """The tools with other names (those of a verb, and of a verb on a device, such as `click_in_phone`) and arguments.

    Args:
        names: by verb. arguments: see `OwnArguments`.
    """
    return tuple(
        replace(
            tool,
            name=rename_call(tool.name, names),
            parameters=_rename_parameters(tool.parameters, arguments[tool.name])
            if tool.name in arguments
            else tool.parameters,
        )
        for tool in tools
    )


def _rename_parameters(parameters: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a control verb's arguments with those names; a thought stays."""
    said = {name: one for name, one in own.items() if isinstance(one, str)}
    said |= {THOUGHT: THOUGHT} if THOUGHT in parameters["properties"] else {}
    return {
        **parameters,
        "properties": {said[name]: item for name, item in parameters["properties"].items() if name in said},
        "required": [said[name] for name in parameters["required"] if name in said],
    }


def restore_arguments(kind: str, said: str, given: str | Mapping[str, Any], arguments: OwnArguments) -> Any:
    """The arguments of a call in the verb's own names, with those that always hold; as given for any other verb.

    Args:
        kind: the verb. said: the name that the model calls it by, for errors. given: as JSON text, or parsed.

    Raises:
        MalformedReply: one is given that is not offered, or none that is needed; the message is for the model.
    """
    if kind not in arguments:
        return given
    own = arguments[kind]
    ours = {one: name for name, one in own.items() if isinstance(one, str)}
    told = {ours.get(name, name): value for name, value in call_arguments(said, given).items()}
    takes = ", ".join(ours) or "no arguments"
    for name in call_arguments(said, given):
        if name not in ours and name != THOUGHT:
            raise MalformedReply(f"{said} takes {takes}, not {name}")
    for one, name in ours.items():
        if name not in told and any(spec.name == name and spec.default is MISSING for spec in fields(VERBS[kind])):
            raise MalformedReply(f"{said}: {one!r} is missing")
    return {**told, **{name: one for name, one in own.items() if not isinstance(one, str)}}


def rename_call(name: str, names: Mapping[str, str]) -> str:
    """The name of a tool with the name of its verb exchanged; one of no verb in `names` stays."""
    kind, joint, env = name.partition("_in_")
    return f"{names[kind]}{joint}{env}" if kind in names else name


def _kept(names: Mapping[str, str]) -> frozenset[str]:
    """Names of verbs that stay."""
    return frozenset(VERBS) - frozenset(names)
