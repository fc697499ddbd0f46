"""Checks of typing: text without a focused field, and fields that are still empty on commit."""

from __future__ import annotations

import re
from collections.abc import MutableMapping

from omnipilot.agents.wrappers.critic.case import CriticCase, UncommittedText
from omnipilot.agents.wrappers.episode_facts import commits, elements, fields, quoted_texts, target, words
from omnipilot.envs import Action, Element, Observation, OpenApp, TypeText
from omnipilot.envs.types import FIELDS, fold

_DOTS = re.compile(r"^[•●*]+$")
_TYPED = re.compile(
    r"(?:\btype|\bwrite|\benter|\bsubject|\btitle|\bname it|\bnamed|\bcall it)\b[^\"“]{0,20}$", re.IGNORECASE
)
_KEYS = frozenset({"button", "link", "tab", "switch", "checkbox", "radio"})
_CHOSEN = frozenset({"spinbutton", "combobox"})
"""Roles of fields whose value is chosen rather than typed, and may be shown as their name."""
_CHANGES = re.compile(r"\btype\b", re.IGNORECASE)


def missing_focus(case: CriticCase) -> str:
    """Object to typing without a field that is pointed at or focused."""
    if not isinstance(case.action, TypeText) or not elements(case.seen):
        return ""
    if case.action.at is None:
        held = any(element.states & {"focused", "selected"} for element in elements(case.seen))
        return "" if held else "nothing has the focus, so the text would go nowhere; say which field to type it into"
    element = case.target
    if element is None or element.role not in _KEYS:
        return ""
    return f"{element.role} {element.name!r} is no text field; text typed there would be lost"


def unfilled_fields(case: CriticCase) -> str:
    """Object to Save or Send while typed text is not on the screen or required text was not typed."""
    if not commits(case.action, case.target) or isinstance(case.action, TypeText) or not elements(case.seen):
        return ""
    draft = case.drafts.get(case.env)
    if draft is not None and not _visible(draft.text, case.seen) and fields(case.seen):
        where = f" into {draft.field!r}" if draft.field else ""
        return f"the text {draft.text[:80]!r} that was typed{where} is not on the screen; look at the fields again"
    written = [element for element in fields(case.seen) if element.role not in _CHOSEN]
    empty = [element for element in written if not element.value]
    if not empty:
        return ""
    due = [text for text in to_type(case.brief.instruction) if not _known(case, text)]
    if due and _belongs(case, due[0]):
        named = ", ".join(repr(element.name) for element in empty)
        return f"{due[0]!r}, which the instruction asks for, was not typed yet, and {named} is empty"
    if not case.evidence.typed and _CHANGES.search(case.brief.instruction) and len(empty) == len(written):
        return f"nothing was typed yet: {', '.join(repr(element.name) for element in empty)} is empty"
    return ""


def to_type(instruction: str) -> tuple[str, ...]:
    """The texts that an instruction quotes to be typed, in order."""
    return tuple(
        text
        for text in quoted_texts(instruction)
        if any(_TYPED.search(instruction[: at.start()]) for at in re.finditer(f'["“]{re.escape(text)}', instruction))
    )


def keep_draft(
    drafts: MutableMapping[str, UncommittedText], env: str, action: Action, seen: Observation | None
) -> None:
    """Keep the text an executed action typed until it is committed or abandoned."""
    element = target(action, seen)
    if commits(action, element) or isinstance(action, OpenApp):
        drafts.pop(env, None)
    elif isinstance(action, TypeText) and action.text.strip():
        drafts[env] = UncommittedText(action.text.strip(), element.name if element is not None else "")


def _known(case: CriticCase, text: str) -> bool:
    return case.evidence.was_typed(text) or any(_holds(element, text) for element in fields(case.seen))


def _belongs(case: CriticCase, text: str) -> bool:
    """Whether a text is due on this screen, rather than on another device or later in the instruction.

    It is due if everything that the instruction quotes before it has been dealt with.
    """
    before = case.brief.instruction.split(text)[0]
    named = {before.casefold().rfind(f"on the {env.casefold()}"): env for env in case.brief.envs}
    if max(named, default=-1) >= 0 and named[max(named)] != case.env:
        return False
    return all(
        case.evidence.was_operated(other) or case.evidence.was_typed(other) or case.evidence.was_seen(other)
        for other in quoted_texts(before)
    )


def _visible(text: str, seen: Observation | None) -> bool:
    """Whether a text, or dots in its place, is on the screen."""
    lines = [fold(line) for line in text.splitlines() if fold(line)]
    legible = [fold(word) for word in words(seen)]
    if all(any(line in word for word in legible) for line in lines):
        return True
    return any(_DOTS.match(element.value) and len(element.value) == len(text) for element in fields(seen))


def _holds(element: Element, text: str) -> bool:
    return element.role in FIELDS and fold(text) in fold(element.value)
