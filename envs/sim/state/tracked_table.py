"""A table that remembers which of its keys were asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omnipilot.envs.sim.state.table import Table

_PLAIN = frozenset({str, int, float, bool})
_MISSING = object()


def alike(now: object, was: object) -> bool:
    """Whether two values are certainly equal; records and tuples have to be the same object."""
    return now is was or (type(now) is type(was) and type(now) in _PLAIN and now == was)


class Watch:
    """Whether what is read is still noted; shared by a record and everything inside."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open = True


class WatchedTable:
    """Stands for a `Table`; notes which keys are asked for, or that it was read as a whole."""

    __slots__ = ("_now", "_read", "_watch", "_whole")

    def __init__(self, now: Table[Any], watch: Watch) -> None:
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

    def _all(self) -> Table[Any]:
        self._whole = self._whole or self._watch.open
        return self._now

    def same(self, now: Table[Any]) -> bool:
        """Whether another table would have answered the same."""
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

    def rebind(self, now: Table[Any]) -> None:
        """Stand for another table from now on."""
        self._now = now
