"""Draws graphs that meet a request exactly: levels first, then subtasks whose types fit, then edges (see `cells`).

Content is drawn only when a task is instantiated, so composing is a matter of types: thousands of graphs a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from random import Random

from omnipilot.bench.suites.pool.compose.aims import TRIES_IN_VAIN, Aim
from omnipilot.bench.suites.pool.compose.cells import (
    LARGEST,
    MOST_NODES,
    GraphRequest,
    GraphShape,
    cell_request,
    explain_impossible,
    figures_of,
    possible_cells,
)
from omnipilot.bench.suites.pool.compose.drawing import MOST_ALIKE, GraphDrawing
from omnipilot.bench.suites.pool.compose.drawn_graph import DrawnGraph, descendants, graph_joins, graph_key, renumber
from omnipilot.bench.suites.pool.compose.subtask_types import (
    SubtaskType,
    TypeGraph,
    is_state,
    loses_an_item,
    takes_away,
)
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError

_TIRED = 2.5
"""How many times the mean a subtask may be used before others that fit are preferred."""
_REST_EVERY = 64
"""Graphs after which it is looked at anew which these are."""
_MOST_SETS, _ENOUGH_SETS = 48, 16
"""How many sets of categories of one size are looked at, unless fewer than so many of them fit."""
_TRIES_OF_A_SET = 24
"""Attempts without any graph after which a set of categories is given up for graphs like these, if there are others."""
_TRIES_OF_A_CELL = 300
"""The same for one of many cells, of which the others make up for what it lacks, once it had some."""


@dataclass(frozen=True, slots=True)
class Survivors:
    """What became of the attempts.

    Attributes:
        graphs: how many came out. attempts: how many were begun.
        dropped: why the others did not: reason → number.
        used_up: requests that ran out of new graphs, in words.
    """

    graphs: int
    attempts: int
    dropped: Mapping[str, int]
    used_up: tuple[str, ...] = ()


@dataclass
class Composer:
    """Draws graphs over the subtasks of a pool; no two of them are the same up to numbering.

    Args:
        types: the subtasks.
        seed: of all choices.
        conflicts: what does not go together.
        known: keys of graphs that exist already.
        most_nodes: of the largest graphs, where a request does not say.
    """

    types: TypeGraph
    seed: int = 0
    conflicts: Collection[Conflict] = ()
    known: Collection[str] = ()
    most_nodes: int = MOST_NODES
    use: list[int] = field(init=False)
    dropped: Counter[str] = field(init=False, default_factory=Counter)
    attempts: int = field(init=False, default=0)
    used_up: list[str] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._random = Random(seed_of("compose", self.seed))
        self._seen = set(self.known)
        self._beside: set[tuple[str, str]] = set()
        self._forks: set[tuple[str, str]] = set()
        self._behind: set[tuple[str, str]] = set()
        self._joins: set[tuple[str, str]] = set()
        self._late: set[str] = set()
        self._touchy: set[str] = set()
        for one in self.conflicts:
            self._keep_apart(one)
        if useless := {one.first for one in self.conflicts if one.how == "alone"}:
            self.types = TypeGraph([one for one in self.types.subtasks if one.id not in useless])
        self.use = [0] * len(self.types.subtasks)
        self._tired: frozenset[int] = frozenset()
        self._takers_away = {one.id for one in self.types.subtasks if one.removes or one.renames}
        self._late_numbers = frozenset(at for at, one in enumerate(self.types.subtasks) if one.id in self._late)
        self._use_of_category = {bit: [0, self.types.bit_of.count(bit)] for bit in dict.fromkeys(self.types.bit_of)}
        self._some_sets: dict[int, list[int]] = {}
        self._sets: dict[tuple[int, int, int, int, int], dict[int, int]] = {}

    def graphs(self, count: int, request: GraphRequest | None = None) -> Iterator[GraphRecord]:
        """So many graphs that meet the request; without one, spread evenly over all cells that the subtasks reach.

        Fewer come where there are no more: `survivors` says of what.

        Raises:
            ConfigError: no graph can meet the request; the message names the inequality, or what the subtasks lack.
        """
        if request is not None:
            yield from self._of_request(count, Aim(request, len(self.types.categories)))
            return
        aims = []
        for cell in possible_cells(min(self.most_nodes, LARGEST)):
            wanted = cell_request(cell, self.most_nodes)
            if self.explain(wanted):
                self.used_up.append(f"{wanted.name}: {self.explain(wanted)}")
            else:
                aims.append(Aim(wanted, len(self.types.categories)))
        while count > 0 and aims:
            shares = [count // len(aims) + (at < count % len(aims)) for at in range(len(aims))]
            for aim, share in zip(list(aims), shares, strict=True):
                came = 0
                for graph in self._of_request(share, aim, _TRIES_OF_A_CELL):
                    yield graph
                    came += 1
                count -= came
                if came < share:
                    aims.remove(aim)

    def learn(self, conflicts: Iterable[Conflict]) -> list[Conflict]:
        """Do without what turned out not to go together; returns what was new of it. What fails by itself stays."""
        known = {(one.first, one.second, one.how) for one in self.conflicts}
        new = {(one.first, one.second, one.how): one for one in conflicts if one.how != "alone"}
        found = [one for key, one in new.items() if key not in known]
        for one in found:
            self._keep_apart(one)
        self.conflicts = [*self.conflicts, *found]
        return found

    def _keep_apart(self, one: Conflict) -> None:
        pair = (one.first, one.second)
        if one.how == "alone":
            return
        if one.how == "late":
            self._late.add(one.first)
        else:
            sets = {"beside": self._beside, "fork": self._forks, "behind": self._behind, "join": self._joins}
            sets[one.how].add(pair)
            if one.how in ("beside", "fork"):
                sets[one.how].add((one.second, one.first))
        if one.how != "join":
            self._touchy.update(pair)

    def explain(self, request: GraphRequest) -> str:
        """Why no graph can meet a request: the inequality that forbids it, or what the subtasks lack; "" where none is
        known."""
        if reason := explain_impossible(request):
            return reason
        types = self.types
        least = {name: low for name, (low, _) in request.ranges.items()}
        if least["knowledge"] > len(types.categories):
            return (
                f"categories ≤ {len(types.categories)}: the subtasks are of no more ({', '.join(types.categories)}), "
                f"but {least['knowledge']} are asked for"
            )
        longest = types.longest(types.every_category)
        if least["hierarchy"] > longest:
            return f"depth ≤ {longest}: {self._missing_type(longest)}, but depth {least['hierarchy']} is asked for"
        most = request.ranges["knowledge"][1]
        if least["hierarchy"] > 1 and not any(
            types.longest(some) >= least["hierarchy"]
            for size in range(1, min(most, len(types.categories)) + 1)
            for some in _sets_of(len(types.categories), size)
        ):
            return (
                f"no chain of {least['hierarchy']} subtasks stays within {most} "
                f"{'category' if most == 1 else 'categories'}: more subtasks that take and yield are needed"
            )
        inputs = sorted((len(one.inputs) for one in types.subtasks), reverse=True)[:1]
        nodes = request.ranges["instruction"][1]
        if least["dependency"] > (nodes - 1) * inputs[0]:
            return (
                f"edges ≤ {(nodes - 1) * inputs[0]}: {nodes} nodes with at most {inputs[0]} inputs each take no more, "
                f"but {least['dependency']} are asked for"
            )
        return ""

    def survivors(self) -> Survivors:
        """What became of the attempts so far."""
        return Survivors(len(self._seen) - len(set(self.known)), self.attempts, dict(self.dropped), tuple(self.used_up))

    def _missing_type(self, longest: int) -> str:
        heights = self.types.heights(self.types.every_category)
        level = {
            one.output for at, one in enumerate(self.types.subtasks) if heights[at] == 1 and one.output and one.inputs
        }
        if not level:
            return "no subtask both takes what another yields and yields something itself"
        return f"no subtask takes {' or '.join(sorted(level))}, which chains of {longest} end in"

    def _category_sets(self, size: int, depth: int, spare: int, takers: int, edges: int) -> dict[int, int]:
        """Sets of so many categories that a chain of this length covers but for `spare` ones, and of which so many
        takers have inputs for all edges; for each the attempts in vain, -1 once one was not.

        Of each size the same few are taken as long as enough of them fit, since what can follow is worked out for each
        set anew.
        """
        key = (size, depth, spare, takers, edges)
        if key not in self._sets:
            if size not in self._some_sets:
                every = _sets_of(len(self.types.categories), size)
                self._some_sets[size] = self._random.sample(every, len(every))
            able: list[int] = []
            for at, mask in enumerate(self._some_sets[size]):
                if len(able) >= (_MOST_SETS if at < _MOST_SETS else _ENOUGH_SETS):
                    break
                if self.types.most_inputs(mask, takers, MOST_ALIKE) >= edges and self.types.chain_covers(
                    mask, depth, spare
                ):
                    able.append(mask)
            self._sets[key] = dict.fromkeys(able, 0)
        return self._sets[key]

    def _categories(self, sets: Mapping[int, int]) -> int:
        """Of two of these sets of categories the one whose subtasks were used less."""
        random, load = self._random.random, self._load
        among = list(sets)
        one, other = among[int(random() * len(among))], among[int(random() * len(among))]
        if one == other:
            return one
        return one if load(one) <= load(other) else other

    def _load(self, categories: int) -> float:
        """How often each subtask of a set of categories was used on average."""
        used = held = 0
        for bit, (count, many) in self._use_of_category.items():
            if bit & categories:
                used += count
                held += many
        return used / held

    def _of_request(self, count: int, aim: Aim, most_in_vain: int = TRIES_IN_VAIN) -> Iterator[GraphRecord]:
        reason = self.explain(aim.request)
        if reason:
            raise ConfigError(f"no graph can be {aim.request.name or 'as asked for'}: {reason}")
        in_vain = came = 0
        while came < count:
            shape = aim.draw(self._random)
            if shape is None or in_vain >= (most_in_vain if aim.came else TRIES_IN_VAIN):
                self.used_up.append(f"{aim.request.name or 'the request'}: no new graph in {in_vain} attempts")
                if not came and not aim.came:
                    why = ", ".join(f"{reason} ({number})" for reason, number in aim.dropped.most_common(3))
                    raise ConfigError(
                        f"no graph was found for {aim.request.name or 'the request'} in {aim.attempts} attempts: "
                        f"{why}; more subtasks that take and yield would help"
                    )
                return
            self.attempts += 1
            drawn = self._draw(shape)
            record = self._record(shape, drawn) if isinstance(drawn, DrawnGraph) else drawn
            if isinstance(record, str):
                self.dropped[record] += 1
                aim.drop(shape, record)
                in_vain += 1
                continue
            aim.keep(shape)
            in_vain = 0
            came += 1
            yield record

    def _record(self, shape: GraphShape, drawn: DrawnGraph) -> GraphRecord | str:
        edges = drawn.edges
        key = graph_key(drawn.labels, edges)
        if key in self._seen:
            return "there already"
        if reason := self.conflict(drawn.labels, edges):
            return reason
        self._seen.add(key)
        if not len(self._seen) % _REST_EVERY:
            most = _TIRED * sum(self.use) / len(self.use)
            self._tired = frozenset(at for at, count in enumerate(self.use) if count > most)
        for label in drawn.labels:
            number = self.types.number_of[label]
            self.use[number] += 1
            self._use_of_category[self.types.bit_of[number]][0] += 1
        graph = renumber(drawn)
        return GraphRecord(
            id=key[:12],
            subtasks=graph.labels,
            joins=graph_joins(graph),
            edges=graph.edges,
            figures=figures_of(shape),
            capabilities=_capabilities_of(shape),
            key=key,
            seed=seed_of(self.seed, key),
        )

    def _draw(self, shape: GraphShape) -> DrawnGraph | str:
        """A graph of this shape, or why there is none this time."""
        takers = sum(shape.levels[1:])
        spare = sum(shape.levels) - len(shape.levels)
        sets = self._category_sets(shape.categories, len(shape.levels), spare, takers, shape.edges)
        if not sets:
            return "no chain is long enough within so few categories, or they take too little"
        categories = self._categories(sets)
        drawing = GraphDrawing(self.types, shape, categories, self._random, self.use, self._tired, self._late_numbers)
        drawn = drawing.draw()
        if isinstance(drawn, DrawnGraph):
            sets[categories] = -1
        elif sets[categories] >= 0:
            sets[categories] += 1
            if sets[categories] >= _TRIES_OF_A_SET and len(sets) > 1:
                del sets[categories]
        return drawn

    def conflict(self, labels: Sequence[str], edges: Sequence[tuple[int, int]]) -> str:
        """Why two nodes of a graph do not go together; "" if all do."""
        if does_one_thing_twice(labels, edges):
            return "two nodes would do the same"
        if any((labels[source], labels[node]) in self._joins for source, node in edges):
            return "a known conflict"
        touchy = not self._touchy.isdisjoint(labels)
        has_states = any(self.types.number_of.get(labels[source]) in self.types.yield_states for source, _ in edges)
        loses = any(label in self._takers_away for label in labels)
        if not touchy and not has_states and not loses:
            return ""
        below = descendants(len(labels), edges)
        if loses and loses_an_item(self._types_of(labels), edges, below):
            return "an item would be gone before it is used"
        if touchy and (reason := self._apart(labels, edges, below)):
            return reason
        return self._lost_state(labels, edges, below) if has_states else ""

    def _apart(self, labels: Sequence[str], edges: Sequence[tuple[int, int]], below: Sequence[set[int]]) -> str:
        if self._late and any(
            labels[node] in self._late
            and sum(node in after for after in below) > len({a for a, b in edges if b == node})
            for node in range(len(labels))
        ):
            return "something that does not wait would come too late"
        for first, label in enumerate(labels):
            for second, other in enumerate(labels):
                if second in below[first]:
                    if (label, other) in self._behind:
                        return "a known conflict"
                    continue
                if second <= first or first in below[second]:
                    continue
                if label in self._late or other in self._late:
                    return "something that does not wait would come too late"
                forked = (label, other) in self._forks and any(first in after and second in after for after in below)
                if forked or (label, other) in self._beside:
                    return "a known conflict"
        return ""

    def _types_of(self, labels: Sequence[str]) -> list[SubtaskType]:
        numbers = self.types.number_of
        return [self.types.subtasks[numbers[one]] if one in numbers else SubtaskType(one) for one in labels]

    def _lost_state(self, labels: Sequence[str], edges: Sequence[tuple[int, int]], below: Sequence[set[int]]) -> str:
        kinds = self._types_of(labels)
        for source, node in edges:
            if not is_state(kinds[source].output):
                continue
            for other in range(len(labels)):
                if other in (source, node) or source in below[other] or other in below[node]:
                    continue
                if takes_away(kinds[other], kinds[source]):
                    return "a state would be lost before it is used"
        return ""


def does_one_thing_twice(labels: Sequence[str], edges: Sequence[tuple[int, int]]) -> bool:
    """Whether a graph has one subtask twice, and both take something from the same node: a folder made once more."""
    if len(set(labels)) == len(labels):
        return False
    taking = [(source, labels[node]) for source, node in edges]
    return len(set(taking)) < len(taking)


@cache
def _sets_of(many: int, size: int) -> tuple[int, ...]:
    """All sets of so many of the categories, as bit masks."""
    return tuple(sum(chosen) for chosen in combinations([1 << at for at in range(many)], size))


@cache
def _capabilities_of(shape: GraphShape) -> tuple[str, ...]:
    return shape.complexity().capabilities()
