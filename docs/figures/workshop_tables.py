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

from omnipilot.bench import TaskInfo
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import headline
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
    head = ("tasks", "number", *(run.spec.agent.planner.name for run in runs))
    lines = [head, ["---"] * len(head)]
    for words, chosen in groups(tasks).items():
        ids = {task.id for task in tasks if chosen(task)}
        cells = (_result([one for one in run.episodes if one.task in ids]) for run in runs)
        lines.append((words, str(len(ids)), *cells))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


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


def _result(episodes: Sequence[Episode]) -> str:
    """Solved of played episodes, and the success rate in percent with its interval."""
    if not episodes:
        return "—"
    found = headline(outcomes(episodes)).all
    return f"{sum(one.success for one in episodes)}/{len(episodes)}: {found.text()}"


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
