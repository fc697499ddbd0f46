"""What prompts, turns and tools in somebody else's words need: slots that are filled, and other names of actions.

A prompt with one of `SLOTS` says itself where the devices and the actions are told, as those that papers print do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from omnipilot.envs import ConfigError
from omnipilot.envs.types import VERBS
from omnipilot.memory.models import Tool
from omnipilot.planners.chat.toolset import DESCRIPTIONS

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


def rename_tools(tools: Sequence[Tool], names: Mapping[str, str]) -> tuple[Tool, ...]:
    """The tools with other names: those of a verb, and those of a verb on a device, such as `click_in_phone`."""
    return tuple(replace(tool, name=rename_call(tool.name, names)) for tool in tools)


def rename_call(name: str, names: Mapping[str, str]) -> str:
    """The name of a tool with the name of its verb exchanged; one of no verb in `names` stays."""
    kind, joint, env = name.partition("_in_")
    return f"{names[kind]}{joint}{env}" if kind in names else name


def _kept(names: Mapping[str, str]) -> frozenset[str]:
    """Names of verbs that stay."""
    return frozenset(VERBS) - frozenset(names)
