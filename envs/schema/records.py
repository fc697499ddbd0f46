"""Immutable records as plain values, so that they can be sent and read back without pickle.

A document is `{"nodes": [...], "root": value}`. A value is None, a truth value, a number, a text, bytes, or `[n]`, the
n-th node. A node is a list that begins with its kind: `t` a tuple, `l` a list, `s` a frozenset, `d` a dictionary (keys
and values in turn), or `:Name`, a record of that name with its fields in order. A node refers to earlier ones only,
and what occurs twice is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]

_PLAIN = (str, bytes, bool, int, float, type(None))


class RecordCodec:
    """Writes and reads trees of frozen dataclasses.

    Args:
        records: the dataclasses that may occur; nothing else is ever constructed.
        tables: other classes, each with what it is written as (a mapping), and constructed from.

    Raises:
        ValueError: two classes have one name.
    """

    def __init__(self, records: Collection[type] = (), tables: Collection[type] = ()) -> None:
        self._records = {f":{record.__name__}": record for record in records}
        self._tables = {f"%{table.__name__}": table for table in tables}
        if len(self._records) + len(self._tables) < len(records) + len(tables):
            raise ValueError("two of the records have the same name")

    def write(self, value: Any) -> Document:
        """A value as a document.

        Raises:
            TypeError: something in it is of a class that cannot be written; the message names it.
        """
        writer = _Writer(self._records, self._tables)
        root = writer.value(value)
        return {"nodes": writer.nodes, "root": root}

    def read(self, document: Any) -> Any:
        """The inverse of `write`.

        Raises:
            ValueError: it is no such document.
        """
        if not isinstance(document, Mapping) or not isinstance(document.get("nodes"), list):
            raise ValueError("records are a map with nodes and a root")
        made: list[Any] = []

        def value(item: Any) -> Any:
            if isinstance(item, _PLAIN):
                return item
            if isinstance(item, list) and len(item) == 1 and type(item[0]) is int and 0 <= item[0] < len(made):
                return made[item[0]]
            raise ValueError(f"{item!r:.60} is no value of a record")

        for node in document["nodes"]:
            if not isinstance(node, list) or not node or not isinstance(node[0], str):
                raise ValueError(f"{node!r:.60} is no node of a record")
            try:
                made.append(self._make(node[0], [value(item) for item in node[1:]]))
            except TypeError as error:
                raise ValueError(f"{node[0]} cannot be made: {error}") from None
        return value(document.get("root"))

    def _make(self, kind: str, items: list[Any]) -> Any:
        makers: dict[str, Callable[[list[Any]], Any]] = {"t": tuple, "l": list, "s": frozenset, "d": _pairs}
        if kind in makers:
            return makers[kind](items)
        if kind in self._tables:
            return self._tables[kind](_pairs(items))
        if kind not in self._records:
            raise ValueError(f"unknown record {kind!r:.60}")
        record = self._records[kind]
        names = _names(record)
        if len(names) != len(items):
            raise ValueError(f"{kind} has {len(names)} fields, not {len(items)}; is the other side of another version?")
        return record(**dict(zip(names, items, strict=True)))


def _pairs(items: list[Any]) -> dict[Any, Any]:
    if len(items) % 2:
        raise ValueError("a dictionary has a value for each key")
    return dict(zip(items[::2], items[1::2], strict=True))


def _names(record: type) -> list[str]:
    return [spec.name for spec in fields(record) if spec.init]


class _Writer:
    def __init__(self, records: Mapping[str, type], tables: Mapping[str, type]) -> None:
        self._tag_of = {made: tag for tag, made in (*records.items(), *tables.items())}
        self._index: dict[int, int] = {}
        self._alive: list[Any] = []
        self.nodes: list[list[Any]] = []

    def value(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if id(value) not in self._index:
            node = self._node(value, kind)
            # Kept alive, or another object could get the same id.
            self._alive.append(value)
            self._index[id(value)] = len(self.nodes)
            self.nodes.append(node)
        return [self._index[id(value)]]

    def _node(self, value: Any, kind: type) -> list[Any]:
        if kind in (tuple, list):
            return ["t" if kind is tuple else "l", *map(self.value, value)]
        if kind is frozenset:
            return ["s", *map(self.value, sorted(value, key=repr))]
        if kind is dict:
            return ["d", *(self.value(part) for pair in value.items() for part in pair)]
        tag = self._tag_of.get(kind)
        if tag is None:
            raise TypeError(f"{kind.__module__}.{kind.__qualname__} cannot be sent")
        if is_dataclass(value):
            return [tag, *(self.value(getattr(value, name)) for name in _names(kind))]
        return [tag, *(self.value(part) for pair in value.items() for part in pair)]
