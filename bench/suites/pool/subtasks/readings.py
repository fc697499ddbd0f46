"""What can be learnt at a screen, proved by exchange: another value in one field, the same path, and what differs.

A screen tells a field if it differs just where the field's value stood. A sound or a film tells it if the screens stay
the same, and what is heard or moves does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import SequenceMatcher
from random import Random
from typing import Any

from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.suites.pool.records import Operation
from omnipilot.bench.suites.pool.subtasks.items import find_item, items_of_kind
from omnipilot.bench.suites.pool.subtasks.replay import HOLE, PathRehearsal, PathStuck, is_command
from omnipilot.bench.suites.pool.subtasks.resource_types import ItemKind, ResourceTypes
from omnipilot.envs.sim.inventory import item_id
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import WorldState

LOOK_EVERY = 0.3
"""Seconds between two looks at what moves."""
LONGEST = 20.0
"""Seconds for which something is watched or listened to."""
MOST_DIFFERENT = 6
"""Elements that may differ for a field to be what the screen tells, and not how it is arranged."""
COMPUTED = "computed"
"""Part of the name of what a table says of numbers that commands work out."""
SINGLES = ("signals", "phone_settings", "desktop_settings", "timer", "player")


@dataclass(frozen=True, slots=True)
class Told:
    """What was seen and heard at the end of a path, and while something played.

    Attributes:
        texts: names and values of elements at the end, with their ids. pictures: what is drawn at the end.
        sounds: names of what sounded. moving: what was drawn at each look since. moving_texts: texts at each look.
        seconds: for how long something played. end: the state at the end of the path.
    """

    texts: Counter[tuple[str, str]]
    pictures: str
    sounds: tuple[str, ...]
    moving: tuple[str, ...]
    moving_texts: tuple[str, ...]
    seconds: float
    end: WorldState


@dataclass(frozen=True, slots=True)
class Proof:
    """That a path tells a field.

    Attributes:
        kind, field: of the account; hole: of the item, "" for what there is one of.
        channel, level: how it is told. shown: the text as it stands on the screen, "" where there is none.
        computed: it tells a number that a command works out from the field.
    """

    kind: str
    field: str
    hole: str
    channel: str
    level: str
    shown: str = ""
    computed: bool = False


def tell(
    path: Sequence[Operation], bindings: Mapping[str, str], state: WorldState, env: str, seconds: float | None = None
) -> Told:
    """Play a path, and look and listen at its end for as long as something plays.

    Args:
        seconds: how long, instead.

    Raises:
        PathStuck: the path cannot be played.
    """
    rehearsal = PathRehearsal.begin(state, bindings)
    rehearsal.play(path, lambda _hole, _offers: None)
    return look_and_listen(rehearsal, env, seconds)


def look_and_listen(rehearsal: PathRehearsal, env: str, seconds: float | None = None) -> Told:
    """What a device tells at the end of a path, for as long as something plays; the rehearsal goes on meanwhile.

    Args:
        seconds: how long, instead.
    """
    world, state = rehearsal.world, rehearsal.start
    end = world.state()
    texts = screen_texts(rehearsal, env)
    pictures = _drawn(rehearsal, env)
    lasting = playing_seconds(state, end) if seconds is None else seconds
    moving, moving_texts = [], []
    passed = 0.0
    while passed < min(lasting, LONGEST):
        world.wait(LOOK_EVERY)
        passed += LOOK_EVERY
        moving.append(_drawn(rehearsal, env))
        moving_texts.append(repr(sorted(screen_texts(rehearsal, env).items())))
    sounds = tuple(sound.name for name in ("phone", "desktop") for sound in getattr(world.state(), name).sounds)
    return Told(texts, pictures, sounds, tuple(moving), tuple(moving_texts), lasting, end)


def playing_seconds(before: WorldState, after: WorldState) -> float:
    """For how long something that a path began goes on sounding or moving, in seconds; 0 for nothing."""
    found = [0.0]
    for name in ("phone", "desktop"):
        for sound in getattr(after, name).sounds:
            if sound.start >= before.time:
                found.append(sound.start + sound.seconds - after.time + 0.5)
    known = {playback.id: playback for playback in before.account.playbacks}
    for playback in after.account.playbacks:
        if playback.since is not None and known.get(playback.id) != playback:
            clip = after.account.find("clips", playback.id)
            found.append((clip.seconds if clip else 0.0) + 0.5)
    if after.signals != before.signals:
        found.append(8.0)
    return max(found)


def screen_texts(rehearsal: PathRehearsal, env: str) -> Counter[tuple[str, str]]:
    """The texts on a screen, each with the id or the role of its element, without what frames every app."""
    elements = rehearsal.world.envs[env].ui_tree()
    return Counter(
        (element.id or element.role, text)
        for element in elements
        for text in (element.name, element.value or "")
        if text and not (element.id or "").startswith(("taskbar/", "system/", "status/"))
    )


def _drawn(rehearsal: PathRehearsal, env: str) -> str:
    return repr(rehearsal.world.envs[env].scene().ops)


def prove_readings(
    path: Sequence[Operation],
    bindings: Mapping[str, str],
    holes: Mapping[str, ItemKind],
    state: WorldState,
    env: str,
) -> Iterator[Proof]:
    """What a path tells, each proved by exchange.

    Args:
        holes: those with an item, and the item's kind.
    """
    try:
        first = tell(path, bindings, state, env)
    except PathStuck:
        return
    dice = Random(7)
    everything = " ".join(text for _, text in first.texts)
    for hole, entry in holes.items():
        kind = entry.name.rpartition("/")[2]
        item = find_item(state.account, entry, bindings[hole])
        for related, thing in [(kind, item), *_related(state, kind, item)]:
            for name in _fields_to_try(thing, entry if related == kind else None):
                other = other_value(state, related, thing, name, dice)
                if other is None:
                    continue
                changed = state.own(state.account.put(replace(thing, **{name: other})))
                proof = _compare(path, bindings, changed, env, first, getattr(thing, name), other)
                if proof is not None:
                    yield replace(proof, kind=related, field=name, hole=hole)
                elif isinstance(value := getattr(thing, name), str) and "\n" in value and is_command(path[-1]):
                    longer = longer_text(value, path[-1], bindings)
                    changed = state.own(state.account.put(replace(thing, **{name: longer})))
                    proof = _compare(path, bindings, changed, env, first, value, longer)
                    if proof is not None and proof.shown.isdigit():
                        yield replace(proof, kind=related, field=name, hole=hole, computed=True)
    if not holes:
        yield from _single_readings(path, bindings, state, env, first, everything, dice)


def _related(state: WorldState, kind: str, item: Any) -> list[tuple[str, Any]]:
    """What shares an item's id: a contact's conversation."""
    if item is None:
        return []
    others = ("threads",) if kind == "contacts" else ()
    found = [(other, state.account.find(other, item_id(item))) for other in others]
    return [(other, thing) for other, thing in found if thing is not None]


def _fields_to_try(item: Any, entry: ItemKind | None) -> list[str]:
    """The fields of an item that are no part of what it is called or known by."""
    if item is None:
        return []
    known = set(re.findall(r"\{(\w+?)(?:_name)?\}", entry.words)) if entry else set()
    return [field.name for field in fields(item) if field.name not in {"id", "contact", *known}]


def _single_readings(
    path: Sequence[Operation],
    bindings: Mapping[str, str],
    state: WorldState,
    env: str,
    first: Told,
    everything: str,
    dice: Random,
) -> Iterator[Proof]:
    for kind in SINGLES:
        record = state.signals if kind == "signals" else getattr(state.account, kind)
        for field in fields(record):
            value = getattr(record, field.name)
            if kind != "signals" and (isinstance(value, bool) or len(str(value)) < 2 or str(value) not in everything):
                continue
            other = other_value(state, kind, record, field.name, dice)
            if other is None:
                continue
            put = replace(record, **{field.name: other})
            changed = (
                state.changed(signals=put) if kind == "signals" else state.own(state.account.changed(**{kind: put}))
            )
            proof = _compare(path, bindings, changed, env, first, value, other)
            if proof is not None:
                yield replace(proof, kind=kind, field=field.name)


def _compare(
    path: Sequence[Operation],
    bindings: Mapping[str, str],
    changed: WorldState,
    env: str,
    first: Told,
    old: Any,
    new: Any,
) -> Proof | None:
    """How an exchanged value is told, if it is."""
    try:
        second = tell(path, bindings, changed, env, first.seconds)
    except (PathStuck, ValueError, KeyError, TypeError):
        return None
    if first.texts != second.texts:
        gone, come = first.texts - second.texts, second.texts - first.texts
        if sum(gone.values()) > MOST_DIFFERENT or sum(come.values()) > MOST_DIFFERENT:
            return None
        shown = shown_value(gone, come, old, new)
        if shown is None:
            return None
        heard = first.sounds != second.sounds
        return Proof("", "", "", "screen", "AV-supportive" if heard else "AV-present", shown)
    if first.sounds != second.sounds:
        names = [name for name in first.sounds if name not in second.sounds]
        channel = "speech" if any(name.startswith("speech:") for name in names) else "sound"
        same = first.moving_texts == second.moving_texts
        return Proof("", "", "", channel, "AV-critical" if same else "AV-supportive")
    if first.pictures != second.pictures:
        return Proof("", "", "", "screen", "AV-present")
    if first.moving != second.moving and first.moving_texts == second.moving_texts:
        return Proof("", "", "", "motion", "AV-critical")
    return None


def shown_value(gone: Counter[tuple[str, str]], come: Counter[tuple[str, str]], old: Any, new: Any) -> str | None:
    """The text that a value has on the screen, from the elements that differ; None if it is not the value that does."""
    before, after = dict(gone.keys()), dict(come.keys())
    raw_old, raw_new = str(old), str(new)
    for id, text in before.items():
        other = after.get(id)
        if isinstance(old, str) and raw_old and raw_old in text and other is not None and raw_new in other:
            return raw_old
    for id, text in before.items():
        other = after.get(id)
        if other is None or len(before) > MOST_DIFFERENT:
            continue
        shown = _differing_part(text, other)
        if shown and not isinstance(old, bool):
            return shown
    return None


def _differing_part(text: str, other: str) -> str:
    """The words of a text that differ from another one."""
    words, others = text.split(), other.split()
    blocks = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    parts = [" ".join(words[a:b]) for tag, a, b, _, _ in blocks if tag != "equal" and b > a]
    return parts[0].strip(".,;:") if len(parts) == 1 else ""


def other_value(state: WorldState, kind: str, item: Any, name: str, dice: Random) -> Any:
    """Another value of the same form for one field; None if none can be thought of."""
    value = getattr(item, name)
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value + 1 if value < 9 else value + 10
    if isinstance(value, float):
        return None
    if isinstance(value, FrozenTable):
        cell = number_cell(value)
        return value.set(cell, _altered(value[cell], dice)) if cell else None
    if isinstance(value, tuple):
        if value and hasattr(value[-1], "text"):
            return (*value[:-1], replace(value[-1], text=_altered(value[-1].text, dice)))
        return None
    if not isinstance(value, str) or not value:
        return None
    if any(letter.isdigit() for letter in value) and ":" in value and re.match(r"(speech|dtmf)", value):
        head, _, tail = value.rpartition(" ") if " " in value else value.rpartition(":")
        return value[: len(head) + 1] + _altered(tail, dice)
    alike = [
        getattr(other, name)
        for other in (items_of_kind(state.account, kind) if item_id_or_none(item) else ())
        if getattr(other, "kind", None) == getattr(item, "kind", None)
        and getattr(other, name) not in ("", value)
        and type(getattr(other, name)) is str
    ]
    if name in ("scene", "color", "fact", "sound", "tune", "kind", "mode", "calendar", "category"):
        return dice.choice(alike) if alike else None
    if alike and len(value) < 40:
        return dice.choice(alike)
    if kind == "signals":
        return {"A": "B", "B": "C", "C": "D", "D": "A"}.get(value) or _altered(value, dice)
    return _altered(value, dice)


def longer_text(value: str, command: Operation, bindings: Mapping[str, str]) -> str:
    """A text with one more line, in which stand the words of it that a command is about."""
    words = [bindings[hole] for hole in HOLE.findall(command.text) if bindings.get(hole, "\n") in value]
    return f"{value}\n{' '.join(words or ['lantern'])}"


def exchange(
    state: WorldState, proof: Proof, path: Sequence[Operation], bindings: Mapping[str, str], dice: Random
) -> Any:
    """Another value for the field that a proof is about; None if none can be thought of."""
    record = record_of(state, proof, bindings)
    if proof.computed:
        return longer_text(getattr(record, proof.field), path[-1], bindings)
    return other_value(state, proof.kind, record, proof.field, dice)


def number_cell(table: FrozenTable[str]) -> str:
    """The first cell of a sheet, row by row, that holds a number of two digits at least; "" if none does."""
    numbers = [
        (int(row), column, key)
        for key, text in table.items()
        for column, row in [(key.rstrip("0123456789"), key.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
        if row.isdigit() and re.fullmatch(r"\d+\.?\d+", str(text))
    ]
    return min(numbers)[2] if numbers else ""


def item_id_or_none(item: Any) -> str | None:
    """The id of an item; None for a record that there is only one of."""
    return item_id(item) if hasattr(item, "id") or hasattr(item, "contact") else None


def _altered(text: str, dice: Random) -> str:
    """A text with other digits, or where it has none another last word."""
    if any(letter.isdigit() for letter in text):
        return "".join(str((int(letter) + 3) % 10) if letter.isdigit() else letter for letter in text)
    words = text.split(" ")
    return " ".join([*words[:-1], dice.choice(["lantern", "harbour", "meadow"])])


def variants_of(proof: Proof, types: ResourceTypes) -> list[tuple[str, str, str]]:
    """What a proved reading can be made to tell: (type, what is planted, the value of the item's `kind`).

    Nothing for a sound that no table puts into words. A field that holds a whole text, or names a sound, tells whatever
    is put into it; any other tells its own value.
    """
    if proof.computed:
        return [(types.fact(proof.kind, proof.field, COMPUTED).type, "", "")]
    if proof.channel in ("sound", "speech") and proof.field == "sound":
        return [(fact.type, fact.type, fact.channel) for fact in types.heard]
    if types.holds_a_text(proof.kind, proof.field) and proof.channel == "screen":
        return [("text", "", ""), *((planted, planted, "") for planted in types.planted)]
    if proof.field == "fact":
        prefix = f"{proof.kind}.{proof.field}/"
        kinds = [name.removeprefix(prefix) for name in types.facts if name.startswith(prefix)]
        return [(types.fact(proof.kind, proof.field, kind).type, "", kind) for kind in kinds]
    if proof.channel in ("sound", "speech") and f"{proof.kind}.{proof.field}" not in types.facts:
        return []
    return [(types.fact(proof.kind, proof.field).type, "", "")]


def shorten_to(
    proof: Proof, path: Sequence[Operation], bindings: Mapping[str, str], state: WorldState, env: str
) -> tuple[Operation, ...]:
    """The path without the operations that are not needed to be told the same."""

    def tells(shorter: Sequence[Operation]) -> bool:
        if proof.hole and not any(f"{{{proof.hole}}}" in f"{one.control} {one.text}" for one in shorter):
            return False
        try:
            first = tell(shorter, bindings, state, env)
        except PathStuck:
            return False
        record = record_of(state, proof, bindings)
        other = exchange(state, proof, shorter, bindings, Random(7))
        again = _compare(
            shorter,
            bindings,
            with_field(state, proof, bindings, other),
            env,
            first,
            getattr(record, proof.field),
            other,
        )
        return again is not None and (again.channel, again.shown) == (proof.channel, proof.shown)

    kept = list(path)
    for length in (3, 2, 1):
        index = len(kept) - length
        while index > 0:
            shorter = kept[:index] + kept[index + length :]
            if tells(shorter):
                kept = shorter
            index -= 1
    return tuple(kept)


def record_of(state: WorldState, proof: Proof, bindings: Mapping[str, str]) -> Any:
    """The item or record that a proof is about."""
    if proof.kind == "signals":
        return state.signals
    if not proof.hole:
        return getattr(state.account, proof.kind)
    return state.account.find(proof.kind, bindings[proof.hole])


def with_field(state: WorldState, proof: Proof, bindings: Mapping[str, str], value: Any) -> WorldState:
    """The state with another value in the field that a proof is about."""
    record = replace(record_of(state, proof, bindings), **{proof.field: value})
    if proof.kind == "signals":
        return state.changed(signals=record)
    if not proof.hole:
        return state.own(state.account.changed(**{proof.kind: record}))
    return state.own(state.account.put(record))


def bookkeeping_of(path: Sequence[Operation], bindings: Mapping[str, str], state: WorldState) -> tuple[str, ...]:
    """What a path to a screen changes, none of which is an effect."""
    rehearsal = PathRehearsal.begin(state, bindings)
    rehearsal.play(path, lambda _hole, _offers: None)
    return tuple(sorted({change.signature for change in changes(state, rehearsal.world.state())}))
