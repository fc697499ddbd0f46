"""What composing needs to know of a subtask: types, category, device, and what it takes away from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from omnipilot.bench.suites.duet.about import CATEGORIES
from omnipilot.bench.suites.pool.records import SubtaskRecord
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
    """

    id: str
    inputs: tuple[tuple[str, str], ...] = ()
    output: str = ""
    category: str = ""
    app: str = ""
    env: str = ""
    effect: tuple[str, ...] | None = None


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
    return SubtaskType(
        record.id,
        tuple(record.inputs.items()),
        record.output_resources[0] if record.output_resources else "",
        category_of(record),
        record.application,
        record.env,
        tuple(record.effect) if record.effect or not record.made_by.startswith("hand:") else None,
    )


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
        self._lengths: dict[int, dict[str, int]] = {}
        self._heights: dict[int, tuple[int, ...]] = {}
        self._candidates: dict[tuple[str, int, int, int, int], tuple[int, ...]] = {}
        self._links: dict[tuple[str, int, int, int, int, int], tuple[int, ...]] = {}
        self._coverable: dict[tuple[int, int, int], bool] = {}
        self._within: dict[tuple[str, int, int], list[tuple[str, int]]] = {}
        self._uncovered: dict[tuple[str, int, int, int], int] = {}
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

    def _behind(self, categories: int) -> dict[str, int]:
        """For each output the length of the longest chain that can stand behind it."""
        found = self._lengths.get(categories)
        if found is None:
            heights = self.heights(categories)
            found = {output: max((heights[at] for at in takers), default=0) for output, takers in self._takers.items()}
            self._lengths[categories] = found
        return found

    def candidates(self, output: str, categories: int, within: int, inputs: int, height: int) -> tuple[int, ...]:
        """The subtasks that can stand at a place of a graph.

        Args:
            output: what one of its inputs must take; "" for a place without predecessors.
            categories: of the graph. within: those that this one may be of.
            inputs: least number of its inputs. height: least length of the chain that starts with it.
        """
        key = (output, categories, within, inputs, height)
        found = self._candidates.get(key)
        if found is None:
            heights = self.heights(categories)
            among = self.takers(output) if output else range(len(self.subtasks))
            found = tuple(
                at
                for at in among
                if self.bit_of[at] & within and heights[at] >= height and len(self.subtasks[at].inputs) >= inputs
            )
            self._candidates[key] = found
        return found

    def links(
        self, output: str, categories: int, uncovered: int, inputs: int, length: int, spare: int
    ) -> tuple[int, ...]:
        """The subtasks that can be the next link of a chain that still has to cover some categories.

        Args:
            output: what it takes; "" for the first link. categories: of the graph.
            uncovered: those that have no subtask yet. inputs: least number of its inputs.
            length: links from this one on. spare: how many categories may be left to nodes beside the chain.
        """
        if uncovered.bit_count() <= spare:
            return self.candidates(output, categories, categories, inputs, length)
        key = (output, categories, uncovered, inputs, length, spare)
        found = self._links.get(key)
        if found is None:
            able: dict[tuple[str, int], bool] = {}
            chosen = []
            for at in self.candidates(output, categories, categories, inputs, length):
                step = (self.subtasks[at].output, self.bit_of[at])
                if step not in able:
                    able[step] = self._covers(step[0], categories, uncovered & ~step[1], length - 1, spare)
                if able[step]:
                    chosen.append(at)
            found = tuple(chosen)
            self._links[key] = found
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
            heights = self.heights(categories)
            firsts = dict.fromkeys(
                (one.output, bit)
                for one, bit, height in zip(self.subtasks, self.bit_of, heights, strict=True)
                if height >= length
            )
            found = any(self._covers(next, categories, categories & ~bit, length - 1, spare) for next, bit in firsts)
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
        return self._least_uncovered(output, categories, uncovered, length) <= spare

    def _least_uncovered(self, output: str, categories: int, uncovered: int, length: int) -> int:
        """How many categories a chain of this length behind an output leaves uncovered at least."""
        if not length or not uncovered:
            return uncovered.bit_count()
        key = (output, categories, uncovered, length)
        found = self._uncovered.get(key)
        if found is None:
            steps = self._steps_within(output, categories, length)
            found = uncovered.bit_count()
            for wanted in (True, False):  # those that cover something first: seldom do others do better
                bound = max(0, uncovered.bit_count() - length + (not wanted))
                for next, bit in steps:
                    if found <= bound:
                        break
                    if bool(bit & uncovered) is wanted:
                        found = min(found, self._least_uncovered(next, categories, uncovered & ~bit, length - 1))
            self._uncovered[key] = found
        return found

    def _steps_within(self, output: str, categories: int, length: int) -> list[tuple[str, int]]:
        """The outputs and categories of those that can take an output and begin a chain of this length."""
        key = (output, categories, length)
        found = self._within.get(key)
        if found is None:
            behind = self._behind(categories)
            found = [
                (next, bit)
                for next, bit in self._steps[output]
                if bit & categories and (length == 1 or behind.get(next, 0) >= length - 1)
            ]
            self._within[key] = found
        return found


_LONGEST = 16
