"""Tracks which fields of a state a view read, so the view can be reused while those fields are unchanged.

A `Watched` wraps an immutable record. While open, it notes each attribute that is read, including those of nested
records and tables. Later, `same` tells whether another record would have given the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any, TypeVar

from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import DeviceState, WorldState

A = TypeVar("A")
_PLAIN = frozenset({str, int, float, bool})
_MISSING = object()


def alike(now: object, was: object) -> bool:
    """Whether two values are certainly equal; records and tuples must be the same object."""
    return now is was or (type(now) is type(was) and type(now) in _PLAIN and now == was)


class ReadWatch:
    """Whether reads are still tracked; shared by a record and everything in it."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open = True


class WatchedTable:
    """Wraps a `FrozenTable` and notes which keys are read, or that it was read as a whole."""

    __slots__ = ("_now", "_read", "_watch", "_whole")

    def __init__(self, now: FrozenTable[Any], watch: ReadWatch) -> None:
        self._now, self._watch, self._whole = now, watch, False
        self._read: dict[str, object] = {}

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        value = self._now._entries.get(key, _MISSING)
        if self._watch.open:
            self._read[key] = value
        return default if value is _MISSING else value

    def __getitem__(self, key: str) -> Any:
        value = self.get(key, _MISSING)
        if value is _MISSING:
            raise KeyError(key)
        return value

    def __contains__(self, key: str) -> bool:
        return self.get(key, _MISSING) is not _MISSING

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._all(), name)

    def _all(self) -> FrozenTable[Any]:
        self._whole = self._whole or self._watch.open
        return self._now

    def same(self, now: FrozenTable[Any]) -> bool:
        """Whether another table would have given the same values."""
        if now is self._now:
            return True
        if self._whole:
            return False
        entries = now._entries
        for key, was in self._read.items():
            value = entries.get(key, _MISSING)
            if value is not was and not alike(value, was):
                return False
        return True

    def rebind(self, now: FrozenTable[Any]) -> None:
        """Wrap another table from now on."""
        self._now = now


_QUESTIONS: frozenset[object] = frozenset({WorldState.clock, DeviceState.window})
"""Methods whose result is noted instead of what they read: the minute changes less often than the time."""


def ask(record: Any, question: Callable[..., A], *arguments: Any) -> A:
    """`question(record, *arguments)`; for a watched record, the result is tracked instead of the fields read.

    For functions whose result changes less often than what they read, such as the day, which depends on the time.
    """
    return record.answer(question, *arguments) if type(record) is Watched else question(record, *arguments)


class Watched:
    """Wraps a `WorldState`, `DeviceState` or `Account`.

    Args:
        now: the record.
        aside: attributes whose reads are not tracked, because the caller compares them.
    """

    def __init__(self, now: Any, aside: tuple[str, ...] = (), watch: ReadWatch | None = None) -> None:
        self._now, self._watch, self._aside, self._whole = now, watch or ReadWatch(), aside, False
        self._read: dict[str, object] = {}
        self._asked: dict[tuple[Callable[..., object], tuple[Any, ...]], object] = {}
        self._inside: dict[str, Watched | WatchedTable] = {}

    def __getattr__(self, name: str) -> Any:
        # Only called for attributes not yet on the instance: each value is noted once, and found there from then on.
        # Methods are bound anew, for one that is kept would hold the record that holds it, until a collector came by.
        now = self._now
        if not self._watch.open or self._whole or name in self._aside:
            return getattr(now, name)
        made = getattr(type(now), name, None)
        if isinstance(made, property):
            assert made.fget is not None
            return made.fget(self)
        if isinstance(made, FunctionType):
            return partial(self.answer, made) if made in _QUESTIONS else MethodType(made, self)
        value: Any = getattr(now, name)
        if isinstance(value, Account | DeviceState):
            value = self._inside[name] = Watched(value, watch=self._watch)
        elif isinstance(value, FrozenTable):
            value = self._inside[name] = WatchedTable(value, self._watch)
        else:
            self._read[name] = value
        self.__dict__[name] = value
        return value

    def changed(self, **changes: Any) -> Any:
        """A changed copy of the record itself, which then counts as read as a whole."""
        if self._watch.open and not self._whole:
            self._whole = True
            for name in (*self._read, *self._inside):
                del self.__dict__[name]
        return self._now.changed(**changes)

    def answer(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function of the record, noted instead of what it reads."""
        if arguments and question is WorldState.clock:
            # The wall clock at a given time does not change while time passes.
            return question(self, *arguments)
        found = question(self._now, *arguments)
        if self._watch.open:
            self._asked[question, arguments] = found
        return found

    def same(self, now: Any) -> bool:
        """Whether another record would have given the same values for everything that was read."""
        if now is self._now:
            return True
        if self._whole:
            return False
        # Called for every piece of every screen: loops are faster than `all`.
        for name, was in self._read.items():
            value = getattr(now, name)
            if value is not was and not alike(value, was):
                return False
        for name, inside in self._inside.items():
            if not inside.same(getattr(now, name)):
                return False
        return not self._asked or self._answers(now)

    def _answers(self, now: Any) -> bool:
        return all(question(now, *arguments) == was for (question, arguments), was in self._asked.items())

    def rebind(self, now: Any) -> None:
        """Wrap another record that is the `same`, so that late reads (by a control's action) use it."""
        if now is not self._now:
            self._now = now
            for name, inside in self._inside.items():
                inside.rebind(getattr(now, name))

    def open(self) -> None:
        """Resume tracking."""
        self._watch.open = True

    def close(self) -> None:
        """Stop tracking."""
        self._watch.open = False
