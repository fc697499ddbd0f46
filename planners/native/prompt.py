"""Prompts of native models and scripts: Markdown files in parts; inserted values are never read as templates.

A file `prompt_native_<name>.md` has parts, each after a line `<!-- name -->`: `system`; `task`, sent once before the
first screenshot, or each time if the history is listed; `turn`, sent with every screenshot. A listed history consists
of one `step` per reply, inserted into `history`, or is `none`. `{break}` is a line break.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping, Sequence

from omnipilot.envs import ConfigError, Platform, Size
from omnipilot.envs.types import read_text
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
    return _parts(load(name).text, name)


@functools.cache
def own_prompt(path: str) -> tuple[Mapping[str, str], str]:
    """The parts of a prompt in a file of the user's, and its SHA-256; a file without parts is the task.

    Raises:
        ConfigError: it cannot be read, a part has an unknown name, or nothing in it holds {instruction}.
    """
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the planner's prompt {path} cannot be read: {error}") from error
    found = _parts(text, path) if _MARK.search(text) else {**dict.fromkeys(PARTS, ""), "task": text.strip()}
    if not any("{instruction}" in part for part in found.values()):
        raise ConfigError(f"the planner's prompt {path} holds no {{instruction}}: the model would not know its task")
    return found, hashlib.sha256(text.encode()).hexdigest()


def _parts(whole: str, name: str) -> Mapping[str, str]:
    _, *pieces = _MARK.split(whole)
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
