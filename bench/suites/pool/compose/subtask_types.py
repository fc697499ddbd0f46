"""What composing needs to know of a subtask: types, category, device, and what it takes away from others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from omnipilot.bench.suites.duet.about import CATEGORIES
from omnipilot.bench.suites.pool.compose.chain_cover import ChainCover
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types
from omnipilot.bench.synthesis.compose import fits
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.apps.registry import APPS

STATES = ("clip", "open", "chosen", "playing", "joined")
"""First segments of the types of states: gone when something else takes their place, and used by one successor."""
_CATEGORY_OF_TITLE = {app.title: CATEGORIES[name] for name, app in APPS.items() if name in CATEGORIES}


@dataclass(frozen=True, slots=True)
class SubtaskType:
    """A subtask as a node of a graph.

    Attributes:
        id: of the subtask. inputs: name → type of those that may be joined. output: its type, "" for none.
        category: of its application. app, env: where it is done.
        effect: what it changes; None where that is not known, so that it may take away any state of its device.
        items: types of the inputs that are items of the world. passes: the one of them that it yields again, "" for
            none. removes: those that are gone afterwards. renames: those that are called otherwise afterwards.
    """

    id: str
    inputs: tuple[tuple[str, str], ...] = ()
    output: str = ""
    category: str = ""
    app: str = ""
    env: str = ""
    effect: tuple[str, ...] | None = None
    items: tuple[str, ...] = ()
    passes: str = ""
    removes: tuple[str, ...] = ()
    renames: tuple[str, ...] = ()


def is_state(kind: str) -> bool:
    """Whether a resource type is a state of a device."""
    return kind.split("/", 1)[0] in STATES


def takes_away(other: SubtaskType, provider: SubtaskType) -> bool:
    """Whether a subtask destroys the state that `provider` leaves behind.

    Another device keeps its state, but for a clipboard, which the devices of an account share. What is open or chosen
    is lost to any other subtask on the device.
    """
    kind = provider.output.split("/", 1)[0]
    if kind not in STATES:
        return False
    if kind == "clip":
        return other.effect is None or any(change.startswith("clipboard") for change in other.effect)
    if other.env and provider.env and not set(other.env.split("+")) & set(provider.env.split("+")):
        return False
    if kind in ("open", "chosen") or other.effect is None:
        return True
    if kind == "playing":
        return any("playback" in change for change in other.effect)
    return any("network" in change for change in other.effect)


def category_of(record: SubtaskRecord) -> str:
    """The category of a subtask's application: its own, else that of the application, else the application's name.

    Raises:
        ConfigError: it has no application.
    """
    app = record.application
    category = record.category or CATEGORIES.get(app) or _CATEGORY_OF_TITLE.get(app) or app
    if not category:
        raise ConfigError(f"subtask {record.id} has no application; give it one, or a category")
    return category


def subtask_type(record: SubtaskRecord) -> SubtaskType:
    """The type of a subtask of a pool.

    Raises:
        ConfigError: its application has no category.
    """
    items = {
        name: record.holes[name].removeprefix("item ")
        for name in record.inputs
        if record.holes.get(name, "").startswith("item ")
    }
    passed = record.source.strip("{}") if record.source.startswith("{") else ""
    return SubtaskType(
        record.id,
        tuple(record.inputs.items()),
        record.output_resources[0] if record.output_resources else "",
        category_of(record),
        record.application,
        record.env,
        tuple(record.effect) if record.effect or not record.made_by.startswith("hand:") else None,
        items=tuple(record.inputs[name] for name in items),
        passes=record.inputs[passed] if passed in items and not record.reveals else "",
        removes=tuple(record.inputs[name] for name, kind in items.items() if f"-{kind}" in record.effect),
        renames=tuple(
            record.inputs[name]
            for name, kind in items.items()
            if any(f"~{kind}.{field}" in record.effect for field in predefined_types().kind(kind).key)
        ),
    )


def loses_an_item(nodes: Sequence[SubtaskType], edges: Sequence[tuple[int, int]], below: Sequence[set[int]]) -> bool:
    """Whether an item is taken from one node both by a subtask that removes it, or that gives a new item another
    name, and by one that need not be done before that.

    Args:
        below: the nodes behind each node.
    """

    def maker(node: int) -> int:
        """The node from which the item that a node yields comes first."""
        passes = nodes[node].passes
        before = next((a for a, b in edges if b == node and passes and fits(nodes[a].output, passes)), None)
        return node if before is None else maker(before)

    for source, node in edges:
        output = nodes[source].output
        removes = any(fits(output, kind) for kind in nodes[node].removes)
        if not removes and not any(fits(output, kind) for kind in nodes[node].renames):
            continue
        first = maker(source)
        if not removes and not any(change.startswith("+") for change in nodes[first].effect or ()):
            continue
        for other, taker in edges:
            if taker == node or node in below[taker] or (not removes and taker in below[node]):
                continue
            if maker(other) == first and any(fits(nodes[other].output, kind) for kind in nodes[taker].items):
                return True
    return False


class TypeGraph:
    """Which subtask can feed which, and how long the chains are that they make.

    Subtasks are numbered in their order; sets of categories are bit masks over `categories`.

    Args:
        subtasks: at least one; ids are unique.

    Raises:
        ConfigError: there are none, or an id occurs twice.
    """

    def __init__(self, subtasks: Sequence[SubtaskType]) -> None:
        if not subtasks:
            raise ConfigError("there are no subtasks to compose; run omnipilot synth subtasks first")
        if len({one.id for one in subtasks}) < len(subtasks):
            raise ConfigError("two subtasks have the same id; ids name subtasks in graphs, so they are unique")
        self.subtasks = tuple(subtasks)
        self.categories = tuple(dict.fromkeys(one.category for one in subtasks))
        number = {name: at for at, name in enumerate(self.categories)}
        self.bit_of = tuple(1 << number[one.category] for one in subtasks)
        self._category_bits = tuple(dict.fromkeys(self.bit_of))
        self.every_category = (1 << len(self.categories)) - 1
        self.outputs = tuple(dict.fromkeys(one.output for one in subtasks if one.output))
        self._takers = {
            output: tuple(
                at for at, one in enumerate(self.subtasks) if any(fits(output, kind) for _, kind in one.inputs)
            )
            for output in self.outputs
        }
        self._steps = {
            output: tuple(dict.fromkeys((self.subtasks[at].output, self.bit_of[at]) for at in takers))
            for output, takers in self._takers.items()
        }
        self._sets_by_step: dict[tuple[str, int], int] = {}
        for at, one in enumerate(self.subtasks):
            step = (one.output, self.bit_of[at])
            self._sets_by_step[step] = self._sets_by_step.get(step, 0) | 1 << at
        self._taker_sets = {output: sum(1 << at for at in takers) for output, takers in self._takers.items()}
        self._heights: dict[int, tuple[int, ...]] = {}
        self._candidates: dict[tuple[str, int, int, int, int, int], int] = {}
        self._links: dict[tuple[str, int, int, int, int, int, int], int] = {}
        self._coverable: dict[tuple[int, int, int], bool] = {}
        self._places: dict[int, tuple[int, ...]] = {}
        self._both: dict[tuple[str, str], int] = {}
        self._partners: dict[tuple[str, int], int] = {}
        self._most_inputs: dict[int, tuple[int, ...]] = {}
        self._cover: dict[int, ChainCover] = {}
        self._sets: dict[tuple[str, int, int], int] = {}
        self._inputs: dict[tuple[int, str], tuple[int, ...]] = {}

    @cached_property
    def feeds(self) -> tuple[tuple[int, ...], ...]:
        """For each subtask which inputs of each subtask its output fits, as bit masks over the inputs."""
        rows = {
            output: tuple(
                sum(1 << at for at, (_, kind) in enumerate(one.inputs) if fits(output, kind)) for one in self.subtasks
            )
            for output in ("", *self.outputs)
        }
        return tuple(rows[one.output] for one in self.subtasks)

    @cached_property
    def yield_states(self) -> frozenset[int]:
        """Numbers of the subtasks that yield a state."""
        return frozenset(at for at, one in enumerate(self.subtasks) if is_state(one.output))

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Numbers of subtasks by id."""
        return {one.id: at for at, one in enumerate(self.subtasks)}

    def takers(self, output: str) -> tuple[int, ...]:
        """The subtasks with an input that an output of this type fits."""
        return self._takers.get(output, ())

    def inputs_for(self, subtask: int, output: str) -> tuple[int, ...]:
        """Numbers of the inputs of a subtask that an output fits."""
        found = self._inputs.get((subtask, output))
        if found is None:
            found = tuple(at for at, (_, kind) in enumerate(self.subtasks[subtask].inputs) if fits(output, kind))
            self._inputs[subtask, output] = found
        return found

    def most_inputs(self, categories: int, nodes: int, alike: int) -> int:
        """How many inputs so many nodes of these categories have at most, of which so many may be of one subtask."""
        most = self._most_inputs.get(categories)
        if most is None:
            inputs = [
                len(one.inputs)
                for one, bit in zip(self.subtasks, self.bit_of, strict=True)
                if bit & categories
                for _ in range(alike)
            ]
            most = self._most_inputs[categories] = tuple(accumulate(sorted(inputs, reverse=True), initial=0))
        return most[min(nodes, len(most) - 1)]

    def longest(self, categories: int) -> int:
        """The length of the longest chain within a set of categories, at most 16."""
        return max(self.heights(categories))

    def heights(self, categories: int) -> tuple[int, ...]:
        """For each subtask the length of the longest chain that starts with it, within a set of categories, at most 16;
        0 for those outside."""
        if categories not in self._heights:
            inside = [bool(bit & categories) for bit in self.bit_of]
            heights = [int(one) for one in inside]
            for length in range(2, _LONGEST + 1):
                long = {
                    output
                    for output in self.outputs
                    if any(inside[at] and heights[at] >= length - 1 for at in self._takers[output])
                }
                grown = [
                    length if inside[at] and one.output in long else heights[at] for at, one in enumerate(self.subtasks)
                ]
                if grown == heights:
                    break
                heights = grown
            self._heights[categories] = tuple(heights)
        return self._heights[categories]

    def _of_categories(self, categories: int) -> int:
        """The subtasks of some categories, as a bit mask."""
        return self._set(("categories", categories, 0), lambda at: bool(self.bit_of[at] & categories))

    def _of_height(self, categories: int, least: int) -> int:
        """Those with which a chain of this length begins within a set of categories, as a bit mask."""
        heights = self.heights(categories)
        return self._set(("height", categories, least), lambda at: heights[at] >= least)

    def _with_inputs(self, least: int) -> int:
        """Those with so many inputs or more, as a bit mask."""
        return self._set(("inputs", least, 0), lambda at: len(self.subtasks[at].inputs) >= least)

    def _feeding(self, categories: int, inputs: int) -> int:
        """Those from which a subtask of these categories with so many inputs can take, as a bit mask."""
        takers = self._of_categories(categories) & self._with_inputs(inputs)
        fed = {output for output, some in self._taker_sets.items() if some & takers}
        return self._set(("feeding", categories, inputs), lambda at: self.subtasks[at].output in fed)

    def _set(self, key: tuple[str, int, int], belongs: Callable[[int], bool]) -> int:
        found = self._sets.get(key)
        if found is None:
            found = self._sets[key] = sum(1 << at for at in range(len(self.subtasks)) if belongs(at))
        return found

    def candidates(self, output: str, categories: int, within: int, inputs: int, height: int, behind: int = 0) -> int:
        """The subtasks that can stand at a place of a graph, as a bit mask.

        Args:
            output: what one of its inputs must take; "" for a place without predecessors.
            categories: of the graph. within: those that this one may be of.
            inputs: least number of its inputs. height: least length of the chain that starts with it.
            behind: least number of inputs of some subtask that can take from it; 0 if none need to.
        """
        key = (output, categories, within, inputs, height, behind)
        found = self._candidates.get(key)
        if found is None:
            able = self._of_categories(within) & self._of_height(categories, height) & self._with_inputs(inputs)
            if output:
                able &= self._taker_sets.get(output, 0)
            if behind:
                able &= self._feeding(categories, behind)
            found = self._candidates[key] = able
        return found

    def links(
        self, output: str, categories: int, uncovered: int, inputs: int, length: int, spare: int, behind: int = 0
    ) -> int:
        """The subtasks that can be the next link of a chain that still has to cover some categories, as a bit mask.

        Args:
            output: what it takes; "" for the first link. categories: of the graph.
            uncovered: those that have no subtask yet. inputs: least number of its inputs.
            length: links from this one on. spare: how many categories may be left to nodes beside the chain.
            behind: as for `candidates`.
        """
        if uncovered.bit_count() <= spare:
            return self.candidates(output, categories, categories, inputs, length, behind)
        key = (output, categories, uncovered, inputs, length, spare, behind)
        found = self._links.get(key)
        if found is None:
            among = self.candidates(output, categories, categories, inputs, length, behind)
            found = 0
            for next, bit in self._steps[output] if output else self._sets_by_step:
                able = self._sets_by_step[next, bit] & among
                if able and self._covers(next, categories, uncovered & ~bit, length - 1, spare):
                    found |= able
            self._links[key] = found
        return found

    def places(self, subtasks: int) -> tuple[int, ...]:
        """The numbers of the subtasks of a bit mask, ascending."""
        found = self._places.get(subtasks)
        if found is None:
            found = self._places[subtasks] = _places(subtasks)
        return found

    def takers_of_both(self, output: str, other: str) -> int:
        """The subtasks that can take two outputs at once, each by an input of its own, as a bit mask."""
        key = (output, other)
        found = self._both.get(key)
        if found is None:
            some = self._taker_sets.get(output, 0) & self._taker_sets.get(other, 0) & self._with_inputs(2)
            found = self._both[key] = sum(
                1 << at
                for at in self.places(some)
                if len({*self.inputs_for(at, output), *self.inputs_for(at, other)}) > 1
            )
        return found

    def partners(self, output: str, categories: int) -> int:
        """The subtasks from which and from another one that yields this output some subtask of these categories can
        take at once, as a bit mask."""
        key = (output, categories)
        found = self._partners.get(key)
        if found is None:
            among = self._of_categories(categories)
            able = {other for other in self.outputs if self.takers_of_both(output, other) & among}
            found = self._partners[key] = sum(1 << at for at, one in enumerate(self.subtasks) if one.output in able)
        return found

    def beside(self, output: str, categories: int, uncovered: int, length: int, spare: int) -> int:
        """The categories that a node beside a chain can be of, so that all are covered in the end.

        Args:
            output: of the chain's last node. categories: of the graph. uncovered: those that have no subtask yet.
            length: links that follow in the chain. spare: nodes that follow beside it.
        """
        if self._covers(output, categories, uncovered, length, spare):
            return categories
        return sum(
            bit
            for bit in self._category_bits
            if bit & uncovered and self._covers(output, categories, uncovered & ~bit, length, spare)
        )

    def chain_covers(self, categories: int, length: int, spare: int) -> bool:
        """Whether a chain of this length within a set of categories leaves at most `spare` of them uncovered."""
        key = (categories, length, spare)
        found = self._coverable.get(key)
        if found is None:
            high = self._of_height(categories, length)
            found = any(
                some & high and self._covers(next, categories, categories & ~bit, length - 1, spare)
                for (next, bit), some in self._sets_by_step.items()
            )
            self._coverable[key] = found
        return found

    def _covers(self, output: str, categories: int, uncovered: int, length: int, spare: int) -> bool:
        """Whether a chain of this length behind an output, if there is one, can leave at most `spare` categories
        uncovered."""
        missing = uncovered.bit_count()
        if missing <= spare:
            return True
        if missing > length + spare or not output:
            return False
        cover = self._cover.get(categories)
        if cover is None:
            cover = self._cover[categories] = ChainCover(self._steps, categories)
        return cover.leaves(output, length, uncovered, spare)


def _places(mask: int) -> tuple[int, ...]:
    """The places of the ones of a number, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)


_LONGEST = 16
