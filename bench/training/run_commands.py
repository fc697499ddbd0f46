"""What the commands of `omnipilot train` do."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from omnipilot.bench.training.time_budget import TimeBudget
from omnipilot.envs import ConfigError
from omnipilot.envs.types import require

if TYPE_CHECKING:
    from omnipilot.bench.training.trainer import Schedule, TrainingProgress


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How long a model is trained, on how much, and where.

    Attributes:
        minutes: of the whole. steps: instead of minutes; 0 for none.
        seed: of the first weights and of the order of the samples.
        instances: of each task, or seeds of screens. workers: processes that train together. device: "cpu" or "cuda".
    """

    minutes: float
    steps: int
    seed: int
    instances: int
    workers: int
    device: str

    @property
    def processes(self) -> int:
        """How many processes train: one where steps are counted, and on a GPU."""
        return 1 if self.steps or self.device != "cpu" else self.workers

    def budget(self) -> TimeBudget | None:
        """The time there is, from now on; None where steps are counted."""
        return None if self.steps else TimeBudget.start(self.minutes)

    def schedule(self, tokens: int, **more: Any) -> Schedule:
        """The course of the training.

        Args:
            tokens: of a step on a GPU; on a CPU there are fewer. more: further fields of `Schedule`.
        """
        from omnipilot.bench.training.trainer import Schedule

        # Between two measurements on what is held out there is a minute, and less in a short training.
        every = min(60.0, 12 * self.minutes)
        tokens = 2000 if self.device == "cpu" else tokens
        return Schedule(minutes=self.minutes, steps=self.steps, seed=self.seed, tokens=tokens, every=every, **more)


@dataclass(frozen=True, slots=True)
class PlannerOptions:
    """Which planner is trained, and on what.

    Attributes:
        shape: "small", or "large" for a GPU. where: conditions on development tasks, each written KEY=VALUE.
        samples: folder of demonstrations that trainings share; None for one of its own. suites: to train on.
        start: folder of the weights to begin with, or "mini"; "" to begin from nothing.
    """

    shape: str = "small"
    where: Sequence[str] = ()
    samples: Path | None = None
    suites: tuple[str, ...] = ("duet",)
    start: str = ""


def planner_command(out: Path, how: TrainingOptions, which: PlannerOptions) -> None:
    """Train a planner, saying how far it has come; say where the model is, and how to run it."""
    from omnipilot.bench.training.data import select_tasks
    from omnipilot.planners.mini.model_folder import check_model
    from omnipilot.planners.mini.network import SHIPPED

    budget, start = how.budget(), which.start
    tasks = select_tasks(which.where, which.suites)
    begin = SHIPPED if start == "mini" else Path(start).expanduser() if start else None
    if begin is not None:
        try:
            check_model(begin)
        except ConfigError as error:
            raise ConfigError(f"--from {start}: {error}, or mini") from None
    _require("torch", "safetensors")
    from omnipilot.bench.training.run import PlannerOrder, train_planner
    from omnipilot.bench.training.trainer import FURTHER_RATE, RATE

    order = PlannerOrder(
        out,
        how.schedule(32_000, rate=FURTHER_RATE if begin is not None else RATE),
        how.instances,
        how.processes,
        how.device,
        which.shape,
        which.samples,
        tasks=tasks,
        suites=tuple(dict.fromkeys(which.suites)),
        start=begin,
        budget=budget,
    )
    done = train_planner(order, _tell)
    _tell_end(done, "unseen steps named exactly")
    typer.echo(f"run it with: omnipilot run --suite {order.suites[0]} --planner mini -o planner.folder={order.model}")


def grounder_command(out: Path, how: TrainingOptions) -> None:
    """Train a grounder, saying how far it has come; say where the model is, and how to measure it."""
    budget = how.budget()
    _require("torch", "safetensors", "transformers")
    from omnipilot.bench.training.grounder.run import GrounderOrder, train_grounder

    order = GrounderOrder(out, how.schedule(16_000), how.instances, how.processes, how.device, budget=budget)
    done = train_grounder(order, _tell)
    _tell_end(done, "unseen targets pointed at")
    typer.echo(f"measure it with: omnipilot ground --grounder local -o grounder.model={order.model}")


