"""The layout pass: widgets place themselves on a `Painter`, which collects one scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from omnipilot.envs.sim.render.dark_theme import dark_fill, dark_ink
from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.state.world_state import DeviceState, WorldState
from omnipilot.envs.sim.ui.layout_cache import LayoutCache
from omnipilot.envs.sim.ui.layout_tree import LayoutTree
from omnipilot.envs.sim.ui.scene import Control, Do, Raw, Scene, ScenePiece, Scroller
from omnipilot.envs.types.geometry import Box
from omnipilot.envs.types.observation import Element

VEIL = 104
"""Darkness of the screen behind a dialog, of 256."""
SYSTEM = "app:System"
"""Whose the words are that the shell shows itself."""
FAR = 1_000_000
"""Pixels; more than any widget's distance from the screen."""


@dataclass(slots=True)
class Painter:
    """Collects one scene, without anything outside the current clip.

    Attributes:
        kept: cache of parts that need not be placed again.
        behind: the pieces behind the current one.
        timed: whether the time was read.
        origin: where the words of what is placed now come from.
    """

    state: WorldState
    device: DeviceState
    window: str = ""
    ops: list[Op] = field(default_factory=list)
    raw: list[Raw] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    scrollers: list[Scroller] = field(default_factory=list)
    shortcuts: dict[str, Do] = field(default_factory=dict)
    covers: list[tuple[int, Rect]] = field(default_factory=list)
    fresh: bool = False
    modal: int | None = None
    until: float = inf
    clips: list[Rect] = field(default_factory=list)
    dark: bool = False
    plain: bool = False
    kept: LayoutCache | None = None
    behind: list[ScenePiece] = field(default_factory=list)
    timed: bool = False
    origin: str = SYSTEM

    def __post_init__(self) -> None:
        self.dark = self.device.look.theme == "dark"
        self.clips.append((0, 0, self.device.size.width, self.device.size.height))

    @property
    def time(self) -> float:
        """Seconds on the world's clock, of which animations are a function."""
        self.timed = True
        return self.state.time

    def seen(self, x: int, y: int, w: int, h: int) -> Rect | None:
        """The visible part of a rectangle."""
        # Called for everything on every screen: comparisons are twice as fast as min and max.
        left, top, right, bottom = self.clips[-1]
        if x > left:
            left = x
        if y > top:
            top = y
        if x + w < right:
            right = x + w
        if y + h < bottom:
            bottom = y + h
        return (left, top, right, bottom) if left < right and top < bottom else None

    def rect(self, x: int, y: int, w: int, h: int, color: Any, radius: int = 0, border: Any = None) -> None:
        """A filled rectangle."""
        if w > 0 and h > 0 and self.seen(x, y, w, h):
            if self.dark and not self.plain:
                color, border = dark_fill(color), border and dark_fill(border)
            self.ops.append(("rect", x, y, w, h, color, radius, border))

    def circle(self, cx: int, cy: int, r: int, color: Any) -> None:
        """A filled circle."""
        if self.seen(cx - r, cy - r, 2 * r, 2 * r):
            self.ops.append(("circle", cx, cy, r, dark_fill(color) if self.dark and not self.plain else color))

    def line(self, x0: int, y0: int, x1: int, y1: int, color: Any, width: int = 1) -> None:
        """A straight line."""
        self.ops.append(("line", x0, y0, x1, y1, dark_ink(color) if self.dark and not self.plain else color, width))

    def text(
        self, x: int, y: int, text: str, color: Any, size: int, weight: str = "regular", width: int | None = None
    ) -> None:
        """One line of text, (x, y) the top left of its line box; with a width it ends in an ellipsis."""
        if text and self.seen(x, y, 4000, 2 * size):
            if self.dark and not self.plain:
                color = dark_ink(color)
            self.ops.append(("text", x, y, text, color, size, weight, width))

    def icon(self, name: str, x: int, y: int, size: int, color: Any) -> None:
        """A square icon."""
        if self.seen(x, y, size, size):
            self.ops.append(("icon", name, x, y, size, dark_ink(color) if self.dark and not self.plain else color))

    def shadow(self, x: int, y: int, w: int, h: int, radius: int) -> None:
        """A soft shadow around a card, to be drawn before it."""
        self.ops.append(("shadow", x, y, w, h, radius))

    def veil(self, x: int, y: int, w: int, h: int, share: int = VEIL) -> None:
        """Darken what was drawn here so far by blending `share`/256 of black."""
        if self.seen(x, y, w, h):
            self.ops.append(("veil", x, y, w, h, share))

    @contextmanager
    def words_of(self, origin: str) -> Iterator[None]:
        """Say of everything inside this block that its words come from there."""
        before, self.origin = self.origin, origin
        try:
            yield
        finally:
            self.origin = before

    @contextmanager
    def literal(self) -> Iterator[None]:
        """Keep colours as they are inside this block, whatever the theme: for pictures and animations."""
        before, self.plain = self.plain, True
        try:
            yield
        finally:
            self.plain = before

    def push_clip(self, x: int, y: int, w: int, h: int) -> bool:
        """Clip everything until `pop_clip`; returns False (and does not clip) if nothing would be visible."""
        r = self.seen(x, y, w, h)
        if r is None:
            return False
        self.clips.append(r)
        self.ops.append(("clip", r[0], r[1], r[2] - r[0], r[3] - r[1]))
        return True

    def pop_clip(self) -> None:
        """End the last clip."""
        self.clips.pop()
        self.ops.append(("unclip",))

    def element(
        self,
        role: str,
        name: str,
        rect: Rect | None,
        id: str | None = None,
        states: frozenset[str] = frozenset(),
        value: str = "",
    ) -> None:
        """Add an element to the tree, unless it is not visible."""
        if rect is not None:
            self.raw.append((role, name, rect, states, id, value, self.origin))

    def control(self, control: Control, role: str, states: frozenset[str] = frozenset(), value: str = "") -> None:
        """Add a control, listed and hit at its `rect`."""
        control.window = self.window
        if not control.enabled:
            states |= {"disabled"}
        if control.id == self.device.focus:
            states |= {"focused"}
        self.controls.append(control)
        self.raw.append((role, control.name, control.rect, states, control.id, value, self.origin))

    def cover(self, x: int, y: int, w: int, h: int, tap: Do | None = None, modal: bool = False) -> None:
        """Exclude what is behind this rectangle from hits and the tree and, if `modal`, from the keyboard."""
        if modal:
            self.modal = len(self.controls)
            self.alone()
        r = self.seen(x, y, w, h)
        if r is not None:
            self.covers.append((len(self.raw), r))
            self.controls.append(Control("", r, tap=tap, window=self.window))

    def scroller(self, id: str, rect: Rect, offset: int, most: int) -> None:
        """Add a scroll container."""
        self.scrollers.append(Scroller(id, rect, offset, most, self.window, len(self.controls)))

    def lasts(self, until: float) -> None:
        """Limit the validity of what was drawn to a time."""
        self.until = min(self.until, until)

    def alone(self) -> None:
        """Disable the shortcuts added so far."""
        self.shortcuts.clear()
        self.fresh = True

    def part(self, name: str, place: Callable[..., None], *arguments: Any) -> None:
        """Place `place(painter, *arguments)`, using the cached part of this name if it is still valid.

        Args:
            name: unique on this device at a time.
            place: a pure function of the painter's state and of the arguments.
        """
        if self.kept is None:
            place(self, *arguments)
            return

        def placed(state: WorldState, device: DeviceState, _: object) -> ScenePiece:
            painter = type(self)(state, device)
            place(painter, *arguments)
            return painter.piece()

        self.put_behind(self.kept.get(name, self.state, self.device.name, placed, arguments))

    def put_behind(self, piece: ScenePiece) -> None:
        """Put what was collected so far, and then this piece, behind what is collected next."""
        if self.raw or self.ops or self.controls:
            self.behind.append(self.piece())
            self.ops, self.raw, self.controls, self.scrollers, self.covers = [], [], [], [], []
            self.shortcuts, self.fresh, self.modal, self.until = {}, False, None, inf
        self.behind.append(piece)

    def placed(self) -> Iterator[Control]:
        """The controls so far, topmost first."""
        yield from reversed(self.controls)
        for piece in reversed(self.behind):
            yield from reversed(piece.controls)

    def piece(self) -> ScenePiece:
        """The collected piece."""
        return ScenePiece(
            self.ops,
            self.raw,
            self.controls,
            self.scrollers,
            self.shortcuts,
            self.covers,
            self.fresh,
            self.modal,
            self.until,
        )

    def finish(self) -> Scene:
        """The scene, without elements whose centre is covered."""
        pieces = tuple(self.behind)
        if self.raw or self.ops or self.controls or self.fresh:
            pieces += (self.piece(),)
        screen = self.device.screen
        layout = LayoutTree(screen, pieces) if self.kept is None else self.kept.layout(screen, pieces)
        # Every screen shows the wall clock, in minutes.
        clock = self.state.start + self.state.time
        return Scene(layout, min(layout.until, self.state.time + 60 - clock % 60))


