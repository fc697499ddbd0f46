"""What `omnipilot score` does: predictions, made here or elsewhere, by a benchmark's own rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from omnipilot.agents import PartSpec, parse_part
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.agents.assembly.parts import set_in_table
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.run_directory import SPEC as RUN
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.pointing.run import SPEC as POINTED
from omnipilot.bench.pointing.run import read_spec as read_pointing_spec
from omnipilot.bench.report.method_notes import bound_notes, bound_notes_of
from omnipilot.bench.report.terminal_tables import plain_tables, render_tables
from omnipilot.bench.run.config import read_option
from omnipilot.bench.scoring.benchmark import BENCHMARKS, Benchmark
from omnipilot.bench.scoring.score import Scored, scored_tables, scored_to_json
from omnipilot.envs import ConfigError


def score_command(
    benchmark: str,
    predictions: Path,
    data: str | None,
    variant: str | None,
    out: Path | None,
    options: Sequence[str] = (),
) -> None:
    """Score, print the tables, and write them if asked to.

    Args:
        options: of the benchmark, each written KEY=VALUE.

    Raises:
        ConfigError: no such benchmark, variant or option; or data or predictions that cannot be scored.
    """
    if benchmark not in BENCHMARKS.names() and str(predictions) in BENCHMARKS.names():
        raise ConfigError(f"the benchmark comes first; did you mean `omnipilot score {predictions} {benchmark}`?")
    if not predictions.exists():
        raise ConfigError(f"no such file or run directory: {predictions}")
    rules, chosen = rules_of(benchmark, variant, options)
    found = rules.score(data if data is not None else data_of(predictions), predictions, chosen)
    found = replace(found, notes=(*found.notes, *unfinished(predictions), *bounds(predictions)))
    tables = scored_tables(found)
    typer.echo(f"\n{render_tables(tables)}\n")
    if out is not None:
        write_score(found, plain_tables(tables), out)
        typer.echo(f"score: {out / 'score.json'}")


def rules_of(benchmark: str, variant: str | None, options: Sequence[str] = ()) -> tuple[Benchmark, str]:
    """The rules of a benchmark with these options, and the chosen variant.

    Raises:
        ConfigError: no such benchmark, variant or option.
    """
    rules: Benchmark = BENCHMARKS.make(PartSpec(benchmark, options_of(options)))
    chosen = variant or rules.variants[0]
    if chosen not in rules.variants:
        raise ConfigError(f"unknown variant {chosen!r} of {benchmark}; choose {' or '.join(rules.variants)}")
    return rules, chosen


def options_of(options: Sequence[str]) -> Mapping[str, Any]:
    """Options written KEY=VALUE, by name; of one that is given twice the last counts.

    Raises:
        ConfigError: one is written otherwise.
    """
    found: dict[str, Any] = {}
    for one in options:
        if not all(one.partition("=")):
            raise ConfigError(f"-o takes KEY=VALUE here, e.g. split=val, not {one!r}")
        name, value = read_option(one)
        found = set_in_table(found, name.split("."), value)
    return found


def write_score(found: Scored, text: str, out: Path) -> None:
    """`score.txt`, the tables as printed, and `score.json`, with nothing cut."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "score.txt").write_text(f"{text}\n", encoding="utf-8")
    (out / "score.json").write_text(json.dumps(scored_to_json(found), indent=1, ensure_ascii=False), encoding="utf-8")


def unfinished(predictions: Path) -> tuple[str, ...]:
    """A note on a run directory that lacks episodes; none for other predictions."""
    if not (predictions / RUN).is_file():
        return ()
    run = load_run(predictions)
    if len(run.episodes) >= run.planned:
        return ()
    return (f"not finished: {len(run.episodes)} of {run.planned} episodes; run it again to finish it, then score it",)


def bounds(predictions: Path) -> list[str]:
    """A note on a run whose parts know the solution or the true screen; none on other predictions."""
    if (predictions / RUN).is_file():
        return bound_notes_of([load_run(predictions)])
    if not (predictions / POINTED).is_file():
        return []
    grounder = parse_part(read_pointing_spec(predictions).get("grounder", {}), GROUNDERS)
    return bound_notes([(predictions.name, [f"grounder {gold}" for gold in GROUNDERS.gold_names(grounder)])])


def data_of(predictions: Path) -> str:
    """Where the data of a run is; "" if this is not a run directory, or its suite has no data."""
    if (predictions / RUN).is_file():
        return str((read_spec(predictions) or {})["suite"]["options"].get("data", ""))
    return str(read_pointing_spec(predictions).get("data", "")) if (predictions / POINTED).is_file() else ""
