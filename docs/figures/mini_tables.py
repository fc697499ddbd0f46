"""`python docs/figures/mini_tables.py docs/mini.md RUN…`: what `mini` solves of `duet`, beside others, from runs.

It is written between the lines `<!-- mini -->` and `<!-- end of mini -->`; without a document and runs, the table is
printed without results. A run holds the tasks of both splits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer
from marked_part import write_part
from result_table import result_table

from omnipilot.bench import TaskInfo
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.suites.duet.splits import Split
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import values_of

BEGIN, END = "<!-- mini -->", "<!-- end of mini -->"
SPLITS: Mapping[Split, str] = {"dev": "development tasks", "test": "test tasks"}
LEVELS = ("AV-present", "AV-supportive", "AV-critical")


NEEDS: Mapping[str, Callable[[TaskInfo], bool]] = {
    "need the screen alone": lambda task: needs(task) == {"screen"},
    "need sound, no motion": lambda task: bool(needs(task) & {"sound", "speech"}) and "motion" not in needs(task),
    "need motion": lambda task: "motion" in needs(task),
}


def needs(task: TaskInfo) -> set[str]:
    """What a task cannot be solved without."""
    return set(values_of(task.tags, "hangs_on"))


def groups() -> Mapping[str, frozenset[str]]:
    """The tasks of each split: all of them, by what they need, and by level."""
    found: dict[str, frozenset[str]] = {}
    for split, words in SPLITS.items():
        tasks = Duet(split).tasks()
        found[words] = frozenset(task.id for task in tasks)
        for need, chosen in NEEDS.items():
            found[f"{words} that {need}"] = frozenset(task.id for task in tasks if chosen(task))
        for level in LEVELS:
            found[f"{words}, {level}"] = frozenset(task.id for task in tasks if task.tags["level"] == level)
    return found


def main(arguments: Sequence[str]) -> None:
    """Print the table, or write it into the file that is named first."""
    if not arguments:
        typer.echo(result_table(groups(), []))
        return
    path = Path(arguments[0])
    write_part(path, BEGIN, END, result_table(groups(), [load_run(Path(folder)) for folder in arguments[1:]]))


if __name__ == "__main__":
    main(sys.argv[1:])
