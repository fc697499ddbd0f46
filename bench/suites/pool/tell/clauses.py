"""The subtasks of one instance of a task as clauses: what each says, what it takes from others, what it yields."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field

from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.template import Resource

NOUNS: Mapping[str, str] = {
    "contact": "person",
    "track": "song",
    "photo": "picture",
    "text/phone": "phone number",
    "text/email": "email address",
    "text/code/voucher": "voucher",
    "tune/ringtone": "sound",
    "tune/alarm": "sound",
    "clip/text": "copied text",
    "clip/file": "copied file",
}
"""What a resource of a type is called; for others, the last part of the type."""

_PLACE = re.compile(r"^(on the \w+), ")
APP = re.compile(r"^in ([A-Z][\w ]*), ")
"""The application that a clause begins with, after its device."""


def noun_of(type: str) -> str:
    """What a resource of a type is called: "code" for "text/code", "file" for "file/existing"; "" for no type."""
    type = type.removesuffix("/existing")
    return NOUNS.get(type, type.rpartition("/")[2].replace("_", " "))


@dataclass(frozen=True, slots=True)
class TaskClause:
    """A subtask of an instance.

    Attributes:
        node: its number in the graph. env: the device, or several joined by "+". app: the application.
        place: the device in words, "on the phone", where the template begins with it; "" otherwise.
        template: the rest of the template, with a hole for each word and input. An input that the template does not
            mention has a hole in brackets at the end.
        words: what fills the holes that are no inputs. inputs: what fills the others.
        takes: for each joined input, the node that it comes from. types: of the inputs. yields: the output.
        effect: what it changes, as far as its record says.
    """

    node: int
    env: str
    app: str
    place: str
    template: str
    words: Mapping[str, str]
    inputs: Mapping[str, Resource] = field(default_factory=dict)
    takes: Mapping[str, int] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    yields: Resource | None = None
    effect: tuple[str, ...] = ()

    def filled(self, references: Mapping[str, str]) -> str:
        """The clause, without its device; inputs that are not named here have the words of the instance."""
        inputs = {name: references.get(name, resource.words) for name, resource in self.inputs.items()}
        return self.template.format(**self.words, **inputs)

    def listed(self) -> str:
        """The clause as a reader is given it: its device first, and "[code]" for what it takes from another."""
        blanks = {name: f"[{noun_of(self.types[name])}]" for name in self.takes}
        clause = self.filled(blanks)
        return f"{self.place}, {clause}" if self.place else clause


def clauses_of(
    composition: Composition, effects: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[TaskClause, ...]:
    """The clauses of an instance, in the order of its nodes.

    Args:
        effects: what subtasks change, by id.
    """
    found = []
    for node, part in enumerate(composition.parts):
        template = part.template
        text = template.instruction
        place = _PLACE.match(text)
        text = text[place.end() :] if place else text
        named = {name for _, name, _, _ in string.Formatter().parse(text)}
        for name in template.inputs:
            if name in part.takes and name not in named:
                text += f" (with {{{name}}})"
        found.append(
            TaskClause(
                node,
                template.env,
                template.app,
                place[1] if place else "",
                text,
                part.piece.words,
                part.inputs,
                part.takes,
                template.inputs,
                part.piece.output,
                (effects or {}).get(template.id, ()),
            )
        )
    return tuple(found)
