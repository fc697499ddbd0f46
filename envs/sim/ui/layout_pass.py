"""Where widgets place themselves: collects one scene in a single pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from omnipilot.envs.sim.render.dark_theme import dark_fill, dark_ink
from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.state.world_state import Device, WorldState
from omnipilot.envs.sim.ui.layout_cache import LayoutCache
from omnipilot.envs.sim.ui.layout_tree import Layout
from omnipilot.envs.sim.ui.scene import Control, Do, Piece, Raw, Scene, Scroller
from omnipilot.envs.types.geometry import Box
from omnipilot.envs.types.observation import Element

VEIL = 104
"""How much darker a screen is behind a dialog, of 256."""
FAR = 1_000_000
"""Pixels: farther than any widget lies from the screen."""


@dataclass(slots=True)
class Painter:
    """Collects one scene. Everything outside the current clip is left out.

    Attributes:
        kept: parts that may be taken from here instead of being placed again.
        behind: the pieces behind what is being collected.
        timed: the time was asked for.
    """

    state: WorldState
    device: Device
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
    behind: list[Piece] = field(default_factory=list)
    timed: bool = False

    def __post_init__(self) -> None:
        self.dark = self.device.look.theme == "dark"
        self.clips.append((0, 0, self.device.size.width, self.device.size.height))

    @property
    def time(self) -> float:
        """Seconds on the world's clock: what moves is drawn as a function of it."""
        self.timed = True
        return self.state.time

    def seen(self, x: int, y: int, w: int, h: int) -> Rect | None:
        """The visible part of a rectangle."""
        # Asked for everything on every screen: comparisons here are twice as fast as min and max.
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
        """A soft shadow around a card that is drawn next."""
        self.ops.append(("shadow", x, y, w, h, radius))

    def veil(self, x: int, y: int, w: int, h: int, share: int = VEIL) -> None:
        """What was drawn here so far gets darker: `share`/256 of it is black."""
        if self.seen(x, y, w, h):
            self.ops.append(("veil", x, y, w, h, share))

    @contextmanager
    def literal(self) -> Iterator[None]:
        """Colours inside are taken as they are, whatever the theme: pictures and moving surfaces."""
        before, self.plain = self.plain, True
        try:
            yield
        finally:
            self.plain = before

    def push_clip(self, x: int, y: int, w: int, h: int) -> bool:
        """Clip what follows, until `pop_clip`; False (and no clip) where nothing would be visible."""
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
        """Something to be listed; nothing where it is not visible."""
        if rect is not None:
            self.raw.append((role, name, rect, states, id, value))

    def control(self, control: Control, role: str, states: frozenset[str] = frozenset(), value: str = "") -> None:
        """Something that reacts, listed and hit at its `rect`."""
        control.window = self.window
        if not control.enabled:
            states |= {"disabled"}
        if control.id == self.device.focus:
            states |= {"focused"}
        self.controls.append(control)
        self.raw.append((role, control.name, control.rect, states, control.id, value))

    def cover(self, x: int, y: int, w: int, h: int, tap: Do | None = None, modal: bool = False) -> None:
        """What lies behind this rectangle is neither hit nor listed from here on, nor, if `modal`, reached by keys."""
        if modal:
            self.modal = len(self.controls)
            self.alone()
        r = self.seen(x, y, w, h)
        if r is not None:
            self.covers.append((len(self.raw), r))
            self.controls.append(Control("", r, tap=tap, window=self.window))

    def scroller(self, id: str, rect: Rect, offset: int, most: int) -> None:
        """Something that scrolls."""
        self.scrollers.append(Scroller(id, rect, offset, most, self.window, len(self.controls)))

    def lasts(self, until: float) -> None:
        """What was drawn looks like this until a time only."""
        self.until = min(self.until, until)

    def alone(self) -> None:
        """The shortcuts that were named so far do not work."""
        self.shortcuts.clear()
        self.fresh = True

    def part(self, name: str, place: Callable[..., None], *arguments: Any) -> None:
        """What `place(painter, *arguments)` places, as it was kept under this name where it is still the same.

        Args:
            name: one at a time has it, on this device.
            place: a pure function of the painter's state and of the arguments.
        """
        if self.kept is None:
            place(self, *arguments)
            return

        def placed(state: WorldState, device: Device, _: object) -> Piece:
            painter = Painter(state, device)
            place(painter, *arguments)
            return painter.piece()

        self.put_behind(self.kept.get(name, self.state, self.device.name, placed, arguments))

    def put_behind(self, piece: Piece) -> None:
        """What was collected so far, and then this piece, lie behind what is collected next."""
        if self.raw or self.ops or self.controls:
            self.behind.append(self.piece())
            self.ops, self.raw, self.controls, self.scrollers, self.covers = [], [], [], [], []
            self.shortcuts, self.fresh, self.modal, self.until = {}, False, None, inf
        self.behind.append(piece)

    def placed(self) -> Iterator[Control]:
        """The controls so far, the topmost first."""
        yield from reversed(self.controls)
        for piece in reversed(self.behind):
            yield from reversed(piece.controls)

    def piece(self) -> Piece:
        """What was collected."""
        return Piece(
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
        """The scene, without the elements whose middle is covered."""
        pieces = tuple(self.behind)
        if self.raw or self.ops or self.controls or self.fresh:
            pieces += (self.piece(),)
        screen = self.device.screen
        layout = Layout(screen, pieces) if self.kept is None else self.kept.layout(screen, pieces)
        # Every screen shows the wall clock, in minutes.
        clock = self.state.start + self.state.time
        return Scene(layout, min(layout.until, self.state.time + 60 - clock % 60))


@dataclass(slots=True)
class Unclipped(Painter):
    """A painter for whom nothing is out of sight: it finds what a faulty element tree might list besides the screen.

    Its display list is not for painting.
    """

    def __post_init__(self) -> None:
        self.clips.append((-FAR, -FAR, FAR, FAR))

    def seen(self, x: int, y: int, w: int, h: int) -> Rect | None:
        """The whole rectangle."""
        return (x, y, x + w, y + h) if w > 0 and h > 0 else None

    def push_clip(self, x: int, y: int, w: int, h: int) -> bool:
        """Nothing is clipped; False where the rectangle is empty."""
        if self.seen(x, y, w, h) is None:
            return False
        self.clips.append(self.clips[-1])
        return True

    def everything(self) -> list[Element]:
        """All elements, their boxes cut to the screen; what lies beyond it has a box on its edge."""
        w, h = self.device.size.width, self.device.size.height

        def cut(rect: Rect) -> Box:
            left, top, right, bottom = (
                min(max(edge, 0), most) / most for edge, most in zip(rect, (w, h, w, h), strict=True)
            )
            return Box(left, top, right, bottom)

        return [Element(role, name, cut(r), states, id, "tree", value) for role, name, r, states, id, value in self.raw]
