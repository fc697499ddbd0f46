"""The names of steps in OS-Atlas's rows: how each step is identified, and which one a prediction refers to.

A picture may appear in several steps, and rows of two files may share numbers, so a name counts only if it is unique to
one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from omnipilot.bench.scoring.data.records import Record

CURE = "name each step by its own id, or give the rows in the order of the data, all of them without names"
IMAGES = ("image_id", "image")
FIELDS = ("id", "key", *IMAGES)
"""Fields of predictions that may name a step."""
_Table: TypeAlias = Mapping[str, frozenset[str]]


class NamedStep(Protocol):
    """The names of a step: its own `key`, and the `id` and `image` of its row ("" if the row has none)."""

    @property
    def key(self) -> str: ...

    @property
    def id(self) -> str: ...

    @property
    def image(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Meant:
    """The step that a prediction names.

    Attributes:
        label: the name given, "" if none. key: of the step, "" if no step or several match.
        shared: the name matches several steps.
    """

    label: str
    key: str = ""
    shared: bool = False


def keys_of(ids: Sequence[str], images: Sequence[str], places: Sequence[int]) -> list[str]:
    """A key for each row of a file: its id, else its picture's path, else the path with the row's position.

    Uses the first of these that every row has and that is unique.
    """
    for names in (ids, images):
        if all(names) and len(set(names)) == len(names):
            return list(names)
    return [f"{image}#{place}" for image, place in zip(images, places, strict=True)]


class Names:
    """Finds the step that a prediction names."""

    def __init__(self, steps: Iterable[NamedStep]) -> None:
        every = list(steps)
        own = (_table((step.id, step.key) for step in every), _table((step.key, step.key) for step in every))
        self._pictures = (
            _table((step.image, step.key) for step in every),
            _table((Path(step.image).stem, step.key) for step in every),
        )
        self._by_id: tuple[_Table, ...] = (*own, *self._pictures)
        self._by_image: tuple[_Table, ...] = (*self._pictures, *own)

    def meant(self, row: Record) -> Meant:
        """The step that a row names by `episode_id` and `step`, `id`, `key`, `image_id` or `image`, in this order."""
        said = [(name, row.text(name)) for name in FIELDS if row.has(name)]
        label = next((value for _, value in said if value), "")
        if row.has("episode_id") and row.has("step"):
            made = f"episode_{row.text('episode_id')}_screenshot_{row.text('step')}"
            said.insert(0, ("id", made))
            label = label or made
        shared = False
        for name, value in said:
            found = self._of(value, self._by_image if name in IMAGES else self._by_id)
            if len(found) == 1:
                return Meant(label, next(iter(found)))
            shared |= bool(found)
        return Meant(label, "", shared)

    def _of(self, name: str, tables: Sequence[_Table]) -> frozenset[str]:
        # Folders and endings of pictures are the data's own.
        asked = [(table, name) for table in tables] + [(table, Path(name).stem) for table in self._pictures]
        return next((table[one] for table, one in asked if one in table), frozenset())


def _table(pairs: Iterable[tuple[str, str]]) -> _Table:
    found: dict[str, set[str]] = {}
    for name, key in pairs:
        if name:
            found.setdefault(name, set()).add(key)
    return {name: frozenset(keys) for name, keys in found.items()}
