"""One laid-out screen: drawing operations, elements, and controls, created in one pass.

Widgets place themselves on a `Painter` (layout_pass.py), which yields a `Scene`. Image, element tree and hit test
are therefore always consistent. A scene is a pure function of state and time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.state.display import DeviceScreen
from omnipilot.envs.sim.state.world_state import Field, WorldState
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements

if TYPE_CHECKING:
    from omnipilot.envs.sim.ui.layout_tree import LayoutTree

Do: TypeAlias = Callable[[WorldState], WorldState]
Raw: TypeAlias = tuple[str, str, Rect, frozenset[str], str | None, str, str]
"""A raw element: role, name, rectangle, states, id, value, origin of its words."""
MenuItem: TypeAlias = tuple[str, Do]


@dataclass(frozen=True, slots=True)
class Motion:
    """A pressed pointer that moved to (x, y), by (dx, dy) since the last event; in pixels."""

    x: int
    y: int
    dx: int
    dy: int


@dataclass(frozen=True, slots=True)
class TextArea:
    """How a text field takes input.

    Attributes:
        draft: its current content. many: whether it is multi-line.
        caret_at: the position between characters at a pixel.
        step: the caret's position a number of lines below (or above, if negative).
        submit: action of Enter; without it, Enter starts a new line, or does nothing in a single-line field.
        changed: action after each edit.
    """

    draft: Field
    many: bool
    caret_at: Callable[[int, int], int]
    step: Callable[[int], int]
    submit: Do | None = None
    changed: Callable[[WorldState, str], WorldState] | None = None


@dataclass(slots=True)
class Control:
    """An interactive area of the screen. `rect` is its visible part; an empty id is for a surface that only keeps what
    is behind it from being hit.

    Attributes:
        hint: tooltip, shown while the pointer rests here (desktop).
        tap_at: instead of `tap`, the action of a tap at a pixel.
        keys: actions of keys while it has the focus.
    """

    id: str
    rect: Rect
    name: str = ""
    tap: Do | None = None
    double: Do | None = None
    menu: tuple[MenuItem, ...] = ()
    options: tuple[MenuItem, ...] = ()
    drag: Callable[[WorldState, Motion], WorldState] | None = None
    payload: str = ""
    drop: Callable[[WorldState, str], WorldState] | None = None
    area: TextArea | None = None
    enabled: bool = True
    window: str = ""
    hint: str = ""
    tap_at: Callable[[WorldState, int, int], WorldState] | None = None
    keys: dict[str, Do] = field(default_factory=dict)


@dataclass(slots=True)
class Scroller:
    """A scroll container on the screen: its visible part, the current offset and the maximum, in pixels.

    `depth` is the number of controls behind it.
    """

    id: str
    rect: Rect
    offset: int
    most: int
    window: str = ""
    depth: int = 0


@dataclass(slots=True)
class ScenePiece:
    """A part of a screen that was laid out separately; its indices are relative to its own start.

    Attributes:
        covers: rectangles behind which elements are not listed, each with the number of elements it applies to.
        fresh: whether it disables the shortcuts of the pieces behind it.
        modal: index of the first control that the keyboard reaches; None for no restriction.
        until: the time until which it is valid if nothing happens.
    """

    ops: list[Op] = field(default_factory=list)
    raw: list[Raw] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    scrollers: list[Scroller] = field(default_factory=list)
    shortcuts: dict[str, Do] = field(default_factory=dict)
    covers: list[tuple[int, Rect]] = field(default_factory=list)
    fresh: bool = False
    modal: int | None = None
    until: float = inf


@dataclass(frozen=True, slots=True)
class Scene:
    """The laid-out screen, in layout pixels.

    Attributes:
        layout: its pieces.
        until: the time until which it is valid if nothing happens.
    """

    layout: LayoutTree
    until: float = 0.0

    @property
    def screen(self) -> DeviceScreen:
        """The screen it was laid out for."""
        return self.layout.screen

    @property
    def size(self) -> Size:
        """Size of the layout; `screen.pixels` is that of the image."""
        return self.layout.screen.layout

    @property
    def ops(self) -> tuple[Op, ...]:
        """The display list."""
        return self.layout.ops

    @property
    def raw(self) -> list[Raw]:
        """The raw elements, without those whose centre is covered."""
        return self.layout.raw

    @property
    def elements(self) -> Elements:
        """All visible elements, later ones on top."""
        return self.layout.elements

    @property
    def controls(self) -> list[Control]:
        """The controls, from back to front."""
        return self.layout.controls

    @property
    def scrollers(self) -> list[Scroller]:
        """The scroll containers, from outer to inner."""
        return self.layout.scrollers

    @property
    def shortcuts(self) -> dict[str, Do]:
        """Actions of keys that do not depend on the focus."""
        return self.layout.shortcuts

    @property
    def modal(self) -> int:
        """Index of the first control that the keyboard reaches; those before are behind a dialog or menu."""
        return self.layout.modal

    def hit(self, x: int, y: int) -> Control | None:
        """The topmost control at a pixel, or None."""
        for piece in reversed(self.layout.pieces):
            for control in reversed(piece.controls):
                left, top, right, bottom = control.rect
                if left <= x < right and top <= y < bottom:
                    return control
        return None

    def control(self, id: str) -> Control | None:
        """The control with this id."""
        return next((control for control in self.controls if id and control.id == id), None)

    def focused(self, id: str) -> Control | None:
        """The control with this id, if the keyboard reaches it."""
        return next((control for control in self.controls[self.modal :] if id and control.id == id), None)

    def scroller(self, x: int, y: int) -> Scroller | None:
        """The innermost uncovered scroll container at a pixel that can be scrolled."""
        depth = 0
        for i, control in enumerate(self.controls):
            if not control.id:
                left, top, right, bottom = control.rect
                if left <= x < right and top <= y < bottom:
                    depth = i + 1
        for scroller in reversed(self.scrollers):
            left, top, right, bottom = scroller.rect
            if scroller.most > 0 and scroller.depth >= depth and left <= x < right and top <= y < bottom:
                return scroller
        return None
