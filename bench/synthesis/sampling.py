"""Seeded sampling of a template's content: reproducible choices, facts that differ by twin, and claims on items."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TypeVar

from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError

T = TypeVar("T")
_TRIES = 1000


class Claims:
    """Items claimed by the pieces of one task, by kind: no two pieces use the same mail."""

    def __init__(self) -> None:
        self._claimed: dict[str, set[str]] = {}
        self._left: dict[tuple[str, str], Any] = {}

    def claim(self, kind: str, *ids: str) -> None:
        """Record that a piece of the task uses these items."""
        self._claimed.setdefault(kind, set()).update(ids)

    def claimed(self, kind: str) -> frozenset[str]:
        """All items of a kind that some piece of the task uses."""
        return frozenset(self._claimed.get(kind, ()))

    def leave(self, kind: str, value: str, item: Any) -> None:
        """Record what an item is like when a piece of the task is done, by the value of the resource that it is."""
        self._left[kind, value] = item

    def left(self, kind: str, value: str) -> Any | None:
        """What the latest piece leaves of an item; None where none was recorded."""
        return self._left.get((kind, value))

    def by_kind(self) -> dict[str, frozenset[str]]:
        """All items that some piece of the task uses, by kind."""
        return {kind: frozenset(ids) for kind, ids in self._claimed.items()}


class TaskSampler(Random):
    """A seeded generator for one piece of a task.

    Args:
        seed: of the piece.
        twin: selects the values of facts; twin 0 is the task itself. Everything else is equal between twins.
        claims: shared by the pieces of the task.
    """

    def __new__(cls, *_: Any, **__: Any) -> TaskSampler:
        """Needed because `random.Random` takes only one argument."""
        return super().__new__(cls)

    def __init__(self, seed: int, twin: int = 0, claims: Claims | None = None) -> None:
        super().__init__(seed)
        self._seed = seed
        self._twin = twin
        self._facts = 0
        self._claims = claims or Claims()

    def fact(self, make: Callable[[Random], T]) -> T:
        """A value that can only be heard or seen in motion: the only difference between twins.

        Args:
            make: draws it from a separate generator, so that other draws do not change.

        Raises:
            ConfigError: there are fewer distinct values than twins.
        """
        self._facts += 1
        dice = Random(seed_of(self._seed, "fact", self._facts))
        found: list[T] = []
        for _ in range(_TRIES):
            value = make(dice)
            if value not in found:
                found.append(value)
            if len(found) > self._twin:
                return found[-1]
        raise ConfigError(f"a fact has only {len(found)} values, but twin {self._twin} needs another one")

    def pick(self, kind: str, items: Iterable[T]) -> T:
        """Choose and claim an item that no piece of the task uses yet.

        Args:
            kind: their collection, such as "mails" or "threads".

        Raises:
            ConfigError: all are in use.
        """
        free = [item for item in items if key_of(item) not in self.claimed(kind)]
        if not free:
            raise ConfigError(f"no {kind} are left to choose from; use a shorter recipe or allow more values")
        item = self.choice(free)
        self.claim(kind, key_of(item))
        return item

    def claim(self, kind: str, *ids: str) -> None:
        """Record that this piece uses these items too."""
        self._claims.claim(kind, *ids)

    def claimed(self, kind: str) -> frozenset[str]:
        """The items that pieces of the task use; for judges, once all pieces exist."""
        return self._claims.claimed(kind)

    def leave(self, kind: str, value: str, item: Any) -> None:
        """Record what this piece leaves of an item that later ones may take."""
        self._claims.leave(kind, value, item)

    def left(self, kind: str, value: str) -> Any | None:
        """What the pieces before this one leave of an item; None where they do not make it."""
        return self._claims.left(kind, value)


def key_of(item: Any) -> str:
    """The key of an item in the world: its id, or the contact of a conversation."""
    return str(getattr(item, "id", None) or item.contact)
