"""Screens of the embedded world as pictures for the documents: what was done before, and where things are on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omnipilot.bench.suites.duet.kit.play import play, seek
from omnipilot.envs import Box, Image, Intent, Modality, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.memory import Move

INSTANCE = 3
"""Of the world in the pictures: one like any other."""
MARGIN = 24
"""Pixels around a window that are shown with it."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A screen and how it came about.

    Attributes:
        title: what is written above it.
        moves: what is done first, on its device.
        change: of the world before that.
    """

    title: str
    device: DeviceName
    moves: tuple[Intent, ...]
    look: Look = Look()
    change: Callable[[WorldState], WorldState] = lambda state: state


def taken(shot: Shot) -> SimWorld:
    """A world in which everything of a shot was done."""
    world = SimWorld()
    world.reset(INSTANCE)
    world.prepare(lambda state: shot.change(state.looking(shot.look)))
    for intent in shot.moves:
        move = Move(shot.device, intent)
        seek(world, move)
        play(world, move)
    return world


def photograph(world: SimWorld, device: str) -> Image:
    """What a device shows now."""
    seen = world.envs[device].observe((Modality.SCREENSHOT,), world.now)
    assert isinstance(seen.screenshot, Image)
    return seen.screenshot


def window_of(world: SimWorld, size: Size) -> Box:
    """The part of the desktop around the window in front, of the proportions of a size."""
    desktop = world.state().desktop
    window, screen = desktop.front, desktop.size
    assert window is not None
    wide = max(window.w + 2 * MARGIN, (window.h + 2 * MARGIN) * size.width // size.height)
    high = wide * size.height // size.width
    left = min(max(window.x + (window.w - wide) // 2, 0), screen.width - wide)
    top = min(max(window.y + (window.h - high) // 2, 0), screen.height - high)
    w, h = screen.width, screen.height
    return Box(left / w, top / h, (left + wide) / w, (top + high) / h)


def places(world: SimWorld, device: DeviceName, ids: Sequence[str]) -> list[Box]:
    """Where elements are, by their ids.

    Raises:
        KeyError: one is not on the screen.
    """
    tree = world.envs[device].ui_tree()
    found = {id: element.box for id in ids if (element := tree.by_id(id)) is not None}
    return [found[id] for id in ids]
