"""Names by rule: a clause in the imperative from the effect, the item, the typed texts, the app and the device."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.items import kind_for
from omnipilot.bench.suites.pool.subtasks.making import AFTER, SINGLES, app_of, main_entry
from omnipilot.bench.suites.pool.subtasks.replay import HOLE
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes

SPOKEN = {
    "phone": "phone number",
    "email": "email address",
    "at": "time",
    "to": "recipient",
    "body": "text",
    "quiet": "do not disturb",
    "wifi": "Wi-Fi",
    "clock24": "24-hour clock",
    "minutes": "length",
    "due": "due date",
}
ALIKE = {"name": "title", "text": SPOKEN["body"]}
"""What else the control of a field is called."""
CONTAINERS = ("dirs", "playlists")
"""Kinds of items that others are in."""


def instruction_for(subtask: SubtaskRecord, types: ResourceTypes) -> str:
    """The instruction of a subtask with an effect, with its holes."""
    app, entry = app_of(subtask), main_entry(subtask.effect)
    kind = re.split(r"[.]", entry[1:])[0]
    named = kind_for(types, app, kind)
    used: list[str] = []
    item = _item(subtask, kind, used)
    phrase = _phrase(types, subtask, entry)
    value = _value(subtask, entry, used) if "{value}" in phrase else ""
    if "{item}" in phrase and not item:
        item = f"the {named.noun}" if kind not in SINGLES else "it"
    clause = phrase.replace("{noun}", named.noun).replace("{item}", item).replace("{value}", value)
    if "{item}" not in phrase:
        used = [hole for hole in used if f"{{{hole}}}" in clause]
    place = f"on the {subtask.env}, in {subtask.application}, "
    fields, ways = _rest(subtask, types, app, used)
    where = f" {' '.join(ways)}" if ways else ""
    changed = {_spoken(one.rpartition(".")[2]) for one in subtask.effect if one.startswith("~")}
    more = [f"the {words} to {{{hole}}}" for words, hole in fields if words in changed]
    texts = [f"{{{hole}}} as the {words}" for words, hole in fields if words not in changed]
    where = (f" with {_listed(texts)}" if texts else "") + where
    if entry.startswith("~") and more:
        if clause.startswith("change the ") and value:
            listed = f"{clause}, {_listed(more)}" if len(more) > 1 else f"{clause} and {more[0]}"
            return place + listed + where
        return f"{place}{clause} and change {_listed(more)}{where}"
    return place + clause + where


def _item(subtask: SubtaskRecord, kind: str, used: list[str]) -> str:
    """The thing that the effect is on: the hole with an item of its kind, else the first hole with an item."""
    holes = [hole for hole, spec in subtask.holes.items() if spec.startswith("item ")]
    of_kind = [hole for hole in holes if subtask.holes[hole] == f"item {kind}"]
    chosen = next(iter([*of_kind, *holes]), None)
    if chosen is None:
        return ""
    used.append(chosen)
    return f"{{{chosen}}}"


def _phrase(types: ResourceTypes, subtask: SubtaskRecord, entry: str) -> str:
    sign, rest = entry[0], entry[1:]
    kind, _, name = rest.partition(".")
    phrases = types.phrases.get(entry) or types.phrases.get(f"~*.{name}" if name else "")
    constant = subtask.constants.get(entry)
    if phrases and sign == "+" and len(phrases) > 1:
        return phrases[0] if any(spec.startswith("item ") for spec in subtask.holes.values()) else phrases[1]
    if phrases:
        return phrases[1] if constant is False and len(phrases) > 1 else phrases[0]
    if sign == "+":
        return "add a new {noun}"
    if sign == "-":
        return "delete {item}"
    words = _spoken(name)
    if constant is True or constant is False:
        state = "on" if constant else "off"
        return f"switch {words} {state}" if kind in SINGLES else f"switch {words} {state} for {{item}}"
    whose = "" if kind in SINGLES else " of {item}"
    return f"change the {words}{whose} to {{value}}"


def _value(subtask: SubtaskRecord, entry: str, used: list[str]) -> str:
    """What something is set to: the hole that arrives there, else the constant, else words for any."""
    name = entry.rpartition(".")[2]
    holes = [hole for hole, spec in subtask.holes.items() if spec.split(" ")[0] in ("option", "text", "place", "of")]
    named = [
        hole for hole in holes if name in hole or _field_words(subtask.path, hole) in (_spoken(name), ALIKE.get(name))
    ]
    if name == "folder":
        named = [hole for hole, spec in subtask.holes.items() if spec == "item dirs" and not _is_passed(subtask, hole)]
    alone = holes if len(holes) == 1 and len(subtask.effect) == 1 and entry not in subtask.constants else []
    if chosen := next(iter([*named, *alone]), None):
        used.append(chosen)
        return f"{{{chosen}}}"
    if entry in subtask.constants:
        return f'"{subtask.constants[entry]}"'
    return f"{{{AFTER}}}"


def _rest(
    subtask: SubtaskRecord, types: ResourceTypes, app: str, used: list[str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """What the clause does not say yet: typed texts and options with the names of their fields, then where and how."""
    fields: list[tuple[str, str]] = []
    ways: list[str] = []
    for hole, spec in subtask.holes.items():
        if hole in used:
            continue
        what, _, kind = spec.partition(" ")
        if what == "item":
            ways.append(_way(subtask, hole, kind))
        elif what == "of" and _is_told(subtask, types, app, kind):
            continue
        elif what in ("text", "of", "option"):
            fields.append((_field_words(subtask.path, hole), hole))
        elif what == "in":
            ways.append(f"for {{{hole}}}")
        else:
            ways.append(f"at {{{hole}}}" if "time" in hole else f"on {{{hole}}}")
    return fields, ways


def _is_passed(subtask: SubtaskRecord, hole: str) -> bool:
    """Whether an item's control is used, and not only dragged to."""
    return any(f"{{{hole}}}" in one.control for one in subtask.path)


