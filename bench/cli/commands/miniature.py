"""What `omnipilot miniature` does: write small data in the formats of benchmarks."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.scoring.benchmark import MINIATURES


def miniature_command(out: Path, names: Sequence[str], predictions: bool) -> None:
    """Write the data, and print how to use it."""
    for name in names or MINIATURES.names():
        write = MINIATURES.load(name)
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        typer.echo(f"{name}: {folder}")
        write(folder)
        if predictions:
            made = importlib.import_module(write.__module__).sample_predictions(folder)
            typer.echo(f"  omnipilot score {name} {made} --data {folder}")
