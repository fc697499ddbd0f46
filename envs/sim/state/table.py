"""An immutable mapping: the only container of the state that is not a tuple."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class FrozenTable(Mapping[str, V]):
    """An immutable mapping from strings; `set` and `without` return changed copies.

    Tables with equal entries are equal, whatever their order.
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, V] | None = None) -> None:
        self._entries = dict(entries or {})

    def __getitem__(self, key: str) -> V:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"FrozenTable({self._entries!r})"

    def set(self, key: str, value: V) -> FrozenTable[V]:
        """A copy in which `key` has `value`."""
        return FrozenTable({**self._entries, key: value})

    def without(self, matches: str | Callable[[str], bool]) -> FrozenTable[V]:
        """A copy without one key (which may be missing), or without all keys that satisfy a predicate."""
        test = matches if callable(matches) else matches.__eq__
        kept = {key: value for key, value in self._entries.items() if not test(key)}
        return self if len(kept) == len(self._entries) else FrozenTable(kept)
