"""A board to pin pictures on, for the documents: screens with captions, marks, badges, a graph; saved as a small PNG.

Everything is drawn by the embedded world's own canvas, so that equal boards have equal pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from small_png import scaled, small_png

from omnipilot.envs import Image, Size
from omnipilot.envs.sim.render.text import measure, wrap

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

PAPER, INK, MUTED, LINE = (250, 250, 252), (28, 32, 40), (92, 100, 114), (190, 197, 208)
MARK, REACHED = (226, 88, 12), (24, 98, 214)
NODE = Size(196, 56)


class Board:
    """A sheet of paper, `width` by `height` pixels; every place on it is in pixels from its top left."""

    def __init__(self, width: int, height: int) -> None:
        from omnipilot.envs.sim.render.surface import Canvas

        self._canvas = Canvas(Size(width, height), PAPER)

    def text(
        self, x: int, y: int, text: str, size: int = 14, *, bold: bool = False, soft: bool = False, width: int = 9999
    ) -> None:
        """One line of text, shortened where it is wider than `width`."""
        self._canvas.text(x, y, text, MUTED if soft else INK, size, "bold" if bold else "regular", width)

    def words(self, x: int, y: int, text: str, width: int, size: int = 14) -> int:
        """Text in lines of at most `width`; gives where the next line would begin."""
        for line in wrap(text, size, "regular", width):
            self.text(x, y, line, size, soft=True)
            y += size + 6
        return y

    def screen(self, x: int, y: int, picture: Image, size: Size) -> None:
        """A picture, scaled to a size, with a thin frame."""
        self._canvas.shadow(x, y, size.width, size.height, 4)
        self._canvas.rect(x - 1, y - 1, size.width + 2, size.height + 2, LINE)
        self._canvas.pixels[y : y + size.height, x : x + size.width] = scaled(picture, size)

    def mark(self, x: int, y: int) -> None:
        """A ring around the point that is acted on."""
        import numpy as np

        top, left, reach = max(y - 18, 0), max(x - 18, 0), 18
        part = self._canvas.pixels[top : y + reach, left : x + reach]
        rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        away = np.sqrt((rows - y) ** 2 + (columns - x) ** 2)
        for radius, color in ((13.0, (255, 255, 255)), (12.0, MARK)):
            edge = 3.0 if color == MARK else 5.0
            cover = np.clip(edge / 2 + 0.5 - np.abs(away - radius), 0, 1)[..., None]
            part[:] = (part * (1 - cover) + np.array(color) * cover + 0.5).astype(np.uint8)

    def rect(self, x: int, y: int, width: int, height: int, color: tuple[int, int, int]) -> None:
        """A filled rectangle."""
        self._canvas.rect(x, y, width, height, color)

    def badge(self, x: int, y: int, text: str) -> None:
        """A number in a disc; (x, y) is its centre."""
        self._canvas.circle(x, y, 11, (255, 255, 255))
        self._canvas.circle(x, y, 10, MARK)
        self._canvas.text(x - measure(text, 12, "bold") // 2, y - 8, text, (255, 255, 255), 12, "bold")

    def graph(
        self,
        places: Mapping[str, tuple[int, int]],
        edges: Sequence[tuple[str, str]],
        notes: Mapping[str, str],
    ) -> None:
        """Nodes at places (their top left) by name, arrows from one to the next below, a note in each node."""
        for before, behind in edges:
            (x0, y0), (x1, y1) = places[before], places[behind]
            start, end = (x0 + NODE.width // 2, y0 + NODE.height), (x1 + NODE.width // 2, y1)
            middle = (start[1] + end[1]) // 2
            for a, b in (
                (start, (start[0], middle)),
                ((start[0], middle), (end[0], middle)),
                ((end[0], middle), end),
            ):
                self._canvas.line(*a, *b, MUTED, 2)
            for side in (-6, 6):
                self._canvas.line(end[0] + side, end[1] - 8, end[0], end[1] - 1, MUTED, 2)
        for name, (x, y) in places.items():
            self._canvas.rect(x, y, NODE.width, NODE.height, (226, 236, 253), 10, REACHED, 2)
            self._canvas.text(x + 14, y + 8, name, INK, 14, "bold", NODE.width - 28)
            self._canvas.text(x + 14, y + 30, notes[name], MUTED, 12, "regular", NODE.width - 28)

    @property
    def pixels(self) -> NDArray[uint8]:
        """As drawn so far; shape (height, width, 3)."""
        return self._canvas.pixels

    def png(self) -> bytes:
        """The board as a PNG."""
        return small_png(self._canvas.pixels)
