"""Draws graphs that meet a request exactly: levels first, then subtasks whose types fit, then edges (see `cells`).

Content is drawn only when a task is instantiated, so composing is a matter of types: thousands of graphs a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, combinations
from random import Random

from omnipilot.bench.suites.pool.compose.cells import (
    LARGEST,
    MOST_NODES,
    GraphRequest,
    GraphShape,
    cell_request,
    explain_impossible,
    possible_cells,
    shapes,
)
from omnipilot.bench.suites.pool.compose.drawn_graph import DrawnGraph, descendants, graph_joins, graph_key, renumber
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph, is_state, takes_away
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError

MOST_ALIKE = 2
"""How often one subtask may occur in a graph, with other content each time."""
_NONE: frozenset[int] = frozenset()
_CHOICES = 3
"""How many subtasks that fit are looked at, to take the one that was used least."""
_MOST_SETS, _ENOUGH_SETS = 48, 16
"""How many sets of categories of one size are looked at, unless fewer than so many of them fit."""
_TRIES_IN_VAIN = 3000
"""Attempts in a row without a new graph after which a request counts as used up."""
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
        self._beside = {pair for one in self.conflicts for pair in _pairs(one) if one.how == "beside"}
        self._forks = {pair for one in self.conflicts for pair in _pairs(one) if one.how == "fork"}
        self._behind = {(one.first, one.second) for one in self.conflicts if one.how == "behind"}
        self._joins = {(one.first, one.second) for one in self.conflicts if one.how == "join"}
        self._late = {one.first for one in self.conflicts if one.how == "late"}
        if useless := {one.first for one in self.conflicts if one.how == "alone"}:
            self.types = TypeGraph([one for one in self.types.subtasks if one.id not in useless])
        self.use = [0] * len(self.types.subtasks)
        self._late_numbers = frozenset(at for at, one in enumerate(self.types.subtasks) if one.id in self._late)
        self._has_states = bool(self.types.yield_states)
        self._use_of_category = {bit: [0, self.types.bit_of.count(bit)] for bit in dict.fromkeys(self.types.bit_of)}
        self._some_sets: dict[int, list[int]] = {}
        self._sets: dict[tuple[int, int, int, int, int], tuple[int, ...]] = {}
        self._inputs: dict[int, tuple[int, ...]] = {}

    def graphs(self, count: int, request: GraphRequest | None = None) -> Iterator[GraphRecord]:
        """So many graphs that meet the request; without one, spread evenly over all cells that the subtasks reach.

        Fewer come where there are no more: `survivors` says of what.

        Raises:
            ConfigError: no graph can meet the request; the message names the inequality, or what the subtasks lack.
        """
        if request is not None:
            yield from self._of_request(count, _Aim(self, request))
            return
        aims = []
        for cell in possible_cells(min(self.most_nodes, LARGEST)):
            wanted = cell_request(cell, self.most_nodes)
            if self.explain(wanted):
                self.used_up.append(f"{wanted.name}: {self.explain(wanted)}")
            else:
                aims.append(_Aim(self, wanted))
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

    def learn(self, conflicts: Iterable[Conflict]) -> None:
        """Do without joins that turned out to have no content."""
        new = [one for one in conflicts if (one.first, one.second) not in self._joins]
        self.conflicts = [*self.conflicts, *new]
        self._joins |= {(one.first, one.second) for one in new}

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

    def _category_sets(self, size: int, depth: int, spare: int, takers: int, edges: int) -> tuple[int, ...]:
        """Sets of so many categories that a chain of this length covers but for `spare` ones, and of which so many
        takers have inputs for all edges.

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
                if self._most_edges(mask, takers) >= edges and self.types.chain_covers(mask, depth, spare):
                    able.append(mask)
            self._sets[key] = tuple(able)
        return self._sets[key]

    def _most_edges(self, categories: int, takers: int) -> int:
        """How many edges so many nodes of these categories take at most."""
        if categories not in self._inputs:
            inputs = [
                len(one.inputs)
                for one, bit in zip(self.types.subtasks, self.types.bit_of, strict=True)
                if bit & categories
                for _ in range(MOST_ALIKE)
            ]
            self._inputs[categories] = tuple(accumulate(sorted(inputs, reverse=True), initial=0))
        most = self._inputs[categories]
        return most[min(takers, len(most) - 1)]

    def _categories(self, sets: Sequence[int]) -> int:
        """Of two of these sets of categories the one whose subtasks were used less."""
        random, load = self._random.random, self._load
        one, other = sets[int(random() * len(sets))], sets[int(random() * len(sets))]
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

    def _of_request(self, count: int, aim: _Aim, most_in_vain: int = _TRIES_IN_VAIN) -> Iterator[GraphRecord]:
        reason = self.explain(aim.request)
        if reason:
            raise ConfigError(f"no graph can be {aim.request.name or 'as asked for'}: {reason}")
        in_vain = came = 0
        while came < count:
            shape = aim.draw(self._random)
            if shape is None or in_vain >= (most_in_vain if aim.came else _TRIES_IN_VAIN):
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
            figures=_figures_of(shape),
            capabilities=_capabilities_of(shape),
            key=key,
            seed=seed_of(self.seed, key),
        )

    def _draw(self, shape: GraphShape) -> DrawnGraph | str:
        """A graph of this shape, or why there is none this time.

        The first node of each level makes a chain through all of them; the others hang on any node of the level before.
        """
        types = self.types
        depth, left = len(shape.levels), sum(shape.levels)
        spare = left - depth
        sets = self._category_sets(shape.categories, depth, spare, left - shape.levels[0], shape.edges)
        if not sets:
            return "no chain is long enough within so few categories, or they take too little"
        categories = uncovered = self._categories(sets)
        extra = shape.edges - (left - shape.levels[0])
        drawing = _Drawing(types, self._random)
        nodes = drawing.nodes
        begin = behind = 0
        for level, size in enumerate(shape.levels):
            behind, begin = begin, len(nodes)
            before = [types.feeds[one] for one in nodes if types.subtasks[one].output] if extra else []
            barred = self._late_numbers if size > 1 else _NONE
            for place in range(size):
                wanted = -(-extra // left) if level else 0
                if place:
                    spare -= 1
                    link = types.subtasks[nodes[begin]].output
                    within = types.beside(link, categories, uncovered, depth - level - 1, spare)
                    if not level or self._random.random() * left < uncovered.bit_count():
                        within = within & uncovered or within
                    height = 2 if extra and level < depth - 1 else 1
                chosen: int | None = None
                for source in drawing.sources(behind, begin, chain=not place) if level else (None,):
                    output = "" if source is None else types.subtasks[nodes[source]].output
                    least = 0 if source is None else 1
                    for inputs in range(least + wanted, least - 1, -1):
                        if place:
                            fitting = types.candidates(output, categories, within, inputs, height)
                        else:
                            fitting = types.links(output, categories, uncovered, inputs, depth - level, spare)
                        chosen = self._choose(fitting, drawing, source, before, barred)
                        if chosen is not None:
                            break
                    if chosen is None and place:
                        fitting = types.candidates(output, categories, within, 0, 1)
                        chosen = self._choose(fitting, drawing, source, (), barred)
                    if chosen is not None:
                        break
                if chosen is None:
                    return "no subtask takes what is there with so much to follow"
                drawing.add(chosen, source)
                left -= 1
                uncovered &= ~types.bit_of[chosen]
                if level and extra:
                    extra -= drawing.join_more(len(nodes) - 1, begin, min(extra, wanted))
        if extra:
            extra -= drawing.join_anywhere(shape.levels, extra)
        if extra:
            return "there are not enough inputs for so many edges"
        return drawing.graph()

    def _choose(
        self,
        fitting: Sequence[int],
        drawing: _Drawing,
        source: int | None,
        before: Sequence[Sequence[int]],
        barred: frozenset[int],
    ) -> int | None:
        """Of a few subtasks that fit here the one that can take most from the nodes before, and was used least; where
        none of these may stand here, the least used one of all that may; None if there is none.

        Args:
            source: the node that it takes from. before: of each node before that yields something, which inputs of each
                subtask it feeds.
            barred: subtasks that may not stand here.
        """
        many = len(fitting)
        if not many:
            return None
        random, use, nodes, pairs = self._random.random, self.use, drawing.nodes, drawing.pairs
        best, most, least = None, -1, 0
        for _ in range(min(many, _CHOICES)):
            one = fitting[int(random() * many)]
            if one == best or one in barred or (source, one) in pairs or nodes.count(one) >= MOST_ALIKE:
                continue
            able = 0
            if before:
                sources = fed = 0
                for feeds in before:
                    if inputs := feeds[one]:
                        sources += 1
                        fed |= inputs
                able = min(sources, fed.bit_count())
            if able > most or (able == most and use[one] < least):
                best, most, least = one, able, use[one]
        if best is None:
            others = [
                one
                for one in fitting
                if one not in barred and (source, one) not in pairs and nodes.count(one) < MOST_ALIKE
            ]
            return min(others, key=use.__getitem__, default=None)
        return best

    def conflict(self, labels: Sequence[str], edges: Sequence[tuple[int, int]]) -> str:
        """Why two nodes of a graph do not go together; "" if all do."""
        if does_one_thing_twice(labels, edges):
            return "two nodes would do the same"
        if not self.conflicts and not self._has_states:
            return ""
        below = descendants(len(labels), edges)
        if any((labels[source], labels[node]) in self._joins for source, node in edges):
            return "a known conflict"
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
        if self._has_states:
            return self._lost_state(labels, edges, below)
        return ""

    def _lost_state(self, labels: Sequence[str], edges: Sequence[tuple[int, int]], below: Sequence[set[int]]) -> str:
        kinds = [self.types.subtasks[self.types.number_of[label]] for label in labels]
        for source, node in edges:
            if not is_state(kinds[source].output):
                continue
            for other in range(len(labels)):
                if other in (source, node) or source in below[other] or other in below[node]:
                    continue
                if takes_away(kinds[other], kinds[source]):
                    return "a state would be lost before it is used"
        return ""


class _Drawing:
    """A graph that is being drawn, level by level.

    Attributes:
        nodes: numbers of the subtasks. joins: (node, number of its input, source).
        pairs: a node, and a subtask that takes something from it, which no other node of that subtask may do again.
    """

    def __init__(self, types: TypeGraph, random: Random) -> None:
        self.nodes: list[int] = []
        self.joins: list[tuple[int, int, int]] = []
        self.pairs: set[tuple[int | None, int]] = set()
        self._types, self._random = types, random
        self._free: list[int] = []
        self._spent: set[int] = set()

    def add(self, subtask: int, source: int | None) -> None:
        """Add a node that takes something from another one, or nothing yet."""
        self.nodes.append(subtask)
        self._free.append((1 << len(self._types.subtasks[subtask].inputs)) - 1)
        if source is not None:
            self._join(len(self.nodes) - 1, source)

    def sources(self, begin: int, end: int, *, chain: bool) -> Sequence[int]:
        """Nodes of a level whose outputs can still be taken, in random order; of a chain its last one alone."""
        if chain:
            return (begin,)
        subtasks, takers = self._types.subtasks, self._types.takers
        able = [
            node for node in range(begin, end) if node not in self._spent and takers(subtasks[self.nodes[node]].output)
        ]
        if len(able) > 1:
            self._random.shuffle(able)
        return able

    def join_more(self, node: int, before: int, most: int) -> int:
        """Join free inputs of a node with nodes that stand before a number, at most so many; returns how many."""
        if most <= 0 or not self._free[node]:
            return 0
        able = [other for other in range(before) if self._can_join(node, other)]
        if len(able) > 1:
            self._random.shuffle(able)
        done = 0
        for other in able:
            if done >= most:
                break
            if self._can_join(node, other):
                self._join(node, other)
                done += 1
        return done

    def join_anywhere(self, levels: Sequence[int], most: int) -> int:
        """Join free inputs of any nodes with nodes of lower levels until so many edges were added; returns how many."""
        starts = [
            start for size, start in zip(levels, accumulate(levels, initial=0), strict=False) for _ in range(size)
        ]
        order = list(range(levels[0], len(self.nodes)))
        self._random.shuffle(order)
        done = 0
        for node in order:
            if done >= most:
                break
            done += self.join_more(node, starts[node], most - done)
        return done

    def graph(self) -> DrawnGraph:
        """What was drawn."""
        subtasks = [self._types.subtasks[one] for one in self.nodes]
        return DrawnGraph(
            tuple([one.id for one in subtasks]),
            tuple([(node, subtasks[node].inputs[at][0], source) for node, at, source in self.joins]),
        )

    def _can_join(self, node: int, source: int) -> bool:
        subtask = self.nodes[node]
        fitting = self._types.feeds[self.nodes[source]][subtask] & self._free[node]
        return bool(fitting) and source not in self._spent and (source, subtask) not in self.pairs

    def _join(self, node: int, source: int) -> None:
        """Join a free input of a node, any that fits."""
        subtask, provider = self.nodes[node], self.nodes[source]
        fitting = _bits(self._types.feeds[provider][subtask] & self._free[node])
        at = fitting[int(self._random.random() * len(fitting))]
        self.joins.append((node, at, source))
        self.pairs.add((source, subtask))
        self._free[node] &= ~(1 << at)
        if provider in self._types.yield_states:
            self._spent.add(source)


@cache
def _bits(mask: int) -> tuple[int, ...]:
    """The places of the ones of a number."""
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


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


def _pairs(conflict: Conflict) -> tuple[tuple[str, str], tuple[str, str]]:
    return (conflict.first, conflict.second), (conflict.second, conflict.first)


@cache
def _figures_of(shape: GraphShape) -> Mapping[str, int]:
    return shape.complexity().figures()


@cache
def _capabilities_of(shape: GraphShape) -> tuple[str, ...]:
    return shape.complexity().capabilities()


@dataclass(slots=True)
class _Figures:
    """Shapes with equal figures, and how drawing them went."""

    shapes: list[GraphShape]
    weight: float
    attempts: int = 0
    kept: int = 0


class _Aim:
    """A request, and which shapes meet it.

    Small graphs come more often than large ones, and figures that seldom work less often than others; figures that
    never work are given up.
    """

    def __init__(self, composer: Composer, request: GraphRequest) -> None:
        by_figures: dict[tuple[int, ...], list[GraphShape]] = {}
        for shape in shapes(request):
            if shape.categories <= len(composer.types.categories):
                by_figures.setdefault(tuple(_figures_of(shape).values()), []).append(shape)
        least_nodes = min((figures[1] for figures in by_figures), default=0)
        least_edges = min((figures[0] for figures in by_figures), default=0)
        self.request = request
        self.dropped: Counter[str] = Counter()
        self.attempts = 0
        self.came = 0
        self._figures = {
            shape: group
            for figures, among in by_figures.items()
            for group in (
                _Figures(among, _SMALLER ** (figures[1] - least_nodes) * _FEWER ** (figures[0] - least_edges)),
            )
            for shape in among
        }
        self._groups = list({id(group): group for group in self._figures.values()}.values())
        self._weigh()

    def draw(self, random: Random) -> GraphShape | None:
        """A shape, or None when all were given up."""
        if not self._groups:
            return None
        if not self.attempts % _WEIGH_EVERY:
            self._weigh()
        group = random.choices(self._groups, cum_weights=self._weights)[0]
        self.attempts += 1
        group.attempts += 1
        return group.shapes[int(random.random() * len(group.shapes))]

    def keep(self, shape: GraphShape) -> None:
        """Note that a shape worked."""
        self.came += 1
        self._figures[shape].kept += 1

    def drop(self, shape: GraphShape, reason: str) -> None:
        """Note that a shape did not work this time."""
        self.dropped[reason] += 1
        group = self._figures[shape]
        if (
            not group.kept
            and group.attempts >= _TRIES_IN_VAIN // 10
            and len(self._groups) > 1
            and group in self._groups
        ):
            self._groups.remove(group)
            self._weigh()

    def _weigh(self) -> None:
        self._weights = list(
            accumulate(group.weight * (group.kept + 2) / (group.attempts + 2) for group in self._groups)
        )


_WEIGH_EVERY = 64
_SMALLER = 0.7
"""How much rarer graphs with one node more are."""
_FEWER = 0.8
"""How much rarer graphs with one edge more are."""
