"""The figures of a run by name: metrics of its episodes, and those of its benchmark's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.part_names import is_object, split_object
from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.pointing_directory import ANSWERS
from omnipilot.bench.journal.pointing_directory import SPEC as POINTED
from omnipilot.bench.journal.pointing_directory import read_spec as read_pointing_spec
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import SPEC, read_spec
from omnipilot.bench.scoring.benchmark import BENCHMARKS, Benchmark
from omnipilot.bench.scoring.metrics import METRICS, USUAL, load_metric, metric_figure
from omnipilot.bench.scoring.score import Figure, Scored
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.envs import ConfigError, MissingExtra

EPISODES = "episodes"
"""Before a colon, says that a metric is meant although the benchmark has a figure of this name: "episodes:sr"."""


def run_figures(
    run: Run | Path,
    names: Sequence[str] = (),
    variant: str | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[Figure, ...]:
    """The figures of a run, in the order in which they are named.

    Args:
        run: a run, or the directory of one or of a pointing run.
        names: of figures of its benchmark ("AS", "type", "sr@15"; upper and lower case are alike, and a hyphen may
            stand for a space); of metrics ("sr", "turns", "module:attribute"); BENCHMARK:FIGURE for one of other rules
            that can score this run; "episodes:sr" for a metric where the benchmark has a figure of the same name.
            Empty: all figures of the benchmark, or the usual metrics where it has none.
        variant: whose rules of the benchmark; by default its first.
        level: confidence level of intervals; those of a benchmark's own figures are of 0.95.

    Raises:
        ConfigError: an unknown name, with the nearest and all there are; or the benchmark's data is missing.
    """
    folder, loaded = (run.folder, run) if isinstance(run, Run) else (run, None)
    benchmark = benchmark_of(run)
    own: Scored | None = None
    if folder is not None and benchmark and not (names and all(map(_is_plain_metric, names))):
        own = scored_run(folder, benchmark, variant)
    if not names:
        if own is not None:
            return own.figures
        names = [name for name in USUAL if name != "solved"]
    found: list[Figure] = []
    for name in names:
        prefix, rest = split_object(name) if is_object(name) else ("", name)
        if own is not None and (some := figures_named(own, name)):
            found += some
        elif prefix in BENCHMARKS.names():
            if folder is None:
                raise ConfigError(f"{name}: a benchmark's rules read the directory of a run; load it with load_run")
            found += choose_figures(scored_run(folder, prefix, variant), [rest])
        elif folder is not None and (folder / POINTED).is_file():
            raise ConfigError(unknown("figure of this pointing run", name, figure_names(own)))
        else:
            plain = rest if prefix == EPISODES else name
            if not is_object(plain) and plain.casefold() not in map(str.casefold, METRICS.names()):
                raise ConfigError(unknown("figure", name, (*figure_names(own), *METRICS.names())))
            if loaded is None:
                loaded = load_run(run)  # type: ignore[arg-type]
            metric = load_metric(plain, variant or "paper")
            found.append(metric_figure(metric, loaded.episodes, level, resamples, seed))
    return tuple(found)


def _is_plain_metric(name: str) -> bool:
    """Whether a name is that of a metric that no benchmark has among its figures, so that its data is not needed."""
    known = [one for one in METRICS.names() if one not in USUAL]
    return name.casefold() in known or (is_object(name) and split_object(name)[0] == EPISODES)


def headline_name(run: Run) -> str:
    """The name of the first figure of a run's benchmark, unless that is the success rate, which every table has; ""
    where there is none, or the data that it takes is not there."""
    benchmark = benchmark_of(run)
    if run.folder is None or not benchmark or not run.episodes:
        return ""
    try:
        first = scored_run(run.folder, benchmark).figures[0]
    except (ConfigError, MissingExtra):
        return ""
    return "" if first.name == "SR" else first.short or first.name


def check_figures(names: Sequence[str], suite: str) -> None:
    """Refuse names of figures that no run of a suite can have, as far as is known before there is one.

    Raises:
        ConfigError: an unknown name, with the nearest.
    """
    for name in names:
        prefix, rest = split_object(name) if is_object(name) else ("", name)
        plain = rest if prefix == EPISODES else name
        if is_object(plain) and prefix not in BENCHMARKS.names():
            load_metric(plain)
        elif not prefix and suite not in BENCHMARKS.names() and name.casefold() not in METRICS.names():
            raise ConfigError(unknown("figure", name, METRICS.names()))


def benchmark_of(run: Run | Path) -> str:
    """The benchmark whose rules score a run: that of its suite's name; "" if there are none.

    Raises:
        ConfigError: the directory contains no run.
    """
    if isinstance(run, Path) and (run / POINTED).is_file():
        name = str(dict(read_pointing_spec(run).get("suite", {})).get("name", ""))
    else:
        name = (load_run(run) if isinstance(run, Path) else run).spec.suite.name
    return name if name in BENCHMARKS.names() else ""


def scored_run(folder: Path, benchmark: str, variant: str | None = None) -> Scored:
    """A run by a benchmark's rules; the last ones are kept in memory until their files change.

    Raises:
        ConfigError: the rules cannot score it, there is no such variant, or its data is missing.
    """
    state = tuple(
        (found.st_size, found.st_mtime_ns)
        for file in (folder / FILE, folder / ANSWERS)
        if file.exists() and (found := file.stat())
    )
    return _scored(folder.absolute(), benchmark, variant, state)


@lru_cache(maxsize=32)
def _scored(folder: Path, benchmark: str, variant: str | None, state: object) -> Scored:  # noqa: ARG001
    rules: Benchmark = BENCHMARKS.make(PartSpec(benchmark))
    chosen = variant if variant in rules.variants else rules.variants[0]
    return rules.score(data_of(folder), folder, chosen)


def data_of(predictions: Path) -> str:
    """Where the data of a run is; "" if this is not a run directory, or its suite has no data."""
    if (predictions / SPEC).is_file():
        return str((read_spec(predictions) or {})["suite"]["options"].get("data", ""))
    return str(read_pointing_spec(predictions).get("data", "")) if (predictions / POINTED).is_file() else ""


def figure_key(name: str) -> str:
    """A name in the form in which names are compared: "Action score" and "action-score" are the same."""
    return "-".join(name.casefold().replace(",", " ").split())


def figures_named(scored: Scored, name: str) -> list[Figure]:
    """The figures of a result, and of its parts, that a name or a pattern fits; none if there is none.

    A name may be the abbreviation, in any case, with hyphens for spaces; a pattern has a *.
    """
    key, every = figure_key(name), (*scored.figures, *scored.parts)
    if "*" in key:
        return [one for one in every if any(fnmatchcase(known, key) for known in _keys(one))]
    return [one for one in every if key in _keys(one)][:1]


def choose_figures(scored: Scored, names: Sequence[str]) -> tuple[Figure, ...]:
    """The figures of a result by name or pattern, see `figures_named`; all but those of parts if none are named.

    Raises:
        ConfigError: there is none of a name, with the nearest.
    """
    found: list[Figure] = []
    for name in names:
        some = figures_named(scored, name)
        if not some:
            raise ConfigError(unknown(f"figure of {scored.benchmark}", name, figure_names(scored)))
        found += some
    return tuple(found) if names else scored.figures


def figure_names(scored: Scored | None) -> list[str]:
    """What the figures of a result, and of its parts, are called."""
    return [] if scored is None else [one.short or one.name for one in (*scored.figures, *scored.parts)]


def _keys(figure: Figure) -> Iterable[str]:
    return {figure_key(figure.name), figure_key(figure.short or figure.name)}
