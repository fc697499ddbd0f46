"""Pieces of a screen that are kept: laid out again only when something that they were made from has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from omnipilot.envs.sim.state.dependency_tracking import Watched
from omnipilot.envs.sim.state.display import Screen
from omnipilot.envs.sim.state.world_state import Device, DeviceName, WorldState
from omnipilot.envs.sim.ui.layout_tree import Layout
from omnipilot.envs.sim.ui.scene import Piece

if TYPE_CHECKING:
    from omnipilot.envs.sim.ui.containers import Widget

Make: TypeAlias = "Callable[[WorldState, Device], Widget]"
Place: TypeAlias = "Callable[[WorldState, Device, Widget | None], Piece]"


@dataclass(slots=True)
class _Made:
    """A tree of widgets, and what it was made from: arguments, what was read of the state."""

    arguments: tuple[Any, ...]
    state: Watched
    widget: Widget


@dataclass(slots=True)
class _CachedPiece:
    """A piece, and what it was made from: arguments, widgets, what was read of the state, whether it has the focus.

    `device` is what widgets are placed with. They compare its focus with their own ids only, so that it matters to
    the piece in which the focus is, or was.
    """

    arguments: tuple[Any, ...]
    made: _Made | None
    state: Watched
    device: Watched
    focus: str
    ids: frozenset[str]
    piece: Piece

    def holds(self, arguments: tuple[Any, ...], state: WorldState, device: Device) -> bool:
        focus = device.focus
        return (
            (focus == self.focus or (focus not in self.ids and self.focus not in self.ids))
            and arguments == self.arguments
            and self.state.same(state)
            and self.device.same(device)
        )


class LayoutCache:
    """The last pieces of one device's screen, one by name: of the desktop two for each app, the bar, and so on.

    Layout is a pure function of the arguments and of what it reads, and a piece is kept only while all of that is the
    same: a screen made with and without is the same. What controls do reads the state of the last screen that was
    made; therefore screens of the past have pieces of their own.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _CachedPiece] = {}
        self._layout: Layout | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def get(
        self,
        name: str,
        state: WorldState,
        device: DeviceName,
        place: Place,
        arguments: tuple[Any, ...],
        make: Make | None = None,
        made_of: tuple[Any, ...] = (),
    ) -> Piece:
        """The piece that `place` makes of a state, a device and the widgets that `make` makes of them.

        Args:
            name: under which it is kept.
            state: now.
            device: of whose screen it is a piece.
            place: a pure function of its arguments and of `arguments`.
            arguments: what else it depends on.
            make: a pure function of its arguments and of `made_of`.
            made_of: the same for `make`. Both are compared by value.
        """
        record, kept = state.device(device), self._kept.get(name)
        made = None if kept is None else kept.made
        if made is not None and not (made_of == made.arguments and made.state.same(state)):
            made = kept = None
        if made is not None:
            made.state.rebind(state)
        if kept is not None and kept.holds(arguments, state, record):
            kept.state.rebind(state)
            kept.device.rebind(record)
            return kept.piece
        if made is None and make is not None:
            read = cast(WorldState, Watched(state))
            made = _Made(made_of, cast(Watched, read), make(read, read.device(device)))
        watched, placed = Watched(state), Watched(record, ("focus",))
        if made is not None:
            # What widgets read through their maker while they are placed counts too.
            made.state.open()
        widget = made.widget if made is not None else None
        piece = place(cast(WorldState, watched), cast(Device, placed), widget)
        for one in (watched, placed, *((made.state,) if made is not None else ())):
            one.close()
        ids = frozenset(control.id for control in piece.controls)
        self._kept[name] = _CachedPiece(arguments, made, watched, placed, record.focus, ids, piece)
        return piece

    def layout(self, screen: Screen, pieces: tuple[Piece, ...]) -> Layout:
        """The pieces together; the last layout where it has the same."""
        last = self._layout
        if (
            last is None
            or last.screen is not screen
            or len(last.pieces) != len(pieces)
            or any(a is not b for a, b in zip(last.pieces, pieces, strict=True))
        ):
            last = self._layout = Layout(screen, pieces)
        return last
