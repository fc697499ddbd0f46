"""A world that can be explored: what can be done in it, which screen it shows, what something did, and the way back.

The embedded world has all four exactly, by snapshots and differences of its state. A web page has them by starting over
and playing the path again, and by what is visible. No stage knows which of them it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.suites.pool.records import Operation, SituationRecord
from omnipilot.envs import World
from omnipilot.memory import Move


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two marks of a world.

    Attributes:
        sign: "+" an item is new, "-" it is gone, "~" a field differs.
        kind: of the things that a world holds ("todos"), of what it has one of ("phone_settings"), or a device.
        id: of the item; "" where there is only one.
        field: for "~".
        before, after: the item, or the field's values; None where there is none.
        stamp: whether the field took the time at which it was changed.
    """

    sign: str
    kind: str
    id: str = ""
    field: str = ""
    before: Any = None
    after: Any = None
    stamp: bool = False

    @property
    def signature(self) -> str:
        """Without the item: `+todos`, `-todos`, `~todos.done`."""
        return f"{self.sign}{self.kind}" + (f".{self.field}" if self.field else "")


class ExplorableWorld(ABC):
    """A world that can be explored, one application at a time.

    Attributes:
        world: the world itself, for pictures, sounds and judges.
    """

    world: World

    @abstractmethod
    def apps(self) -> Sequence[str]:
        """Names of its applications, unique, as "device/app"."""

    @abstractmethod
    def views(self, app: str) -> Sequence[str]:
        """The names of an application's own screens; none where they are not known."""

    @abstractmethod
    def start(self, app: str, instance: int = 0) -> None:
        """Begin anew with the content of an instance, with this application in front.

        Raises:
            ConfigError: no such application.
        """

    @abstractmethod
    def operations(self) -> Sequence[Operation]:
        """What can be done on the screen now, with one representative of each kind of control; holes are filled in."""

    @abstractmethod
    def situation(self) -> SituationRecord:
        """What the screen is now, in the abstract."""

    @abstractmethod
    def subject(self) -> str:
        """The id of the item that the screen is about, or ""."""

    @abstractmethod
    def do(self, operation: Operation) -> bool:
        """Carry out an operation without holes; False if the world refuses it, which then is as before."""

    @abstractmethod
    def values(self, operation: Operation) -> Sequence[str]:
        """Everything worth typing into the field of an operation, most likely first."""

    @abstractmethod
    def moves(self, operation: Operation) -> Sequence[Move]:
        """The moves of an agent that carry out an operation without holes on the present screen.

        Raises:
            NotFound: it needs the place of a control that is not on the screen.
        """

    @abstractmethod
    def generalise(self, operations: Sequence[Operation]) -> tuple[tuple[Operation, ...], Mapping[str, str]]:
        """Operations with holes for items and typed texts, and what stood in the holes; `fill` puts it back."""

    @abstractmethod
    def seconds(self) -> float:
        """Of the world's clock, since the start."""

    @abstractmethod
    def mark(self) -> Any:
        """The place where it stands, to come back to."""

    @abstractmethod
    def back(self, mark: Any) -> None:
        """Return to a mark."""

    @abstractmethod
    def changes(self, before: Any, after: Any) -> Sequence[Change]:
        """All differences between two marks; what is on the screens and how late it is are none."""

    def effect(self, before: Any, after: Any) -> frozenset[str]:
        """What changed between two marks: `+kind`, `-kind`, `~kind.field`; devices are kinds, too:
        `~phone.clipboard`."""
        return frozenset(change.signature for change in self.changes(before, after))
