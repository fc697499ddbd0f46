"""Conditions in words: what is to be heard or seen before the next clause."""

from __future__ import annotations

import re

from omnipilot.planners.rules.words import Clause, quoted

_SOUND = re.compile(
    r"\b(?:rings?|ringing|sounds?|hears?|heard|beeps?|chimes?|buzz(?:es)?|goes off|tone|bell|plays?|noise|alarm|"
    r"melody|ding|sounded|rung|rang)\b",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"\b(?:stops?|stopped|stands? still|is still|comes? to (?:a )?(?:rest|halt|stop)|finish(?:es|ed)|ends?|ended|"
    r"complet(?:es|ed|e))\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"\b(?:appears?|shows?(?: up)?|is shown|is visible|arrives?|pops up|opens)\b", re.IGNORECASE)
_MOTION = re.compile(
    r"\b(?:moves?|moving|changes?|changed|flash(?:es)?|blinks?|turns?|starts?|spins?|animation)\b", re.IGNORECASE
)


def condition(words: str) -> Clause:
    """The clause that waits until something is so, `unknown` where no sense can tell."""
    names = quoted(words)
    if _STILL.search(words) and not re.search(r"\b(?:ring|sound|hear|tone|alarm|melody)", words, re.I):
        return Clause("still", target=words)
    if _SOUND.search(words):
        return Clause("hear", target=words)
    if names or _SHOWN.search(words):
        near = names[1] if len(names) > 1 and re.search(r"\bfrom\b", words) else ""
        return Clause("shown", near=near, target=f'"{names[0]}"' if names else _SHOWN.sub("", words).strip())
    if _MOTION.search(words):
        return Clause("motion", target=words)
    return Clause("unknown")
