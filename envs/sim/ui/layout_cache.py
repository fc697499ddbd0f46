"""Caching pieces of a screen: they are laid out again only when their inputs have changed."""

from __future__ import annotations

from collections import OrderedDict
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

    Args:
        most: pieces of one name that are kept, those that were used last: more than 1 where worlds take turns.

    Attributes:
        laid_out: the state of the last screen, which actions of controls read.
    """

    def __init__(self, most: int = 1) -> None:
        self.laid_out: WorldState | None = None
        self._most = most
        self._kept: dict[str, list[_CachedPiece]] = {}
        self._layouts: OrderedDict[tuple[int, ...], LayoutTree] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))

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
        record, entries, made = state.device(device), self._kept.setdefault(name, []), None
        for at, kept in enumerate(entries):
            if kept.made is not None and not (made_of == kept.made.arguments and kept.made.state.same(state)):
                continue
            if kept.holds(arguments, state, record):
                if kept.made is not None:
                    kept.made.state.rebind(state)
                kept.state.rebind(state)
                kept.device.rebind(record)
                if at:
                    entries.insert(0, entries.pop(at))
                return kept.piece
            made = made or kept.made
        if made is not None:
            made.state.rebind(state)
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
        del entries[self._most - 1 :]
        entries.insert(0, _CachedPiece(arguments, made, watched, placed, record.focus, ids, piece))
        return piece

    def layout(self, screen: DeviceScreen, pieces: tuple[ScenePiece, ...]) -> LayoutTree:
        """The combined pieces; one of the last layouts if it has the same pieces."""
        key = (id(screen), *map(id, pieces))
        found = self._layouts.get(key)
        if found is None:
            # A layout holds its screen and its pieces, so that no others have their addresses while it is kept.
            found = self._layouts[key] = LayoutTree(screen, pieces)
            if len(self._layouts) > self._most:
                self._layouts.popitem(last=False)
        elif self._most > 1:
            self._layouts.move_to_end(key)
        return found
