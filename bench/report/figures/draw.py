"""Draws figures to files: SVG, PDF or PNG, by the ending of the file's name. Imports matplotlib when it draws."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.bench.report.figures.records import (
    Block,
    Curves,
    FigureSpec,
    Forest,
    Missing,
    NodeGraph,
    PictureStrip,
    Radar,
    Scatter,
    Stacks,
    ValueMap,
)
from omnipilot.envs import ConfigError, MissingExtra
from omnipilot.envs.types import check_installed

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from omnipilot.bench.report.figures.sheet import FigureSheet

SINGLE, DOUBLE = 85.0, 178.0
"""Widths of one and of two columns, in millimetres, that fit the papers of ACM, IEEE, Elsevier and Nature."""
WIDTHS = {"single": SINGLE, "double": DOUBLE}
NARROWEST, WIDEST = 60.0, 500.0
BESIDE = 80.0
"""Blocks of one row stand side by side where each has at least this width."""
BETWEEN, GUTTER = 3.0, 5.0
"""Millimetres between two rows of blocks, and between two blocks of a row."""
ENDINGS = (".svg", ".pdf", ".png")
DPI = 300
"""Of PNG files."""


def save_figure(figure: FigureSpec, path: Path, width: float = DOUBLE) -> None:
    """Draw a figure to a file, the same bytes each time; makes the folder if there is none.

    Args:
        path: ends in .svg, .pdf or .png. width: of the figure, in millimetres: `SINGLE` or `DOUBLE` for a paper.

    Raises:
        ConfigError: another ending, or a width outside 60..500. MissingExtra: matplotlib is not installed.
    """
    check_figure(path, width)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(figure_bytes(figure, path.suffix.lower(), width))


def check_figure(path: Path, width: float = DOUBLE) -> None:
    """Whether a figure can be drawn to a file: raises what `save_figure` would raise."""
    if path.suffix.lower() not in ENDINGS:
        raise ConfigError(f"{path}: a figure is an SVG, PDF or PNG file; name one that ends in {', '.join(ENDINGS)}")
    if not NARROWEST <= width <= WIDEST:
        raise ConfigError(f"a figure {width:g} mm wide; choose {NARROWEST:g} to {WIDEST:g} mm, or single or double")
    check_installed("figures", "matplotlib")


def read_width(words: str) -> float:
    """A width in millimetres, from "single", "double" or a number.

    Raises:
        ConfigError: it is neither.
    """
    if words in WIDTHS:
        return WIDTHS[words]
    try:
        return float(words.removesuffix("mm"))
    except ValueError:
        raise ConfigError(f"--figure-width is single, double or a number of millimetres, not {words!r}") from None


def figure_bytes(figure: FigureSpec, ending: str = ".svg", width: float = DOUBLE) -> bytes:
    """The content of a file, see `save_figure`.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    return drawing_bytes(lambda: draw(figure, width), figure.title, ending)


def drawing_bytes(make: Callable[[], Drawing], words: str, ending: str = ".svg") -> bytes:
    """The content of a file with a drawing, the same bytes each time.

    Args:
        make: draws it; called with the settings of `sheet.STYLE`. words: its title in the file.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    check_installed("figures", "matplotlib")
    from matplotlib import rc_context

    from omnipilot.bench.report.figures.sheet import STYLE, clean

    title = {"Title": clean(words)}
    # No dates and no versions: a figure drawn again is the same file.
    about = {
        ".svg": title | {"Date": None, "Creator": None},
        ".pdf": title | {"CreationDate": None, "Creator": None, "Producer": None},
        ".png": title | {"Software": None},
    }
    target = io.BytesIO()
    with rc_context(STYLE):
        make().savefig(target, format=ending[1:], metadata=about[ending], dpi=DPI)
    return target.getvalue()


def draw(figure: FigureSpec, width: float = DOUBLE) -> Drawing:
    """A figure as matplotlib's; call it with the settings of `sheet.STYLE`."""
    from omnipilot.bench.report.figures.sheet import MARGIN, FigureSheet

    rows = [
        line
        for row in figure.rows
        for line in ([list(row)] if width / max(1, len(row)) >= BESIDE else [[block] for block in row])
    ]
    wides = [(width - GUTTER * (len(row) - 1)) / max(1, len(row)) for row in rows]
    heights = [max((_height(block, wide) for block in row), default=0.0) for row, wide in zip(rows, wides, strict=True)]
    sheet = FigureSheet(width, sum(heights) + BETWEEN * max(0, len(rows) - 1) + 2 * MARGIN)
    top = MARGIN
    for row, wide, high in zip(rows, wides, heights, strict=True):
        for number, block in enumerate(row):
            _draw_block(block, sheet, number * (wide + GUTTER), top, wide)
        top += high + BETWEEN
    return sheet.drawing


