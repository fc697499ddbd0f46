"""Ids of controls in general: segments that name an item become its kind, and paths get holes for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from omnipilot.bench.suites.pool.records import Operation

_FORMS = (
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "days"),
    (re.compile(r"\d{4}-\d{2}"), "months"),
    (re.compile(r"[A-Z]{1,2}\d{1,2}"), "cells"),
    (re.compile(r"\d{1,2}:\d{2}"), "times"),
    (re.compile(r"\d+"), "numbers"),
)
_MOST_SEGMENTS = 5


def singular(kind: str) -> str:
    """What one item of a kind is called: "todo" for "todos"."""
    return kind.removesuffix("s")


def split_id(id: str, kinds: Mapping[str, str]) -> list[tuple[str, str]]:
    """The segments of a control's id, each with the kind that it names an item of, or "".

    A path of a folder or file counts as one segment. The first segment, the app, names nothing.
    """
    parts = id.split("/")
    found: list[tuple[str, str]] = [(parts[0], "")]
    at = 1
    while at < len(parts):
        for count in range(min(_MOST_SEGMENTS, len(parts) - at), 0, -1):
            name = "/".join(parts[at : at + count])
            kind = kinds.get(name, "")
            if not kind and count == 1:
                kind = next((kind for form, kind in _FORMS if form.fullmatch(name)), "")
            if kind:
                break
        else:
            count = 1
        found.append(("/".join(parts[at : at + count]), kind))
        at += count
    return found


def general_id(id: str, kinds: Mapping[str, str]) -> str:
    """A control's id with kinds for items: "notes/notes/<document>"."""
    return "/".join(f"<{singular(kind)}>" if kind else name for name, kind in split_id(id, kinds))


@dataclass
class Holes:
    """Collects what stands in the holes of some operations, in order.

    Attributes:
        commands: first words of lines that are commands, and get a hole for each further word; each with the kinds of
            what there was before it.
        bindings: hole → what stands in it; one hole for each different thing.
    """

    kinds: Mapping[str, str]
    commands: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bindings: dict[str, str] = field(default_factory=dict)

    def open(self, operation: Operation) -> Operation:
        """An operation with holes for the items that it names and for what it types."""
        control, to = self._path(operation.control), self._path(operation.to)
        text = operation.text
        if operation.verb == "type" and text:
            text = self._text(operation)
        return replace(operation, control=control, to=to, text=text)

    def _text(self, operation: Operation) -> str:
        first, *words = operation.text.split(" ")
        if first not in self.commands:
            return self._hole(_field_name(operation.control, self.kinds), operation.text)
        known = self.commands[first]
        parts = [
            word if re.match(r"[^\w]", word) else self._hole(singular(known.get(word, "words")), word) for word in words
        ]
        return " ".join((first, *parts))

    def _path(self, id: str) -> str:
        return "/".join(
            self._hole(singular(kind), name) if kind else name
            for name, kind in (split_id(id, self.kinds) if id else ())
        )

    def _hole(self, name: str, value: str) -> str:
        for number in range(1, len(self.bindings) + 2):
            hole = name if number == 1 else f"{name}_{number}"
            if self.bindings.setdefault(hole, value) == value:
                break
        return f"{{{hole}}}"


def _field_name(control: str, kinds: Mapping[str, str]) -> str:
    """The name of what is typed into a field: the last segment of its id that names no item."""
    words = [name for name, kind in split_id(control, kinds) if name and not kind]
    return re.sub(r"\W+", "_", words[-1]) + "_text" if words else "text"


def fill(operation: Operation, bindings: Mapping[str, str]) -> Operation:
    """An operation with its holes filled in; a hole without a binding stays."""

    def put(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda hole: bindings.get(hole[1], hole[0]), text)

    return replace(operation, control=put(operation.control), to=put(operation.to), text=put(operation.text))
