"""`python docs/figures/mini_pool.py PAGE [PART=FOLDER…]`: how the weights `mini-pool` came about, and what they reach.

Without parts, the table of the page and the two pictures beside it are made of `mini_pool.json`. `clone=DIR` and
`reinforce=DIR`, folders of the two trainings, replace their curves in that file first; `ROW:COLUMN=RUN`, such as
`dev:mini=runs/mini-dev`, the episodes of a run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import typer
from marked_part import write_part

from omnipilot.agents.assembly.honesty import SAID
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report import save_figure
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import headline
from omnipilot.bench.training.figure import reinforcement_figure, training_figure
from omnipilot.planners.mini.model_folder import MINI

FOUND = Path(__file__).resolve().parent / "mini_pool.json"
"""The curve of each training, and of each row and column the episodes, each with what it solved and reached."""
PICTURES = Path(__file__).resolve().parents[1] / "pictures"
BEGIN, END = "<!-- mini-pool -->", "<!-- end of mini-pool -->"
ROWS: Mapping[str, str] = {
    "pool": "tasks of the pool's test split",
    "dev": "development tasks of `duet`",
    "demo": "the demo's tasks, by the [honest chain](mini.md#the-honest-chain)",
    "test": "test tasks of `duet`, played once",
}
COLUMNS: Mapping[str, str] = {
    "mini": "`mini`",
    "cloned": "cloned on the pool",
    "mini-pool": "then reinforced: `mini-pool`",
}


def read_clone(folder: Path) -> list[dict[str, Any]]:
    """The measurements of a cloning."""
    lines = (folder / "log.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_reinforcement(folder: Path) -> dict[str, Any]:
    """The record of a reinforcement, without how far each task is mastered, and the hash of its weights."""
    told: dict[str, Any] = json.loads((folder / "reinforce.json").read_text("utf-8"))
    told.pop("curriculum")
    return {**told, "weights": MINI.digest(folder / "model")}


def read_played(folder: Path) -> dict[str, Any]:
    """The episodes of a run, and its figures with their intervals."""
    run = load_run(folder)
    return {
        "solved": headline(outcomes(run.episodes)).all.text(),
        "reached": headline(outcomes(run.episodes, "CR")).all.text(),
        "said": SAID.get(run.spec.agent.honest, ""),
        "episodes": {f"{one.task}#{one.instance}": [one.success, one.completed, one.total] for one in run.episodes},
    }


def table(played: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Two lines for each row: how many were solved, and how many of their sub-goals were reached."""
    head = ("", *COLUMNS.values())
    lines: list[tuple[str, ...]] = [head, ("---", *["--:"] * len(COLUMNS))]
    for row, words in ROWS.items():
        cells = [played.get(row, {}).get(column) for column in COLUMNS]
        lines.append((f"{words}: solved", *("—" if cell is None else _solved(cell) for cell in cells)))
        lines.append(("their sub-goals reached, %", *("—" if cell is None else str(cell["reached"]) for cell in cells)))
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    said = dict.fromkeys(cell["said"] for row in played.values() for cell in row.values() if cell["said"])
    return "\n\n".join([rows, *(f"In the rows of the chain, {words}." for words in said)])


def _solved(cell: Mapping[str, Any]) -> str:
    episodes = cell["episodes"].values()
    return f"{sum(success for success, *_ in episodes)}/{len(episodes)}: {cell['solved']}"


def draw(found: Mapping[str, Any]) -> None:
    """Draw both trainings."""
    log: list[Any] = [SimpleNamespace(**one) for one in found["clone"]]
    title = "Cloning on duet and a pool, measured on unseen instances"
    save_figure(training_figure(log, title, "steps named exactly"), PICTURES / "mini-pool-cloned.svg")
    names = ("step", "seconds", "solved", "reached")
    curve: list[Any] = [SimpleNamespace(**dict(zip(names, one, strict=True))) for one in found["reinforce"]["curve"]]
    save_figure(reinforcement_figure(curve, found["reinforce"]["seed"]), PICTURES / "mini-pool-reinforced.svg")


def main(arguments: list[str]) -> None:
    """Take in the parts that are named, and write the table and the pictures."""
    if not arguments:
        raise SystemExit(str(__doc__))
    page, *given = arguments
    found = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {"played": {}}
    for one in given:
        part, _, folder = one.partition("=")
        row, _, column = part.partition(":")
        if part == "clone":
            found[part] = read_clone(Path(folder))
        elif part == "reinforce":
            found[part] = read_reinforcement(Path(folder))
        elif row in ROWS and column in COLUMNS:
            found["played"].setdefault(row, {})[column] = read_played(Path(folder))
        else:
            rows, columns = ", ".join(ROWS), ", ".join(COLUMNS)
            raise SystemExit(f"no part {part!r}: clone, reinforce, or ROW:COLUMN (rows: {rows}; columns: {columns})")
    if given:
        FOUND.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    write_part(Path(page), BEGIN, END, table(found["played"]))
    draw(found)
    typer.echo(f"{page}, and two pictures in {PICTURES}")


if __name__ == "__main__":
    main(sys.argv[1:])
