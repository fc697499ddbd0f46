"""From what was explored to candidates: the shortest way to each effect, in general.

Exploration remembers how it came to each state. A candidate is such a way, played once just so; its items and typed
texts are holes. Ways of one app with the same effect and the same kinds of holes are one candidate: the shortest is its
path, the others are alternatives.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.suites.pool.explore.general_ids import fill
from omnipilot.bench.suites.pool.explore.sim import NEW_NAME
from omnipilot.bench.suites.pool.records import Edge, Operation, SituationRecord
from omnipilot.bench.suites.pool.subtasks.replay import HOLE, app_title

MOST_OPERATIONS = 14
MOST_ALTERNATIVES = 3
SEEN = (
    "+playbacks",
    "~playbacks.",
    "~signals.",
    "~player.",
    "~voicemails.heard",
    "~mails.read",
    "~threads.unread",
    "+visits",
)
"""What is changed by seeing and playing something alone."""
MOST_SHAPES = 6
"""Candidates of one app with one effect: the shortest are kept."""
MOST_LONGER = 4
"""Operations by which an alternative may be longer than the path."""


@dataclass(frozen=True, slots=True)
class SubtaskCandidate:
    """A way to an effect, before it was tried on other content.

    Attributes:
        app: as "device/app". path: begins by opening the app. bindings: what stood in its holes when it was found.
        effect: of its last step, without bookkeeping; empty for a way to a screen. noise: the bookkeeping.
        last: the number of operations of the last step.
        instance: of the content on which it was found. evidence: ids of edges. situation: the screen that it ends at.
    """

    app: str
    path: tuple[Operation, ...]
    bindings: Mapping[str, str]
    effect: tuple[str, ...]
    noise: tuple[str, ...]
    instance: int
    evidence: tuple[str, ...]
    situation: str
    last: int = 1
    total: tuple[str, ...] = ()
    alternatives: tuple[tuple[Operation, ...], ...] = ()

    @property
    def holes(self) -> tuple[str, ...]:
        """The names of its holes, in order."""
        return tuple(
            dict.fromkeys(
                hole for one in self.path for text in (one.control, one.text, one.to) for hole in HOLE.findall(text)
            )
        )


def effect_candidates(edges: Sequence[Edge]) -> list[SubtaskCandidate]:
    """A candidate for each app, effect and kinds of holes, shortest first."""
    known = {edge.id: edge for edge in edges}
    ways: dict[tuple[object, ...], list[SubtaskCandidate]] = defaultdict(list)
    for edge in edges:
        if edge.effect and set(edge.effect) <= set(edge.total):
            candidate = candidate_of(edge, known)
            if candidate is not None:
                ways[candidate.app, candidate.effect, _shape(candidate)].append(candidate)
    found = sorted((_merged(some) for some in ways.values()), key=lambda one: (one.app, *_length(one), one.effect))
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
    kept = []
    for candidate in found:
        seen[candidate.app, candidate.effect] += 1
        if seen[candidate.app, candidate.effect] <= MOST_SHAPES:
            kept.append(candidate)
    return kept


def screen_candidates(edges: Sequence[Edge], situations: Mapping[str, SituationRecord]) -> list[SubtaskCandidate]:
    """The shortest way to each screen that is reached without an effect, and to each that plays something; only ways
    that end in the app itself, or in what a double click opens. What a menu opens asks
    whether something is to be done, and is no place to read."""
    known = {edge.id: edge for edge in edges}
    shortest: dict[tuple[object, ...], SubtaskCandidate] = {}
    for edge in edges:
        there = situations.get(edge.after)
        if there is None or not there.app or not all(entry.startswith(SEEN) for entry in edge.total):
            continue
        candidate = candidate_of(edge, known)
        if candidate is None:
            continue
        last = candidate.path[-1]
        if there.app != candidate.app.partition("/")[2] and last.verb != "double_click":
            continue
        if any(one.verb == "menu" for one in candidate.path) or _names_nothing(candidate):
            continue
        key = (candidate.app, there.view, last.verb, last.control, last.text, _shape(candidate))
        other = shortest.get(key)
        if other is None or _length(candidate) < _length(other):
            shortest[key] = candidate
    return sorted(shortest.values(), key=lambda one: (one.app, len(one.path), len(one.holes)))


def candidate_of(edge: Edge, known: Mapping[str, Edge]) -> SubtaskCandidate | None:
    """The way that exploration took to the end of an edge; None if it is too long or not wholly recorded."""
    chain = [edge]
    while chain[0].via:
        before = known.get(chain[0].via)
        if before is None:
            return None
        chain.insert(0, before)
    played = [fill(operation, one.bindings) for one in chain for operation in one.operations]
    if len(played) > MOST_OPERATIONS:
        return None
    opened = Operation("open_app", edge.app.partition("/")[0], app_title(edge.app.partition("/")[2]))
    path, bindings = _reopened(chain)
    return SubtaskCandidate(
        edge.app,
        (opened, *path),
        bindings,
        edge.effect,
        tuple(sorted({entry for one in chain for entry in one.noise})),
        edge.instance,
        tuple(one.id for one in chain),
        edge.after,
        len(edge.operations),
        edge.total,
    )


def _reopened(chain: Iterable[Edge]) -> tuple[list[Operation], dict[str, str]]:
    """The operations of edges one after the other, with one hole for each different thing."""
    bindings: dict[str, str] = {}
    path: list[Operation] = []
    for edge in chain:
        names = {}
        for hole, value in edge.bindings.items():
            base = re.sub(r"_\d+$", "", hole)
            number, name = 1, base
            while bindings.setdefault(name, value) != value:
                number += 1
                name = f"{base}_{number}"
            names[hole] = f"{{{name}}}"
        for operation in edge.operations:
            if operation.verb == "option":
                number = sum(one.verb == "option" for one in path) + 1
                option = "option" if number == 1 else f"option_{number}"
                bindings[option] = operation.text
                operation = replace(operation, text=f"{{{option}}}")
                names[option] = f"{{{option}}}"
            path.append(fill(operation, names))
    return path, bindings


def _shape(candidate: SubtaskCandidate) -> tuple[str, ...]:
    return tuple(sorted(re.sub(r"_\d+$", "", hole) for hole in candidate.holes))


def _names_nothing(candidate: SubtaskCandidate) -> bool:
    """Whether a command is about a name that nothing has, so that it can only complain."""
    return any(re.match(r"word", hole) and NEW_NAME in value for hole, value in candidate.bindings.items())


def _length(candidate: SubtaskCandidate) -> tuple[int, int]:
    return len(candidate.total), len(candidate.path)


def _merged(ways: Sequence[SubtaskCandidate]) -> SubtaskCandidate:
    ordered = sorted(ways, key=_length)
    first = ordered[0]
    others = dict.fromkeys(
        one.path
        for one in ordered[1:]
        if one.path != first.path and len(one.path) <= len(first.path) + MOST_LONGER and one.holes == first.holes
    )
    return replace(first, alternatives=tuple(others)[:MOST_ALTERNATIVES])
