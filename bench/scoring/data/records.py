"""Reads records of data files field by field: errors name file, record and field, and no record is lost silently."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from omnipilot.bench.scoring.data.json_file import Doubled
from omnipilot.envs.schema.validation_messages import short

T = TypeVar("T")
_NEEDED: Any = object()
_NO_NUMBERS = (bool, list, Mapping)


@dataclass(frozen=True, slots=True)
class Bad:
    """An unusable record: the file, the record, the field ("" for the whole record), and the reason."""

    file: str
    record: str
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, record {self.record}{f', field {self.field}' if self.field else ''}: {self.reason}"


class BadRecord(Exception):
    """Raised when a record cannot be read; code that reads many keeps `bad` and continues."""

    def __init__(self, bad: Bad) -> None:
        super().__init__(str(bad))
        self.bad = bad


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """The result of reading a data set: `items` in the order of the files, and the records that could not be read."""

    items: tuple[T, ...]
    bad: tuple[Bad, ...] = ()


class Record:
    """One raw record. Every method raises `BadRecord` with the field's name if a value is missing or wrong.

    Attributes:
        file: its name as shown to the user. record: its name there: an id, a key, or a number from 0.
    """

    def __init__(self, file: str, record: object, data: Any) -> None:
        self.file = file
        self.record = str(record)
        self._strange = "" if isinstance(data, Mapping) else f"a record is an object with fields, not {short(data)}"
        if isinstance(data, Doubled):
            self._strange = f"the field {short(data.twice)} is there twice"
        self._data = {} if self._strange else data

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all fields."""
        return tuple(map(str, self._data))

    def wrong(self, field: str, reason: str) -> BadRecord:
        """An error about a field of this record, to be raised."""
        return BadRecord(Bad(self.file, self.record, field, reason))

    def named(self, record: object) -> Record:
        """The same record under another name, such as its id once known."""
        same = Record(self.file, record, self._data)
        same._strange = self._strange
        return same

    def has(self, name: str) -> bool:
        """Whether the field exists and is not null."""
        return self._data.get(name) is not None

    def raw(self, name: str, default: Any = _NEEDED) -> Any:
        """The unchanged value; null counts as missing."""
        value = self._data.get(name)
        if value is not None:
            return value
        if self._strange:
            raise self.wrong("", self._strange)
        if default is _NEEDED:
            there = "is null" if name in self._data else "is missing"
            raise self.wrong(name, f"it {there}; the record has {', '.join(self.names) or 'no fields'}")
        return default

    def text(self, name: str, default: Any = _NEEDED) -> str:
        """Text, or an integer as text (ids are written either way)."""
        value = self.raw(name, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is default or isinstance(value, str):
            return value
        raise self.wrong(name, f"expected text, got {short(value)}")

    def whole(self, name: str, default: Any = _NEEDED, least: int | None = None) -> int:
        """An integer, possibly written as 3.0 or "3"."""
        value: Any = self.raw(name, default)
        if value is default:
            return value  # type: ignore[no-any-return]
        number = self._number(name, value)
        if number != int(number):
            raise self.wrong(name, f"expected a whole number, got {short(value)}")
        if least is not None and number < least:
            raise self.wrong(name, f"must be at least {least}, not {short(value)}")
        return int(number)

    def number(self, name: str, default: Any = _NEEDED) -> float:
        """A finite number."""
        value = self.raw(name, default)
        return value if value is default else self._number(name, value)

    def numbers(self, name: str, count: int | None = None) -> tuple[float, ...]:
        """Finite numbers, `count` of them if given."""
        values = self.items(name)
        if count is not None and len(values) != count:
            raise self.wrong(name, f"expected {count} numbers, got {len(values)}: {short(values)}")
        return tuple(self._number(name, value) for value in values)

    def size(self, name: str) -> tuple[int, int]:
        """Width and height in pixels, both at least 1."""
        width, height = self.numbers(name, 2)
        if width < 1 or height < 1 or width != int(width) or height != int(height):
            raise self.wrong(name, f"width and height must be whole numbers above 0, not {width:g} and {height:g}")
        return int(width), int(height)

    def choice(self, name: str, allowed: Sequence[str], default: Any = _NEEDED) -> str:
        """One of the allowed texts."""
        value = self.text(name, default)
        if value is not default and value not in allowed:
            raise self.wrong(name, f"must be one of {', '.join(allowed)}, not {short(value)}")
        return value

    def items(self, name: str) -> list[Any]:
        """A list."""
        value = self.raw(name)
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            raise self.wrong(name, f"expected a list, got {short(value)}")
        return list(value)

    def table(self, name: str) -> Record:
        """An object within the record; its field names are dotted."""
        value = self.raw(name)
        if not isinstance(value, Mapping):
            raise self.wrong(name, f"expected an object, got {short(value)}")
        return _Inner(self, name, value)

    def _number(self, name: str, value: Any) -> float:
        if type(value) is float and math.isfinite(value):
            return value
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                raise self.wrong(name, f"expected a number, got {short(value)}") from None
        # numpy's numbers (of parquet files) are none of Python's, but behave like them.
        if isinstance(value, _NO_NUMBERS) or not hasattr(value, "__float__") or not _finite(value):
            raise self.wrong(name, f"expected a number, got {short(value)}")
        return float(value)


def _finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


class _Inner(Record):
    def __init__(self, outer: Record, prefix: str, data: Mapping[str, Any]) -> None:
        self._prefix: str = f"{outer._prefix}.{prefix}" if isinstance(outer, _Inner) else prefix
        super().__init__(outer.file, outer.record, data)

    def wrong(self, field: str, reason: str) -> BadRecord:
        return super().wrong(f"{self._prefix}.{field}" if field else self._prefix, reason)


def read_each(
    raw: Iterable[Record], read: Callable[[Record], T], key: Callable[[T], object] | None = None
) -> Loaded[T]:
    """Read every record; unreadable ones are listed as bad, and so are repeated keys."""
    items: list[T] = []
    bad: list[Bad] = []
    seen: set[object] = set()
    for record in raw:
        try:
            item = read(record)
            if key is not None and key(item) in seen:
                raise record.wrong("", f"it appears twice, as {key(item)}")
        except BadRecord as error:
            bad.append(error.bad)
            continue
        if key is not None:
            seen.add(key(item))
        items.append(item)
    return Loaded(tuple(items), tuple(bad))
