"""One laid-out screen: what is drawn, what is there (elements), and what each place does, made in one pass.

Widgets place themselves on a `Painter` (layout_pass.py), which yields a `Scene`. Picture, element tree and hit test
therefore never disagree. A scene is a pure function of state and time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.state.display import Screen
from omnipilot.envs.sim.state.world_state import Field, WorldState
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements

if TYPE_CHECKING:
    from omnipilot.envs.sim.ui.layout_tree import Layout

Do: TypeAlias = Callable[[WorldState], WorldState]
Raw: TypeAlias = tuple[str, str, Rect, frozenset[str], str | None, str]
"""An element before it is one: role, name, place, states, id, value."""
MenuItem: TypeAlias = tuple[str, Do]


@dataclass(frozen=True, slots=True)
class Motion:
    """A held pointer that moved to (x, y), by (dx, dy) since it was last heard of; pixels."""

    x: int
    y: int
    dx: int
    dy: int


@dataclass(frozen=True, slots=True)
class TextArea:
    """How a text field takes input.

    Attributes:
        draft: what it holds now. many: several lines.
        caret_at: the place between characters under a pixel.
        step: the caret's place a number of lines below (or above, negative).
        submit: what Enter does; without it Enter makes a new line, or nothing in a single line.
        changed: follows each edit, for what must know at once.
    """

    draft: Field
    many: bool
    caret_at: Callable[[int, int], int]
    step: Callable[[int], int]
    submit: Do | None = None
    changed: Callable[[WorldState, str], WorldState] | None = None


@dataclass(slots=True)
class Control:
    """Something on the screen that reacts. `rect` is its visible part; an id of "" stands for a surface that only
    keeps what is behind it from being hit.

    Attributes:
        hint: a tooltip, shown while the pointer rests here (desktop).
        tap_at: instead of `tap`, what a tap at a pixel does.
        keys: what keys do while it has the keyboard.
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
    """A scroll container on the screen: its visible part, the present offset and the largest one, in pixels.

    `depth` counts the controls that lie behind it.
    """

    id: str
    rect: Rect
    offset: int
    most: int
    window: str = ""
    depth: int = 0


@dataclass(slots=True)
class Piece:
    """Part of a screen that was laid out by itself; its numbers count from its own beginning.

    Attributes:
        covers: rectangles behind which elements are not listed, each with the number of elements that it applies to.
        fresh: shortcuts of the pieces behind it do not work.
        modal: the keyboard reaches only the controls from this number on; None where it says nothing about that.
        until: the time up to which it stays as it is if nothing happens.
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
    """The result, in pixels of the layout.

    Attributes:
        layout: what it consists of.
        until: the time up to which it stays as it is if nothing happens.
    """

    layout: Layout
    until: float = 0.0

    @property
    def screen(self) -> Screen:
        """What it was laid out for."""
        return self.layout.screen

    @property
    def size(self) -> Size:
        """Of the layout; `screen.pixels` is that of the picture."""
        return self.layout.screen.layout

    @property
    def ops(self) -> tuple[Op, ...]:
        """The display list."""
        return self.layout.ops

    @property
    def raw(self) -> list[Raw]:
        """The elements, without those whose middle is covered."""
        return self.layout.raw

    @property
    def elements(self) -> Elements:
        """Everything visible, later ones on top."""
        return self.layout.elements

    @property
    def controls(self) -> list[Control]:
        """From back to front."""
        return self.layout.controls

    @property
    def scrollers(self) -> list[Scroller]:
        """From outer to inner."""
        return self.layout.scrollers

    @property
    def shortcuts(self) -> dict[str, Do]:
        """What keys do that no control has to hold."""
        return self.layout.shortcuts

    @property
    def modal(self) -> int:
        """The keyboard reaches only the controls from this number on; those before are behind a dialog or a menu."""
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
        """The control with this id, where the keyboard reaches it."""
        return next((control for control in self.controls[self.modal :] if id and control.id == id), None)

    def scroller(self, x: int, y: int) -> Scroller | None:
        """The innermost scroll container at a pixel that has something to scroll and is not covered there."""
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
