"""The completion check: everything the instruction names was encountered, and nothing is left unsaved."""

from __future__ import annotations

import re

from omnipilot.agents.wrappers.base import claims_success
from omnipilot.agents.wrappers.critic.case import CriticCase
from omnipilot.agents.wrappers.episode_facts import elements, is_commit, quoted_texts
from omnipilot.envs.types import fold

_PRESS = re.compile(r"\b(?:press|click|tap|choose)\s+[\"“]([^\"”]{2,})[\"”]", re.IGNORECASE)
_BY_KEY = {"send", "search", "go", "ok"}
"""Buttons that the Enter key can replace."""


def doubtful_completion(case: CriticCase) -> str:
    """Why a claim of success cannot be right, judging by the screens and the agent's own actions."""
    if not claims_success(case.proposal.move.intent) or not any(map(elements, case.situation.observations.values())):
        return ""
    last = case.evidence.last
    if last is not None and last.outcome.refused and last.outcome.result != "vetoed":
        return f"the last move failed ({last.outcome.message}), so what it was for is not done"
    if not case.evidence.carried:
        return "nothing was done yet"
    return _unsaved(case) or _unpressed(case) or _unmet(case)


def _unsaved(case: CriticCase) -> str:
    for env, draft in case.drafts.items():
        for element in elements(case.situation.observations.get(env)):
            if is_commit(element) and "disabled" not in element.states:
                return f"{draft.text[:80]!r} was typed on {env} and {element.name!r} was not pressed since"
    return ""


def _unpressed(case: CriticCase) -> str:
    for match in _PRESS.finditer(case.brief.instruction):
        name = match[1]
        by_key = fold(name) in _BY_KEY and case.evidence.was_operated("Enter")
        if not by_key and not case.evidence.was_operated(name):
            return f"the instruction says to press {name!r}, which was not done"
    return ""


def _unmet(case: CriticCase) -> str:
    """Something the instruction names that was neither on any screen nor in any typed text."""
    missing = [name for name in quoted_texts(case.brief.instruction) if not _met(case, name)]
    if not missing:
        return ""
    named = ", ".join(repr(name) for name in missing[:3])
    return f"the instruction speaks of {named}, which was neither seen on a screen nor typed so far"


def _met(case: CriticCase, name: str) -> bool:
    evidence = case.evidence
    parts = [part for part in re.split(r"[/…]| - ", name) if len(part.strip()) > 1] or [name]
    return all(evidence.was_seen(part) or evidence.was_typed(part) or evidence.was_operated(part) for part in parts)
