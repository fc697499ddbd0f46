"""`python docs/figures/workshop_tables.py docs/benchmarks.md RUN…`: the table of results on `workshop`, from runs.

It is written between the lines `<!-- workshop -->` and `<!-- end of workshop -->`; without RUN, the table is printed
without results.
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
from omnipilot.bench.journal.run import Run
from omnipilot.bench.suites.workshop import Workshop
from omnipilot.bench.tasks.task import values_of

BEGIN, END = "<!-- workshop -->", "<!-- end of workshop -->"
HANGS_ON = {
    "screen": "the screen alone (AV-present)",
    "sound": "sound (AV-critical)",
    "motion": "motion (AV-critical)",
}
Chosen = Callable[[TaskInfo], bool]


def table(runs: Sequence[Run]) -> str:
    """Success by what tasks hang on, by their devices and by their programs, in Markdown."""
    tasks = Workshop().tasks()
    chosen = {words: frozenset(task.id for task in tasks if one(task)) for words, one in groups(tasks).items()}
    return result_table(chosen, runs)


def groups(tasks: Sequence[TaskInfo]) -> Mapping[str, Chosen]:
    """Which tasks each line is about, by its words; a task of several programs is in the line of each."""
    found: dict[str, Chosen] = {"all": lambda _: True}
    for value, words in HANGS_ON.items():
        found[f"hang on {words}"] = _has("hangs_on", value)
    for devices in sorted({task.tags["devices"] for task in tasks}, key=lambda value: (value.count("+"), value)):
        found[f"on {_listed(devices.split('+'))}"] = _on(devices)
    for program in sorted({name for task in tasks for name in values_of(task.tags, "app")}):
        found[f"with `{program}`"] = _has("app", program)
    return found


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else f"the {last} alone"


def _has(tag: str, value: str) -> Chosen:
    return lambda task: value in values_of(task.tags, tag)


def _on(devices: str) -> Chosen:
    return lambda task: task.tags["devices"] == devices


def main(arguments: Sequence[str]) -> None:
    """Print the table, or write it into the file that is named first."""
    if not arguments:
        typer.echo(table([]))
        return
    path = Path(arguments[0])
    found = table([load_run(Path(folder)) for folder in arguments[1:]])
    write_part(path, BEGIN, END, found)


if __name__ == "__main__":
    main(sys.argv[1:])
