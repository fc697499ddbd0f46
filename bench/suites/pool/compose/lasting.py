"""What the subtasks of a pool bring about has to be so in the end, too, unless another one of the same task changes it.

Whether it does is read off their changes: which item each is about, followed through what one takes from another. Where
a later subtask changes what an earlier one did, the earlier judge need not hold in the end; what it wants besides is
left to the later one. Hand-written templates say themselves what lasts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from omnipilot.bench.suites.pool.subtasks.judging import ChangeJudge, NewItem, grew
from omnipilot.bench.suites.pool.worlds import StateChange
from omnipilot.bench.synthesis.compose import Composition, TaskPart, with_judges
from omnipilot.bench.tasks.graph import JudgeGraph

Thing: TypeAlias = tuple[int, str, str]
"""What a change is about: the number of the subtask that makes it (-1 where it was there before), kind and id."""


def with_lasting(composed: Composition) -> Composition:
    """The task whose judges know what other subtasks change, and which of them have to hold in the end."""
    task = _Task(composed.parts)
    rest: dict[tuple[int, int], list[ChangeJudge]] = defaultdict(list)
    for number, asks in task.judges.items():
        for ask in asks:
            left = None if task.lasts(number, ask) else task.left_of(number, ask)
            if left is not None:
                for heir in task.heirs_of(number, ask):
                    rest[heir].append(left)
    new = task.new_items()
    graphs = {}
    for number, asks in task.judges.items():
        nodes = []
        for at, (node, ask) in enumerate(zip(composed.parts[number].piece.graph.nodes, asks, strict=True)):
            made = None if new is None else new.get(ask.kind, ())
            nodes.append(replace(node, ask=replace(ask, new=made, rest=tuple(rest[number, at]))))
        last = [
            node.name for node, ask in zip(nodes, asks, strict=True) if task.lasts(number, ask) and not _passes(ask)
        ]
        graphs[number] = JudgeGraph(tuple(nodes)).lasting(last)
    return with_judges(composed, graphs)


@dataclass(frozen=True, slots=True)
class _Touch:
    """A change of a thing by a subtask."""

    number: int
    ask: ChangeJudge
    change: StateChange


class _Task:
    """What the subtasks of a task change."""

    def __init__(self, parts: Sequence[TaskPart]) -> None:
        self.parts = parts
        asks = {number: [node.ask for node in part.piece.graph.nodes] for number, part in enumerate(parts)}
        self.judges: Mapping[int, list[ChangeJudge]] = {
            number: [ask for ask in some if isinstance(ask, ChangeJudge)]
            for number, some in asks.items()
            if all(isinstance(ask, ChangeJudge) for ask in some)
        }
        self._touches: dict[Thing, list[_Touch]] = defaultdict(list)
        for number, own in self.judges.items():
            for ask in own:
                for change in ask.wanted:
                    self._touches[self.thing(number, ask.kind, change.id)].append(_Touch(number, ask, change))
        self._changed = {
            source
            for number, part in enumerate(parts)
            if part.template.changes and number not in self.judges
            for source in part.takes.values()
        }
        self._before: list[set[int]] = []
        for part in parts:
            sources = set(part.takes.values())
            self._before.append(sources.union(*(self._before[source] for source in sources)))

    def thing(self, number: int, kind: str, id: str) -> Thing:
        """What an id of a subtask's changes means, wherever the item comes from."""
        asks = self.judges[number]
        source = self.parts[number].takes.get(asks[0].passed.taken.get(id, ""))
        if source is not None and source in self.judges and self.judges[source][0].passed.given:
            return self.thing(source, kind, self.judges[source][0].passed.given)
        made = any(change.sign == "+" and change.id == id and ask.kind == kind for ask in asks for change in ask.wanted)
        return (number if made else -1, kind, id)

    def others(self, number: int, ask: ChangeJudge, change: StateChange) -> list[_Touch]:
        """What other subtasks do to the thing of a change."""
        touches = self._touches[self.thing(number, ask.kind, change.id)]
        return [touch for touch in touches if touch.number != number]

    def against(self, number: int, ask: ChangeJudge, change: StateChange) -> list[_Touch]:
        """What other subtasks do, that need not be done by then, after which a change holds no more."""
        return [
            touch
            for touch in self.others(number, ask, change)
            if touch.number not in self._before[number] and _undoes(touch.change, change, ask)
        ]

    def lasts(self, number: int, ask: ChangeJudge) -> bool:
        """Whether nothing that a judge wants is undone by another subtask, as far as is known."""
        return number not in self._changed and not any(self.against(number, ask, change) for change in ask.wanted)

    def heirs_of(self, number: int, ask: ChangeJudge) -> list[tuple[int, int]]:
        """The judges of later subtasks that undo something of what a judge wants, and have to hold in the end: the
        numbers of part and node."""
        touches = [touch for change in ask.wanted for touch in self.against(number, ask, change)]
        heirs = [one for one in touches if number in self._before[one.number] and self.lasts(one.number, one.ask)]
        return list(dict.fromkeys((one.number, self.judges[one.number].index(one.ask)) for one in heirs))

    def left_of(self, number: int, ask: ChangeJudge) -> ChangeJudge | None:
        """A judge of what is to be left in the end of what this one wants; None where nothing is."""
        kept, spared, renamed = [], {}, set()
        for change in ask.wanted:
            against = self.against(number, ask, change)
            fields = {touch.change.field for touch in against if touch.change.sign == "~"}
            if any(touch.change.sign == "-" for touch in against) or (change.sign == "~" and change.field in fields):
                continue
            kept.append(change)
            if change.sign == "+":
                spared[change.id] = frozenset(fields)
            elif fields:
                renamed.add(change.id)
        return replace(ask, wanted=tuple(kept), spared=spared, renamed=frozenset(renamed)) if kept else None

    def new_items(self) -> Mapping[str, tuple[NewItem, ...]] | None:
        """All items that the task makes, by kind; None where a hand-written template may make some."""
        if any(part.template.lasts for number, part in enumerate(self.parts) if number not in self.judges):
            return None
        found: dict[str, list[NewItem]] = defaultdict(list)
        for number, asks in self.judges.items():
            for ask in asks:
                for change in ask.wanted:
                    if change.sign != "+":
                        continue
                    later: dict[str, list[object]] = defaultdict(list)
                    for touch in self.others(number, ask, change):
                        later[touch.change.field].append(touch.change.after)
                    values = {name: tuple(some) for name, some in later.items()}
                    found[ask.kind].append(NewItem(change.after, ask.unseen, values))
        return {kind: tuple(items) for kind, items in found.items()}


def _passes(ask: ChangeJudge) -> bool:
    """Whether time alone undoes what a judge wants."""
    return any((ask.kind, change.field) in ask.passed.passing for change in ask.wanted)


def _undoes(other: StateChange, change: StateChange, ask: ChangeJudge) -> bool:
    """Whether a change holds no more when another one of the same thing was made after it."""
    if change.sign == "-" or other.sign == "+":
        return False
    if other.sign == "-":
        return True
    if change.sign == "+":
        return other.field not in ask.unseen
    if other.field == change.field:
        return not (grew(other) and grew(change)) and other.after != change.after
    before = ask.made_before.get(change.id)
    return before is not None and other.field in before.entry.key
