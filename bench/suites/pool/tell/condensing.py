"""Wordings of what is to be achieved: steps are left out, and so is a clause that only finds out what another names.

"Open Mail and read the mail "Door code" from Maria Costa. …type the door code from Maria Costa and press Send" becomes
"send the door code from Maria Costa (see the mail "Door code" in Mail) to …". Names and values that cannot be guessed
stay.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import pairwise

from omnipilot.bench.suites.pool.tell.acts import only_learns
from omnipilot.bench.suites.pool.tell.clauses import APP, TaskClause
from omnipilot.bench.suites.pool.tell.readers import InstructionReader
from omnipilot.bench.suites.pool.tell.results import looked_up, names_its_app, result_of
from omnipilot.bench.suites.pool.tell.topology import Pairs
from omnipilot.bench.suites.pool.tell.validator import validate
from omnipilot.bench.suites.pool.tell.wordings import Wording, plain_wording, points_back, with_labels

_HOLE = r"\{\w+\}"
_ENDING = re.compile(r',? and (?:save it|press "(?:Save|Send)")$')
_OBJECT = re.compile(r"(?:open|play|look at|listen to) (.+?)(?: and |, | at | then |$)")
_IN_APP = re.compile(r"^the [a-z ]*\"[^\"]*\" (in [A-Z][A-Za-z ]*)$")
_FORM = re.compile(r"\(((?:as|in|digits) [^()]*)\)")
_EXAMPLE = re.compile(r" \((?:as|in) [^()]*\)$")
_QUOTED = re.compile(r'"[^"]*"')
_NAMES = re.compile(r"\"[^\"]*\"|(?<=\s)(?:[A-Z][\w-]*(?: [A-Z][\w-]*)*|[a-z]+\.example)")


def high_text(
    clauses: Sequence[TaskClause], edges: Pairs, reader: InstructionReader, order: Sequence[int] | None = None
) -> str:
    """What is to be achieved, in words; see `high_wording`."""
    wording, told = high_wording(clauses, edges, reader, order)
    return wording.text(told)


def high_wording(
    clauses: Sequence[TaskClause], edges: Pairs, reader: InstructionReader, order: Sequence[int] | None = None
) -> tuple[Wording, Sequence[TaskClause]]:
    """What is to be achieved, as short as a reader still reads the graph from it.

    Clauses that only find something out are left out, and all others are said without their steps, but for those that a
    reader does not understand then.

    Args:
        order: of the graph; where none is given, one that keeps devices and applications together.

    Returns:
        The wording, and the clauses that it is a wording of.
    """
    short = {clause.node: condense(clause) for clause in clauses}
    all_short = [short[clause.node] for clause in clauses]

    def is_read(wording: Wording, told: Sequence[TaskClause]) -> bool:
        return validate(wording.text(told), clauses, edges, reader).accepted

    orders = [tuple(order)] if order is not None else [grouped_order(clauses, edges), tuple(range(len(clauses)))]
    for one in orders:
        shortest = replace(without_results(clauses, one), app_once=True)
        if is_read(shortest, all_short):
            return shortest, all_short
    given = orders[-1]
    for fuller in (without_results(clauses, given), without_finding(clauses, given), plain_wording(clauses, given)):
        wording = replace(fuller, app_once=True)
        if is_read(wording, all_short):
            return wording, all_short
        told = list(clauses)
        if is_read(wording, told):
            for at, clause in enumerate(clauses):
                shorter = [*told[:at], short[clause.node], *told[at + 1 :]]
                told = shorter if is_read(wording, shorter) else told
            return wording, told
    return plain_wording(clauses, given), clauses


def grouped_order(clauses: Sequence[TaskClause], edges: Pairs) -> tuple[int, ...]:
    """An order of the graph that goes on, wherever it can, in the application and on the device where it is.

    Clauses of which only the result is spoken of are passed over in this.
    """
    silent = _with_results(clauses)
    left, order = set(range(len(clauses))), list[int]()
    last: TaskClause | None = None
    while left:
        ready = sorted(node for node in left if not any(b == node and a in left for a, b in edges))
        hidden = [node for node in ready if node in silent]

        def closeness(node: int, last: TaskClause | None = last) -> tuple[bool, bool, int]:
            clause = clauses[node]
            return last is None or clause.place != last.place, last is None or clause.app != last.app, node

        node = hidden[0] if hidden else min(ready, key=closeness)
        last = last if hidden else clauses[node]
        left.remove(node)
        order.append(node)
    return tuple(order)


def _with_results(clauses: Sequence[TaskClause]) -> frozenset[int]:
    """Clauses that only find out what others take, and whose result has words of its own."""
    return frozenset(
        clause.node
        for clause in clauses
        if clause.yields is not None
        and any(clause.node in other.takes.values() for other in clauses)
        and only_learns(clause)
        and result_of(clause.template)
        and not points_back(clause)
    )


def without_results(clauses: Sequence[TaskClause], order: Sequence[int]) -> Wording:
    """A wording in which results are spoken of where they are needed, and the clauses that find them are left out.

    What is found by what was found is spoken of in one: 'the phone number of the person named in the note "Party"'.
    """
    silent = _with_results(clauses)
    others = without_finding(clauses, order, silent)
    kept = others.order
    said = dict(others.references)

    def speak(node: int, name: str, app: str) -> str:
        source = clauses[node].takes[name]
        if source not in silent:
            return said.get((node, name), clauses[node].inputs[name].words)
        clause = clauses[source]
        inner = {one: speak(source, one, clause.app) for one in clause.takes}
        words = result_of(clause.template).format(
            **clause.words, **{one: inner.get(one, resource.words) for one, resource in clause.inputs.items()}
        )
        return words + _place_of_result(clause, clause.app == app, words)

    references = {(node, name): speak(node, name, clauses[node].app) for node in kept for name in clauses[node].takes}
    linked = frozenset(b for a, b in pairwise(kept) if a in clauses[b].takes.values())
    return Wording(kept, {**said, **references}, others.labels, linked)


def _place_of_result(clause: TaskClause, is_here: bool, words: str) -> str:
    """In brackets: an example of the form of a result, and the application where neither its name nor the place where
    it is spoken of says that.

    Args:
        words: for the result, which may hold the example.
    """
    assert clause.yields is not None
    form = _FORM.search(clause.yields.words)
    app = APP.match(clause.template)
    said = [form[1] if form and form[0] not in words else ""]
    if app and not is_here and not names_its_app(app[1], result_of(clause.filled({}))):
        said.append(f"in {app[1]}")
    told = ", ".join(one for one in said if one)
    return f" ({told})" if told else ""


def without_finding(
    clauses: Sequence[TaskClause], order: Sequence[int], silent: frozenset[int] = frozenset()
) -> Wording:
    """A wording without the clauses that only find out what another takes; the first reference says where it is.

    Args:
        silent: clauses of which only the result is spoken of; they need no names.
    """
    spoken = tuple(node for node in order if node not in silent)
    full = with_labels(clauses, Wording(spoken))
    dropped = {
        node
        for node in spoken
        if node not in full.labels
        and not clauses[node].takes
        and only_learns(clauses[node])
        and any(node in other.takes.values() for other in clauses)
        and _where(clauses[node]) is not None
        and not points_back(clauses[node])
    }
    kept = tuple(node for node in spoken if node not in dropped)
    references = dict(full.references)
    told: set[int] = set(silent)
    for node in kept:
        for name, source in clauses[node].takes.items():
            if source in silent:
                continue
            if source in told and (node, name) not in references:
                # An example of the form is needed once.
                references[node, name] = _EXAMPLE.sub("", clauses[node].inputs[name].words)
            elif source in dropped and source not in told:
                references[node, name] = _with_place(clauses[source], clauses[node].place)
            told.add(source)
    linked = frozenset(b for a, b in pairwise(kept) if a in clauses[b].takes.values())
    return Wording(kept, references, full.labels, linked)


def condense(clause: TaskClause) -> TaskClause:
    """A clause without its steps."""
    text = clause.template
    for pattern, say in _patterns():
        match = pattern.search(text)
        if match:
            new = re.sub(r"\{(\d)\}", lambda hole, found=match: str(found[int(hole[1])]), say)  # type: ignore[misc]
            text = text[: match.start()] + new + text[match.end() :]
            break
    return replace(clause, template=looked_up(text) or _ENDING.sub("", text))


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    text = resources.files(__package__).joinpath("presets/condensed.toml").read_text(encoding="utf-8")
    return [
        (re.compile(re.escape(one["steps"]).replace(r"\{\}", f"({_HOLE})")), one["say"])
        for one in tomllib.loads(text)["clause"]
    ]


def _where(clause: TaskClause) -> str | None:
    """Where a clause finds something out, as a noun: 'the mail "Door code" in Mail'; None where it does not say."""
    said = clause.filled({})
    found = _OBJECT.search(_QUOTED.sub(lambda match: "x" * len(match[0]), said))
    if found is None or said.count(" then ") or said.startswith("wait"):
        return None
    return said[found.start(1) : found.end(1)]


def _with_place(source: TaskClause, place: str) -> str:
    where = _where(source)
    assert source.yields is not None
    assert where is not None
    words = source.yields.words
    names = [
        name
        for name in dict.fromkeys(_NAMES.findall(source.filled({})))
        if name not in where and name.strip('"') not in words
    ]
    app = _IN_APP.search(where)
    if app and all(name in words for name in _QUOTED.findall(where)) and '"' in where:
        # The words name the thing already.
        where = app[1]
    device = f"{source.place}, " if source.place and source.place != place else ""
    if app and where == app[1] and not names:
        return f"{words} ({device}{where})"
    return f"{words} ({device}see {', '.join([where, *names])})"
