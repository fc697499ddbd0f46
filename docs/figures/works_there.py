"""`python docs/figures/works_there.py PAGE [PART=SWEEP…]`: what shipped weights reach where nothing was taught.

Without sweeps, the tables of the page are written from `works_there.json`; each PART=SWEEP, the folder of a sweep or of
a run, replaces a part of that file first. `python docs/figures/works_there.py --workshop` prints the tasks of
`workshop` that are of a kind that was taught, for `--tasks`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from marked_part import write_part

from omnipilot.agents.assembly.honesty import SAID
from omnipilot.bench import TaskInfo
from omnipilot.bench.experiments.sweep import MANIFEST
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.workshop.suite import Workshop
from omnipilot.bench.tasks.task import values_of

FOUND = Path(__file__).resolve().parent / "works_there.json"
"""By part: the cells of its sweep, each with its label, its solved and played episodes, figures in words, and what is
said of an agent that was held to have nothing gold in it."""
PARTS: Mapping[str, str] = {
    "vary": "development tasks of `duet` that need the screen alone",
    "vary-chain": "the same, by the chain",
    "adb": "development tasks of `duet` that need the phone alone",
    "adb-chain": "the same, by the chain",
    "workshop": "tasks of `workshop` of a kind that was taught",
}
"""The parts, and what is played in each; on the page they stand between `<!-- PART -->` and `<!-- end of PART -->`."""
TAUGHT: Mapping[str, str] = {
    "mousepad": "editor",
    "pcmanfm-qt": "files",
    "xfce4-terminal": "terminal",
    "claws-mail": "mail",
    "gnumeric": "sheets",
    "mpv": "player",
    "celluloid": "player",
    "chromium": "browser",
    "notes": "notes",
}
"""The real programs that do what an application of the embedded world does, and that application."""


def taught_tasks() -> list[TaskInfo]:
    """The tasks of `workshop` whose programs all stand for applications of duet's development tasks, and in which what
    is needed is told by the channel of such a task that has one of these applications."""
    taught = {
        (app, channel)
        for info in Duet("dev").tasks()
        for app in values_of(info.tags, "app")
        for channel in values_of(info.tags, "hangs_on")
    }
    apps = {app for app, _ in taught}
    found = []
    for info in Workshop().tasks():
        theirs = [TAUGHT.get(program, "") for program in values_of(info.tags, "app")]
        channel = info.tags["hangs_on"]
        if set(theirs) <= apps and any((app, channel) in taught for app in theirs):
            found.append(info)
    return found


def cells_of(folder: Path) -> list[dict[str, Any]]:
    """The cells of a sweep, or the one run of a folder, with their figures; differences are from the first."""
    manifest = folder / MANIFEST
    cells = json.loads(manifest.read_text("utf-8"))["cells"] if manifest.exists() else [{"label": "", "folder": "."}]
    rows = rows_of([load_run(folder / cell["folder"]) for cell in cells])
    found = []
    for cell, row in zip(cells, rows, strict=True):
        episodes, other = row.run.episodes, row.difference
        found.append(
            {
                "label": cell["label"],
                "solved": sum(one.success for one in episodes),
                "played": len(episodes),
                "rate": row.solved.all.text() if row.solved else "",
                "difference": "" if other is None else other.interval.text(signed=True),
                "p": None if row.adjusted is None else round(row.adjusted, 4),
                "said": SAID.get(row.run.spec.agent.honest, ""),
                "episodes": {f"{one.task}#{one.instance}": one.success for one in episodes},
            }
        )
    return found


def table(part: str, cells: Sequence[Mapping[str, Any]]) -> str:
    """A row for each cell, and below them what is said of agents that have nothing gold in them."""
    many = len(cells) > 1
    head = (PARTS[part], "solved", "SR % and 95 % interval", *(["difference", "p (Holm)"] if many else []))
    lines = [head, ["---"] * len(head)]
    for number, cell in enumerate(cells):
        p = "—" if cell["p"] is None else f"{cell['p']:g}"
        against = [cell["difference"], p] if number else ["reference", ""]
        told = f"{cell['solved']}/{cell['played']}"
        lines.append((cell["label"] or "as they are", told, cell["rate"], *(against if many else [])))
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    said = dict.fromkeys(words for cell in cells if (words := cell.get("said", "")))
    return "\n\n".join([rows, *(f"{words[0].upper()}{words[1:]}." for words in said)])


def main(arguments: Sequence[str]) -> None:
    """Print the chosen tasks, or write the tables."""
    if list(arguments) == ["--workshop"]:
        typer.echo(",".join(info.id for info in taught_tasks()))
        return
    page, *given = arguments
    found = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    for one in given:
        part, _, folder = one.partition("=")
        if part not in PARTS:
            raise SystemExit(f"there is no part {part!r}; choose from {', '.join(PARTS)}")
        found[part] = cells_of(Path(folder))
    if given:
        FOUND.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for part, cells in found.items():
        write_part(Path(page), f"<!-- {part} -->", f"<!-- end of {part} -->", table(part, cells))


if __name__ == "__main__":
    main(sys.argv[1:])
