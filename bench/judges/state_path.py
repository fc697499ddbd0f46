"""Paths into the state of a world: `account.mails[new, folder=sent, to={address}].subject`.

A path is a chain of attributes (of records) or keys (of tables) from the state. Brackets after a name pick items of a
collection:

    [*]                     all items
    [0], [-1]               by number
    ["browser/address"]     by key, of a table; by name, of a record
    [folder=sent, read=true]    items for which all conditions hold
    [new], [old], [changed]     items that were not there at the start, that were, that were and differ now
    [folder=sent, last]     the last (or first) of those for which the rest holds

Conditions compare an attribute of the item, or attributes of it (`owner.name`), by `=`, `!=`, `<`, `<=`, `>`, `>=`,
`~` (contains), `!~`, `in` and `not in` a list, `=#` and `!=#` (the same telephone number: the last ten digits are
equal, and nothing but a number is there). Values are JSON, or a bare word. `≠`, `≤` and `≥` are read, too. A value
in parentheses is a path itself: `account.mails[to=(account.contacts[name="Ana Silva"].email)]`; where it leads to
several values, one of them must be so, and none for `!=`, `!~`, `!=#` and `not in`.

A path that begins with `start:` leads through the state at the start: an item can be found there by what it was.

An attribute of several items is the attribute of each. What a record does not have is a mistake in the path; what is
None, or no item, is no value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from omnipilot.bench.judges.matching import is_same_number
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DOTTED = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")
_OPERATOR = re.compile(r"\s*(!=#|=#|!=|<=|>=|!~|[=≠<≤>≥~]|not\s+in\b|in\b)\s*")
_BARE = re.compile(r"[^,\]]*")
_NUMBER = re.compile(r"-?\d+")
_SPELLINGS = {"≠": "!=", "≤": "<=", "≥": ">="}
_START = "start:"
_ENDS = ("first", "last")
_NEGATED = {"!=": "=", "!~": "~", "not in": "in", "!=#": "=#"}
_AGES = ("new", "old", "changed")


class _Nothing:
    """What stands for a part of the start that there was none of."""


NOTHING = _Nothing()
Place: TypeAlias = tuple[Any, Any]
"""A value now, and what stood at the same place at the start; `NOTHING` if nothing did."""


def compare(operator: str, value: Any, wanted: Any) -> bool:
    """Whether a value of a state is as an operator wants it; values that cannot be compared are not.

    Args:
        operator: as in conditions of a path.
    """
    if operator in _NEGATED:
        return not compare(_NEGATED[operator], value, wanted)
    if operator == "=#":
        numbers = wanted if isinstance(wanted, (list, tuple)) else [wanted]
        return any(is_same_number(str(value), str(one)) for one in numbers)
    if operator == "=":
        return plain(value) == plain(wanted) and isinstance(value, bool) == isinstance(wanted, bool)
    try:
        if operator == "~":
            return wanted in value
        if operator == "in":
            return any(compare("=", value, one) for one in wanted)
        if isinstance(value, bool) or isinstance(wanted, bool):
            return False
        return bool({"<": value < wanted, "<=": value <= wanted, ">": value > wanted, ">=": value >= wanted}[operator])
    except TypeError:
        return False


def plain(value: Any) -> Any:
    """A value as JSON has it: tuples and sets as lists, records as tables."""
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, Set):
        return sorted((plain(one) for one in value), key=repr)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    return value


@dataclass(frozen=True, slots=True)
class ItemCondition:
    """What an item has to be: `attributes` leads from it to the value that is compared, with one or a path to some."""

    attributes: tuple[str, ...]
    operator: str
    wanted: Any

    def values(self, state: Any, start: Any) -> list[Any]:
        """What is compared with: one value, or those to which a path leads; for `in`, one list of them."""
        if not isinstance(self.wanted, StatePath):
            return [self.wanted]
        found = [now for now, _ in self.wanted.places(state, start)]
        return [found] if self.operator in ("in", "not in") else found


@dataclass(frozen=True, slots=True)
class Pick:
    """A bracket: an item's number or key, or its age and conditions; all items where nothing is said. `end`: only the
    "first" or the "last" of them."""

    at: int | str | None = None
    age: str = ""
    conditions: tuple[ItemCondition, ...] = ()
    end: str = ""


@dataclass(frozen=True, slots=True)
class StatePath:
    """A path that was read.

    Attributes:
        text: as it was written. steps: each an attribute or a pick.
        at_start: whether it leads through the state at the start.
    """

    text: str
    steps: tuple[str | Pick, ...]
    at_start: bool = False

    @classmethod
    def parse(cls, text: str) -> StatePath:
        """Read a path.

        Raises:
            ConfigError: it is none; the message says where, and how one looks.
        """
        try:
            return _Parser(text).path()
        except RecursionError:
            raise ConfigError(f"the path {text[:60]!r}… is nested too deeply; write it flatter") from None

    def places(self, state: Any, start: Any = NOTHING, keep_none: bool = False) -> list[Place]:
        """The values that it leads to, in order, each with what stood there at the start; of a path through the start,
        each with what stands there now.

        Args:
            start: the state at the start; without one, everything is new.
            keep_none: whether a None at the end of the path is a value.

        Raises:
            ConfigError: a record on the way has no such attribute, or a collection is not picked from; or it leads
                through the start, and there is none.
        """
        then = NOTHING if start is None else start
        if self.at_start and then is NOTHING:
            raise ConfigError(f"the path {self.text!r} needs the state at the start, and this world has none")
        found: list[Place] = [(then, state) if self.at_start else (state, then)]
        for step in self.steps:
            if isinstance(step, Pick):
                found = [inner for place in found for inner in self._picked(place, step, state, then)]
            else:
                found = [
                    (self._attribute(now, step), NOTHING if then is NOTHING else self._attribute(then, step))
                    for now, then in found
                    if now is not None
                ]
        return [(now, then) for now, then in found if keep_none or now is not None]

    def _attribute(self, value: Any, name: str) -> Any:
        if value is None or value is NOTHING:
            return value
        if isinstance(value, Mapping):
            return value.get(name)
        if isinstance(value, (str, int, float, bytes)):
            raise ConfigError(f"the path {self.text!r}: {value!r:.40} has no {name}; end the path before it")
        if name.startswith("_"):
            raise ConfigError(f"the path {self.text!r}: {name} is no part of the state")
        if isinstance(value, (Sequence, Set)):
            raise ConfigError(f"the path {self.text!r}: pick items before .{name}, such as [*] or [id=…]")
        if not hasattr(value, name) or callable(getattr(value, name)):
            known = [one.name for one in fields(value)] if is_dataclass(value) else []
            raise ConfigError(f"the path {self.text!r}: {type(value).__name__} has no {name}; {nearest(name, known)}")
        return getattr(value, name)

    def _picked(self, place: Place, pick: Pick, state: Any, start: Any) -> Iterator[Place]:
        now, then = place
        if now is None:
            return
        if isinstance(pick.at, str) and is_dataclass(now):
            yield self._attribute(now, pick.at), NOTHING if then is NOTHING else self._attribute(then, pick.at)
            return
        if isinstance(pick.at, str):
            if not isinstance(now, Mapping):
                raise ConfigError(
                    f"the path {self.text!r}: [{json.dumps(pick.at)}] needs a table or a record, not {now!r:.60}"
                )
            if pick.at in now:
                yield now[pick.at], then.get(pick.at, NOTHING) if isinstance(then, Mapping) else NOTHING
            return
        items = self._items(now)
        before = {} if then is NOTHING or then is None else self._items(then)
        if isinstance(pick.at, int):
            keys = list(items)
            if -len(keys) <= pick.at < len(keys):
                key = keys[pick.at]
                yield items[key], before.get(key, NOTHING)
            return
        wanted = [(one, one.values(state, start)) for one in pick.conditions] if items else []
        picked = [
            (item, old)
            for key, item in items.items()
            if self._has_age(pick.age, item, old := before.get(key, NOTHING))
            and all(self._holds(item, one, some) for one, some in wanted)
        ]
        yield from {"first": picked[:1], "last": picked[-1:]}.get(pick.end, picked)

    def _items(self, collection: Any) -> dict[Any, Any]:
        """The items of a collection by what tells them apart: their keys in a table, their ids, or themselves."""
        if isinstance(collection, Mapping):
            return dict(collection)
        if isinstance(collection, (str, bytes)) or not isinstance(collection, (Sequence, Set)):
            raise ConfigError(f"the path {self.text!r}: brackets need a collection, not {collection!r:.60}")
        found: dict[Any, Any] = {}
        for item in collection:
            key = item_key(item)
            times = 0
            while (key, times) in found:
                times += 1
            found[key, times] = item
        return found

    def _has_age(self, age: str, item: Any, old: Any) -> bool:
        return {
            "": True,
            "new": old is NOTHING,
            "old": old is not NOTHING,
            "changed": old is not NOTHING and old != item,
        }[age]

    def _holds(self, item: Any, condition: ItemCondition, wanted: Sequence[Any]) -> bool:
        value = item
        for name in condition.attributes:
            value = self._attribute(value, name)
        if condition.operator in _NEGATED:
            return all(compare(condition.operator, value, one) for one in wanted)
        return any(compare(condition.operator, value, one) for one in wanted)


def item_key(item: Any) -> str:
    """What tells an item of a collection apart: its `id`, or its first field where it has none, or the item itself."""
    if isinstance(item, Mapping):
        return str(item.get("id", item))
    if hasattr(item, "id"):
        return str(item.id)
    return str(getattr(item, fields(item)[0].name)) if is_dataclass(item) else repr(item)


class _Parser:
    """Reads a path from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def path(self, inner: bool = False) -> StatePath:
        """A path to the end of the text, or to the parenthesis that closes an inner one."""
        began = self.at
        at_start = self.text.startswith(_START, self.at)
        self.at += len(_START) * at_start
        steps = tuple(self.steps(inner))
        return StatePath(self.text[began : self.at], steps, at_start)

    def steps(self, inner: bool) -> Iterator[str | Pick]:
        yield self.take(_NAME, "a name")
        while self.at < len(self.text) and not (inner and self.text[self.at] == ")"):
            if self.text[self.at] == ".":
                self.at += 1
                yield self.take(_NAME, "a name")
            elif self.text[self.at] == "[":
                yield self.pick()
            else:
                raise self.wrong("'.' and a name, or '['")

    def pick(self) -> Pick:
        self.at += 1
        rest = self.text[self.at :].lstrip()
        self.at = len(self.text) - len(rest)
        if rest.startswith("*"):
            self.at += 1
            return self.end(Pick())
        if rest.startswith('"'):
            return self.end(Pick(self.value()))
        if number := _NUMBER.match(rest):
            self.at += number.end()
            return self.end(Pick(int(number[0])))
        age, end, conditions = "", "", []
        while True:
            names = self.take(_DOTTED, "an attribute, '*', a number or a key in quotes")
            operator = _OPERATOR.match(self.text, self.at)
            if operator is None and names in _AGES and not age:
                age = names
            elif operator is None and names in _ENDS and not end:
                end = names
            elif operator is None:
                raise self.wrong("a comparison, such as '=',")
            else:
                self.at = operator.end()
                sign = " ".join(operator[1].split())
                conditions.append(ItemCondition(tuple(names.split(".")), _SPELLINGS.get(sign, sign), self.value()))
            self.blanks()
            if self.text[self.at : self.at + 1] != ",":
                return self.end(Pick(None, age, tuple(conditions), end))
            self.at += 1
            self.blanks()

    def value(self) -> Any:
        """A path in parentheses, JSON, or a bare word."""
        if self.text[self.at : self.at + 1] == "(":
            self.at += 1
            found = self.path(inner=True)
            if self.text[self.at : self.at + 1] != ")":
                raise self.wrong("')'")
            self.at += 1
            return found
        began = self.at
        try:
            found, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except ValueError:
            if self.text[self.at : self.at + 1] in ('"', "[", "{"):
                raise self.wrong("a whole value in JSON") from None
            word = self.take(_BARE, "a value").strip()
            if not word:
                raise self.wrong('a value; an empty text is ""') from None
            return word
        if self.text[self.at : self.at + 1] not in (",", "]", " ", ""):
            # A bare word that begins with a number, such as 12:30.
            self.at = began
            return self.take(_BARE, "a value").strip()
        return found

    def end(self, pick: Pick) -> Pick:
        self.blanks()
        if self.text[self.at : self.at + 1] != "]":
            raise self.wrong("']'")
        self.at += 1
        return pick

    def blanks(self) -> None:
        while self.text[self.at : self.at + 1] == " ":
            self.at += 1

    def take(self, pattern: re.Pattern[str], what: str) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise self.wrong(what)
        self.at = found.end()
        return found[0]

    def wrong(self, wanted: str) -> ConfigError:
        return ConfigError(
            f"the path {self.text!r} needs {wanted} at character {self.at + 1}; a path is like "
            'account.notes[folder=inbox, title="My list"].text'
        )
