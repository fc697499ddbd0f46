"""A second reader of an instruction: told the subtasks in random order, without the graph, it says which needs which.

`RuleReader` reads by rules: it finds each subtask's clause, takes what stands where the subtask has a blank for a
reference, looks for the clause that introduces that, and takes "then" and "after" for order.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from omnipilot.bench.suites.pool.tell.clauses import APP, TaskClause, noun_of
from omnipilot.bench.suites.pool.tell.references import Antecedent, resolve_reference, stems
from omnipilot.bench.suites.pool.tell.results import looked_up, names_its_app, result_of
from omnipilot.bench.suites.pool.tell.topology import Pairs


@dataclass(frozen=True, slots=True)
class ListedSubtask:
    """A subtask as a reader is given it.

    Attributes:
        text: its clause, with "[code]" for what the instruction has to say. yields: the kind of thing that it yields,
            "" for none.
    """

    text: str
    yields: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader found in an instruction; subtasks by their numbers in the list that it was given, from 0.

    Attributes:
        needs: (a, b) where b needs something that a yields. sequence: (a, b) where the instruction wants b after a.
        missing: subtasks that the instruction does not ask for.
    """

    needs: Pairs = frozenset()
    sequence: Pairs = frozenset()
    missing: frozenset[int] = frozenset()


class InstructionReader(ABC):
    """Reads the graph back from words alone."""

    @abstractmethod
    def read(self, instruction: str, subtasks: Sequence[ListedSubtask]) -> Reading:
        """What an instruction says about the subtasks.

        Raises:
            MalformedReply: a model's answer cannot be read.
        """


def shuffled_list(clauses: Sequence[TaskClause], seed: int) -> tuple[list[ListedSubtask], list[int]]:
    """The subtasks in random order, and for each the node that it is."""
    nodes = list(range(len(clauses)))
    Random(seed).shuffle(nodes)
    listed = [
        ListedSubtask(clauses[node].listed(), noun_of(made.type) if (made := clauses[node].yields) else "")
        for node in nodes
    ]
    return listed, nodes


_QUOTED = re.compile(r'"[^"]*"')
_BUTTON = re.compile(r'(?: and|,) press "[^"]*"')
_BLANK = re.compile(r"\[[^\]\[]+\]")
_PLACE = re.compile(r"^on the \w+, ", re.I)
_APP_SAID = re.compile(r"(?:^|[.!?] |, )(?:then )?(?:[Oo]n the \w+, )?[Ii]n ([A-Z][\w ]*), ")
_NAMED = re.compile(r"^\s*\(([a-z]+ [A-Z])(?:: [^()]*(?:\([^()]*\))?[^()]*)?\)")
_ORDER = re.compile(r"\b(then|after that|afterwards|next|once that is done|when that is done)\b", re.I)
_LABEL = re.compile(r"\b[a-z]+ [A-Z]\b")
_GIVEN = re.compile(r"\(([a-z]+ [A-Z])(?:: [^()]*(?:\([^()]*\))?[^()]*)?\)(?=\W*$)")
_DETERMINER = r"(?:the|this|that|whoever|their)"
_PHRASE = re.compile(rf"\b{_DETERMINER} (?:\"[^\"]*\"|(?! (?:and|as|to|with) {_DETERMINER} )[^,.;()\"])*", re.I)
_SEGMENT = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"])|,? then |; ")
_NAME = re.compile(r"(?<=[a-z,:(] )[A-Z][\w-]*(?: [A-Z][\w-]*)*|[a-z]+\.example")
_BEGINS = r"(?=[\"\dA-Z]|(?:the|this|that|these|those|their|a|an|whoever)\b|[a-z]+ [A-Z]\b)"
_LEAST = 0.5
"""How much of a subtask's words a passage must have to be its clause, where it is not said word for word."""


@dataclass(slots=True)
class _Found:
    """Where a subtask's clause stands, and what stands in its blanks; free: it is not word for word."""

    subtask: int
    start: int
    end: int
    blanks: tuple[str, ...] = ()
    free: bool = False
    label: str = ""


