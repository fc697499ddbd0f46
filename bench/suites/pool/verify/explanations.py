"""Says the values that some instances have in common in terms of what stands in each instance's holes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnipilot.envs.sim.state.table import FrozenTable

_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_ID = re.compile(r"(?:^|/)[a-z]+-\d+$")
"""An id of an item, which says nothing of what the item is: equal ids are no reason to expect them again."""
SHORTEST = 2
"""Characters of a value that is looked for inside of others; a shorter one stands anywhere."""


class _Unexplained:
    """What stands for a value that no hole and no constant explains."""

    def __bool__(self) -> bool:
        return False


UNEXPLAINED: Final = _Unexplained()


def explain_values(values: Sequence[Any], holes: Sequence[Mapping[str, Any]], constants: bool = True) -> Any:
    """One expression that gives each instance's value with what stands in its holes.

    Args:
        values: one an instance; whole numbers, texts, truth values, None, and tuples of such.
        holes: what stands in the holes, one table an instance.
        constants: whether a value that is the same in all instances may be said as it is.

    Returns:
        A constant, a text with `{holes}`, or a list of such; `UNEXPLAINED` where there is none.
    """
    first = values[0]
    if isinstance(first, str):
        return _explain_texts(values, holes, constants)
    if isinstance(first, tuple):
        if constants and all(value == first for value in values) and _is_plain(first):
            return _as_list(first)
        if any(not isinstance(value, tuple) or len(value) != len(first) for value in values):
            return UNEXPLAINED
        parts = [explain_values(part, holes, constants) for part in zip(*values, strict=True)]
        return UNEXPLAINED if any(part is UNEXPLAINED for part in parts) else parts
    if isinstance(first, float):
        return UNEXPLAINED
    for name, value in holes[0].items():
        if type(value) is type(first) and all(own.get(name) == value for own, value in zip(holes, values, strict=True)):
            return f"{{{name}}}"
    plain = first is None or isinstance(first, bool | int)
    same = all(value == first and type(value) is type(first) for value in values)
    return first if constants and plain and same else UNEXPLAINED


def as_condition(expression: Any) -> str:
    """An expression as the value of a condition in a path of the state."""
    return json.dumps(expression, ensure_ascii=False)


def _explain_texts(values: Sequence[Any], holes: Sequence[Mapping[str, Any]], constants: bool) -> Any:
    if not all(isinstance(value, str) for value in values):
        return UNEXPLAINED
    texts = [name for name, value in holes[0].items() if isinstance(value, str) and all(name in own for own in holes)]
    for name in texts:
        if values[0] and all(own[name] == value for own, value in zip(holes, values, strict=True)):
            return f"{{{name}}}"
    if constants and all(value == values[0] for value in values) and not _ID.search(values[0]):
        return values[0].replace("{", "{{").replace("}", "}}")
    form = values[0].replace("{", "{{").replace("}", "}}")
    for name in sorted(texts, key=lambda name: -len(holes[0][name])):
        value = holes[0][name]
        if len(value) >= SHORTEST and "{" not in value:
            form = _replaced_outside_holes(form, value, f"{{{name}}}")
    if "{" not in form.replace("{{", ""):
        return UNEXPLAINED
    if not constants and _letters_outside_holes(form):
        return UNEXPLAINED
    return form if all(_filled(form, own) == value for own, value in zip(holes, values, strict=True)) else UNEXPLAINED


def _filled(form: str, own: Mapping[str, Any]) -> str:
    return _HOLE.sub(lambda found: found[0][0] if found[1] is None else str(own[found[1]]), form)


def _replaced_outside_holes(form: str, value: str, hole: str) -> str:
    parts = _split_at_holes(form)
    return "".join(part if inside else part.replace(value, hole) for part, inside in parts)


def _letters_outside_holes(form: str) -> bool:
    return any(character.isalnum() for part, inside in _split_at_holes(form) if not inside for character in part)


def _split_at_holes(form: str) -> list[tuple[str, bool]]:
    """The pieces of a text with holes, each with whether it is a hole."""
    parts: list[tuple[str, bool]] = []
    rest = form
    while rest:
        start = _next_hole(rest)
        if start < 0:
            return [*parts, (rest, False)]
        end = rest.index("}", start) + 1
        parts += [(rest[:start], False), (rest[start:end], True)]
        rest = rest[end:]
    return parts


def _next_hole(text: str) -> int:
    at = 0
    while (at := text.find("{", at)) >= 0:
        if text[at : at + 2] != "{{":
            return at
        at += 2
    return -1


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(inner) for inner in value)
    return value is None or isinstance(value, int) or (isinstance(value, str) and not _ID.search(value))


def _as_list(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_as_list(inner) for inner in value]
    return value.replace("{", "{{").replace("}", "}}") if isinstance(value, str) else value


def new_parts(before: Any, after: Any) -> tuple[list[Any], list[Any]]:
    """What a text, a list or a table has that it had not, and the other way round; a text only at its end."""
    if isinstance(before, FrozenTable) and isinstance(after, FrozenTable):
        old, new = dict(before.items()), dict(after.items())
        return [v for k, v in new.items() if old.get(k) != v], [v for k, v in old.items() if new.get(k) != v]
    if isinstance(before, tuple) and isinstance(after, tuple):
        return [one for one in after if one not in before], [one for one in before if one not in after]
    if isinstance(before, str) and isinstance(after, str) and before and after.startswith(before):
        return [after[len(before) :].strip()], []
    return [], []
