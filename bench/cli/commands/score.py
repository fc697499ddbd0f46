"""What `omnipilot score` does: predictions, made here or elsewhere, by a benchmark's own rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from omnipilot.agents import PartSpec, parse_part
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.agents.assembly.part_names import split_list
from omnipilot.agents.assembly.parts import set_in_table
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.pointing_directory import SPEC as POINTED
from omnipilot.bench.journal.pointing_directory import read_spec as read_pointing_spec
from omnipilot.bench.journal.run_directory import SPEC as RUN
from omnipilot.bench.number_words import number_words
from omnipilot.bench.report.figures_table import differences_table, figures_table
from omnipilot.bench.report.method_notes import bound_notes, bound_notes_of
from omnipilot.bench.report.terminal_tables import plain_tables, render_tables
from omnipilot.bench.run.config import read_option
from omnipilot.bench.scoring.benchmark import BENCHMARKS, Benchmark
from omnipilot.bench.scoring.compared_figures import align_figures, compare_figures
from omnipilot.bench.scoring.pointing_figures import pointing_figures
from omnipilot.bench.scoring.run_figures import choose_figures, data_of
from omnipilot.bench.scoring.score import BAD, EXTRA, MISSING, Scored, scored_tables, scored_to_json
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """How several runs or files are scored.

    Attributes:
        figures: names or patterns of the figures to show, comma-separated; "" for the benchmark's own.
        reference: which of the predictions the others are compared with, as it was given; "" for the first.
        pointing: directories of `omnipilot ground`, whose figures are shown beside the runs of the same model.
        level: confidence level of differences. power: for which the smallest detectable difference is given.
    """

    figures: str = ""
    reference: str = ""
    pointing: tuple[Path, ...] = ()
    level: float = LEVEL
    power: float = POWER


def score_command(
    benchmark: str,
    predictions: Sequence[Path],
    data: str | None,
    variant: str | None,
    out: Path | None,
    options: Sequence[str] = (),
    how: ScoreOptions | None = None,
) -> None:
    """Score, print the tables, and write them if asked to: those of one run, or one table of several.

    Args:
        predictions: files or run directories. options: of the benchmark, each written KEY=VALUE.

    Raises:
        ConfigError: no such benchmark, variant, option or figure; or data or predictions that cannot be scored.
    """
    how = how or ScoreOptions()
    for share in (how.level, how.power):
        check_level(share)
    if benchmark not in BENCHMARKS.names() and str(predictions[0]) in BENCHMARKS.names():
        raise ConfigError(f"the benchmark comes first; did you mean `omnipilot score {predictions[0]} {benchmark}`?")
    for path in predictions:
        if not path.exists():
            raise ConfigError(f"no such file or run directory: {path}")
    rules, chosen = rules_of(benchmark, variant, options)
    if len(predictions) == 1 and not (how.figures or how.pointing):
        found = _score(rules, chosen, data, predictions[0])
        tables = scored_tables(found)
        typer.echo(f"\n{render_tables(tables)}\n")
        if out is not None:
            write_score(found, plain_tables(tables), out)
            typer.echo(f"score: {out / 'score.json'}")
        return
    names = run_names(predictions)
    reference = _reference(how.reference, predictions, names)
    found_of = {name: _score(rules, chosen, data, path) for name, path in zip(names, predictions, strict=True)}
    wanted = split_list(how.figures)
    rows = [
        (*choose_figures(found, wanted), *pointing_figures(path, how.pointing))
        for found, path in zip(found_of.values(), predictions, strict=True)
    ]
    rows = align_figures(rows)
    compared = compare_figures(rows, reference, how.level, how.power)
    shown = figures_table(names, compared)
    notes = (f"{benchmark}, variant {chosen}", *shown.notes, *_notes_of(found_of))
    apart = differences_table(names, compared, reference) if len(rows) > 1 else None
    tables = [replace(shown, notes=notes), *([apart] if apart else [])]
    typer.echo(f"\n{render_tables(tables)}\n")
    if out is not None:
        for name, found in found_of.items():
            write_score(found, plain_tables(scored_tables(found)), out / name)
        (out / "score.txt").write_text(f"{plain_tables(tables)}\n", encoding="utf-8")
        typer.echo(f"scores: {out}/*/score.json")


def _score(rules: Benchmark, variant: str, data: str | None, predictions: Path) -> Scored:
    """One run or file, with what is to be noted about it."""
    found = rules.score(data if data is not None else data_of(predictions), predictions, variant)
    return replace(found, notes=(*found.notes, *unfinished_note(predictions), *bounds(predictions)))


def run_names(predictions: Sequence[Path]) -> list[str]:
    """What predictions are called in a table, and their folders: the shortest ends of their paths that differ.

    Raises:
        ConfigError: one is given twice.
    """
    paths = [(path if path.is_dir() else path.with_suffix("")).resolve() for path in predictions]
    if len(set(paths)) < len(paths):
        paths = [path.resolve() for path in predictions]
    if twice := next((path for path in paths if paths.count(path) > 1), None):
        raise ConfigError(f"{twice} is given twice; give each run once")
    depth = 1
    while len({path.parts[-depth:] for path in paths}) < len(paths):
        depth += 1
    return ["-".join(path.parts[-depth:]) for path in paths]


def _reference(asked: str, predictions: Sequence[Path], names: Sequence[str]) -> int:
    """The index of the predictions that the others are compared with."""
    if not asked:
        return 0
    for number, (path, name) in enumerate(zip(predictions, names, strict=True)):
        if asked in (str(path), name, path.name):
            return number
    raise ConfigError(describe_unknown("reference", asked, names))


def _notes_of(scored: Mapping[str, Scored]) -> list[str]:
    """The notes of several results: those that all share once, the others with the name of the run; and what is
    missing."""
    every = [set(found.notes) for found in scored.values()]
    shared = set.intersection(*every)
    notes = [note for note in next(iter(scored.values())).notes if note in shared]
    for name, found in scored.items():
        notes += [f"{name}: {note}" for note in found.notes if note not in shared]
        for what, count in (
            (MISSING, len(found.missing)),
            (EXTRA, len(found.extra)),
            (BAD, len(found.bad)),
        ):
            notes += [f"{name}: {number_words(count, *what)}"] * bool(count)
    return notes


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


def unfinished_note(predictions: Path) -> tuple[str, ...]:
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