def _way(subtask: SubtaskRecord, hole: str, kind: str) -> str:
    """How an item that is passed on the way, dragged to, or acted on by a menu is spoken of."""
    if not _is_passed(subtask, hole):
        return f"to {{{hole}}}"
    menus = [one.text for one in subtask.path if one.verb == "menu" and f"{{{hole}}}" in one.control]
    if menus and not HOLE.search(menus[-1]):
        return f'by "{menus[-1]}" of {{{hole}}}'
    if kind not in CONTAINERS:
        return f"by way of {{{hole}}}"
    takes_out = any(one.startswith("-") or one.endswith(".folder") for one in subtask.effect)
    return f"{'from' if takes_out else 'in'} {{{hole}}}"


def _is_told(subtask: SubtaskRecord, types: ResourceTypes, app: str, detail: str) -> bool:
    of, _, name = detail.partition(".")
    entry = kind_for(types, app, subtask.holes.get(of, "").removeprefix("item "))
    return f"{{{name}}}" in entry.words


def _field_words(path: tuple[Operation, ...], hole: str) -> str:
    """The name of the field that a hole is typed into or chosen in: the last word of its control's id."""
    for operation in path:
        if operation.text == f"{{{hole}}}":
            words = [part for part in operation.control.split("/") if "{" not in part]
            if words:
                return _spoken(words[-1].replace("-", "_"))
    return hole.removesuffix("_text").replace("_", " ")


def _spoken(name: str) -> str:
    """How a field is called."""
    return SPOKEN.get(name, name.replace("_", " "))


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def contains_a_value(instruction: str, values: Mapping[str, str]) -> bool:
    """Whether an instruction says what is to stand in a hole."""
    text = instruction.casefold()
    return any(len(value) > 3 and value.casefold() in text for value in values.values())
