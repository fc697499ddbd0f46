"""Draws one graph of a shape, level by level: subtasks whose types fit, then more edges than each node needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random

from omnipilot.bench.suites.pool.compose.cells import GraphShape
from omnipilot.bench.suites.pool.compose.drawn_graph import DrawnGraph
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph

MOST_ALIKE = 2
"""How often one subtask may occur in a graph, with other content each time."""
_CHOICES = 3
"""How many subtasks that fit are looked at, to take the one that was used least."""
_AGAIN = 0.15
"""How often a tired subtask is taken all the same for the edges that it would take beyond the one it needs."""
_NONE: frozenset[int] = frozenset()


class GraphDrawing:
    """A graph while it is drawn.

    The first node of each level makes a chain through all of them; the others hang on any node of the level before.

    Args:
        types: the subtasks. shape: of the graph. categories: of its subtasks, as a bit mask: all of them occur.
        random: of all choices. use: how often each subtask was used. tired: those that are used only where no other
            fits. late: those that may not stand beside others.
    """

    def __init__(
        self,
        types: TypeGraph,
        shape: GraphShape,
        categories: int,
        random: Random,
        use: Sequence[int],
        tired: frozenset[int],
        late: frozenset[int],
    ) -> None:
        self._types, self._levels, self._random = types, shape.levels, random
        self._use, self._tired, self._late = use, tired, late
        self._categories = self._uncovered = categories
        self._left = sum(shape.levels)
        self._spare = self._left - len(shape.levels)
        self._extra = shape.edges - (self._left - shape.levels[0])
        self._nodes: list[int] = []
        self._free: list[int] = []
        self._joins: list[tuple[int, int, int]] = []
        self._pairs: set[tuple[int | None, int]] = set()
        self._spent: set[int] = set()

    def draw(self) -> DrawnGraph | str:
        """The graph, or why there is none this time."""
        behind = begin = 0
        for level, size in enumerate(self._levels):
            behind, begin = begin, len(self._nodes)
            for place in range(size):
                if not self._add_node(level, behind, begin, place):
                    return "no subtask takes what is there with so much to follow"
                if self._extra > 0 and self._extra > self._most_more():
                    return "there are not enough inputs for so many edges"
        if self._extra and self._extra > self._join_anywhere(self._extra):
            return "there are not enough inputs for so many edges"
        subtasks = [self._types.subtasks[one] for one in self._nodes]
        return DrawnGraph(
            tuple([one.id for one in subtasks]),
            tuple([(node, subtasks[node].inputs[at][0], source) for node, at, source in self._joins]),
        )

    def _add_node(self, level: int, behind: int, begin: int, place: int) -> bool:
        """Add a node to a level and join it; False if no subtask fits.

        Args:
            behind: first node of the level before. begin: first node of this one. place: of the node on its level.
        """
        wanted = min(-(-self._extra // self._left), begin - 1) if level else 0
        within = self._categories_beside(level, self._nodes[begin]) if place else 0
        for source in self._sources(behind, begin, chain=not place) if level else (None,):
            chosen = self._choose_node(level, place, source, within, wanted, begin)
            if chosen is not None:
                break
        else:
            return False
        self._nodes.append(chosen)
        self._free.append((1 << len(self._types.subtasks[chosen].inputs)) - 1)
        self._left -= 1
        self._uncovered &= ~self._types.bit_of[chosen]
        if source is not None:
            node = len(self._nodes) - 1
            self._join(node, source)
            self._extra -= self._join_more(node, begin, min(self._extra, wanted))
        return True

    def _categories_beside(self, level: int, link: int) -> int:
        """The categories that a node beside the chain can be of, mostly those that have no subtask yet."""
        self._spare -= 1
        within = self._types.beside(
            self._types.subtasks[link].output,
            self._categories,
            self._uncovered,
            len(self._levels) - level - 1,
            self._spare,
        )
        if not level or self._random.random() * self._left < self._uncovered.bit_count():
            return within & self._uncovered or within
        return within

    def _choose_node(
        self, level: int, place: int, source: int | None, within: int, wanted: int, begin: int
    ) -> int | None:
        """A subtask that can take from a source here; of those with inputs for more edges if more are wanted."""
        types, size, depth = self._types, self._levels[level], len(self._levels)
        output = "" if source is None else types.subtasks[self._nodes[source]].output
        barred = self._late if size > 1 else _NONE
        behind, height, beside = 0, 1, -1
        if self._extra and level < depth - 1:
            height = 2
            if begin + size > 1 and self._extra >= self._left + place - size:
                behind = 1 + self._extra // (self._left + place - size)
                if place:
                    beside = types.partners(types.subtasks[self._nodes[begin]].output, self._categories)
        before: Sequence[Sequence[int]] = ()
        if self._extra and level:
            before = [types.feeds[one] for one in self._nodes[:begin] if types.subtasks[one].output]
        least = 0 if source is None else 1
        for inputs in range(least + wanted, least - 1, -1):
            if place:
                fitting = types.candidates(output, self._categories, within, inputs, height, behind) & beside
            else:
                fitting = types.links(
                    output, self._categories, self._uncovered, inputs, depth - level, self._spare, behind
                )
            if source is not None and inputs > least:
                fitting &= self._takers_of_more(source, begin)
            chosen = self._choose(fitting, source, before, barred)
            if chosen is None:
                continue
            if inputs == least or chosen not in self._tired or self._random.random() < _AGAIN:
                return chosen
            if self._extra >= self._left:
                return None  # each of the nodes that follow has to take more than one thing, too
        if not place:
            return None
        return self._choose(types.candidates(output, self._categories, within, 0, 1), source, (), barred)

    def _takers_of_more(self, source: int, begin: int) -> int:
        """The subtasks that can take from a source and from another node before this level, as a bit mask."""
        types = self._types
        output = types.subtasks[self._nodes[source]].output
        others = {
            types.subtasks[self._nodes[other]].output
            for other in range(begin)
            if other != source and other not in self._spent
        }
        found = 0
        for other in others:
            found |= types.takers_of_both(output, other)
        return found

    def _choose(
        self, able: int, source: int | None, before: Sequence[Sequence[int]], barred: frozenset[int]
    ) -> int | None:
        """Of a few subtasks that fit here the one that can take most from the nodes before, and was used least; where
        none of these may stand here, the least used one of all that may; None if there is none.

        Args:
            able: those that fit, as a bit mask. source: the node that it takes from.
            before: of each node before that yields something, which inputs of each subtask it feeds.
            barred: subtasks that may not stand here.
        """
        if not able:
            return None
        fitting = self._types.places(able)
        many = len(fitting)
        random, use, tired, nodes, pairs = self._random.random, self._use, self._tired, self._nodes, self._pairs
        best, most, least = None, -1, 0
        for _ in range(min(many, _CHOICES)):
            one = fitting[int(random() * many)]
            if one == best or one in barred or (source, one) in pairs or nodes.count(one) >= MOST_ALIKE:
                continue
            worth = 0 if one in tired else _RESTED
            if before:
                sources = fed = 0
                for feeds in before:
                    if inputs := feeds[one]:
                        sources += 1
                        fed |= inputs
                worth += min(sources, fed.bit_count())
            if worth > most or (worth == most and use[one] < least):
                best, most, least = one, worth, use[one]
        if best is None:
            others = [
                one
                for one in fitting
                if one not in barred and (source, one) not in pairs and nodes.count(one) < MOST_ALIKE
            ]
            return min(others, key=use.__getitem__, default=None)
        return best

    def _most_more(self) -> int:
        """How many edges beyond those that nodes need can still come at most."""
        free = sum([inputs.bit_count() for inputs in self._free[self._levels[0] :]])
        takers = min(self._left, sum(self._levels[1:]))
        return free + self._types.most_inputs(self._categories, takers, MOST_ALIKE) - takers

    def _sources(self, begin: int, end: int, *, chain: bool) -> Sequence[int]:
        """Nodes of a level whose outputs can still be taken, in random order; of a chain its last one alone."""
        if chain:
            return (begin,)
        subtasks, takers = self._types.subtasks, self._types.takers
        able = [
            node for node in range(begin, end) if node not in self._spent and takers(subtasks[self._nodes[node]].output)
        ]
        if len(able) > 1:
            self._random.shuffle(able)
        return able

    def _join_more(self, node: int, before: int, most: int) -> int:
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

    def _join_anywhere(self, most: int) -> int:
        """Join free inputs of any nodes with nodes of lower levels until so many edges were added; returns how many."""
        levels = self._levels
        starts = [
            start for size, start in zip(levels, accumulate(levels, initial=0), strict=False) for _ in range(size)
        ]
        order = list(range(levels[0], len(self._nodes)))
        self._random.shuffle(order)
        done = 0
        for node in order:
            if done >= most:
                break
            done += self._join_more(node, starts[node], most - done)
        return done

    def _can_join(self, node: int, source: int) -> bool:
        subtask = self._nodes[node]
        fitting = self._types.feeds[self._nodes[source]][subtask] & self._free[node]
        return bool(fitting) and source not in self._spent and (source, subtask) not in self._pairs

    def _join(self, node: int, source: int) -> None:
        """Join a free input of a node, any that fits."""
        subtask, provider = self._nodes[node], self._nodes[source]
        fitting = _bits(self._types.feeds[provider][subtask] & self._free[node])
        at = fitting[int(self._random.random() * len(fitting))]
        self._joins.append((node, at, source))
        self._pairs.add((source, subtask))
        self._free[node] &= ~(1 << at)
        if provider in self._types.yield_states:
            self._spent.add(source)


_RESTED = 100
"""What not being tired counts for, against the number of edges that a subtask can take."""


@cache
def _bits(mask: int) -> tuple[int, ...]:
    """The places of the ones of a number."""
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)
