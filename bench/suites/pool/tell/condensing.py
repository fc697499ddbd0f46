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
from omnipilot.bench.suites.pool.tell.clauses import TaskClause
from omnipilot.bench.suites.pool.tell.readers import InstructionReader
from omnipilot.bench.suites.pool.tell.topology import Pairs
from omnipilot.bench.suites.pool.tell.validator import validate
from omnipilot.bench.suites.pool.tell.wordings import Wording, plain_wording, points_back, with_labels

_HOLE = r"\{\w+\}"
_ENDING = re.compile(r',? and (?:save it|press "(?:Save|Send)")$')
_OBJECT = re.compile(r"(?:open|play|look at|listen to) (.+?)(?: and |, | at | then |$)")
_IN_APP = re.compile(r"^the [a-z ]*\"[^\"]*\" (in [A-Z][A-Za-z ]*)$")
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
        order: of the graph; that of its nodes where none is given.

    Returns:
        The wording, and the clauses that it is a wording of.
    """
    order = tuple(order if order is not None else range(len(clauses)))
    short = {clause.node: condense(clause) for clause in clauses}
    for fuller in (without_finding(clauses, order), plain_wording(clauses, order)):
        wording = replace(fuller, app_once=True)

        def is_read(told: Sequence[TaskClause], wording: Wording = wording) -> bool:
            return validate(wording.text(told), clauses, edges, reader).accepted

        all_short = [short[clause.node] for clause in clauses]
        if is_read(all_short):
            return wording, all_short
        told = list(clauses)
        if is_read(told):
            for at, clause in enumerate(clauses):
                shorter = [*told[:at], short[clause.node], *told[at + 1 :]]
                told = shorter if is_read(shorter) else told
            return wording, told
    return plain_wording(clauses, order), clauses


def without_finding(clauses: Sequence[TaskClause], order: Sequence[int]) -> Wording:
    """A wording without the clauses that only find out what another takes; the first reference says where it is."""
    full = with_labels(clauses, Wording(tuple(order)))
    dropped = {
        node
        for node in order
        if node not in full.labels
        and not clauses[node].takes
        and only_learns(clauses[node])
        and any(node in other.takes.values() for other in clauses)
        and _where(clauses[node]) is not None
        and not points_back(clauses[node])
    }
    kept = tuple(node for node in order if node not in dropped)
    references = dict(full.references)
    told: set[int] = set()
    for node in kept:
        for name, source in clauses[node].takes.items():
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
    return replace(clause, template=_ENDING.sub("", text))


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
