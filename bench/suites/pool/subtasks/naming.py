"""Names by rule: a clause in the imperative from the effect, the item, the typed texts, the app and the device."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.items import kind_for
from omnipilot.bench.suites.pool.subtasks.making import app_of
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes

MINOR = ("+dirs", "+visits", "-dirs", "~products", "~playbacks", "~console")
"""What comes along with something else, and names a subtask only if nothing else does."""
SETTINGS = ("phone_settings", "desktop_settings", "player", "timer", "console", "signals", "phone", "desktop")
SPOKEN = {"phone": "phone number", "email": "email address", "at": "time", "to": "recipient", "body": "text", "quiet": "do not disturb", "wifi": "Wi-Fi", "clock24": "24-hour clock"}


def main_entry(subtask: SubtaskRecord) -> str:
    """The entry of the effect that a subtask is named by: what is new, then what is gone, then what differs."""
    ranked = sorted(
        subtask.effect,
        key=lambda entry: (entry.startswith(MINOR), "+-~".index(entry[0]), entry.split(".")[0][1:] in SETTINGS, entry),
    )
    return ranked[0] if ranked else ""


def instruction_for(subtask: SubtaskRecord, types: ResourceTypes) -> str:
    """The instruction of a subtask with an effect, with its holes."""
    app, entry = app_of(subtask), main_entry(subtask)
    kind = re.split(r"[.]", entry[1:])[0]
    named = kind_for(types, app, kind)
    used: list[str] = []
    item = _item(subtask, kind, used)
    phrase = _phrase(types, subtask, entry)
    value = _value(subtask, entry, used) if "{value}" in phrase else ""
    if "{item}" in phrase and not item:
        item = f"the {named.noun}" if kind not in SETTINGS else "it"
    clause = phrase.replace("{noun}", named.noun).replace("{item}", item).replace("{value}", value)
    if "{item}" not in phrase:
        used = [hole for hole in used if f"{{{hole}}}" in clause]
    rest = _rest(subtask, types, app, used, changes=entry.startswith("~") and bool(value))
    place = f"on the {subtask.env}, in {subtask.application}, "
    if rest and rest[0].startswith("the "):
        return place + (f"{clause}, {_listed(rest)}" if len(rest) > 1 else f"{clause} and {rest[0]}")
    return place + clause + (f" {_listed(rest)}" if rest else "")


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
    words = SPOKEN.get(name, name.replace("_", " "))
    if constant is True or constant is False:
        state = "on" if constant else "off"
        return f"switch {words} {state}" if kind in SETTINGS else f"switch {words} {state} for {{item}}"
    whose = "" if kind in SETTINGS else " of {item}"
    return f"change the {words}{whose} to {{value}}"


def _value(subtask: SubtaskRecord, entry: str, used: list[str]) -> str:
    """What something is set to: a hole for an option or a typed text, else the constant, else words for any."""
    name = entry.rpartition(".")[2]
    holes = [hole for hole, spec in subtask.holes.items() if spec.split(" ")[0] in ("option", "text", "place", "of")]
    named = [hole for hole in holes if name in hole]
    if chosen := next(iter([*named, *holes]), None):
        used.append(chosen)
        return f"{{{chosen}}}"
    if entry in subtask.constants:
        return f'"{subtask.constants[entry]}"'
    return "another value"


def _rest(subtask: SubtaskRecord, types: ResourceTypes, app: str, used: list[str], changes: bool) -> list[str]:
    """What the clause does not say yet: typed texts, options and places, with the names of their fields."""
    found = []
    for hole, spec in subtask.holes.items():
        if hole in used:
            continue
        what, _, kind = spec.partition(" ")
        if what == "item":
            found.append(f"for {{{hole}}}")
        elif what == "of" and _is_told(subtask, types, app, kind):
            continue
        elif what in ("text", "of", "option"):
            words = _field_words(subtask.path, hole)
            found.append(f"the {words} to {{{hole}}}" if changes else f"{{{hole}}} as the {words}")
        else:
            found.append(f"at {{{hole}}}" if "time" in hole else f"on {{{hole}}}")
    texts = [part for part in found if " as the " in part]
    others = [part for part in found if " as the " not in part]
    return [*([f"with {_listed(texts)}"] if texts else []), *others]


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
                return SPOKEN.get(words[-1], words[-1].replace("-", " ").replace("_", " "))
    return hole.removesuffix("_text").replace("_", " ")


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def contains_a_value(instruction: str, values: Mapping[str, str]) -> bool:
    """Whether an instruction says what is to stand in a hole."""
    text = instruction.casefold()
    return any(len(value) > 3 and value.casefold() in text for value in values.values())
