"""Whether a journal that somebody sent is one that a run writes: every line whole, none twice, none out of its place.

This is looked at line by line and attempt by attempt, without playing anything.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from omnipilot.bench.journal.events import (
    EVENTS,
    EpisodeEnded,
    EpisodeStarted,
    Event,
    ModelCalled,
    MoveGuarded,
    PersonActed,
    ReplyUnread,
    RunStarted,
    StepTaken,
    TurnTaken,
)
from omnipilot.bench.journal.journal import to_line
from omnipilot.envs import Modality, OmnipilotError
from omnipilot.envs.schema import codec, parse_json

_ALIKE = frozenset({MoveGuarded.event, ReplyUnread.event})
"""Kinds of which an honest journal may hold the same line twice."""


def line_problems(journal: bytes) -> Iterator[str]:
    """Lines that no run writes so, each in a few words."""
    first: dict[bytes, int] = {}
    for number, line in enumerate(io.BytesIO(journal), 1):
        if problem := _line_problem(line):
            yield f"line {number} of the journal {problem}"
            continue
        kind = parse_json(line)["event"]
        if kind not in _ALIKE and first.setdefault(line, number) != number:
            yield f"line {number} of the journal is the same as line {first[line]}"


def _line_problem(line: bytes) -> str:
    if not line.endswith(b"\n"):
        return "has no end"
    try:
        told = parse_json(line, keep_halves=True)
        if not isinstance(told, dict) or told.get("event") not in EVENTS:
            return "is no event that this version knows"
        return "" if to_line(told) == line else "is not written as a run writes it"
    except ValueError as error:
        return f"cannot be read: {error!s:.100}"


def order_problems(events: Sequence[Event]) -> Iterator[str]:
    """What stands where no run writes it, each in a few words."""
    if events and not isinstance(events[0], RunStarted):
        yield "the journal does not begin with the start of the run, which holds the list of its episodes"
    yield from _shrinking_tasks([event for event in events if isinstance(event, RunStarted)])
    attempts: dict[tuple[str, int], list[Event]] = {}
    for event in events:
        which = getattr(event, "key", ""), getattr(event, "attempt", 0)
        if not which[0] or isinstance(event, PersonActed):
            continue
        name = f"{which[0]}, attempt {which[1]}"
        if isinstance(event, EpisodeStarted):
            if which in attempts:
                yield f"{name} begins twice"
            attempts[which] = [event]
        elif which not in attempts:
            yield f"{name}: {event.event} stands before its start"
        elif isinstance(attempts[which][-1], EpisodeEnded):
            yield f"{name}: {event.event} stands after its end"
        else:
            attempts[which].append(event)
    guard = next((event.spec.get("guard") for event in events if isinstance(event, RunStarted)), None)
    for (key, number), record in attempts.items():
        for problem in (*_attempt_problems(record), *_ruling_problems(record, guard)):
            yield f"{key}, attempt {number}: {problem}"


def _shrinking_tasks(starts: Sequence[RunStarted]) -> Iterator[str]:
    for before, after in pairwise(starts):
        if lost := sorted(set(before.tasks) - set(after.tasks)):
            yield f"the list of tasks lost {', '.join(lost[:3])} between two starts of the run"


def _attempt_problems(record: Sequence[Event]) -> Iterator[str]:
    numbers: dict[str, list[int]] = defaultdict(list)
    asked: set[int] = set()
    for event in record:
        if isinstance(event, TurnTaken):
            numbers["turns"].append(event.turn)
        elif isinstance(event, StepTaken):
            numbers["steps"].append(event.step)
        elif isinstance(event, ModelCalled):
            numbers["model calls"] += [event.call] * (event.call not in asked)
            asked.add(event.call)
        if isinstance(event, TurnTaken | StepTaken) and (lost := sorted({*event.calls} - asked)):
            yield f"{event.event} names the model calls {lost[:3]}, which the journal lacks"
    for what, found in numbers.items():
        if found != list(range(len(found))):
            yield f"its {what} are not numbered one after the other"


def _ruling_problems(record: Sequence[Event], guard: Mapping[str, Any] | None) -> Iterator[str]:
    """Moves that were carried out though the guard let them not pass, and rulings that it cannot have made.

    Args:
        guard: of the specification; None for none.
    """
    passed: dict[int, bool] = {}
    for event in record:
        if isinstance(event, MoveGuarded):
            if guard is None:
                yield f"step {event.step + 1}: a guard ruled on it, and the run has none"
            elif event.policy != guard["digest"]:
                yield f"step {event.step + 1}: a guard ruled on it by another policy than the run's"
            passed[event.step] = event.passed
        elif isinstance(event, StepTaken) and event.result == "denied" and passed.get(event.step) is not False:
            yield f"step {event.step + 1} is said to be refused by the guard, which did not refuse it"
        elif guard is None or not isinstance(event, StepTaken) or event.executed is None:
            continue
        elif not passed.get(event.step):
            how = "refused it" if event.step in passed else "never ruled on it"
            yield f"step {event.step + 1} was carried out, and the guard {how}"


def input_problems(events: Sequence[Event]) -> Iterator[str]:
    """What judges cannot have been given, nor have said: verbs that are none, sub-goals that the task has not, looks
    that say nothing of a modality. For worlds that are not played again."""
    nodes: dict[tuple[str, int], set[str]] = {}
    for event in events:
        if isinstance(event, EpisodeStarted):
            nodes[event.key, event.attempt] = {node["name"] for node in event.nodes}
        elif isinstance(event, StepTaken | EpisodeEnded):
            which = event.key, event.attempt
            where = f"step {event.step + 1}" if isinstance(event, StepTaken) else "its end"
            for change in event.changes:
                if change["node"] not in nodes.get(which, set()):
                    yield f"{event.key}, {where}: a verdict on {change['node']!r:.60}, which is no sub-goal of the task"
            if isinstance(event, StepTaken) and (problem := _verb_problem(event)):
                yield f"{event.key}, {where}: {problem}"
        elif isinstance(event, TurnTaken):
            for env, look in event.observations.items():
                told = {*look, *look.get("absent", {})}
                if silent := [one.value for one in Modality if one.value not in told]:
                    yield f"{event.key}, turn {event.turn + 1}, {env}: nothing is said of its {silent[0]}"


def _verb_problem(step: StepTaken) -> str:
    if step.executed is None:
        return ""
    try:
        codec.from_json(step.executed)
    except (OmnipilotError, ValueError, KeyError, TypeError) as error:
        return f"no verb was carried out: {error!s:.100}"
    return ""
