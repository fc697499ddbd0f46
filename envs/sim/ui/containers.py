"""Widgets that arrange others: rows, columns, padding, cards, scroll containers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.ui.layout_pass import Painter


@dataclass(slots=True, eq=False, kw_only=True)
class Widget:
    """Base of the widgets.

    Attributes:
        flex: share of the remaining space in a row or column; 0 takes only what it needs.
    """

    flex: int = 0
    _fit: tuple[int, tuple[int, int]] | None = field(default=None, init=False, repr=False)

    def fit(self, width: int) -> tuple[int, int]:
        """Preferred width (at most `width`) and the height at it, in pixels."""
        if self._fit is None or self._fit[0] != width:
            self._fit = (width, self._measure(width))
        return self._fit[1]

    def _measure(self, width: int) -> tuple[int, int]:
        raise NotImplementedError

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Draw itself in a rectangle and register its elements and controls."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Gap(Widget):
    """Empty space; `Gap(flex=1)` pushes its neighbours apart."""

    size: int = 0

    def _measure(self, width: int) -> tuple[int, int]:
        return min(self.size, width), self.size

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Draw nothing."""


@dataclass(slots=True, eq=False)
class Column(Widget):
    """Children from top to bottom, each as wide as the column or, with `align`, as preferred.

    Attributes:
        alike: all children have the height of the first, so that only the visible part of a long list is laid out.
    """

    children: Sequence[Widget]
    gap: int = 0
    align: Literal["fill", "left", "center", "right"] = "fill"
    alike: bool = False

    def _measure(self, width: int) -> tuple[int, int]:
        if self.alike and self.children:
            wide, high = self.children[0].fit(width)
            return wide, (high + self.gap) * len(self.children) - self.gap
        sizes = [child.fit(width) for child in self.children]
        return max((w for w, _ in sizes), default=0), sum(h for _, h in sizes) + self.gap * max(0, len(sizes) - 1)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """From the top down; flexible children share the remaining height."""
        if self.alike and self.children:
            high, (_, top, _, bottom) = self.children[0].fit(w)[1], p.clips[-1]
            step = max(1, high + self.gap)
            for i in range(max(0, (top - y) // step), min(len(self.children), (bottom - y) // step + 1)):
                self.children[i].place(p, x, y + i * step, w, high)
            return
        sizes = [child.fit(w) for child in self.children]
        shares = sum(child.flex for child in self.children)
        fixed = sum(size[1] for child, size in zip(self.children, sizes, strict=True) if not child.flex)
        left = max(0, h - fixed - self.gap * max(0, len(sizes) - 1))
        clip_top, clip_bottom = p.clips[-1][1], p.clips[-1][3]
        for child, (cw, ch) in zip(self.children, sizes, strict=True):
            height = left * child.flex // shares if child.flex else ch
            if y < clip_bottom and y + height > clip_top:
                if self.align == "fill":
                    child.place(p, x, y, w, height)
                else:
                    shift = {"left": 0, "center": (w - cw) // 2, "right": w - cw}[self.align]
                    child.place(p, x + shift, y, cw, height)
            y += height + self.gap


@dataclass(slots=True, eq=False)
class Row(Widget):
    """Children from left to right, vertically centred unless `align` says otherwise."""

    children: Sequence[Widget]
    gap: int = 0
    align: Literal["fill", "top", "center"] = "center"
    _shared: tuple[int, list[int]] | None = field(default=None, init=False, repr=False)

    def _widths(self, width: int) -> list[int]:
        if self._shared is not None and self._shared[0] == width:
            return self._shared[1]
        left = width - self.gap * max(0, len(self.children) - 1)
        widths = []
        for child in self.children:
            need = 0 if child.flex else child.fit(max(0, left))[0]
            widths.append(need)
            left -= need
        shares = sum(child.flex for child in self.children)
        if shares:
            for i, child in enumerate(self.children):
                if child.flex:
                    widths[i] = max(0, left) * child.flex // shares
        self._shared = (width, widths)
        return widths

    def _measure(self, width: int) -> tuple[int, int]:
        widths = self._widths(width)
        height = max((c.fit(w)[1] for c, w in zip(self.children, widths, strict=True)), default=0)
        total = sum(widths) + self.gap * max(0, len(widths) - 1)
        return (width if any(child.flex for child in self.children) else total), height

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """From the left; flexible children share the remaining width."""
        for child, width in zip(self.children, self._widths(w), strict=True):
            height = h if self.align == "fill" else child.fit(width)[1]
            shift = (h - height) // 2 if self.align == "center" else 0
            child.place(p, x, y + shift, width, height)
            x += width + self.gap


@dataclass(slots=True, eq=False)
class PaddedBox(Widget):
    """One child on a background, with padding (horizontal, vertical) and perhaps a fixed size."""

    child: Widget
    pad: tuple[int, int] = (0, 0)
    color: Color | None = None
    radius: int = 0
    border: Color | None = None
    width: int | None = None
    height: int | None = None
    raised: bool = False

    def _measure(self, width: int) -> tuple[int, int]:
        if self.width is not None:
            width = min(width, self.width)
        w, h = self.child.fit(max(0, width - 2 * self.pad[0]))
        return self.width or w + 2 * self.pad[0], self.height or h + 2 * self.pad[1]

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Background first, then the child inside the padding."""
        if self.raised:
            p.shadow(x, y, w, h, self.radius)
        if self.color is not None:
            p.rect(x, y, w, h, self.color, self.radius, self.border)
        self.child.place(p, x + self.pad[0], y + self.pad[1], w - 2 * self.pad[0], h - 2 * self.pad[1])


@dataclass(slots=True, eq=False)
class WordsFrom(Widget):
    """One child whose words are not the app's own; `origin` as in `Element`."""

    child: Widget
    origin: str

    def __post_init__(self) -> None:
        self.flex = self.flex or self.child.flex

    def _measure(self, width: int) -> tuple[int, int]:
        return self.child.fit(width)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The child, in the same space."""
        with p.words_of(self.origin):
            self.child.place(p, x, y, w, h)


@dataclass(slots=True, eq=False)
class Layers(Widget):
    """Children on top of each other, each in the whole space; the last is in front."""

    children: Sequence[Widget]

    def _measure(self, width: int) -> tuple[int, int]:
        sizes = [child.fit(width) for child in self.children]
        return max(w for w, _ in sizes), max(h for _, h in sizes)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """From back to front."""
        for child in self.children:
            child.place(p, x, y, w, h)


@dataclass(slots=True, eq=False)
class ScrollView(Widget):
    """A viewport on a child that may be higher. `at_end` starts at the child's end, as in conversations."""

    id: str
    child: Widget
    at_end: bool = False
    flex: int = field(default=1, kw_only=True)

    def _measure(self, width: int) -> tuple[int, int]:
        return self.child.fit(width)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The child shifted by the offset and clipped, with a thin scroll bar."""
        height = self.child.fit(w)[1]
        most = max(0, height - h)
        offset = min(max(p.device.scrolls.get(self.id, most if self.at_end else 0), 0), most)
        if h <= 0 or not p.push_clip(x, y, w, h):
            return
        p.scroller(self.id, p.clips[-1], offset, most)
        self.child.place(p, x, y - offset, w, max(h, height))
        if most:
            bar = max(24, h * h // height)
            p.rect(x + w - 6, y + (h - bar) * offset // most, 4, bar, theme.BORDER, 2)
        p.pop_clip()
