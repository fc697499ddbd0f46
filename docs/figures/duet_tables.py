"""`python docs/figures/duet_tables.py`: the tables of docs/duet.md, from the suite itself.

With a file as its argument it writes them into the file, between the lines `<!-- tables -->` and `<!-- end -->`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

import typer
from instance_digests import digest
from marked_part import write_part

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.about import About
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.synthesis.template import Dimension, Level
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM, Grade

BEGIN, END = "<!-- tables -->", "<!-- end -->"
DEVICES = ("phone", "desktop", "both")


def tables(sealed: bool = True) -> str:
    """All tables, in Markdown.

    Args:
        sealed: with the digests of the test's instances, which take a few seconds.
    """
    suite = Duet("all")
    tasks = [suite.about(info.id) for info in suite.tasks()]
    split = {task.id: suite.split_of(task.id) for task in tasks}
    parts = [
        f"{len(tasks)} tasks from {len(book().templates)} sub-task templates: "
        f"{sum(s == 'dev' for s in split.values())} for development, {sum(s == 'test' for s in split.values())} "
        "for the test.",
        "### Devices and dependency levels",
        _crossed(tasks, split),
        "### OmniGUI's dimensions",
        _counted("dimension", get_args(Dimension), ((task.dimension, split[task.id]) for task in tasks)),
        "### OmniBench's complexities",
        _graded(tasks),
        "### OmniBench's capabilities",
        _counted("capability", tuple(CAPABILITIES), ((c, split[task.id]) for task in tasks for c in task.capabilities)),
        "### Sizes of the graphs",
        _sizes(tasks),
        "### Sub-task templates",
        _templates(tasks),
        "### Tasks",
        _tasks(tasks, split),
    ]
    if sealed:
        rows = [(id, digest(suite, id)) for id, which in split.items() if which == "test"]
        parts += ["### Sealed instances of the test", _table(("task", "digest of instances 0 to 4"), rows)]
    return "\n\n".join(parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _crossed(tasks: Sequence[About], split: Mapping[str, str]) -> str:
    levels = get_args(Level)
    rows = []
    for devices in DEVICES:
        here = [task for task in tasks if task.devices == devices]
        counts = [sum(task.level == level for task in here) for level in levels]
        rows.append((devices, *counts, len(here), sum(split[task.id] == "dev" for task in here)))
    totals = [sum(int(row[i]) for row in rows) for i in range(1, len(rows[0]))]
    return _table(("devices", *levels, "tasks", "of these for development"), [*rows, ("all", *totals)])


def _counted(name: str, keys: Sequence[str], found: Iterable[tuple[str, str]]) -> str:
    count = Counter(found)
    rows = [(key, count[key, "dev"] + count[key, "test"], count[key, "dev"], count[key, "test"]) for key in keys]
    return _table((name, "tasks", "development", "test"), rows)


def _graded(tasks: Sequence[About]) -> str:
    rows = []
    for name in HARD_FROM:
        grades = [task.complexity.grades()[name] for task in tasks]
        rows.append((name, *(grades.count(grade) for grade in Grade)))
    return _table(("complexity", *(grade.value for grade in Grade)), rows)


def _sizes(tasks: Sequence[About]) -> str:
    count = Counter(task.complexity.instruction for task in tasks)
    sizes = range(1, max(count, default=0) + 1)
    return _table(("nodes", *sizes), [("tasks", *(count[size] for size in sizes))])


def _templates(tasks: Sequence[About]) -> str:
    used = Counter(id for task in tasks for id in task.templates)
    rows = [
        (
            f"`{item.id}`",
            item.env,
            item.app,
            ", ".join(f"{name}: {kind}" for name, kind in item.inputs.items()) or "—",
            item.output or "—",
            item.level,
            item.dimension,
            used[item.id],
        )
        for item in sorted(book().templates.values(), key=lambda item: (item.env, item.app, item.id))
    ]
    return _table(("template", "device", "app", "takes", "yields", "level", "dimension", "tasks"), rows)


def _tasks(tasks: Sequence[About], split: Mapping[str, str]) -> str:
    rows = []
    for task in tasks:
        grades = "".join(grade.value[0] for grade in task.complexity.grades().values())
        size = f"{task.complexity.instruction}/{task.complexity.dependency}"
        shape = f"{task.complexity.hierarchy}×{task.complexity.branch}"
        apps = ", ".join(task.apps)
        rows.append(
            (f"`{task.id}`", task.intent, apps, size, shape, grades, task.level, task.dimension, split[task.id])
        )
    head = ("task", "intent", "apps", "nodes/edges", "depth×width", "grades", "level", "dimension", "split")
    legend = (
        f"Grades: {', '.join(HARD_FROM)}, each **e**asy, **m**edium or **h**ard; the figures are of the judged graph."
    )
    return f"{legend}\n\n{_table(head, rows)}"


def main(arguments: Sequence[str]) -> None:
    """Print the tables, or write them into the file that is named."""
    if not arguments:
        typer.echo(tables())
        return
    path = Path(arguments[0])
    write_part(path, BEGIN, END, tables())


if __name__ == "__main__":
    main(sys.argv[1:])