@dataclass(slots=True)
class Unclipped(Painter):
    """A painter without clipping, to find what a faulty element tree might list in addition to the screen.

    Its display list is not for painting.
    """

    def __post_init__(self) -> None:
        self.clips.append((-FAR, -FAR, FAR, FAR))

    def seen(self, x: int, y: int, w: int, h: int) -> Rect | None:
        """The whole rectangle."""
        return (x, y, x + w, y + h) if w > 0 and h > 0 else None

    def push_clip(self, x: int, y: int, w: int, h: int) -> bool:
        """Do not clip; returns False if the rectangle is empty."""
        if self.seen(x, y, w, h) is None:
            return False
        self.clips.append(self.clips[-1])
        return True

    def everything(self) -> Iterator[Element]:
        """All elements, with boxes clipped to the screen; those outside have a box on its edge."""
        w, h = self.device.size.width, self.device.size.height

        def cut(rect: Rect) -> Box:
            left, top, right, bottom = (
                min(max(edge, 0), most) / most for edge, most in zip(rect, (w, h, w, h), strict=True)
            )
            return Box(left, top, right, bottom)

        for raw in (*(piece.raw for piece in self.behind), self.raw):
            for role, name, r, states, id, value, origin in raw:
                yield Element(role, name, cut(r), states, id, "tree", value, origin=origin)

    def ids(self) -> Iterator[str]:
        """The ids of all elements that have one."""
        return (id for raw in (*(piece.raw for piece in self.behind), self.raw) for *_, id, _, _ in raw if id)
