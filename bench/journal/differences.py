"""Where two records of an episode differ, event by event; what hangs on a model or on wall time is passed over."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, Event, PastTurn, StepTaken, TurnTaken
from omnipilot.envs import Modality

_STARTED = ("key", "task", "instance", "trial", "instruction", "nodes", "edges", "tags", "limits")
_STEP = ("turn", "env", "executed", "result", "message", "counts", "start", "end", "completed")
_ENDED = ("reason", "status", "completed", "total", "turns", "steps", "actions", "invalid", "harms", "world_seconds")
_VERDICT = ("target", "right", "hit", "why")


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """One value that two records of an episode do not share.

    Attributes:
        key: of the episode. turn: counted from 0; None for what belongs to no turn.
        what: which value, in words. recorded, found: the value in the record, and here.
        env: the environment; "" for none.
    """

    key: str
    turn: int | None
    what: str
    recorded: Any
    found: Any
    env: str = ""

    def __str__(self) -> str:
        where = [self.key]
        if self.turn is not None:
            where.append(f"turn {self.turn + 1}" if self.turn >= 0 else f"turn {self.turn} before the start")
        where += [self.env] * bool(self.env)
        return (
            f"{', '.join(where)}: {self.what} is {_short(self.recorded)} in the record, and {_short(self.found)} here"
        )


def event_differences(recorded: Event, found: Event, common: bool = False) -> Iterator[RecordDifference]:
    """Where an event of a record and the one that came of playing it again differ.

    Instructions, what was observed, clocks, outcomes and verdicts are compared; of the reasons that judges give only
    whether there is one, because other versions of Python write numbers otherwise.

    Args:
        common: of observations compare only what was captured in both, because another agent may be shown less.
    """
    if type(recorded) is not type(found):
        key, turn = getattr(recorded, "key", ""), getattr(recorded, "turn", None)
        yield RecordDifference(key, turn, "what happened", recorded.event, found.event)
    elif isinstance(recorded, EpisodeStarted):
        yield from _fields(recorded, found, _STARTED, None)
    elif isinstance(recorded, PastTurn) and isinstance(found, PastTurn):
        yield from _fields(recorded, found, ("actions", "start", "end"), recorded.turn)
        yield from _observations(recorded.key, recorded.turn, recorded.observations, found.observations, common)
    elif isinstance(recorded, TurnTaken) and isinstance(found, TurnTaken):
        yield from _observations(recorded.key, recorded.turn, recorded.observations, found.observations, common)
    elif isinstance(recorded, StepTaken) and isinstance(found, StepTaken):
        yield from _step(recorded, found, common)
    elif isinstance(recorded, EpisodeEnded) and isinstance(found, EpisodeEnded):
        yield from _fields(recorded, found, _ENDED, None)
        yield from _changes(recorded.key, None, recorded.changes, found.changes)
        yield from _observations(recorded.key, None, recorded.observations, found.observations, common)


def _fields(recorded: Any, found: Any, names: tuple[str, ...], turn: int | None) -> Iterator[RecordDifference]:
    for name in names:
        a, b = getattr(recorded, name), getattr(found, name)
        if not same(a, b):
            yield RecordDifference(recorded.key, turn, name.replace("_", " "), a, b, getattr(recorded, "env", ""))


def _step(recorded: StepTaken, found: StepTaken, common: bool) -> Iterator[RecordDifference]:
    yield from _fields(recorded, found, _STEP, recorded.turn)
    yield from _changes(recorded.key, recorded.turn, recorded.changes, found.changes)
    looks = [{} if step.look is None else {recorded.env: step.look} for step in (recorded, found)]
    yield from _observations(recorded.key, recorded.turn, looks[0], looks[1], common)
    if not common:
        a, b = ([_picked(one, _VERDICT) for one in step.pointing] for step in (recorded, found))
        if not same(a, b):
            yield RecordDifference(recorded.key, recorded.turn, "the verdict on pointing", a, b, recorded.env)


def _changes(key: str, turn: int | None, recorded: list[Any], found: list[Any]) -> Iterator[RecordDifference]:
    names = ("node", "progress", "completed")
    a, b = ([_picked(change, names) for change in changes] for changes in (recorded, found))
    if not same(a, b):
        yield RecordDifference(key, turn, "what the judges found", a, b)


def _observations(
    key: str, turn: int | None, recorded: Mapping[str, Any], found: Mapping[str, Any], common: bool
) -> Iterator[RecordDifference]:
    if set(recorded) != set(found):
        yield RecordDifference(key, turn, "the environments observed", sorted(recorded), sorted(found))
    for env in sorted({*recorded, *found}):
        if env not in recorded or env not in found:
            continue
        a, b = recorded[env], found[env]
        for name in ("time", "size"):
            if not same(a.get(name), b.get(name)):
                yield RecordDifference(key, turn, f"the {name} of the observation", a.get(name), b.get(name), env)
        for modality in Modality:
            one, other = a.get(modality.value), b.get(modality.value)
            if common and (one is None or other is None):
                continue
            if not same(one, other):
                yield RecordDifference(key, turn, modality.value, _digest(one), _digest(other), env)


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal, numbers up to the last digits that sums leave open."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(value, b[name]) for name, value in a.items())
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float | int) and not isinstance(b, bool):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return bool(a == b)


def _picked(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: values.get(name) for name in names}


def _digest(value: Any) -> Any:
    """What stands for a capture in a message."""
    if value is None:
        return "missing"
    if isinstance(value, Mapping) and "digest" in value:
        ends = {name: value[name] for name in ("start", "end") if name in value}
        return f"{str(value['digest'])[:12]}…{f' {ends}' if ends else ''}"
    return f"{value[:12]}…" if isinstance(value, str) else value


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 120 else f"{text[:117]}…"