def eyes_command(out: Path, how: TrainingOptions) -> None:
    """Train eyes, saying how far it has come; say where the model is, and how to measure it."""
    budget = how.budget()
    _require("torch", "safetensors")
    from omnipilot.bench.training.eyes.run import EVERY, RATE, TOKENS, EyesOrder, train_eyes

    schedule = replace(how.schedule(TOKENS, rate=RATE), tokens=TOKENS, bf16=False, every=EVERY)
    order = EyesOrder(out, schedule, how.instances, how.processes, how.device, budget=budget)
    done = train_eyes(order, _tell)
    _tell_end(done, "unseen elements and lines right")
    typer.echo(f"measure it with: omnipilot train measure-eyes {order.model}")


def measure_eyes_command(model: Path | None, instances: int, look: str, out: Path | None) -> None:
    """Print what eyes see of unseen screens, see `eyes_table`.

    Args:
        look: a theme, or a theme and a density with a slash between. out: file for all counts; None for none.
    """
    from omnipilot.bench.report.terminal_tables import render_table
    from omnipilot.bench.training.eyes.measure import (
        eyes_table,
        look_of,
        measure_eyes,
        unseen_instances,
        write_counts,
    )
    from omnipilot.grounders.mini.eyes.source import MiniEyes
    from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

    if instances < 1:
        raise ConfigError(f"{instances} instances; measure on at least one")
    eyes, shown = MiniEyes(str(model) if model is not None else ""), look_of(look)
    eyes.warm_up()
    numbers = unseen_instances(instances)
    counts = measure_eyes(eyes, MiniNetwork(SHIPPED), numbers, look=shown, said=_tell)
    if out is not None:
        write_counts(out, counts, {**eyes.identity(), "look": look, "instances": list(numbers)})
    typer.echo(f"\n{render_table(eyes_table(counts))}")


def _require(*modules: str) -> None:
    for module in modules:
        require(module, "train")


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _tell_end(done: TrainingProgress, right: str) -> None:
    typer.echo(f"{100 * done.accuracy:.1f} % of {right} after {done.step} steps, {done.seconds / 60:.1f} min")


def examples_command(out: Path, instances: int) -> None:
    """Write samples of the first instances that may be trained on, a conversation a line."""
    from omnipilot.bench.training.data import as_messages, read_samples, write_samples
    from omnipilot.bench.training.demonstrations import FIRST_INSTANCE

    numbers = range(FIRST_INSTANCE, FIRST_INSTANCE + instances)
    with tempfile.TemporaryDirectory() as folder:
        write_samples(Path(folder), numbers, lambda instance, count: typer.echo(f"{instance}: {count}", err=True))
        samples = read_samples([Path(folder) / f"{number:05d}.jsonl" for number in numbers])
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for sample in samples:
            file.write(json.dumps(as_messages(sample), ensure_ascii=False) + "\n")
    typer.echo(f"{len(samples)} steps in {out}")


def measure_command(folders: Sequence[Path], instances: int, by: str) -> None:
    """Print how many steps models name exactly, see `steps_table`."""
    from omnipilot.bench.report.terminal_tables import render_table
    from omnipilot.bench.training.measure import named_steps, steps_table, unseen_samples
    from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

    if instances < 1:
        raise ConfigError(f"{instances} instances; measure on at least one")
    networks = {str(folder): MiniNetwork(folder) for folder in folders} or {"mini": MiniNetwork(SHIPPED)}
    steps_table({}, by)
    samples = unseen_samples(instances)
    models = {}
    for name, network in networks.items():
        _tell(f"{name}: {len(samples)} steps")
        models[name] = named_steps(network, samples)
    typer.echo(f"\n{render_table(steps_table(models, by))}")
