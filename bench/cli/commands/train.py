"""What `omnipilot train planner` and `omnipilot train examples` do."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import typer

from omnipilot.envs.types import require


def train_command(
    out: Path, minutes: float, steps: int, seed: int, instances: int, workers: int, shape: str, device: str
) -> None:
    """Train, saying how far it has come; say where the model is, and how to run it."""
    require("torch", "train")
    require("safetensors", "train")
    from omnipilot.bench.training.run import Order, train_planner
    from omnipilot.bench.training.trainer import Schedule

    together = 1 if steps or device != "cpu" else workers
    tokens = 2000 if device == "cpu" else 32_000
    schedule = Schedule(minutes=minutes, steps=steps, seed=seed, tokens=tokens)
    order = Order(out, schedule, instances, together, shape, device)
    done = train_planner(order, lambda line: typer.echo(line, err=True))
    typer.echo(
        f"{100 * done.accuracy:.1f} % of unseen steps named exactly after {done.step} steps, "
        f"{done.seconds / 60:.1f} min; picture: {out / 'training.svg'}"
    )
    typer.echo(f"run it with: omnipilot run --suite duet --planner mini -o planner.folder={order.model}")


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
