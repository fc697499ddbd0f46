"""What worlds with a common beginning do once for all: a move made in one state, and the look of that state.

States are immutable and a move is a pure function of its state. So a world that makes a move which another has made in
the very same state takes over the states that came of it, and forks that go the same way remain at the same objects. A
look is kept by the state that it shows. Both are for worlds that only moves change; all of it only saves work.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock, local
from typing import Generic, TypeVar

from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.ui.layout_cache import LayoutCache
from omnipilot.envs.sim.ui.scene import Scene

V = TypeVar("V")

MOST_SCENES = 2_048
"""Screens of which the look is kept at most, each some ten kilobytes."""


class MoveMemo:
    """Moves by the state they were made in, and laid-out screens by the state they show; the latest used ones stay.

    May be used by several threads.

    Args:
        most: moves that are kept, each with the states that came of it; at least 1.
        pieces: how many pieces of screens of one name its worlds share, such as an app's content, so that a world lays
            out only what no other one has shown just so; 0 where each keeps its own. Pays for worlds that live for a
            few moves and begin in much the same state, one after the other.
    """

    def __init__(self, most: int, pieces: int = 0) -> None:
        if most < 1:
            raise ValueError(f"a memo keeps at least 1 move, not {most}; leave it out to keep none")
        self._moves: _ByState[tuple[WorldState, ...]] = _ByState(most)
        self._scenes: _ByState[Scene] = _ByState(min(most, MOST_SCENES))
        self._pieces = pieces
        self._of_thread = local()

    def __len__(self) -> int:
        """How many moves are kept."""
        return len(self._moves)

    @property
    def reused(self) -> int:
        """How many moves were taken over instead of made."""
        return self._moves.hits

    def layouts(self, device: DeviceName, clipped: bool = True) -> LayoutCache | None:
        """The pieces of a device's screens that the worlds of this thread share; None if they do not.

        Args:
            clipped: False for those that hold what is out of view, too.
        """
        if not self._pieces:
            return None
        name = device if clipped else f"{device}, unclipped"
        found: LayoutCache | None = getattr(self._of_thread, name, None)
        if found is None:
            found = LayoutCache(self._pieces)
            setattr(self._of_thread, name, found)
        return found

    def move(self, state: WorldState, name: Hashable) -> tuple[WorldState, ...] | None:
        """The states that came of a move, in order, the last of which is the present; None if it is not known.

        Args:
            state: in which it is made.
            name: says which move it is; moves of one name do the same in the same state.
        """
        return self._moves.get(state, name)

    def keep_move(self, state: WorldState, name: Hashable, passed: tuple[WorldState, ...]) -> None:
        """Keep what `move` returns."""
        self._moves.put(state, name, passed)

    def scene(self, state: WorldState, device: DeviceName) -> Scene | None:
        """A device's screen in a state, to be looked at; None if it is not known.

        It is for its elements and its display list. What its controls do belongs to the world that laid it out, so
        a world that acts lays its screen out itself.
        """
        return self._scenes.get(state, device)

    def keep_scene(self, state: WorldState, device: DeviceName, scene: Scene) -> None:
        """Keep what `scene` returns."""
        self._scenes.put(state, device, scene)


class _ByState(Generic[V]):
    """Values by the identity of a state and a name; an entry holds its state, so that no other has its address."""

    def __init__(self, most: int) -> None:
        self.hits = 0
        self._most = most
        self._kept: OrderedDict[tuple[int, Hashable], tuple[WorldState, V]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, state: WorldState, name: Hashable) -> V | None:
        key = (id(state), name)
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self.hits += 1
            self._kept.move_to_end(key)
            return found[1]

    def put(self, state: WorldState, name: Hashable, value: V) -> None:
        with self._lock:
            self._kept[(id(state), name)] = (state, value)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
