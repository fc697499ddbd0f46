"""A figure of a paper's table: one panel a column, the rows shared, each number with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.bench.report.figures.draw import check_figure, drawing_bytes
from omnipilot.bench.report.paper.record import PaperTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

TO_MILLIMETRES = 25.4 / 72.27
"""Of TeX points."""


def save_paper_figure(table: PaperTable, path: Path, width: float) -> None:
    """Draw a table to a file; makes the folder if there is none.

    Args:
        path: ends in .svg, .pdf or .png. width: in TeX points.

    Raises:
        ConfigError: another ending. MissingExtra: matplotlib is not installed.
    """
    check_figure(path, width * TO_MILLIMETRES)
    path.parent.mkdir(parents=True, exist_ok=True)

    def draw() -> Drawing:
        from omnipilot.bench.report.paper.panels import draw_panels

        return draw_panels(table, width * TO_MILLIMETRES)

    path.write_bytes(drawing_bytes(draw, table.about, path.suffix.lower()))
