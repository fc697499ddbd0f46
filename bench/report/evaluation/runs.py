"""What runs came to, each by itself: their tables, and the page to step through their episodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import column_names, main_table, task_table
from omnipilot.bench.report.page import Section, write_report
from omnipilot.bench.report.pointing_table import pointing_table
from omnipilot.bench.report.results.columns import chosen_columns, table_by, usual_columns
from omnipilot.bench.report.run_sentences import count_sentences, run_sentences
from omnipilot.bench.report.scope_table import scope_table
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import Variant


@dataclass(frozen=True, slots=True)
class RunTables:
    """The tables of runs.

    Attributes:
        main: a row for each run. parted: a table for each tag, by its name. tasks: a row for each task.
        more: further tables, by the heading that they have on the page.
    """

    runs: tuple[Run, ...]
    main: Table
    parted: dict[str, Table]
    tasks: Table
    more: dict[str, Table]

    @property
    def printed(self) -> tuple[Table, ...]:
        """All of them, in the order of a terminal."""
        return (self.main, *self.parted.values(), self.tasks, *self.more.values())

    def write(self, folders: Sequence[Path], page: Path, brief: bool = False) -> Path:
        """Write the page.

        Args:
            folders: of the runs. page: where. brief: whether its conclusion is how many each run solved, and the
                tasks have a table of their own.

        Returns:
            Where the page is.
        """
        tables = {**{f"By {tag}": table for tag, table in self.parted.items()}}
        tables |= {"By task": self.tasks} if brief else {}
        sections = [Section(title, (table,)) for title, table in {**tables, **self.more}.items()]
        said = count_sentences(self.runs) if brief else run_sentences(self.runs)
        return write_report(folders, page, self.main, sections, conclusion=said)


def tables_of_runs(
    runs: Sequence[Run], variant: Variant = "paper", intervals: bool = True, columns: str = "", by: Sequence[str] = ()
) -> RunTables:
    """The tables of runs.

    Args:
        variant: of CRAB's figures. intervals: whether there is a table of intervals.
        columns: names of columns, comma-separated; "" for the usual ones. by: tags that get a table each.

    Raises:
        ConfigError: there is no such column or tag.
    """
    chosen = chosen_columns(columns) if columns else usual_columns(runs)
    main, names = main_table(runs, variant, chosen), column_names(runs)
    parted = {one: table_by(runs, one, chosen, names, variant) for one in by}
    # Below the first table, too, runs have the shortest names that tell them apart.
    named = [replace(run, name=name) for run, name in zip(runs, names, strict=True)] if runs[1:] else list(runs)
    judged = any(judged_episodes(run.episodes) for run in runs)
    more = {
        "By applications and devices": scope_table(named),
        "Intervals": interval_table(named) if intervals and judged else None,
        "Misses and outcomes": pointing_table(named),
    }
    there = {title: table for title, table in more.items() if table is not None}
    return RunTables(tuple(runs), main, parted, task_table(runs), there)
