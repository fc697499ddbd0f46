"""Macro-actions mined from solved runs: frequent sequences of moves whose names pay for themselves.

A move is a pattern in which each text that occurs in fewer tasks than the support is a hole, and so is each id that is
numbered, such as `mail/list/mail-13`. Sequences of patterns on one device that occur in enough tasks become macros, the
one that saves most first; its occurrences are replaced by one call, and the search goes on with what is left.
Instances and trials of a task are one task here: what only one task does is no habit.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, StepTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import SUCCESS
from omnipilot.envs import ConfigError
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import Macro

SUPPORT, LONGEST, MOST = 5, 6, 40
"""Fewest tasks that a macro occurs in, most steps of one, and most macros."""
_VALUES = ("text", "app", "url", "value")
_PLACES = ("at", "start", "end")
_NUMBERED = re.compile(r"-\d+(/|$)")
"""An id of one thing of an instance's content."""
HOLE = "{}"
"""Stands for a text that differs from episode to episode."""


@dataclass(frozen=True, slots=True)
class MinedMacro:
    """A macro, and what speaks for it.

    Attributes:
        support: tasks that it occurs in. uses: occurrences that do not overlap. gain: symbols that it saves in these
            runs, less those of its definition.
    """

    macro: Macro
    support: int
    uses: int
    gain: int


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """A move of an episode: its device, its pattern as a key, and what fills the holes."""

    env: str
    key: str
    filled: tuple[str, ...]


def mine_macros(
    runs: Sequence[Path], support: int = SUPPORT, longest: int = LONGEST, most: int = MOST
) -> tuple[MinedMacro, ...]:
    """The macros of runs' solved episodes, the one that saves most first.

    Args:
        support: fewest tasks that one occurs in. longest: most steps of one. most: most macros.

    Raises:
        ConfigError: no episode was solved, or the bounds make no sense. JournalError: there is no run.
    """
    episodes = [one for run in runs for one in solved_moves(run)]
    if not episodes:
        raise ConfigError(f"no episode of {', '.join(map(str, runs))} was solved; mine runs of an agent that solves")
    return mine_moves(episodes, support, longest, most)


def mine_moves(
    episodes: Sequence[tuple[str, Sequence[tuple[str, Mapping[str, Any]]]]],
    support: int = SUPPORT,
    longest: int = LONGEST,
    most: int = MOST,
) -> tuple[MinedMacro, ...]:
    """The macros of episodes as `solved_moves` has them, the one that saves most first.

    Raises:
        ConfigError: the bounds make no sense.
    """
    if support < 2 or longest < 2 or most < 1:
        raise ConfigError("a macro occurs in 2 tasks or more, has 2 steps or more, and there is at least one")
    frequent = _frequent_values(episodes, support)
    streams = [segment for task, moves in episodes for segment in _segments(task, moves, frequent)]
    found: list[MinedMacro] = []
    while len(found) < most and (best := _best(streams, support, longest, found)) is not None:
        found.append(best[0])
        streams = [(task, _replaced(segment, best[1], f"macro {len(found)}")) for task, segment in streams]
    return tuple(found)


def solved_moves(run: Path) -> Iterator[tuple[str, list[tuple[str, Mapping[str, Any]]]]]:
    """The task of each solved episode of a run, with the moves that devices carried out, as (device, JSON); in place of
    one that was not, ("", {}), which no macro goes over."""
    begun: dict[tuple[str, int], list[tuple[str, Mapping[str, Any]]]] = {}
    for event in read(run):
        if isinstance(event, EpisodeStarted):
            begun[event.key, event.attempt] = []
        elif isinstance(event, StepTaken) and (event.key, event.attempt) in begun:
            plain = event.result == "done" and event.proposed is not None
            move = (event.env, event.proposed or {}) if plain else ("", {})
            begun[event.key, event.attempt].append(move)
        elif isinstance(event, EpisodeEnded) and event.reason == SUCCESS:
            yield event.key.partition("#")[0], begun.pop((event.key, event.attempt), [])


