"""`omnipilot train`: training of small models, and data for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

train = typer.Typer(help="Train small models on the embedded world.", no_args_is_help=True)

Where = Annotated[
    Optional[list[str]],  # noqa: UP045 (typer reads annotations at run time)
    typer.Option(metavar="KEY=VALUE", help="Only tasks with this tag, e.g. level=AV-critical. Repeatable."),
]
Instances = Annotated[int, typer.Option(help="Instances of each development task, from number 100 on.")]

Minutes = Annotated[
    float, typer.Option(help="Minutes of the whole: samples (two fifths at most), training, measuring.")
]
Steps = Annotated[int, typer.Option(help="Steps instead of minutes: the same seed gives the same weights.")]
Seed = Annotated[int, typer.Option(help="Seed of the first weights and of the order of the samples.")]
Workers = Annotated[int, typer.Option(help="Processes that train together, a thread each.")]
Device = Annotated[str, typer.Option(help="Where to train: cpu, cuda.")]


@train.callback()
def _train() -> None: ...


@train.command("planner")
def train_planner(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for samples, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Instances = 300,
    workers: Workers = 2,
    shape: Annotated[str, typer.Option(help="Size of the model: small, or large for a GPU.")] = "small",
    device: Device = "cpu",
    where: Where = None,
    samples: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="DIR", help="Folder of demonstrations that trainings share. Default: samples in --out."),
    ] = None,
    suite: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="NAME", help="What to train on: duet (default), duet-memory. Repeatable: equal shares."),
    ] = None,
    start: Annotated[
        Optional[str],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option("--from", metavar="DIR", help="Weights to begin with: a folder, or mini. Default: from nothing."),
    ] = None,
) -> None:
    """Train the planner `mini` on demonstrations of development tasks, from nothing or from earlier weights."""
    from omnipilot.bench.training.run_commands import PlannerOptions, TrainingOptions, planner_command

    which = PlannerOptions(shape, where or (), samples, tuple(suite or ["duet"]), start or "")
    planner_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device), which)


@train.command("grounder")
def train_grounder(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for screens, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini-grounder"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Annotated[int, typer.Option(help="Seeds of screens of the suite pointing, from number 100 on.")] = 40,
    workers: Workers = 2,
    device: Device = "cpu",
) -> None:
    """Train a small grounder from nothing, on screens of the suite pointing."""
    from omnipilot.bench.training.run_commands import TrainingOptions, grounder_command

    grounder_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device))


@train.command("examples")
def write_examples(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="File to write: a conversation a line, as JSON.")],
    instances: Instances = 10,
) -> None:
    """Write demonstrations of duet's development tasks as conversations, for any trainer of chat models."""
    from omnipilot.bench.training.run_commands import examples_command

    examples_command(out, instances)


@train.command("measure")
def measure(
    models: Annotated[
        Optional[list[Path]],  # noqa: UP045 (typer reads annotations at run time)
        typer.Argument(metavar="MODEL", help="Folders of models, from `train planner`. Default: the shipped one."),
    ] = None,
    instances: Annotated[int, typer.Option(help="Unseen instances of each development task.")] = 3,
    by: Annotated[str, typer.Option(metavar="TAG", help="Group tasks by this tag, such as branch or level.")] = "",
) -> None:
    """Count the steps of unseen demonstrations that models of the planner `mini` name exactly."""
    from omnipilot.bench.training.run_commands import measure_command

    measure_command(models or [], instances, by)


@train.command("eyes")
def train_eyes(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for screens, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini-eyes"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Annotated[int, typer.Option(help="Instances whose screens are looked at, from number 100 on.")] = 24,
    workers: Workers = 2,
    device: Device = "cpu",
) -> None:
    """Train small eyes from nothing, on screens along demonstrations of duet's development tasks."""
    from omnipilot.bench.training.run_commands import TrainingOptions, eyes_command

    eyes_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device))


@train.command("measure-eyes")
def measure_eyes(
    model: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Argument(metavar="MODEL", help="Folder of eyes, from `train eyes`. Default: the shipped ones."),
    ] = None,
    instances: Annotated[int, typer.Option(help="Unseen instances of each development task.")] = 1,
    look: Annotated[str, typer.Option(help="Theme and density of the screens, such as dark or light/large.")] = "light",
    out: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="FILE", help="Write all that was counted there, as JSON."),
    ] = None,
) -> None:
    """Count what eyes see along unseen demonstrations, and how often `mini` replies as by the tree."""
    from omnipilot.bench.training.run_commands import measure_eyes_command

    measure_eyes_command(model, instances, look, out)
