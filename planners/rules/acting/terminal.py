"""Moves at a command line: the clause becomes a command that is typed and run."""

from __future__ import annotations

import re

from omnipilot.envs import Intent, TypeText
from omnipilot.memory import Move
from omnipilot.planners.rules.acting.fields import referred_text
from omnipilot.planners.rules.matching.scene import Do, Result, TurnScene
from omnipilot.planners.rules.reading.command_lines import line_for, prompt_of

_FOLDER = re.compile(r"\binto\s+the\s+folder\s+\"([^\"]*)\"")


def at_prompt(scene: TurnScene) -> Result | None:
    """The line for the clause at hand; None where no prompt is in front, or the clause is no matter for one."""
    for env in scene.envs:
        meant = scene.known.apps.get(env) == scene.clause.app if scene.clause.app else env == scene.known.env
        field = prompt_of(scene.elements(env)) if meant else None
        if field is None:
            continue
        line = line_for(scene.clause.said, lambda phrase: _value(scene, phrase), _folders(scene))
        if line is not None:
            intent: Intent = TypeText(line.text, scene.aim(env, field), clear=bool(field.value), submit=True)
            after = line.text if line.reads else ""
            return Do(Move(env, intent), True, f"Run {line.text!r}.", covers=True, after=after)
    return None


def _value(scene: TurnScene, phrase: str) -> str | None:
    return referred_text(scene, re.sub(r"^(?:the|its|his|her|their)\s+", "", phrase, flags=re.IGNORECASE))


def _folders(scene: TurnScene) -> list[str]:
    """Folders into which something was put, the latest first: what is named next may lie there."""
    return list(reversed(_FOLDER.findall(scene.instruction)))