def _height(block: Block, width: float) -> float:
    from omnipilot.bench.report.figures.curves import curves_height
    from omnipilot.bench.report.figures.forest import forest_height
    from omnipilot.bench.report.figures.node_graph import graph_height
    from omnipilot.bench.report.figures.radar import radar_height
    from omnipilot.bench.report.figures.scatter import scatter_height
    from omnipilot.bench.report.figures.sheet import LINE, MARGIN, title_height
    from omnipilot.bench.report.figures.stacks import stacks_height
    from omnipilot.bench.report.figures.strip import strip_height
    from omnipilot.bench.report.figures.value_map import map_height

    match block:
        case Forest():
            return forest_height(block, width)
        case Curves():
            return curves_height(block, width)
        case Scatter():
            return scatter_height(block, width)
        case ValueMap():
            return map_height(block, width)
        case Radar():
            return radar_height(block, width)
        case Stacks():
            return stacks_height(block, width)
        case NodeGraph():
            return graph_height(block, width)
        case PictureStrip():
            return strip_height(block, width)
        case Missing():
            return title_height(block.title, width - 2 * MARGIN) + LINE


def _draw_block(block: Block, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    from omnipilot.bench.report.figures.curves import draw_curves
    from omnipilot.bench.report.figures.forest import draw_forest
    from omnipilot.bench.report.figures.node_graph import draw_graph
    from omnipilot.bench.report.figures.radar import draw_radar
    from omnipilot.bench.report.figures.scatter import draw_scatter
    from omnipilot.bench.report.figures.sheet import LINE, MARGIN, QUIET, shorten
    from omnipilot.bench.report.figures.stacks import draw_stacks
    from omnipilot.bench.report.figures.strip import draw_strip
    from omnipilot.bench.report.figures.value_map import draw_map

    match block:
        case Forest():
            draw_forest(block, sheet, left, top, width)
        case Curves():
            draw_curves(block, sheet, left, top, width)
        case Scatter():
            draw_scatter(block, sheet, left, top, width)
        case ValueMap():
            draw_map(block, sheet, left, top, width)
        case Radar():
            draw_radar(block, sheet, left, top, width)
        case Stacks():
            draw_stacks(block, sheet, left, top, width)
        case NodeGraph():
            draw_graph(block, sheet, left, top, width)
        case PictureStrip():
            draw_strip(block, sheet, left, top, width)
        case Missing():
            most = width - 2 * MARGIN
            below = sheet.title(left + MARGIN, top, block.title, most)
            sheet.text(left + MARGIN, below + LINE / 2, shorten(block.why, most), colour=QUIET)


@dataclass(frozen=True, slots=True)
class FigureFiles:
    """Where else a command draws its figure, beside the SVG file of its folder.

    Attributes:
        paths: files; their endings say what kind they are. width: of these, in millimetres.
    """

    paths: tuple[Path, ...] = ()
    width: float = DOUBLE

    def check(self) -> None:
        """Refuse, before anything is run, what could not be drawn: raises what `save_figure` would raise."""
        for path in self.paths:
            check_figure(path, self.width)

    def write(self, own: Path, figure: FigureSpec, suffix: str = "") -> tuple[str, list[str]]:
        """Draw a figure to a command's own SVG file and to the others.

        Args:
            suffix: put at the end of the names of the others, for a command with several figures.

        Returns:
            The text of the SVG file, and a line for each file; "" and how to install what is missing, where matplotlib
            is.
        """
        try:
            svg = figure_bytes(figure).decode()
        except MissingExtra as missing:
            own.unlink(missing_ok=True)
            return "", [f"no figure: {missing}"]
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(svg, "utf-8")
        return svg, [f"figure: {path}" for path in (own, *self.save(figure, suffix))]

    def save(self, figure: FigureSpec, suffix: str = "") -> list[Path]:
        """Draw a figure to the files, with `suffix` at the end of their names; the files."""
        paths = [path.with_stem(path.stem + suffix) for path in self.paths]
        for path in paths:
            save_figure(figure, path, self.width)
        return paths


def figure_files(paths: Sequence[Path], width: str) -> FigureFiles:
    """What the options `--figure` and `--figure-width` say, checked.

    Raises:
        ConfigError: a wrong ending or width. MissingExtra: matplotlib is not installed, and a file is asked for.
    """
    files = FigureFiles(tuple(paths), read_width(width))
    files.check()
    return files
