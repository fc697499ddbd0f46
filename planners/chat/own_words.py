"""What a prompt and a set of tools in somebody else's words need: slots that are filled, and other names of actions.

A prompt with one of `SLOTS` says itself where the devices and the actions are told, as those that papers print do.
"""

from __future__ import annotations

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
_SLOT = re.compile(r"\{(" + "|".join(SLOTS) + r")\}")


def has_slot(prompt: str, *names: str) -> bool:
    """Whether a prompt has one of these slots; any at all where none is named."""
    return any(not names or found[1] in names for found in _SLOT.finditer(prompt))


def fill_slots(prompt: str, words: Mapping[str, str]) -> str:
    """The prompt with its slots filled; what is filled in is not looked at again."""
    return _SLOT.sub(lambda found: words[found[1]], prompt)


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
