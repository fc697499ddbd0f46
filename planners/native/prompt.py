"""Prompts of native models and scripts: Markdown files in parts; inserted values are never read as templates.

A file `prompt_native_<name>.md` has parts, each after a line `<!-- name -->`: `system`; `task`, sent once before the
first screenshot, or each time if the history is listed; `turn`, sent with every screenshot. A listed history consists
of one `step` per reply, inserted into `history`, or is `none`. `{break}` is a line break.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from omnipilot.envs import ConfigError, Size
from omnipilot.envs.base import Platform
from omnipilot.planners.base import Brief
from omnipilot.planners.prompts import load

PARTS = ("system", "task", "turn", "step", "history", "none")
_MARK = re.compile(r"^<!-- ([a-z]+) -->$", re.MULTILINE)
_SLOT = re.compile(r"\{([a-z_]+)\}")
_DEVICES: dict[Platform, str] = {"phone": "Mobile", "desktop": "WIN", "browser": "WIN"}
"""CogAgent's names for platforms."""


@functools.cache
def parts(name: str) -> Mapping[str, str]:
    """The parts of a prompt; missing ones are "".

    Raises:
        ConfigError: the prompt does not exist, or a part has an unknown name.
    """
    _, *pieces = _MARK.split(load(name).text)
    found = dict.fromkeys(PARTS, "")
    for part, text in zip(pieces[::2], pieces[1::2], strict=True):
        if part not in found:
            raise ConfigError(f"prompt {name!r} has an unknown part {part!r}; parts are {', '.join(PARTS)}")
        found[part] = text.strip()
    return found


def fill_slots(text: str, values: Mapping[str, str]) -> str:
    """Fill a text's known slots in one pass; unknown slots are left as they are."""
    return _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), text)


def slots(brief: Brief, platform: Platform, sent: Size) -> dict[str, str]:
    """Values available to every part: the task, the platform, and the size of the image."""
    purpose = f"\nPurpose: {brief.intent}" if brief.intent else ""
    return {
        "instruction": brief.instruction + purpose,
        "platform": platform,
        "device": _DEVICES[platform],
        "width": str(sent.width),
        "height": str(sent.height),
        "break": "\n",
    }


def history_text(told: Mapping[str, str], done: Sequence[str]) -> str:
    """The list of past actions, formatted with a prompt's parts."""
    if not done:
        return fill_slots(told["none"], {"break": "\n", "steps": ""})
    steps = [
        fill_slots(told["step"], {"index": str(index), "number": str(index + 1), "done": text, "break": "\n"})
        for index, text in enumerate(done)
    ]
    return fill_slots(told["history"] or "{steps}", {"steps": "".join(steps), "break": "\n"})
