"""Finds applications that an instruction mentions in passing, and opens them first."""

from __future__ import annotations

import re

from omnipilot.envs import OpenApp
from omnipilot.envs.types import QUOTED
from omnipilot.planners.rules.matching.scene import Do, TurnScene

_IN_APP = re.compile(r"(?<!\bas),?\s+in\s+([A-Z][a-z]+(?:\s+[A-Z][a-z]+)*)\b(?!\s*[\"“'])")
_NAME = re.compile(r"^[A-Z][a-z]+(?:[\s-][A-Z][a-z]+)*$")


def take_app(piece: str) -> tuple[str, str]:
    """The proper name of the application for a piece, and the piece without it; "" for none."""
    spans = [match.span() for match in QUOTED.finditer(piece)]
    for match in _IN_APP.finditer(f" {piece}"):
        start, end = match.start() - 1, match.end() - 1
        if not any(first <= start < last for first, last in spans):
            return match[1], f"{piece[: max(start, 0)]}{piece[end:]}".strip()
    return "", piece


def is_name(phrase: str) -> bool:
    """Whether a phrase is a proper name, as applications have: only capitalised words."""
    return bool(_NAME.match(phrase))


def reach(scene: TurnScene, app: str) -> Do | None:
    """The move that brings a clause's application to the front; None if it is there already or unavailable."""
    known = scene.known
    for env in scene.envs:
        if known.apps.get(env) == app:
            return None
    for env in scene.envs:
        if "open_app" in scene.verbs(env).kinds and (env, app) not in known.lacking:
            known.apps[env] = app
            known.filled.clear()
            return scene.do(env, OpenApp(app), f"Open the application {app}.", completes=False)
    return None
