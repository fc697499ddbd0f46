"""Caching pieces of a screen: they are laid out again only when their inputs have changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from omnipilot.envs.sim.state.dependency_tracking import Watched
from omnipilot.envs.sim.state.display import DeviceScreen
from omnipilot.envs.sim.state.world_state import DeviceName, DeviceState, WorldState
from omnipilot.envs.sim.ui.layout_tree import LayoutTree
from omnipilot.envs.sim.ui.scene import ScenePiece

if TYPE_CHECKING:
    from omnipilot.envs.sim.ui.containers import Widget

Make: TypeAlias = "Callable[[WorldState, DeviceState], Widget]"
Place: TypeAlias = "Callable[[WorldState, DeviceState, Widget | None], ScenePiece]"


@dataclass(slots=True)
class _Made:
    """A tree of widgets, and its inputs: arguments, and what was read of the state."""

    arguments: tuple[Any, ...]
    state: Watched
    widget: Widget


@dataclass(slots=True)
class _CachedPiece:
    """A piece, and its inputs: arguments, widgets, what was read of the state, whether it has the focus.

    `device` is what widgets are placed with. They compare its focus with their own ids only, so that it matters to
    the piece in which the focus is, or was.
    """

    arguments: tuple[Any, ...]
    made: _Made | None
    state: Watched
    device: Watched
    focus: str
    ids: frozenset[str]
    piece: ScenePiece

    def holds(self, arguments: tuple[Any, ...], state: WorldState, device: DeviceState) -> bool:
        focus = device.focus
        return (
            (focus == self.focus or (focus not in self.ids and self.focus not in self.ids))
            and arguments == self.arguments
            and self.state.same(state)
            and self.device.same(device)
        )


class LayoutCache:
    """The latest pieces of one device's screen, by name: for the desktop, two per app, the task bar, and so on.

    Layout is a pure function of its arguments and of what it reads, and a piece is reused only while all of that is
    unchanged, so screens are the same with and without the cache. Actions of controls read the state of the last
    screen that was laid out; therefore screens of the past have their own pieces.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _CachedPiece] = {}
        self._layout: LayoutTree | None = None

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
    ) -> ScenePiece:
        """The piece that `place` creates from a state, a device and the widgets created by `make`.

        Args:
            name: cache key.
            state: the current state.
            device: the device whose screen it is a piece of.
            place: a pure function of its arguments and of `arguments`.
            arguments: further inputs of `place`.
            make: a pure function of its arguments and of `made_of`.
            made_of: further inputs of `make`. Both are compared by value.
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
            # What widgets read through their factory during placement counts too.
            made.state.open()
        widget = made.widget if made is not None else None
        piece = place(cast(WorldState, watched), cast(DeviceState, placed), widget)
        for one in (watched, placed, *((made.state,) if made is not None else ())):
            one.close()
        ids = frozenset(control.id for control in piece.controls)
        self._kept[name] = _CachedPiece(arguments, made, watched, placed, record.focus, ids, piece)
        return piece

    def layout(self, screen: DeviceScreen, pieces: tuple[ScenePiece, ...]) -> LayoutTree:
        """The combined pieces; the last layout if it has the same pieces."""
        last = self._layout
        if (
            last is None
            or last.screen is not screen
            or len(last.pieces) != len(pieces)
            or any(a is not b for a, b in zip(last.pieces, pieces, strict=True))
        ):
            last = self._layout = LayoutTree(screen, pieces)
        return last
