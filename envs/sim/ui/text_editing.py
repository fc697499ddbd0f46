"""Editing a draft: pure functions of a `Field`."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.state.world_state import Field

MOST_TEXT = 100_000
"""Characters of a field; copied and pasted into itself, a text would otherwise double for ever."""


def draft(text: str) -> Field:
    """A field with `text`, and the caret after it."""
    return Field(text, len(text), len(text))


def selection(field: Field) -> tuple[int, int]:
    """Start and end of the selection; equal if nothing is selected."""
    return min(field.caret, field.anchor), max(field.caret, field.anchor)


def selected_text(field: Field) -> str:
    """The selected text."""
    start, end = selection(field)
    return field.text[start:end]


def insert(field: Field, text: str) -> Field:
    """Replace the selection with `text`, as far as the field has room for it, and put the caret after it."""
    start, end = selection(field)
    text = text[: max(0, MOST_TEXT - len(field.text) + end - start)]
    caret = start + len(text)
    return Field(field.text[:start] + text + field.text[end:], caret, caret)


def erase(field: Field, forward: bool = False) -> Field:
    """Backspace, or Delete (`forward`): remove the selection, or else one character."""
    start, end = selection(field)
    if start == end:
        start, end = (start, min(end + 1, len(field.text))) if forward else (max(start - 1, 0), end)
    return Field(field.text[:start] + field.text[end:], start, start)


def select_all(field: Field) -> Field:
    """Select everything."""
    return replace(field, anchor=0, caret=len(field.text))


def place(field: Field, caret: int, extend: bool = False) -> Field:
    """Move the caret, clamped to the text; with `extend`, select from the anchor to it."""
    caret = min(max(caret, 0), len(field.text))
    return replace(field, caret=caret, anchor=field.anchor if extend else caret)


def select_word(field: Field, caret: int) -> Field:
    """Select the word around a position."""
    start = end = min(max(caret, 0), len(field.text))
    while start > 0 and _in_word(field.text[start - 1]):
        start -= 1
    while end < len(field.text) and _in_word(field.text[end]):
        end += 1
    return replace(field, anchor=start, caret=end)


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_'-"


def word_step(field: Field, forward: bool) -> int:
    """Caret position after Ctrl and an arrow key: after the next word, or before the previous one."""
    at, text = field.caret, field.text
    if forward:
        while at < len(text) and not _in_word(text[at]):
            at += 1
        while at < len(text) and _in_word(text[at]):
            at += 1
    else:
        while at > 0 and not _in_word(text[at - 1]):
            at -= 1
        while at > 0 and _in_word(text[at - 1]):
            at -= 1
    return at