def _values(move: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of a move that may become holes: where they stand, and what they say."""
    for name in (*_VALUES, *_PLACES):
        value = move.get(name)
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Mapping) and isinstance(value.get("id"), str):
            yield f"{name}.id", value["id"]


def _frequent_values(
    episodes: Sequence[tuple[str, Sequence[tuple[str, Mapping[str, Any]]]]], support: int
) -> frozenset[tuple[str, str]]:
    """What stands in a place of a verb in enough episodes to be part of a macro."""
    tasks: dict[tuple[str, str], set[str]] = defaultdict(set)
    for task, moves in episodes:
        for _, move in moves:
            for name, value in _values(move):
                tasks[f"{move.get('kind')}.{name}", value].add(task)
    return frozenset(one for one, which in tasks.items() if len(which) >= support and not _NUMBERED.search(one[1]))


def _segments(
    task: str, moves: Sequence[tuple[str, Mapping[str, Any]]], frequent: frozenset[tuple[str, str]]
) -> Iterator[tuple[str, tuple[_Occurrence, ...]]]:
    """The moves of an episode as patterns, a segment for each stretch on one device."""
    segment: list[_Occurrence] = []
    for env, move in moves:
        mineable = env and move.get("kind") not in CONTROL_VERBS and not _has_point(move)
        if segment and (not mineable or segment[-1].env != env):
            yield task, tuple(segment)
            segment = []
        if mineable:
            segment.append(_pattern(env, move, frequent))
    if segment:
        yield task, tuple(segment)


def _has_point(move: Mapping[str, Any]) -> bool:
    return any(isinstance(move.get(name), Mapping) and "x" in move[name] for name in _PLACES) or "path" in move


def _pattern(env: str, move: Mapping[str, Any], frequent: frozenset[tuple[str, str]]) -> _Occurrence:
    pattern, filled = dict(move), []
    for name, value in _values(move):
        if (f"{move.get('kind')}.{name}", value) not in frequent:
            field, _, inner = name.partition(".")
            pattern[field] = {inner: HOLE} if inner else HOLE
            filled.append(value)
    return _Occurrence(env, json.dumps(pattern, sort_keys=True), tuple(filled))


def _best(
    streams: Sequence[tuple[str, tuple[_Occurrence, ...]]], support: int, longest: int, found: Sequence[MinedMacro]
) -> tuple[MinedMacro, tuple[str, ...]] | None:
    """The sequence of patterns that saves most, as a macro and as keys; None if none saves anything."""
    seen: dict[tuple[str, ...], list[tuple[str, tuple[_Occurrence, ...]]]] = defaultdict(list)
    for task, segment in streams:
        for length in range(2, longest + 1):
            for at in range(len(segment) - length + 1):
                part = segment[at : at + length]
                if not any(one.key.startswith("macro ") for one in part):
                    seen[part[0].env, *(one.key for one in part)].append((task, part))
    chosen: tuple[int, str, tuple[str, ...]] | None = None
    for keys, places in seen.items():
        if len({task for task, _ in places}) < support or all(HOLE in key for key in keys[1:]):
            continue
        gain = _gain(keys, places)
        if gain > 0 and (chosen is None or (gain, str(keys)) > (chosen[0], chosen[1])):
            chosen = gain, str(keys), keys
    if chosen is None:
        return None
    places = seen[chosen[2]]
    macro = _macro(chosen[2], [part for _, part in places], {one.macro.name for one in found})
    return MinedMacro(macro, len({task for task, _ in places}), _uses(chosen[2], places), chosen[0]), chosen[2]


def _gain(keys: tuple[str, ...], places: Sequence[tuple[str, tuple[_Occurrence, ...]]]) -> int:
    """Symbols saved: those of the moves less those of the calls, for each use, less those of the definition.

    A move has one for its verb and one for each of its texts; a call one for its name and one for each parameter.
    """
    holes = len(set(_columns([part for _, part in places]).values()))
    moves = sum(1 + _texts(key) for key in keys[1:])
    return _uses(keys, places) * (moves - 1 - holes) - (moves + holes)


def _texts(key: str) -> int:
    return sum(1 for _ in _values(json.loads(key)))


def _uses(keys: tuple[str, ...], places: Sequence[tuple[str, tuple[_Occurrence, ...]]]) -> int:
    """Occurrences that do not overlap; those of a sequence that repeats itself do."""
    first = keys[1]
    overlap = sum(1 for key in keys[1:] if key == first)
    return max(1, len(places) // overlap)


def _columns(parts: Sequence[tuple[_Occurrence, ...]]) -> dict[tuple[int, int], int]:
    """The parameter of each hole, as (step, hole): holes that always say the same are one parameter."""
    columns = {
        (step, hole): tuple(part[step].filled[hole] for part in parts)
        for step, one in enumerate(parts[0])
        for hole in range(len(one.filled))
    }
    order = list(dict.fromkeys(columns.values()))
    return {place: order.index(values) for place, values in columns.items()}


def _macro(keys: tuple[str, ...], parts: Sequence[tuple[_Occurrence, ...]], taken: Iterable[str]) -> Macro:
    columns = _columns(parts)
    parameters: dict[str, str] = {}
    steps: list[Mapping[str, Any]] = []
    for step, key in enumerate(keys[1:]):
        pattern = json.loads(key)
        hole = 0
        for name, value in list(_values(pattern)):
            if value != HOLE:
                continue
            field, _, inner = name.partition(".")
            called = f"value_{columns[step, hole] + 1}"
            such = json.dumps(parts[0][step].filled[hole][:40])
            parameters.setdefault(called, f"for {pattern['kind']}: {name.replace('.', ' ')}, such as {such}")
            pattern[field] = {inner: f"{{{called}}}"} if inner else f"{{{called}}}"
            hole += 1
        steps.append(pattern)
    words = [value for one in steps for _, value in _values(one) if "{" not in value]
    name = _name(steps, words, set(taken))
    told = "; ".join(" ".join((str(one["kind"]), *(value for _, value in _values(one)))) for one in steps)
    return Macro(name, f"On the {keys[0]}: {told}."[:500], tuple(steps), parameters, keys[0])


def _name(steps: Sequence[Mapping[str, Any]], words: Sequence[str], taken: set[str]) -> str:
    """A name that says what it does and is not taken."""
    said = words[-1] if words else str(steps[-1]["kind"])
    base = re.sub(r"[^a-z0-9]+", "_", f"{words[0] if len(words) > 1 else ''} {said}".casefold()).strip("_")
    base = re.sub(r"^[^a-z]+", "", base)[:40].strip("_") or "macro"
    name, number = f"do_{base}", 2
    while name in taken:
        name, number = f"do_{base}_{number}", number + 1
    return name


def _replaced(segment: tuple[_Occurrence, ...], keys: tuple[str, ...], name: str) -> tuple[_Occurrence, ...]:
    """A segment with every occurrence of a sequence replaced by one call."""
    found: list[_Occurrence] = []
    at, length = 0, len(keys) - 1
    while at < len(segment):
        part = segment[at : at + length]
        if len(part) == length and (part[0].env, *(one.key for one in part)) == keys:
            found.append(_Occurrence(part[0].env, name, ()))
            at += length
        else:
            found.append(segment[at])
            at += 1
    return tuple(found)
