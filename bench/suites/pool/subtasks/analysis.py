"""Tries candidates on other content, and finds what each of them is: its effect, its inputs, and what it yields."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.suites.pool.explore.general_ids import fill
from omnipilot.bench.suites.pool.explore.typed_values import WORD
from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.candidates import SubtaskCandidate
from omnipilot.bench.suites.pool.subtasks.items import (
    distinct_items,
    find_item,
    has_lasting_key,
    key_value,
    kind_for,
)
from omnipilot.bench.suites.pool.subtasks.judging import timeless
from omnipilot.bench.suites.pool.subtasks.making import MINOR, TODAY, PathPlayer, PlayedPath, app_of, main_entry
from omnipilot.bench.suites.pool.subtasks.naming import instruction_for, why_not_asked
from omnipilot.bench.suites.pool.subtasks.replay import HOLE, PathRehearsal, PathStuck, app_title
from omnipilot.bench.suites.pool.subtasks.resource_types import ItemKind, ResourceTypes
from omnipilot.bench.suites.pool.worlds import StateChange
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.inventory import collections_of, item_id
from omnipilot.envs.sim.state.files import file_of
from omnipilot.envs.sim.state.phone_data import day_of
from omnipilot.envs.sim.state.world_state import WorldState

DRAWS = 10
NEEDED = 5
"""Sets of parameters with which a candidate has to have its effect."""
FAILURES = 3
"""Draws that may fail before that."""
LATER = 137.0
"""Seconds by which a path is played later, to see what hangs on the time."""
GIVEN = 4
"""Items that are tried as given; all but one have to do."""
EXISTING = "existing"
"""Part of the type of items that another subtask cannot make."""
PLACES = {"day": "days", "month": "months", "cell": "cells", "time": "times", "number": "numbers"}
OUTSIDE = ("dirs", "files")
COMMAND_WORD = "text text/word"
"""What stands in the hole for a word of a command that names nothing."""


class Dropped(Exception):
    """A candidate does not become a subtask; the message is the reason, in a few words for counting."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a candidate.

    Attributes:
        subtasks: one, or one for each way of a switch. reason: why there is none. draws: parameters that were tried.
    """

    subtasks: tuple[SubtaskRecord, ...] = ()
    reason: str = ""
    draws: tuple[Mapping[str, str], ...] = field(default=())


def content(instance: int) -> WorldState:
    """The world at the start of an instance, with the alarms of its content off."""
    return quiet(initial_world(instance))


def try_candidate(
    candidate: SubtaskCandidate, types: ResourceTypes, seed: int = 0, known: Mapping[str, SubtaskRecord] | None = None
) -> Tried:
    """Try a candidate on other content; what is left of it has its effect with five sets of parameters at least.

    Args:
        known: subtasks that are there already, by id; a candidate that is one of them, or two of them one after the
            other, is dropped.
    """
    known = known or {}
    try:
        draft = draft_of(candidate)
        draft = _shortened(draft, candidate)
        draft, first = _without_time(draft, candidate)
        draft = _renamed(_typed(draft, candidate, first, types))
        _refuse_known(draft, candidate, known, first)
        ways = [_settled(way, types, seed) for way in _ways(draft, first)]
    except (Dropped, PathStuck) as dropped:
        return Tried(reason=str(dropped))
    found = tuple(way for way in ways if isinstance(way, SubtaskRecord))
    return Tried(found, "" if found else str(ways[0]))


def _refuse_known(
    draft: SubtaskRecord,
    candidate: SubtaskCandidate,
    known: Mapping[str, SubtaskRecord],
    first: Sequence[StateChange],
) -> None:
    app = app_of(draft)
    same_app = [one for one in known.values() if app_of(one) == app]
    if any(one.effect == draft.effect and dict(one.holes) == dict(draft.holes) for one in same_app):
        raise Dropped("is known already")
    if not set(draft.effect) <= set(candidate.effect):
        raise Dropped("does two things, one after the other")
    specs = Counter(draft.holes.values())
    ids = {change.id for change in first}
    values = " ".join(f"{change.before!r} {change.after!r}" for change in first)
    passed = {
        hole_spec(hole, content(candidate.instance))
        for hole in candidate.holes
        if _is_passed(candidate.bindings[hole], ids, values)
    }
    for one in same_app:
        fewer = Counter(one.holes.values())
        more = specs - fewer
        longer = more and all(spec.startswith("item ") and (spec in fewer or spec in passed) for spec in more)
        if one.effect == draft.effect and longer and fewer <= specs:
            raise Dropped("is a known one by a longer way")


def _is_passed(id: str, ids: set[str], values: str) -> bool:
    """Whether an item is only passed on the way: no change is of it, or holds it."""
    return id not in ids and repr(id) not in values


def _renamed(draft: SubtaskRecord) -> SubtaskRecord:
    """With holes numbered anew, in order, as some may be gone."""
    names: dict[str, str] = {}
    for one in draft.path:
        for text in (one.control, one.text, one.to):
            for hole in HOLE.findall(text):
                base = re.sub(r"_\d+$", "", hole)
                taken = [name for name in names.values() if re.sub(r"_\d+$", "", name) == base]
                names.setdefault(hole, base if not taken else f"{base}_{len(taken) + 1}")
    holes = {}
    for hole, spec in draft.holes.items():
        what, _, detail = spec.partition(" ")
        of, _, name = detail.partition(".")
        holes[names[hole]] = f"{what} {names.get(of, of)}.{name}" if what in ("of", "in") else spec
    conditions = []
    for condition in draft.preconditions:
        hole, dot, rest = condition.partition(".")
        if hole in names:
            conditions.append(f"{names[hole]}{dot}{rest}")
    put = {hole: f"{{{name}}}" for hole, name in names.items()}
    return replace(
        draft,
        path=tuple(fill(one, put) for one in draft.path),
        alternatives=tuple(tuple(fill(one, put) for one in way) for way in draft.alternatives),
        holes=holes,
        preconditions=tuple(conditions),
    )


def draft_of(candidate: SubtaskCandidate) -> SubtaskRecord:
    """A candidate as a subtask of which neither the effect nor the inputs are sure yet."""
    state = content(candidate.instance)
    title = app_title(candidate.app.partition("/")[2])
    holes = {hole: hole_spec(hole, state) for hole in candidate.holes}
    for hole, spec in holes.items():
        if spec.startswith("text"):
            holes[hole] = _decided_by(hole, holes, candidate.bindings, state) or spec
    return SubtaskRecord(
        id="",
        instruction_template="",
        preconditions=_conditions(candidate, holes, state),
        application=title,
        env=candidate.app.partition("/")[0],
        effect=candidate.effect,
        path=candidate.path,
        alternatives=candidate.alternatives,
        evidence=candidate.evidence,
        holes=holes,
        ignored=candidate.noise,
    )


def _conditions(candidate: SubtaskCandidate, holes: Mapping[str, str], state: WorldState) -> tuple[str, ...]:
    """What items must be to be on the screen: what those there have, and no others of the kind.

    Each is "hole.field=value"; the value is JSON, or the day of the start.
    """
    offered: dict[str, list[str]] = {}

    def choose(hole: str, offers: Sequence[str]) -> str:
        offered[hole] = list(offers)
        return candidate.bindings[hole]

    try:
        PathRehearsal.begin(state).play(candidate.path, choose)
    except PathStuck:
        return ()
    found = []
    for hole, spec in holes.items():
        kind = spec.removeprefix("item ")
        if not spec.startswith("item ") or kind in OUTSIDE or hole not in offered:
            continue
        items = {item_id(item): item for item in getattr(state.account, kind)}
        there = [items[id] for id in offered[hole] if id in items]
        away = [item for id, item in items.items() if id not in offered[hole]]
        for name in there[0].__dataclass_fields__ if there and away else ():
            values = {repr(getattr(item, name)) for item in there}
            value = getattr(there[0], name)
            if (
                name not in ("id", "contact")
                and len(values) == 1
                and isinstance(value, (str, bool))
                and not any(getattr(item, name) == value for item in away)
            ):
                today = value == day_of(state.start)
                found.append(f"{hole}.{name}={TODAY if today else json.dumps(value)}")
                break
    return tuple(found)


def hole_spec(hole: str, state: WorldState) -> str:
    """What stands in a hole, by its name; see `SubtaskRecord.holes`."""
    base = re.sub(r"_\d+$", "", hole)
    if base.endswith("_text"):
        return "text text"
    if base == "word":
        return COMMAND_WORD
    if base == "option":
        return "option"
    if base in PLACES:
        return f"place {PLACES[base]}"
    kinds = [*collections_of(state.account), *OUTSIDE]
    kind = next((kind for kind in kinds if kind.removesuffix("s") == base), "")
    return f"item {kind}" if kind else "place"


def _decided_by(typed: str, holes: Mapping[str, str], bindings: Mapping[str, str], state: WorldState) -> str:
    """What stands in the hole of a typed text if an item of another one decides it, as "of network.password", or
    "in document.text" for a word of a command; "" if none does."""
    text = bindings[typed]
    for hole, spec in holes.items():
        what, _, kind = spec.partition(" ")
        item = _item_named(state, kind, bindings[hole]) if what == "item" and kind not in OUTSIDE else None
        for name in getattr(item, "__dataclass_fields__", ()):
            value = getattr(item, name)
            if name != "id" and value == text:
                return f"of {hole}.{name}"
            if holes[typed] == COMMAND_WORD and isinstance(value, str) and text in WORD.findall(value):
                return f"in {hole}.{name}"
    return ""


def _item_named(state: WorldState, kind: str, name: str) -> Any | None:
    """The item of an id, or of a path, as commands name files."""
    file = file_of(state.account, name)
    return state.account.find(kind, file.id if file is not None else name)


def _replayed(
    path: Sequence[Operation], bindings: Mapping[str, str], state: WorldState, last: int, later: float = 0.0
) -> tuple[list[StateChange], list[StateChange]]:
    """What a path changes from the state, and what its last operations change."""
    rehearsal = PathRehearsal.begin(state, bindings)
    if later:
        rehearsal.world.wait(later)
    before = rehearsal.world.state()
    rehearsal.play(path[: len(path) - last], lambda _hole, _offers: None)
    between = rehearsal.world.state()
    rehearsal.play(path[len(path) - last :], lambda _hole, _offers: None)
    end = rehearsal.world.state()
    return changes(before, end), changes(between, end)


def _shortened(draft: SubtaskRecord, candidate: SubtaskCandidate) -> SubtaskRecord:
    """Without the operations that make no difference to what the last step changes."""
    state = content(candidate.instance)
    unseen = set(draft.ignored)
    path, last = list(draft.path), candidate.last
    try:
        _, found = _replayed(path, candidate.bindings, state, last)
    except PathStuck:
        raise Dropped("cannot be played again") from None
    wanted = _fingerprint(found, unseen)
    if not set(draft.effect) <= {change.signature for change in found}:
        raise Dropped("has another effect when played again")
    for length in (3, 2, 1):
        index = len(path) - length
        while index > 0:
            inside = max(0, index + length - (len(path) - last))
            shorter = path[:index] + path[index + length :]
            if inside < last and _does_the_same(shorter, candidate, state, last - inside, unseen, wanted):
                path, last = shorter, last - inside
            index -= 1
    holes = _holes_of(path)
    whole, ending = _replayed(path, candidate.bindings, state, last)
    made = Counter(change.signature for change in whole if change.sign != "~")
    ends = Counter(change.signature for change in ending)
    if any(made[entry] > ends[entry] for entry in draft.effect):
        raise Dropped("does two things, one after the other")
    return replace(
        draft,
        path=tuple(path),
        alternatives=tuple(way for way in draft.alternatives if _holes_of(way) == holes),
        holes={hole: spec for hole, spec in draft.holes.items() if hole in holes},
    )


def _does_the_same(
    path: Sequence[Operation],
    candidate: SubtaskCandidate,
    state: WorldState,
    last: int,
    unseen: set[str],
    wanted: Sequence[str],
) -> bool:
    try:
        _, found = _replayed(path, candidate.bindings, state, last)
    except PathStuck:
        return False
    return _fingerprint(found, unseen) == wanted


def _holes_of(path: Sequence[Operation]) -> set[str]:
    return {hole for one in path for text in (one.control, one.text, one.to) for hole in HOLE.findall(text)}


def _without_time(draft: SubtaskRecord, candidate: SubtaskCandidate) -> tuple[SubtaskRecord, list[StateChange]]:
    """The draft with the effect of its whole path, without what hangs on the time, and the changes where it was found.

    What else changed on the way is bookkeeping, if exploration says so; otherwise it belongs to the effect.
    """
    state = content(candidate.instance)
    first, _ = _replayed(draft.path, candidate.bindings, state, 1)
    again, _ = _replayed(draft.path, candidate.bindings, state, 1, LATER)
    ignored = set(draft.ignored)
    later = {(change.signature, change.id): change for change in again}
    for change in first:
        other = later.get((change.signature, change.id))
        if other is None:
            ignored.add(change.signature)
        elif change.sign == "+":
            ignored |= {
                f"~{change.kind}.{name}"
                for name in change.after.__dataclass_fields__
                if timeless(getattr(change.after, name)) != timeless(getattr(other.after, name))
            }
        elif timeless(change.after) != timeless(other.after):
            ignored.add(change.signature)
    kept = [change for change in first if change.signature not in ignored]
    if not set(draft.effect) & {change.signature for change in kept}:
        raise Dropped("leaves nothing but times")
    effect = tuple(sorted({change.signature for change in kept}))
    return replace(draft, effect=effect, ignored=tuple(sorted(ignored))), kept


def _fingerprint(found: Sequence[StateChange], ignored: set[str]) -> list[str]:
    lines = []
    for change in found:
        after = change.after
        if change.sign == "+":
            after = [
                (name, getattr(after, name))
                for name in after.__dataclass_fields__
                if f"~{change.kind}.{name}" not in ignored
            ]
        lines.append(f"{change.signature} {change.id} {timeless(after)!r}")
    return sorted(lines)


def _typed(
    draft: SubtaskRecord, candidate: SubtaskCandidate, first: Sequence[StateChange], types: ResourceTypes
) -> SubtaskRecord:
    """With the type of each typed text, by the field that it arrives in; a text that arrives nowhere stays as it is."""
    holes = dict(draft.holes)
    path, alternatives = draft.path, draft.alternatives
    for hole, spec in draft.holes.items():
        if not spec.startswith("text"):
            continue
        text = candidate.bindings[hole]
        arrived = _arrival(text, first, types)
        if arrived:
            holes[hole] = f"text {types.of_field(*arrived)}"
        else:
            del holes[hole]
            path = tuple(_fixed(one, hole, text) for one in path)
            alternatives = tuple(tuple(_fixed(one, hole, text) for one in way) for way in alternatives)
    return replace(draft, holes=holes, path=path, alternatives=alternatives)


def with_fixed_texts(draft: SubtaskRecord, candidate: SubtaskCandidate) -> SubtaskRecord:
    """With the texts that are typed on the way to a screen as they were when it was found."""
    holes, path = dict(draft.holes), draft.path
    for hole, spec in draft.holes.items():
        if spec.startswith("text"):
            del holes[hole]
            path = tuple(_fixed(one, hole, candidate.bindings[hole]) for one in path)
    return replace(draft, holes=holes, path=path, alternatives=())


def _fixed(operation: Operation, hole: str, text: str) -> Operation:
    return replace(operation, text=operation.text.replace(f"{{{hole}}}", text))


def _arrival(text: str, found: Sequence[StateChange], types: ResourceTypes) -> tuple[str, str] | None:
    """The kind and field in which a text arrives: the whole field before a part of one, a text before a name."""
    partly = None
    whole: list[tuple[str, str]] = []
    for change in found:
        values = (
            {name: getattr(change.after, name) for name in change.after.__dataclass_fields__}
            if change.sign == "+"
            else {change.field: change.after}
            if change.sign == "~"
            else {}
        )
        for name, value in values.items():
            if name == "id":
                continue
            if str(value) == text:
                whole.append((change.kind, name))
            if len(text) > 1 and text in repr(value) and partly is None:
                partly = change.kind, name
    return min(whole, key=lambda place: len(types.of_field(*place)), default=partly)


def _ways(draft: SubtaskRecord, first: Sequence[StateChange]) -> list[SubtaskRecord]:
    """One subtask, or two for a switch that can be thrown both ways."""
    switches = {
        change.signature: change.after
        for change in first
        if change.sign == "~" and isinstance(change.after, bool) and change.signature in draft.effect
    }
    if not switches:
        return [draft]
    ways = [replace(draft, constants=switches)]
    if len(switches) == 1:
        ways.append(replace(draft, constants={entry: not value for entry, value in switches.items()}))
    return ways


def sets_of_parameters(
    draft: SubtaskRecord, types: ResourceTypes, seed: int
) -> tuple[tuple[Mapping[str, str], ...] | None, str]:
    """Sets of values of the holes that are no inputs, or None and why the subtask is none."""
    played, reason = _draws(draft, types, seed)
    if reason:
        return None, reason
    return _parameters(played, draft.inputs), ""


def _parameters(played: Sequence[PlayedPath], inputs: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    some = ({hole: value for hole, value in one.bindings.items() if hole not in inputs} for one in played)
    return tuple(dict(items) for items in dict.fromkeys(tuple(sorted(one.items())) for one in some)) or ({},)


def _draws(draft: SubtaskRecord, types: ResourceTypes, seed: int) -> tuple[list[PlayedPath], str]:
    """The draft played with five sets of parameters on different content, or why that cannot be."""
    player = PathPlayer(replace(draft, id="draft"), types)
    played: list[PlayedPath] = []
    bound: set[tuple[tuple[str, str], ...]] = set()
    for number in range(DRAWS):
        draw = TaskSampler(seed_of(seed, "subtask", str(draft.path), number))
        try:
            played.append(player.play(draw, {}, content(number + 1), tries=3))
            bound.add(player.parameters(played[-1]))
        except ConfigError:
            if number + 1 - len(played) > FAILURES:
                return played, "does not fit other content"
        if len(bound) >= NEEDED or (not draft.holes and len(played) >= NEEDED):
            return played, ""
    return played, "has too few sets of parameters"


def _settled(draft: SubtaskRecord, types: ResourceTypes, seed: int) -> SubtaskRecord | str:
    """The subtask with all that draws tell, or why there is none."""
    player = PathPlayer(replace(draft, id="draft"), types)
    played, reason = _draws(draft, types, seed)
    if reason:
        return reason
    constants = {**_constants(played), **draft.constants}
    named = replace(draft, constants=constants)
    inputs = _inputs(named, types, played, seed)
    named = replace(named, inputs=inputs, input_resources=tuple(dict.fromkeys(inputs.values())))
    named = _with_output(named, player, played)
    if reason := why_not_asked(named, types):
        return reason
    named = replace(named, instruction_template=instruction_for(named, types))
    return replace(named, available_parameters=_parameters(played, inputs), id=name_of(named))


def _constants(played: Sequence[PlayedPath]) -> dict[str, Any]:
    """The values that a field always has afterwards, although the items differ."""
    values: dict[str, set[str]] = {}
    kept: dict[str, Any] = {}
    for one in played:
        for change in one.changes:
            if change.sign == "~" and isinstance(change.after, (str, bool, int)):
                values.setdefault(change.signature, set()).add(repr(change.after))
                kept[change.signature] = change.after
    return {
        entry: kept[entry]
        for entry, some in values.items()
        if len(some) == 1 and not any(str(kept[entry]) in one.bindings.values() for one in played)
    }


def _inputs(draft: SubtaskRecord, types: ResourceTypes, played: Sequence[PlayedPath], seed: int) -> dict[str, str]:
    """Inputs by hole: items of a kind that is a resource, and typed texts."""
    found: dict[str, str] = {}
    player = PathPlayer(replace(draft, id="draft"), types)
    relative = depends_on_before(draft, played)
    for hole, spec in draft.holes.items():
        what, _, detail = spec.partition(" ")
        entry = player.entry(hole)
        if entry is not None and entry.type and not relative:
            type = item_type(player, hole, entry, seed)
            if type:
                found[hole] = type
        elif what == "text":
            found[hole] = detail
        elif what == "of":
            of, _, name = detail.partition(".")
            if is_told_by_item(player, detail):
                continue
            kind = draft.holes[of].removeprefix("item ")
            found[hole] = types.of_field(kind, name)
    return found


def depends_on_before(draft: SubtaskRecord, played: Sequence[PlayedPath]) -> bool:
    """Whether what a field is set to hangs on what it was, as where something is turned one step further.

    Such a subtask takes no item from another one, which could have turned it, too.
    """
    for one in played:
        told = {*one.bindings.values(), *one.labels.values()}
        for change in one.changes:
            if change.sign != "~" or change.signature in draft.constants:
                continue
            if not any(text and text in repr(change.after) for text in told):
                return True
    return False


def item_type(player: PathPlayer, hole: str, entry: ItemKind, seed: int) -> str:
    """The type that a hole takes: of items that other subtasks make, too, or only of those that exist; "" where only
    some items do.
    """
    if not entry.type or not _accepts(player, hole, entry, seed, made=False):
        return ""
    return entry.type if _accepts(player, hole, entry, seed, made=True) else f"{entry.type}/{EXISTING}"


def _accepts(player: PathPlayer, hole: str, entry: ItemKind, seed: int, made: bool) -> bool:
    """Whether nearly any item can be given for a hole.

    Args:
        made: items that are not there yet, instead of those that are.
    """
    worked = 0
    for number in range(GIVEN):
        draw = TaskSampler(seed_of(seed, hole, str(player.subtask.path), number, made))
        state = content(number + 11)
        items = distinct_items(state.account, entry)
        if not items:
            continue
        value = key_value(draw.choice(items), entry)
        if made:
            head, joint, _ = value.rpartition("/")
            value = (
                f"{head}{joint}harbour-lantern" if entry.key == ("id",) else f"{head}{joint}Harbour Lantern {number}"
            )
        with suppress(ConfigError, ValueError):
            player.play(draw, {hole: value}, state, tries=3)
            worked += 1
    return worked >= GIVEN - 1


def is_told_by_item(player: PathPlayer, detail: str) -> bool:
    """Whether a text that an item decides is what the instruction calls the item by, as what one searches for."""
    of, _, name = detail.partition(".")
    entry = player.entry(of)
    return entry is not None and f"{{{name}}}" in entry.words


def _with_output(draft: SubtaskRecord, player: PathPlayer, played: Sequence[PlayedPath]) -> SubtaskRecord:
    """With what it yields: a new item, the item that it changed, or what a device holds afterwards."""
    app = app_of(draft)
    for entry in draft.effect:
        if entry.startswith("+") and not entry.startswith(MINOR):
            kind = kind_for(player.types, app, entry[1:])
            items = [change.after for one in played for change in one.changes if change.signature == entry]
            if kind.type and kind.makes and items and all(has_lasting_key(item, kind) for item in items):
                return replace(draft, output_resources=(kind.type,), source=entry)
    gone = {entry[1:] for entry in draft.effect if entry.startswith("-")}
    for hole, spec in draft.holes.items():
        kind_entry = player.entry(hole)
        kind_name = spec.removeprefix("item ")
        touched = all(
            any(change.sign == "~" and change.id == one.bindings[hole] for change in one.changes) for one in played
        )
        if kind_entry is not None and kind_entry.type and touched and kind_name not in gone:
            still = all(
                find_item(one.end.account, kind_entry, one.bindings[hole]) is not None
                and _is_where_it_was(draft.path, hole, one)
                for one in played
            )
            if still:
                type = draft.inputs.get(hole, "")
                return replace(draft, output_resources=(type,), source=f"{{{hole}}}") if type else draft
    for entry in draft.effect:
        if entry.endswith(".clipboard"):
            return replace(draft, output_resources=("clip/text",), source=entry)
        if entry.endswith("settings.network"):
            return replace(draft, output_resources=("joined/network",), source=entry)
    return draft


def _is_where_it_was(path: Sequence[Operation], hole: str, played: PlayedPath) -> bool:
    """Whether an item can still be opened as before, and was not put out of sight."""
    index = next((number for number, one in enumerate(path) if f"{{{hole}}}" in one.control), None)
    if index is None:
        return True
    opened = Operation("click", path[index].env, path[index].control)
    try:
        PathRehearsal.begin(played.end, played.bindings).play((*path[:index], opened), lambda _hole, _offers: None)
    except PathStuck:
        return False
    return True


def name_of(subtask: SubtaskRecord) -> str:
    """A readable id, the same for the same app, effect, holes and constants."""
    entry = main_entry(subtask.effect)
    sign = {"+": "add", "-": "remove", "~": "set"}.get(entry[:1], "read")
    words = [app_of(subtask), sign, *re.split(r"[._]", entry[1:])]
    words += [
        "on" if value else "off" for key, value in subtask.constants.items() if key == entry and isinstance(value, bool)
    ]
    if subtask.env == "desktop":
        words.insert(0, "d")
    detail = repr((subtask.effect, sorted(subtask.holes.items()), sorted(map(str, subtask.constants.items()))))
    return "-".join(word for word in words if word) + f"-{seed_of(detail) % 16**4:04x}"
