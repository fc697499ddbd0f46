"""Names by rule: a clause in the imperative from the effect, the item, the typed texts, the app and the device."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.items import kind_for
from omnipilot.bench.suites.pool.subtasks.making import AFTER, CELL, SINGLES, app_of, main_entry
from omnipilot.bench.suites.pool.subtasks.replay import HOLE, is_command
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes

SPOKEN = {
    "phone": "phone number",
    "email": "email address",
    "at": "time",
    "to": "recipient",
    "body": "text",
    "quiet": "do not disturb",
    "wifi": "Wi-Fi",
    "minutes": "length",
    "due": "due date",
    "zone": "time zone",
    "clock24": "the 24-hour clock",
    "silent": "silent mode",
    "airplane": "airplane mode",
    "scale": "size of text",
}
ALIKE = {"name": "title", "text": SPOKEN["body"]}
"""What else the control of a field is called."""
CONTAINERS = ("dirs", "playlists")
"""Kinds of items that others are in."""
FIELDS = {"routes.from": "start", "routes.to": "destination"}
"""What fields of something new are called, where their controls have other names."""
LISTING = ("search", "order")
"""Fields that choose what is listed, and in which order."""


def instruction_for(subtask: SubtaskRecord, types: ResourceTypes) -> str:
    """The instruction of a subtask with an effect, with its holes."""
    app, entry = app_of(subtask), main_entry(subtask.effect)
    place = f"on the {subtask.env}, in {subtask.application}, "
    if said := _way_in_words(subtask, entry, types):
        return place + said
    kind = re.split(r"[.]", entry[1:])[0]
    named = kind_for(types, app, kind)
    used: list[str] = []
    item = _item(subtask, kind, used)
    button = subtask.path[-1].control.rpartition("/")[2] if subtask.path else ""
    phrase = _phrase(types, subtask, entry).replace("{button}", f'"{button.replace("-", " ").capitalize()}"')
    value = _value(subtask, entry, used) if "{value}" in phrase else ""
    if "{item}" in phrase and not item:
        item = f"the {named.noun}" if kind not in SINGLES else "it"
    before = "" if kind in SINGLES else _done_before(subtask, types)
    clause = phrase.replace("{noun}", named.noun).replace("{item}", "it" if before else item).replace("{value}", value)
    if before:
        clause = f"{before.replace('{item}', item)} and {clause}"
    if "{item}" not in phrase and not before:
        used = [hole for hole in used if f"{{{hole}}}" in clause]
    fields, ways = _rest(subtask, types, app, used)
    where = f" {' '.join(ways)}" if ways else ""
    changed = {_spoken(one.rpartition(".")[2]) for one in subtask.effect if one.startswith("~")}
    more = [f"the {words} to {{{AFTER}_{name}}}" for words, name in _set_besides(subtask, entry, kind, fields)]
    more += [f"the {words} to {{{hole}}}" for words, hole in fields if words in changed]
    texts = [f"{{{hole}}} as the {words}" for words, hole in fields if words not in changed]
    texts += [f'"{text}" as the {words}' for words, text in _fixed_texts(subtask, entry)]
    where = (f" with {_listed(texts)}" if texts else "") + where
    if entry.startswith("~") and more:
        if clause.startswith("change the ") and value:
            listed = f"{clause}, {_listed(more)}" if len(more) > 1 else f"{clause} and {more[0]}"
            return place + listed + where
        return f"{place}{clause} and change {_listed(more)}{where}"
    return place + clause + where


def why_not_asked(subtask: SubtaskRecord, types: ResourceTypes) -> str:
    """Why nobody would ask for a subtask, as what it does besides cannot be said; "" where that is no matter.

    Its clause would have to name an item that is only passed, a text that is typed over, what a list is searched for,
    or a command whose output goes into a file without being what the file is for.
    """
    last = subtask.path[-1]
    if is_command(last) and not _way_in_words(subtask, main_entry(subtask.effect), types) and ">" in last.text:
        return "is a command that there are no words for"
    items = [spec for hole, spec in subtask.holes.items() if spec.startswith("item ")]
    kinds = [spec.removeprefix("item ") for spec in items]
    if any(kinds.count(kind) > 1 for kind in kinds if kind not in CONTAINERS):
        return "passes another item on the way"
    typed: list[str] = []
    for one in subtask.path[:-1] if is_command(last) else subtask.path:
        field = one.control.rpartition("/")[2]
        hole = one.text.strip("{}") if HOLE.fullmatch(one.text) else ""
        if hole and field in LISTING and not subtask.holes.get(hole, "").startswith("of "):
            return "searches or sorts for nothing"
        if hole and one.verb == "type":
            typed.append(one.control)
        if (
            one.verb == "menu"
            and one is not last
            and any(subtask.holes.get(name, "").startswith("place ") for name in HOLE.findall(one.control))
        ):
            return "does something on the way that is not asked for"
    if len(typed) > len(set(typed)):
        return "types twice into one field"
    ways = _rest(subtask, types, app_of(subtask), _used(subtask, types))[1]
    return "passes another item on the way" if any(way.startswith("by ") for way in ways) else ""


def _used(subtask: SubtaskRecord, types: ResourceTypes) -> list[str]:
    """The holes that the first words of the clause have."""
    entry = main_entry(subtask.effect)
    used: list[str] = []
    if _way_in_words(subtask, entry, types):
        return list(subtask.holes)
    _item(subtask, entry[1:].partition(".")[0], used)
    if "{item}" not in _phrase(types, subtask, entry):
        used = []
    if "{value}" in _phrase(types, subtask, entry):
        _value(subtask, entry, used)
    return used


def _way_in_words(subtask: SubtaskRecord, entry: str, types: ResourceTypes) -> str:
    """What the last step is called where the table has words for it, with holes; "" where it has none."""
    last = subtask.path[-1] if subtask.path else None
    if last is None:
        return ""
    if is_command(last):
        step = re.sub(r"(?<= )-\w+ ", "", last.text)
    elif last.verb == "menu":
        step = f"{last.text} of {last.control.rpartition('/')[2]}"
    else:
        step = last.control.rpartition("/")[2]
    for key, phrases in types.phrases.items():
        effect, _, way = key.partition(" by ")
        found = re.fullmatch(re.escape(way).replace("FILE", "(.+)"), step) if way and effect == entry else None
        if found:
            cell = CELL in subtask.holes and len(phrases) > 1
            return phrases[cell].replace("FILE", found[1] if found.groups() else "")
    return ""


def _done_before(subtask: SubtaskRecord, types: ResourceTypes) -> str:
    """What is done with the item besides that the clause is named for, such as that a song is played."""
    said = [
        phrases[0]
        for one in subtask.effect
        if one[1:].partition(".")[0] in SINGLES and (phrases := types.phrases.get(one))
    ]
    return next((phrase for phrase in said if "{item}" in phrase), "")


def _set_besides(subtask: SubtaskRecord, entry: str, kind: str, fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What else of the item is set, neither by a text or option nor always to the same: the words, and the field."""
    told = {words for words, _ in fields}
    return [
        (words, name)
        for one in subtask.effect
        if one != entry
        and one.startswith(f"~{kind}.")
        and one not in subtask.constants
        and kind not in SINGLES
        and (words := _spoken(name := one.rpartition(".")[2])) not in told
        and not {hole for hole in subtask.holes if name in hole}
    ]


def _fixed_texts(subtask: SubtaskRecord, entry: str) -> list[tuple[str, str]]:
    """Texts that are always the same in what is made anew, with the names of their fields."""
    if not entry.startswith("+"):
        return []
    kind = entry[1:]
    return [
        (FIELDS.get(f"{kind}.{name}", _spoken(name)), one.text)
        for one in subtask.path
        if one.verb == "type"
        and one.text
        and not HOLE.search(one.text)
        and not is_command(one)
        and (name := one.control.rpartition("/")[2]) not in LISTING
    ]


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
    holes = [hole for hole in holes if _field_words(subtask.path, hole) not in LISTING]
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
        if what == "item" and is_said_by_item(subtask, hole, types):
            continue
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


def is_said_by_item(subtask: SubtaskRecord, hole: str, types: ResourceTypes) -> bool:
    """Whether a hole is the folder of another item whose words name it already, and that no other subtask yields."""
    if subtask.holes[hole] != "item dirs" or hole in subtask.inputs or not _is_passed(subtask, hole):
        return False
    kinds = [spec.removeprefix("item ") for spec in subtask.holes.values() if spec.startswith("item ")]
    return any("{folder}" in kind_for(types, app_of(subtask), kind).words for kind in kinds)


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
