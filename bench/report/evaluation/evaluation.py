"""What was played and compared, before it is printed: a conclusion, tables, and the files that hold all of them.

The command line and its functions in Python make the same of it, and so write the same files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.report.conclusions import Conclusion
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.figures.records import FigureSpec
from omnipilot.bench.report.page import Section, write_report
from omnipilot.bench.report.results.stored import store_results
from omnipilot.bench.tables import Table

PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class DrawnSection:
    """A section of the page, with the figure that stands above its tables.

    Attributes:
        figure: None for none. file: its name in the folder. suffix: at the end of the names of its other files.
        words: paragraphs below the heading.
    """

    title: str
    tables: tuple[Table, ...]
    words: tuple[str, ...] = ()
    figure: FigureSpec | None = None
    file: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an experiment came to.

    Attributes:
        said: its conclusion. printed: the tables that a terminal shows. sections: all tables and figures.
        runs: the directories whose episodes the page shows. names: what they are called there.
    """

    said: Conclusion
    printed: tuple[Table, ...]
    sections: tuple[DrawnSection, ...]
    runs: tuple[Path, ...]
    names: tuple[str, ...]

    def write(self, out: Path, figures: FigureFiles | None = None) -> list[str]:
        """Write the results as text and as JSON, the figures, and the page, into a folder.

        Args:
            figures: where else the figures are drawn; None for nowhere.

        Returns:
            A line for each file; where figures cannot be drawn, how to install what is missing.
        """
        told: list[str] = []
        sections = [*self._drawn(out, figures or FigureFiles(), told)]
        text = store_results(out, self.said, {one.title: one.tables for one in self.sections if one.tables})
        page = write_report(self.runs, out / PAGE, sections=sections, names=self.names)
        return [*told, f"results: {text}", f"report: {page}"]

    def _drawn(self, out: Path, files: FigureFiles, told: list[str]) -> Iterator[Section]:
        for one in self.sections:
            svg, lines = "", list[str]()
            if one.figure is not None:
                svg, lines = files.write(out / one.file, one.figure, one.suffix)
            told += [line for line in lines if line not in told]
            yield Section(one.title, one.tables, svg, one.words)
