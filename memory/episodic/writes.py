"""Write-backs: what is copied, pasted, saved and gone to, and what fields hold afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from omnipilot.envs import Absent, Browser, Element, Elements, Modality, Observation, OpenApp, OpenUrl, Point, Press
from omnipilot.memory.episodic.details import WriteDetail
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.trajectory import Step

Write: TypeAlias = Literal["copy", "cut", "paste", "save", "navigate", "set"]

_KEYS: dict[frozenset[str], Write] = {
    frozenset({command, key}): write  # type: ignore[misc]
    for command in ("ctrl", "control", "meta", "cmd", "command")
    for key, write in (("c", "copy"), ("x", "cut"), ("v", "paste"), ("s", "save"))
}
_BUTTONS: tuple[tuple[Write, re.Pattern[str]], ...] = (
    ("copy", re.compile(r"\bcopy\b|复制|複製|拷贝", re.IGNORECASE)),
    ("cut", re.compile(r"^cut$|剪切", re.IGNORECASE)),
    ("paste", re.compile(r"\bpaste\b|粘贴|貼上", re.IGNORECASE)),
    ("save", re.compile(r"\bsave\b|保存|儲存", re.IGNORECASE)),
)
_PRESSED = frozenset({"button", "menuitem", "link", "tab", "option", "image", "icon"})
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider"})
LONGEST_NAME = 40
"""Characters of a button's name; a longer text is no button."""


class WriteBacks:
    """Follows the fields of each environment, and tells what an executed step wrote."""

    def __init__(self) -> None:
        self._fields: dict[str, dict[str, str]] = {}
        self._acted: set[str] = set()

    def of_step(self, step: Step) -> Iterator[TimelineEvent]:
        """The write-back that an executed step is, as far as its action and what it was done to say so."""
        if step.executed is None or step.outcome.result not in ("done", "forced"):
            return
        env = step.proposed.env if step.proposed is not None else step.seen.env if step.seen is not None else ""
        self._acted.add(env)
        found = _write(step)
        if found is not None:
            write, words, modality = found
            detail = WriteDetail(write, step.executed.kind)
            yield TimelineEvent("write", env, step.start, step.end, step.turn, words, modality, detail=detail)

    def of_observation(self, seen: Observation, turn: int, app: str, page: str) -> Iterator[TimelineEvent]:
        """Which fields hold something else since the agent acted: the effect of typing, pasting and choosing."""
        if not isinstance(seen.elements, Elements):
            return
        fields = [one for one in seen.elements.items if one.role in _FIELDS]
        before, self._fields[seen.env] = self._fields.get(seen.env, {}), {_key(one): one.value for one in fields}
        if seen.env not in self._acted:
            return
        self._acted.discard(seen.env)
        for one in fields:
            # What a field held that was not on the screen before is not known.
            if one.value and before.get(_key(one), one.value) != one.value:
                words = f"{one.name or 'a field'} holds {one.value}"
                yield TimelineEvent(
                    "write", seen.env, seen.time, seen.time, turn, words, Modality.ELEMENTS, None, app, page, one.box,
                    WriteDetail("set", field=one.name, value=one.value),
                )  # fmt: skip


def _key(element: Element) -> str:
    """What tells a field from the others of its environment."""
    return element.id if element.id is not None else f"{element.role} {element.name}"


def _write(step: Step) -> tuple[Write, str, Modality | None] | None:
    """The kind of a write-back, the words for it, and what these were read from."""
    verb = step.executed
    if isinstance(verb, Press):
        pressed = frozenset(key.casefold() for key in verb.keys)
        write = _KEYS.get(pressed)
        return (write, write, None) if write is not None else None
    if isinstance(verb, OpenApp):
        return "navigate", f"navigate to {verb.app}", None
    if isinstance(verb, OpenUrl):
        return "navigate", f"navigate to {verb.url}", None
    if isinstance(verb, Browser) and verb.op in ("back", "forward", "reload"):
        return "navigate", f"navigate {verb.op}", None
    if verb is None or verb.kind not in ("click", "long_press"):
        return None
    named = [(one.target, None) for one in step.pointed]
    named += [(one.name, Modality.ELEMENTS) for one in under(step)]  # type: ignore[misc]
    for name, modality in named:
        for write, pattern in _BUTTONS:
            if len(name) <= LONGEST_NAME and pattern.search(name):
                return write, f"{write}: {name}", modality
    return None


def under(step: Step) -> list[Element]:
    """The control that a click went to: the smallest around its point."""
    at = getattr(step.executed, "at", None)
    if not isinstance(at, Point) or step.seen is None or isinstance(step.seen.elements, Absent):
        return []
    around = [one for one in step.seen.elements.items if one.role in _PRESSED and one.box.contains(at)]
    return sorted(around, key=lambda one: one.box.area)[:1]
