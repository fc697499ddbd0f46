"""A subtask with the content of one instance, alone in its world."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.suites.duet.kit.play import pieces
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.verify.outcomes import collections_of, fields_of, item_id, items_of
from omnipilot.bench.synthesis.compose import compose
from omnipilot.bench.synthesis.template import Solution, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.phone_data import MONDAY, MONTHS
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

SHORTEST_SHARED = 5
"""Characters of a text by which one item refers to another."""
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_DAY = re.compile(r"\w+ (\d{1,2}) (\w+)")


@dataclass(frozen=True, slots=True)
class SubtaskInstance:
    """A subtask with drawn content.

    Attributes:
        number: of the instance; it decides the content.
        instruction: one sentence.
        values: what stands in the holes: words of the instruction without their quotation marks, and values of inputs.
        items: ids of the items that it speaks of, by kind; they are known before anything is done.
        state: the world when it begins.
        solution: its demonstration. alternative: another way, where there is one.
        graph: the judges that the template brought.
        other_solution: the demonstration of a subtask whose content is in the same world.
    """

    template: Template
    number: int
    instruction: str
    values: Mapping[str, str]
    items: Mapping[str, tuple[str, ...]]
    state: WorldState
    solution: Solution
    alternative: Solution | None
    graph: JudgeGraph
    other_solution: Solution | None = None

    def holes(self) -> dict[str, Any]:
        """What an evaluator's holes stand for: `values`, what the items hold before anything is done, and which items
        may be touched.

        `contact` is the value of an input, and `contact.email` a field of the item that it is, or that it is the name
        or title of, among those that the subtask speaks of; `time.seconds` and the like are other forms of a value.
        `voicemails of contacts.id` is of the one voicemail that has a text of the one contact, such as its number.
        `alarms.id` and `alarms.label` are of the one alarm that the subtask speaks of; with several, there are none.
        `claimed.alarms` lists the ids of all of them; every collection of the account has such a list.
        """
        holes: dict[str, Any] = dict(self.values)
        claimed = {name: list(self.items.get(name, ())) for name in collections_of(self.state)}
        known = {kind: items_of(self.state, kind) for kind in claimed}
        for kind, items in known.items():
            ids = [id for id in claimed[kind] if id in items]
            if len(ids) == 1:
                holes |= _fields_as_holes(kind, items[ids[0]])
        holes |= _references(known, claimed)
        for name in self.template.inputs:
            for kind, items in known.items():
                if self.values[name] in items:
                    claimed[kind].append(self.values[name])
                if self.values[name] in items and kind != "threads":
                    holes = _fields_as_holes(name, items[self.values[name]]) | holes
        for name, value in self.values.items():
            named = [
                items[id] for kind, items in known.items() for id in claimed[kind] if _names(items.get(id)) == value
            ]
            if len(named) == 1:
                holes = _fields_as_holes(name, named[0]) | holes
            holes |= _forms_of(name, value)
        return holes | {f"claimed.{kind}": ids for kind, ids in claimed.items()}

    def world(self) -> SimWorld:
        """A fresh world with this content, in which nothing has been done yet."""
        world = SimWorld()
        world.prepare(lambda _: self.state)
        return world

    def demonstration(self) -> Sequence[Move]:
        """The moves of the demonstration.

        Raises:
            NotFound: an element is nowhere. ActionRejected: a device cannot do a move.
        """
        return pieces(self.world(), [self.solution])[0]

    def other_way(self) -> Sequence[Move]:
        """The moves of the other way; none where there is none.

        Raises:
            NotFound: an element is nowhere. ActionRejected: a device cannot do a move.
        """
        return pieces(self.world(), [self.alternative])[0] if self.alternative is not None else ()


def draw_instance(template: Template, number: int, seed: int = 0, beside: Template | None = None) -> SubtaskInstance:
    """The subtask with the content of an instance.

    Args:
        seed: of the stage.
        beside: another subtask, whose content is put into the same world; the subtask's own is what it is without it.

    Raises:
        ConfigError: it cannot be alone, since it needs what another subtask yields.
    """
    seed = seed_of(seed, template.id, number)
    templates = [template] if beside is None else [template, beside]
    unjoined = {(1, name): None for name in beside.inputs} if beside is not None else {}
    composed = compose(templates, quiet(initial_world(seed)), seed, given=unjoined)
    part = composed.parts[0]
    values = {name: without_quotes(words) for name, words in part.piece.words.items()}
    values |= {name: resource.value for name, resource in part.inputs.items()}
    return SubtaskInstance(
        template,
        number,
        composed.instruction if beside is None else "",
        values,
        part.claims,
        composed.state,
        part.piece.solution,
        part.piece.alternative,
        part.piece.graph,
        None if beside is None else composed.parts[1].piece.solution,
    )


def _references(known: Mapping[str, Mapping[str, Any]], claimed: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Items that the subtask speaks of and that share a text with the only item of another collection that it does."""
    holes: dict[str, Any] = {}
    spoken_of = {kind: [items[id] for id in claimed[kind] if id in items] for kind, items in known.items()}
    alone = {kind: items[0] for kind, items in spoken_of.items() if len(items) == 1}
    for other, named in alone.items():
        texts = {text for text in fields_of(named).values() if isinstance(text, str) and len(text) >= SHORTEST_SHARED}
        for kind, items in spoken_of.items():
            found = [
                item for item in items if texts & {text for text in fields_of(item).values() if isinstance(text, str)}
            ]
            if kind != other and len(found) == 1:
                holes |= _fields_as_holes(f"{kind} of {other}", found[0])
    return holes


def _forms_of(name: str, value: str) -> dict[str, Any]:
    """Other forms in which a world may keep what the words of an instruction say.

    Returns:
        `NAME.seconds` of "18:00", `NAME.date` of "Thu 5 March" (in the world's year), `NAME.digits` of
        "+44 20 5698 3563", `NAME.number` of "29", `NAME.lower` in small letters.
    """
    forms: dict[str, Any] = {}
    if clock := _CLOCK.fullmatch(value):
        forms[f"{name}.seconds"] = 60 * int(clock[1]) + int(clock[2])
    if (day := _DAY.fullmatch(value)) and day[2] in MONTHS:
        forms[f"{name}.date"] = f"{MONDAY.year}-{MONTHS.index(day[2]) + 1:02d}-{int(day[1]):02d}"
    if value.isdecimal():
        forms[f"{name}.number"] = int(value)
    if value.lower() != value:
        forms[f"{name}.lower"] = value.lower()
    if " " in value and value.replace(" ", "").lstrip("+").isdigit():
        forms[f"{name}.digits"] = value.replace(" ", "").lstrip("+")
    return forms


def _names(item: Any) -> str:
    return str(getattr(item, "name", "") or getattr(item, "title", ""))


def _fields_as_holes(name: str, item: Any) -> dict[str, Any]:
    return {
        f"{name}.{field}": value
        for field, value in {**fields_of(item), "id": item_id(item)}.items()
        if isinstance(value, str)
    }


def without_quotes(words: str) -> str:
    """Words without the quotation marks around them."""
    return words[1:-1] if len(words) > 1 and words[0] == words[-1] == '"' else words