@dataclass
class RuleReader(InstructionReader):
    """Reads by rules; exact where clauses stand word for word, by shared words elsewhere."""

    least: float = field(default=_LEAST)

    def read(self, instruction: str, subtasks: Sequence[ListedSubtask]) -> Reading:
        """What an instruction says about the subtasks."""
        places = self._places(instruction, subtasks)
        placed = {place.subtask for place in places}
        unplaced = [number for number in range(len(subtasks)) if number not in placed]
        needs: set[tuple[int, int]] = set()
        sequence: set[tuple[int, int]] = set()
        implied: set[int] = set()
        told_in_full: set[int] = set()
        for at, place in enumerate(places):
            before = [
                Antecedent(
                    one.subtask, subtasks[one.subtask].text, subtasks[one.subtask].yields, one.label, number == at - 1
                )
                for number, one in enumerate(places[:at])
            ]
            passage = instruction[place.start : place.end]
            hidden = [
                Antecedent(one, subtasks[one].text, subtasks[one].yields)
                for one in unplaced
                if one not in told_in_full
                if one in implied or all(name in passage for name in _names(subtasks[one].text))
            ]
            for reference in self._references(instruction, place, subtasks[place.subtask]):
                spoken = _spoken_results(reference, place.subtask, subtasks, unplaced, before)
                told_in_full |= {source for source, _ in spoken} & set(unplaced)
                implied |= told_in_full
                needs |= spoken
                source = None if spoken else resolve_reference(reference, before + hidden)
                if source is not None:
                    needs.add((source, place.subtask))
                    implied |= {source} & set(unplaced)
            if at and _ORDER.search(_unquoted(instruction[places[at - 1].end : place.start])):
                sequence.add((places[at - 1].subtask, place.subtask))
        return Reading(frozenset(needs), frozenset(sequence), frozenset(unplaced) - implied)

    def _places(self, instruction: str, subtasks: Sequence[ListedSubtask]) -> list[_Found]:
        found: list[_Found] = []
        # The most literal ones first, so that a blank does not take what another subtask says itself; then longer ones,
        # so that a short clause is not found inside another. Nothing hangs on the order in which subtasks are listed.
        texts = [subtask.text for subtask in subtasks]
        for number in sorted(
            range(len(texts)), key=lambda one: (len(_BLANK.findall(texts[one])), -len(texts[one]), texts[one])
        ):
            free = (
                (rank, len(match[0]), match.start(), match)
                for rank, match in _matches(texts[number], instruction)
                if all(match.end() <= one.start or match.start() >= one.end for one in found)
            )
            # The shortest: a longer one has in its blank what belongs to a clause that says more.
            *_, match = min(free, default=(None,), key=lambda one: one[:3])
            if match is not None:
                label = _NAMED.match(instruction[match.end() :])
                end = match.end() + (label.end() if label else 0)
                blanks = tuple(filler.strip() for filler in match.groups())
                found.append(_Found(number, match.start(), end, blanks, label=label[1] if label else ""))
        placed = {one.subtask for one in found}
        left = [number for number in range(len(subtasks)) if number not in placed]
        found += self._loose(instruction, subtasks, left, found)
        return sorted(found, key=lambda one: one.start)

    def _loose(
        self, instruction: str, subtasks: Sequence[ListedSubtask], left: Sequence[int], found: Sequence[_Found]
    ) -> list[_Found]:
        """Passages of the rest of the instruction that share most of their words with a subtask."""
        passages = [
            (start, end)
            for start, end in _segments(instruction)
            if all(end <= one.start or start >= one.end for one in found)
        ]
        pairs = []
        for number in left:
            own = _BLANK.sub(" ", _PLACE.sub("", subtasks[number].text))
            wanted, names = stems(own), _QUOTED.findall(_BUTTON.sub("", own))
            for start, end in passages:
                passage = instruction[start:end]
                held = sum(name in passage for name in names)
                shared = len(wanted & stems(passage))
                share = (shared + 3 * held) / (len(wanted) + 3 * len(names) or 1)
                if share >= self.least:
                    # A passage that holds both what is taken and where it is found is that of the taker.
                    taker = bool(_BLANK.search(subtasks[number].text))
                    pairs.append((share + 0.5 * taker, subtasks[number].text, start, end, number))
        loose: list[_Found] = []
        for _, _, start, end, number in sorted(pairs, reverse=True):
            if all(one.subtask != number and (one.start, one.end) != (start, end) for one in loose):
                label = _GIVEN.search(instruction[start:end])
                loose.append(_Found(number, start, end, free=True, label=label[1] if label else ""))
        return loose

    def _references(self, instruction: str, place: _Found, subtask: ListedSubtask) -> list[str]:
        if not place.free:
            return [filler for filler in place.blanks if not _is_literal(filler)]
        own = stems(_BLANK.sub(" ", subtask.text))
        text = instruction[place.start : place.end]
        if place.label:
            text = _GIVEN.sub("", text)
        phrases = [phrase for match in _PHRASE.finditer(text) if not stems(phrase := match[0]) <= own]
        return phrases + _LABEL.findall(_unquoted(text))


def _is_literal(filler: str) -> bool:
    return not _QUOTED.sub("", filler).strip(" .,") or bool(re.fullmatch(r"[\d:.,/ -]+", filler))


