"""`omnipilot train`: training of small models, and data for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

train = typer.Typer(help="Train small models on demonstrations of the embedded world.", no_args_is_help=True)

Instances = Annotated[int, typer.Option(help="Instances of each development task, from number 100 on.")]


@train.callback()
def _train() -> None: ...


@train.command("planner")
def train_planner(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for samples, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini"),
    minutes: Annotated[float, typer.Option(help="Minutes of training, without the demonstrations.")] = 30.0,
    steps: Annotated[int, typer.Option(help="Steps instead of minutes: the same seed gives the same weights.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the first weights and of the order of the samples.")] = 0,
    instances: Instances = 300,
    workers: Annotated[int, typer.Option(help="Processes that train together, a thread each.")] = 2,
    shape: Annotated[str, typer.Option(help="Size of the model: small, or large for a GPU.")] = "small",
    device: Annotated[str, typer.Option(help="Where to train: cpu, cuda.")] = "cpu",
) -> None:
    """Train the planner `mini` from nothing, on demonstrations of duet's development tasks."""
    from omnipilot.bench.cli.commands.train import train_command

    train_command(out, minutes, steps, seed, instances, workers, shape, device)


@train.command("examples")
def write_examples(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="File to write: a conversation a line, as JSON.")],
    instances: Instances = 10,
) -> None:
    """Write demonstrations of duet's development tasks as conversations, for any trainer of chat models."""
    from omnipilot.bench.cli.commands.train import examples_command

    examples_command(out, instances)
