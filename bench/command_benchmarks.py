"""What the commands about benchmarks from data do."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.benchmarks import BENCHMARKS, MINIATURES, Benchmark
from omnipilot.bench.scored import Scored, scored_tables, scored_to_json
from omnipilot.envs.errors import ConfigError


def score_command(benchmark: str, predictions: Path, data: str | None, variant: str | None, out: Path | None) -> None:
    """Score, print the tables, and write them if asked to."""
    if not predictions.exists():
        raise ConfigError(f"there is no file or run directory {predictions}")
    rules: Benchmark = BENCHMARKS.make(benchmark, {})
    chosen = variant or rules.variants[0]
    if chosen not in rules.variants:
        raise ConfigError(f"{benchmark} is scored as {' or '.join(rules.variants)}, not as {chosen!r}")
    found = rules.score(data if data is not None else data_of(predictions), predictions, chosen)
    text = "\n\n".join(table.text() for table in scored_tables(found))
    typer.echo(f"\n{text}\n")
    if out is not None:
        write_score(found, text, out)
        typer.echo(f"score: {out / 'score.json'}")


def write_score(found: Scored, text: str, out: Path) -> None:
    """`score.txt`, the tables as printed, and `score.json`, with nothing cut."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "score.txt").write_text(f"{text}\n", encoding="utf-8")
    (out / "score.json").write_text(json.dumps(scored_to_json(found), indent=1, ensure_ascii=False), encoding="utf-8")


def data_of(predictions: Path) -> str:
    """Where the data of a run lies, "" for what is no run directory, or whose suite has no data."""
    for name, path in (("spec.json", ("spec", "suite", "options")), ("pointing.json", ())):
        if (predictions / name).is_file():
            told = json.loads((predictions / name).read_text(encoding="utf-8"))
            for key in path:
                told = told.get(key, {})
            return str(told.get("data", ""))
    return ""


def miniature_command(out: Path, names: Sequence[str], predictions: bool) -> None:
    """Write the data, and say how it is used."""
    for name in names or MINIATURES.names():
        write = MINIATURES.load(name)
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        write(folder)
        typer.echo(f"{name}: {folder}")
        if predictions:
            made = importlib.import_module(write.__module__).sample_predictions(folder)
            typer.echo(f"  omnipilot score {name} {made} --data {folder}")