@lru_cache(maxsize=1 << 13)
def _pattern(text: str, start: str) -> re.Pattern[str]:
    """What finds a clause word for word; its first letter may be a capital.

    Args:
        start: what a blank's filler begins with.
    """
    pieces = _BLANK.split(text)
    rest = rf"({start}(?:\"[^\"]*\"|(?!, then )[^\".;]|\.(?=\S))+?)".join(
        _literal(piece, not at) for at, piece in enumerate(pieces)
    )
    end = r"[.,;!?]|\s*\(|\s*$" if pieces[-1] else r"\s\([a-z]+ [A-Z]\b|, then |[.;!?](?:\s|$)|\s*$"
    return re.compile(rf"{rest}(?={end})")


def _matches(clause: str, text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Where a listed clause may stand, places that overlap too, each with a rank: 0 if blanks begin as references do.

    Its device may be left out; so may its application, where the one named last is the same, or where what it speaks of
    is of this one alone. What only finds something out may be said as "look up …".
    """
    for named, said, app in _forms(_PLACE.sub("", clause)):
        literals = _BLANK.split(said)
        if not all(literal[at == 0 :] in text for at, literal in enumerate(literals)):
            continue
        for rank, begins in enumerate((_BEGINS, "") if len(literals) > 1 else ("",)):
            start = 0
            pattern = _pattern(said, begins)
            while match := pattern.search(text, start):
                if named or _app_at(text, match.start()) == app:
                    yield rank, match
                start = match.start() + 1


@lru_cache(maxsize=1 << 13)
def _forms(clause: str) -> tuple[tuple[bool, str, str], ...]:
    """How a clause may be said, the fullest first, each with its application, and whether it says that itself."""
    found = []
    for said in (clause, looked_up(clause)):
        app = APP.match(said)
        if said:
            found.append((True, said, ""))
        if app:
            rest = said[app.end() :]
            found.append((names_its_app(app[1], rest), rest, app[1]))
    return tuple(found)


def _spoken_results(
    reference: str,
    taker: int,
    subtasks: Sequence[ListedSubtask],
    unplaced: Sequence[int],
    before: Sequence[Antecedent],
) -> set[tuple[int, int]]:
    """What a reference says that subtasks without a clause of their own find out, and what those need; nothing where it
    speaks of no such result."""
    found = [
        (len(pattern.pattern), number, match)
        for number in unplaced
        if (pattern := _result_pattern(subtasks[number].text)) and (match := pattern.fullmatch(reference.strip()))
    ]
    if not found:
        return set()
    _, source, match = max(found, key=lambda one: (one[0], -one[1]))
    needs = {(source, taker)}
    for inner in match.groups():
        deeper = _spoken_results(inner, source, subtasks, [one for one in unplaced if one != source], before)
        if not deeper and not _is_literal(inner) and (told := resolve_reference(inner, before)) is not None:
            deeper = {(told, source)}
        needs |= deeper
    return needs


@lru_cache(maxsize=1 << 13)
def _result_pattern(text: str) -> re.Pattern[str] | None:
    """What finds the result of a subtask, with its application or the form that it is wanted in in brackets."""
    result = result_of(_PLACE.sub("", text))
    if not result:
        return None
    return re.compile("(.+?)".join(map(re.escape, _BLANK.split(result))) + r"(?: \([^()]*\))?")


def _app_at(text: str, place: int) -> str:
    """The application that was named last before a place in an instruction, as one that the next clauses are about."""
    return next((app for start, app in reversed(_apps(text)) if start < place), "")


@lru_cache(maxsize=64)
def _apps(text: str) -> tuple[tuple[int, str], ...]:
    masked = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    return tuple((match.start(1), match[1]) for match in _APP_SAID.finditer(masked))


def _literal(piece: str, first: bool) -> str:
    if first and piece:
        return f"[{re.escape(piece[0].upper())}{re.escape(piece[0].lower())}]{re.escape(piece[1:])}"
    return re.escape(piece)


@lru_cache(maxsize=1 << 13)
def _names(text: str) -> frozenset[str]:
    """The names in a clause: what is quoted, except for buttons, and what has a capital within a sentence."""
    text = _BUTTON.sub("", text)
    capital = _NAME.findall(_BLANK.sub(" ", _QUOTED.sub('"', text)))
    return frozenset(name.strip('"') for name in (*_QUOTED.findall(text), *capital))


def _segments(instruction: str) -> list[tuple[int, int]]:
    masked = _QUOTED.sub(lambda match: "x" * len(match[0]), instruction)
    bounds, start = [], 0
    for match in _SEGMENT.finditer(masked):
        bounds.append((start, match.start()))
        start = match.end()
    return [*bounds, (start, len(instruction))]


def _unquoted(text: str) -> str:
    return _QUOTED.sub("", text)


def as_nodes(reading: Reading, nodes: Sequence[int] | Mapping[int, int]) -> Reading:
    """The same with nodes of the graph in place of numbers of the list."""
    return Reading(
        frozenset((nodes[a], nodes[b]) for a, b in reading.needs),
        frozenset((nodes[a], nodes[b]) for a, b in reading.sequence),
        frozenset(nodes[one] for one in reading.missing),
    )
