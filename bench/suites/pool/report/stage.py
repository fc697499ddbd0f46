"""What `omnipilot synth report` does: writes `report.json` and `report.html`, and prints the main figures."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import typer

from omnipilot.bench.suites.pool.compose.cells import possible_cells
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.report.examples import examples
from omnipilot.bench.suites.pool.report.figures import PAPER, PoolFigures, pool_figures

JSON, PAGE = "report.json", "report.html"


def report_command(folder: Path, seed: int = 0) -> None:
    """Write the report of a pool into it, and print what survived each stage.

    Args:
        seed: of the examples.

    Raises:
        ConfigError: the pool has no subtasks, or a file cannot be read.
    """
    pool = PoolFolder(folder)
    pool.subtasks.require()
    found = pool_figures(pool)
    told = found.to_json()
    (folder / JSON).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    shown = json.dumps(
        {**told, "name": folder.name, "possible": len(possible_cells()), "examples": examples(pool, seed)},
        ensure_ascii=False,
    )
    page = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    (folder / PAGE).write_text(page.replace("{{DATA}}", shown.replace("</", "<\\/")), encoding="utf-8")
    for line in report_lines(found):
        typer.echo(line)
    typer.echo(f"{folder / PAGE} has pictures and examples")


def report_lines(found: PoolFigures) -> list[str]:
    """The main figures, a line each, with the paper's beside where it has them."""
    lines = [f"{one.stage}: {one.kept:,} of {one.given:,}: {one.what}" for one in found.stages]
    for name, value in found.counts.items():
        told = f"{100 * value:.1f} %" if name == "network" else f"{value:,.2f}" if value % 1 else f"{value:,.0f}"
        if name == "cells":
            told += f" of {len(possible_cells())} that can exist"
        beside = PAPER.get(name)
        if beside is not None:
            told += f" (OmniBench {100 * beside:.1f} %)" if name == "network" else f" (OmniBench {beside:,g})"
        lines.append(f"{name}: {told}")
    if found.use:
        lines.append(f"evenness of the use of subtasks: {found.evenness:.2f} of 1")
    if found.ratings is not None:
        paper = 100 * PAPER["accepted by people"]
        lines.append(f"accepted by people: {100 * found.ratings['accepted']:.1f} % (OmniBench {paper:.1f} %)")
    for stage, costs in found.costs.items():
        told = ", ".join(
            [
                *([f"{costs['seconds']:.0f} s"] if "seconds" in costs else []),
                *([f"${costs['dollars']:.2f}"] if "dollars" in costs else []),
                *costs.get("models", ()),
            ]
        )
        lines.append(f"{stage} took {told}")
    return lines
