"""Learns which subtasks of a pool do not go together, by playing graphs that bring many of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from omnipilot.bench.suites.pool.compose.cells import figures_request
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph, play_alone, play_graph
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph, is_state
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord, Join
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of

ROUND = 20
"""Graphs that are drawn at a time, with all conflicts that are known by then."""
WIDE = "nodes=8-9,depth=1"
"""Half of the graphs: many subtasks side by side, played forwards and backwards, try 28 to 36 pairs at once."""
MOST_BESIDE = 8
"""Subtasks of one application that are played side by side."""
TWIN_CONTENTS = 3
"""With how many contents, where one of them is there twice: only some contents make them do the same."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt.

    Attributes:
        conflicts: the known ones, and the new ones. played: how many graphs, without the subtasks that were played by
            themselves. failed: of these.
        unexplained: the failures for which no pair could be blamed.
    """

    conflicts: tuple[Conflict, ...]
    played: int
    failed: int
    unexplained: tuple[PlayedGraph, ...]


_VALUES = "text/"
"""Types of facts, which several may take from one without touching it."""
Pair: TypeAlias = tuple[str, str]


def learn_conflicts(
    types: TypeGraph,
    templates: Mapping[str, Template],
    plays: int,
    *,
    seed: int = 0,
    known: Sequence[Conflict] = (),
    tell: Callable[[int, int], None] = lambda _played, _conflicts: None,
) -> Learnt:
    """Play so many graphs, and note the pairs that fail.

    First each subtask is played by itself; then, for at most two thirds of the graphs, subtasks of the same application
    stand side by side until each pair of them was tried, and behind one whose item they take; then graphs are drawn
    over all of them.

    Args:
        known: conflicts of earlier times; their pairs are not played again.
        tell: called after each round with the number of graphs that were played, and of conflicts.
    """
    learning = _Learning(types, templates, seed, {_key(one): one for one in known}, [])
    learning.play_each_alone()
    tell(0, len(learning.conflicts))
    pairs, forks = learning.pairs_of_an_application(), learning.pairs_of_a_fork()
    fans = learning.fans()
    while (pairs or forks or fans) and learning.played < 2 * plays // 3:
        if pairs:
            learning.play_side_by_side(pairs)
        elif forks:
            learning.play_fork(forks)
        else:
            learning.play_fan(*fans.pop())
        if not learning.played % ROUND:
            tell(learning.played, len(learning.conflicts))
    number = 0
    while learning.played < plays:
        composer = Composer(types, seed=seed + 1000 * number + 1, conflicts=list(learning.conflicts.values()))
        many = min(ROUND, plays - learning.played)
        for graph in [
            *composer.graphs(many // 2, figures_request(WIDE)),
            *composer.graphs(many - many // 2, figures_request("nodes=4-9,depth=2-9")),
        ]:
            learning.play(graph)
        number += 1
        tell(learning.played, len(learning.conflicts))
    return Learnt(tuple(learning.conflicts.values()), learning.played, learning.failed, tuple(learning.unexplained))


def _key(one: Conflict) -> tuple[str, str, str]:
    return one.first, one.second, one.how


@dataclass
class _Learning:
    """What is known so far."""

    types: TypeGraph
    templates: Mapping[str, Template]
    seed: int
    conflicts: dict[tuple[str, str, str], Conflict]
    unexplained: list[PlayedGraph]
    played: int = 0
    failed: int = 0

    def play(self, graph: GraphRecord, contents: int = 1) -> Conflict | None:
        """Play a graph with so many contents, or until it fails; returns the conflict that was found, if one was."""
        for instance in range(contents):
            result = play_graph(graph, self.templates, instance=instance, orders=2)
            if result.failed:
                break
        self.played += 1
        if result.failed:
            self.failed += 1
            if result.conflict is None:
                self.unexplained.append(result)
            else:
                self.conflicts[_key(result.conflict)] = result.conflict
        return result.conflict

    def play_each_alone(self) -> None:
        for one in self.types.subtasks:
            found = play_alone(one.id, self.templates)
            if found is not None:
                self.conflicts[_key(found)] = found

    def pairs_of_an_application(self) -> set[Pair]:
        """The pairs of subtasks of one application that may stand side by side as far as is known, each with itself,
        too."""
        apps: dict[str, list[str]] = {}
        out = self._never_beside()
        for one in self.types.subtasks:
            if one.id not in out:
                apps.setdefault(one.app, []).append(one.id)
        pairs = {pair for ids in apps.values() for pair in combinations_with_replacement(sorted(ids), 2)}
        return {pair for pair in pairs if not self._apart(*pair)}

    def pairs_of_a_fork(self) -> dict[str, set[Pair]]:
        """For each type of items, the pairs of subtasks that take one and may stand side by side as far as is known. No
        subtask takes from the same as itself, and facts are not used up."""
        found: dict[str, set[Pair]] = {}
        out = self._never_beside()
        for output in self.types.outputs:
            if output.startswith(_VALUES) or is_state(output):
                continue
            takers = sorted({self.types.subtasks[at].id for at in self.types.takers(output)} - out)
            if pairs := {pair for pair in combinations(takers, 2) if not self._apart(*pair)}:
                found[output] = pairs
        return found

    def play_side_by_side(self, pairs: set[Pair]) -> None:
        """Play one graph of many pairs side by side, and take from `pairs` those that are settled by it."""
        chosen = self._many_of(pairs, "beside")
        id = f"beside/{'+'.join(chosen)}"
        contents = TWIN_CONTENTS if len(set(chosen)) < len(chosen) else 1
        self._settle(pairs, chosen, self.play(GraphRecord(id, tuple(chosen), seed=seed_of(self.seed, id)), contents))

    def play_fork(self, forks: dict[str, set[Pair]]) -> None:
        """Play one graph of many that take one and the same item, and take from `forks` what is settled by it."""
        output = min(forks)
        chosen = self._many_of(forks[output], "fork")
        provider = min(
            (one.id for one in self.types.subtasks if one.output == output),
            key=lambda id: (len(self._barred_behind(id, chosen)), id),
        )
        barred = self._barred_behind(provider, chosen)
        forks[output] -= {pair for pair in forks[output] if barred & set(pair)}
        chosen = [one for one in chosen if one not in barred]
        joins = []
        for node, taker in enumerate(chosen, 1):
            number = self.types.number_of[taker]
            first = self.types.inputs_for(number, output)[0]
            joins.append(Join(node, self.types.subtasks[number].inputs[first][0], 0))
        id = f"fork/{provider}+{'+'.join(chosen)}"
        edges = tuple((0, node) for node in range(1, len(chosen) + 1))
        graph = GraphRecord(id, (provider, *chosen), tuple(joins), edges, seed=seed_of(self.seed, id))
        found = self.play(graph)
        if found is None or found.how != "behind":
            self._settle(forks[output], chosen, found)
        if not forks[output]:
            del forks[output]

    def fans(self) -> list[tuple[str, tuple[Join, ...], tuple[str, ...]]]:
        """For each subtask that yields a fact, those that take just this type of fact, as joins and ids, a few at a
        time: a code to be dialled must be of digits."""
        found = []
        out = self._never_beside()
        for one in self.types.subtasks:
            if not one.output.startswith(_VALUES) or one.id in out:
                continue
            takers = [
                (other.id, other.inputs[at][0])
                for number, other in enumerate(self.types.subtasks)
                for at in self.types.inputs_for(number, one.output)[:1]
                if other.inputs[at][1].startswith(_VALUES) and other.id not in out
            ]
            for begin in range(0, len(takers), MOST_BESIDE):
                some = takers[begin : begin + MOST_BESIDE]
                joins = tuple(Join(node, name, 0) for node, (_, name) in enumerate(some, 1))
                found.append((one.id, joins, tuple(id for id, _ in some)))
        return found

    def play_fan(self, provider: str, joins: tuple[Join, ...], takers: tuple[str, ...]) -> None:
        """Play one fan."""
        id = f"fan/{provider}+{'+'.join(takers)}"
        edges = tuple((0, join.node) for join in joins)
        self.play(GraphRecord(id, (provider, *takers), joins, edges, seed=seed_of(self.seed, id)))

    def _many_of(self, pairs: set[Pair], how: str) -> list[str]:
        """Subtasks among which there are many of these pairs, and no known conflict; the first pair is among them."""
        chosen = list(min(pairs))
        while len(chosen) < MOST_BESIDE:
            gains = {
                other: sum(_pair(other, one) in pairs for one in dict.fromkeys(chosen))
                for other in dict.fromkeys(one for pair in sorted(pairs) for one in pair)
                if chosen.count(other) < (1 if how == "fork" else 2)
                and not any(self._apart(other, one, how) for one in chosen)
            }
            best = max(gains, key=gains.__getitem__, default="")
            if not best or not gains[best]:
                break
            chosen.append(best)
        return chosen

    def _settle(self, pairs: set[Pair], chosen: Sequence[str], found: Conflict | None) -> None:
        """Take from `pairs` those that were played well, or the one that was blamed."""
        blamed = _pair(found.first, found.second) if found is not None else None
        if found is not None and found.how == "alone" and found.first in chosen:
            pairs.difference_update([pair for pair in pairs if found.first in pair])
        elif blamed is not None and blamed in pairs:
            pairs.remove(blamed)
        else:
            pairs.difference_update({_pair(one, other) for one in chosen for other in chosen if one != other})
            pairs.difference_update({(one, one) for one in chosen if chosen.count(one) > 1})

    def _barred_behind(self, provider: str, takers: Sequence[str]) -> set[str]:
        """Those that may not stand behind a provider."""
        return {one for one in takers if (provider, one, "behind") in self.conflicts}

    def _never_beside(self) -> set[str]:
        return {first for first, _, how in self.conflicts if how in ("alone", "late")}

    def _apart(self, one: str, other: str, how: str = "beside") -> bool:
        """Whether two may not stand side by side, or not in a fork."""
        first, second = _pair(one, other)
        return any(
            (*pair, known) in self.conflicts for pair in ((first, second), (second, first)) for known in {"beside", how}
        )


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)
