"""Instructions that say another graph than theirs, made on purpose: what a validator has to notice.

Each is a rule-made wording with one fault whose graph, or whose list of subtasks, is not the task's any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from random import Random

from omnipilot.bench.suites.pool.tell.clauses import TaskClause
from omnipilot.bench.suites.pool.tell.condensing import high_wording
from omnipilot.bench.suites.pool.tell.readers import InstructionReader, RuleReader
from omnipilot.bench.suites.pool.tell.topology import Pairs, closure
from omnipilot.bench.suites.pool.tell.validator import validate
from omnipilot.bench.suites.pool.tell.wordings import Wording, plain_wording


def join_independent(clauses: Sequence[TaskClause], edges: Pairs, wording: Wording, dice: Random) -> str | None:
    """Two parts that do not need each other are joined by "then"."""
    reached = closure(edges)
    places = [b for a, b in pairwise(wording.order) if (a, b) not in reached]
    if not places:
        return None
    return replace(wording, linked=wording.linked | {dice.choice(places)}).text(clauses)


def say_the_value(clauses: Sequence[TaskClause], edges: Pairs, wording: Wording, dice: Random) -> str | None:
    """A reference is replaced by the value that was to be found out."""
    reached = closure(edges)
    places = [
        (clause.node, name, resource.value)
        for clause in clauses
        for name, resource in clause.inputs.items()
        if name in clause.takes
        and clause.node in wording.order
        and closure(_without(clauses, {(clause.node, name)})) != reached
    ]
    if not places:
        return None
    node, name, value = dice.choice(places)
    return replace(wording, references={**wording.references, (node, name): f'"{value}"'}).text(clauses)


def exchange_sources(clauses: Sequence[TaskClause], edges: Pairs, wording: Wording, dice: Random) -> str | None:
    """Two clauses each speak of what the other takes."""
    reached = closure(edges)
    takes = [
        (clause.node, name, source)
        for clause in clauses
        if clause.node in wording.order
        for name, source in clause.takes.items()
    ]
    places = []
    for one, other in combinations(takes, 2):
        if one[2] == other[2]:
            continue
        exchanged = _without(clauses, {one[:2], other[:2]}) | {(other[2], one[0]), (one[2], other[0])}
        before = {node: at for at, node in enumerate(wording.order)}
        # A clause that was left out is told where its taker is.
        readable = before.get(other[2], -1) < before[one[0]] and before.get(one[2], -1) < before[other[0]]
        if readable and closure(exchanged) != reached:
            places.append((one, other))
    if not places:
        return None
    one, other = dice.choice(places)
    words = {
        place[:2]: wording.references.get(place[:2], clauses[place[0]].inputs[place[1]].words) for place in (one, other)
    }
    exchanged_words = {one[:2]: words[other[:2]], other[:2]: words[one[:2]]}
    return replace(wording, references={**wording.references, **exchanged_words}).text(clauses)


def drop_clause(clauses: Sequence[TaskClause], _: Pairs, wording: Wording, dice: Random) -> str | None:
    """A clause is left out."""
    if len(wording.order) < 2:
        return None
    node = dice.choice(wording.order)
    return replace(wording, order=tuple(one for one in wording.order if one != node)).text(clauses)


CORRUPTIONS: Mapping[str, Callable[[Sequence[TaskClause], Pairs, Wording, Random], str | None]] = {
    "independent parts joined by then": join_independent,
    "a reference replaced by its value": say_the_value,
    "two sources exchanged": exchange_sources,
    "a clause left out": drop_clause,
}
"""Kinds of fault; each gives None where a task has no place for it."""


@dataclass(frozen=True, slots=True)
class ValidatorScore:
    """How well a reader tells faulty texts from sound ones.

    Attributes:
        planted, noticed: by kind of fault, how many texts had it, and how many of those were refused.
        sound, refused: how many sound texts there were, and how many of those were refused.
        missed: (kind, text) of those that were accepted.
    """

    planted: Mapping[str, int]
    noticed: Mapping[str, int]
    sound: int
    refused: int
    missed: tuple[tuple[str, str], ...] = ()

    @property
    def sensitivity(self) -> float:
        """Share of the faulty texts that were refused, from 0 to 1; 0 where there were none."""
        return sum(self.noticed.values()) / (sum(self.planted.values()) or 1)

    @property
    def false_alarms(self) -> float:
        """Share of the sound texts that were refused, from 0 to 1."""
        return self.refused / (self.sound or 1)


def score_reader(
    tasks: Iterable[tuple[Sequence[TaskClause], Pairs]],
    reader: InstructionReader,
    wanted: int = 200,
    seed: int = 0,
    high: bool = False,
) -> ValidatorScore:
    """Plant faults in rule-made wordings of tasks, one in each, and have them and the sound wordings validated.

    Args:
        tasks: clauses and edges; faults are planted in their order, kinds in turn, until there are enough.
        wanted: number of faulty texts. high: whether the wordings are those that tell what is to be achieved.

    Raises:
        MalformedReply: a model's answer cannot be read.
    """
    dice = Random(seed)
    planted = dict.fromkeys(CORRUPTIONS, 0)
    noticed = dict.fromkeys(CORRUPTIONS, 0)
    missed: list[tuple[str, str]] = []
    sound = refused = 0
    for clauses, edges in tasks:
        if sum(planted.values()) >= wanted:
            break
        wording, told = high_wording(clauses, edges, RuleReader()) if high else (plain_wording(clauses), clauses)
        sound += 1
        refused += not validate(wording.text(told), clauses, edges, reader, dice.randrange(10**6)).accepted
        for kind in sorted(CORRUPTIONS, key=lambda one: planted[one]):
            text = CORRUPTIONS[kind](told, edges, wording, dice)
            if text is None:
                continue
            planted[kind] += 1
            if validate(text, clauses, edges, reader, dice.randrange(10**6)).accepted:
                missed.append((kind, text))
            else:
                noticed[kind] += 1
            break
    return ValidatorScore(planted, noticed, sound, refused, tuple(missed))


def _without(clauses: Sequence[TaskClause], left_out: set[tuple[int, str]]) -> set[tuple[int, int]]:
    return {
        (source, clause.node)
        for clause in clauses
        for name, source in clause.takes.items()
        if (clause.node, name) not in left_out
    }
