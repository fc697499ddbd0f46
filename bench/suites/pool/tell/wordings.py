"""Wordings of a task by rule: every clause in any order of the graph.

What one clause takes from another it speaks of by a reference, never by its value. Where a reader who knows the clauses
alone could not tell which clause is meant, the clause that yields the thing gives it a name ("code A").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from omnipilot.bench.suites.pool.tell.clauses import APP, TaskClause, noun_of
from omnipilot.bench.suites.pool.tell.references import Antecedent, resolve_reference
from omnipilot.bench.suites.pool.tell.results import names_its_app


@dataclass(frozen=True, slots=True)
class Wording:
    """How the clauses of a task are put into words.

    Attributes:
        order: of the nodes. references: (node, input) → words for what it takes, where they are not those of the
            instance. labels: node → the name that it gives its result. linked: nodes whose clause goes on in the
            sentence before it with "then". app_once: whether an application is named once for clauses of it that follow
            one another, and not at all where what they speak of says it.
    """

    order: tuple[int, ...]
    references: Mapping[tuple[int, str], str] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    linked: frozenset[int] = frozenset()
    app_once: bool = False

    def text(self, clauses: Sequence[TaskClause]) -> str:
        """The instruction."""
        written: list[tuple[int, str]] = []
        before = app_before = ""
        for node in self.order:
            clause = clauses[node]
            text = clause.filled({name: words for (at, name), words in self.references.items() if at == node})
            app = match[1] if (match := APP.match(text)) else ""
            rest = APP.sub("", text)
            is_known = (app, clause.place) == (app_before, before) or names_its_app(app, rest)
            if self.app_once and app and is_known:
                text = rest
            if clause.place and clause.place != before:
                text = f"{clause.place}, {text}"
            if node in self.labels:
                text += f" ({name_of_result(clause, self.labels[node])})"
            # A clause that names no device itself may end on any.
            before, app_before = clause.place, app
            written.append((node, text))
        return join_clauses(written, self.linked)


_KIND_ALONE = re.compile(r"the new [a-z]+|the [a-z]+ that you [a-z]+")
_POINTS = re.compile(r"^(the same|this|that) ")


def name_of_result(clause: TaskClause, label: str) -> str:
    """How a clause gives its result a name: "code A: the number of the order"; "note A" for "the new note"."""
    if clause.yields is None or points_back(clause) or _KIND_ALONE.fullmatch(clause.yields.words):
        return label
    return f"{label}: {clause.yields.words}"


def points_back(clause: TaskClause) -> bool:
    """Whether the words for what a clause yields are understood right after it only: "this picture"."""
    return clause.yields is not None and bool(_POINTS.match(clause.yields.words))


def join_clauses(written: Sequence[tuple[int, str]], linked: frozenset[int]) -> str:
    """Sentences of clauses, each with the node that it is of; those of `linked` go on in the sentence before."""
    told = ""
    for node, text in written:
        if told and node in linked:
            told += f", then {text}"
        else:
            told += f"{end_of_sentence(told)} {text[:1].upper()}{text[1:]}" if told else f"{text[:1].upper()}{text[1:]}"
    return told + end_of_sentence(told)


def end_of_sentence(text: str) -> str:
    """The full stop that a sentence still needs."""
    return "" if text.endswith((".", "!", "?")) else "."


def plain_wording(clauses: Sequence[TaskClause], order: Sequence[int] | None = None) -> Wording:
    """Every clause, in an order of the graph (that of its nodes where none is given)."""
    order = tuple(order if order is not None else range(len(clauses)))
    linked = frozenset(b for a, b in pairwise(order) if a in clauses[b].takes.values())
    return with_labels(clauses, Wording(order, linked=linked))


def with_labels(clauses: Sequence[TaskClause], wording: Wording) -> Wording:
    """The same, with names for those results whose reference would not be understood."""
    labels: dict[int, str] = {}
    used: dict[str, int] = {}
    for source in wording.order:
        takers = [
            (node, name)
            for node in wording.order
            for name, provider in clauses[node].takes.items()
            if provider == source
        ]
        if any(_is_unclear(clauses, wording.order, node, name) for node, name in takers):
            noun = _short_noun(clauses[source])
            letter = chr(ord("A") + used.get(noun, 0))
            used[noun] = used.get(noun, 0) + 1
            labels[source] = f"{noun} {letter}"
    references = {
        (node, name): labels[source]
        for node in wording.order
        for name, source in clauses[node].takes.items()
        if source in labels
    }
    return Wording(wording.order, {**wording.references, **references}, labels, wording.linked)


def _short_noun(clause: TaskClause) -> str:
    assert clause.yields is not None
    return noun_of(clause.yields.type).rpartition(" ")[2]


def _is_unclear(clauses: Sequence[TaskClause], order: Sequence[int], node: int, name: str) -> bool:
    at = order.index(node)
    before = [
        Antecedent(
            one,
            clauses[one].listed(),
            noun_of(yields.type) if (yields := clauses[one].yields) else "",
            nearest=place == at - 1,
        )
        for place, one in enumerate(order[:at])
    ]
    return resolve_reference(clauses[node].inputs[name].words, before) != clauses[node].takes[name]
