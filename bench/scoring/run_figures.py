"""The figures of a run by name: metrics of its episodes, and those of its benchmark's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.run import Run
from omnipilot.bench.pointing.run import ANSWERS
from omnipilot.bench.pointing.run import SPEC as POINTED
from omnipilot.bench.pointing.run import read_spec as read_pointing_spec
from omnipilot.bench.scoring.benchmark import BENCHMARKS, Benchmark
from omnipilot.bench.scoring.metrics import METRICS, USUAL, load_metric, metric_figure
from omnipilot.bench.scoring.score import Figure, Scored
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.envs import ConfigError

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
    own = scored_run(folder, benchmark, variant) if folder is not None and benchmark else None
    if not names:
        if own is not None:
            return own.figures
        names = [name for name in USUAL if name != "solved"]
    known = figures_by_name(own) if own is not None else {}
    found: list[Figure] = []
    for name in names:
        prefix, colon, rest = name.partition(":")
        if (key := figure_key(name)) in known:
            found.append(known[key])
        elif colon and prefix in BENCHMARKS.names():
            if folder is None:
                raise ConfigError(f"{name}: a benchmark's rules read the directory of a run; load it with load_run")
            scored = scored_run(folder, prefix, variant)
            found.append(_named(figures_by_name(scored), rest, f"figure of {prefix}"))
        elif folder is not None and (folder / POINTED).is_file():
            raise ConfigError(unknown("figure of this pointing run", name, _names(own)))
        else:
            plain = rest if prefix == EPISODES else name
            if not colon and plain.casefold() not in (one.casefold() for one in METRICS.names()):
                raise ConfigError(unknown("figure", name, (*_names(own), *METRICS.names())))
            if loaded is None:
                loaded = load_run(run)  # type: ignore[arg-type]
            metric = load_metric(plain, variant or "paper")
            found.append(metric_figure(metric, loaded.episodes, level, resamples, seed))
    return tuple(found)


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
    return rules.score("", folder, chosen)


def figure_key(name: str) -> str:
    """A name in the form in which names are compared: "Action score" and "action-score" are the same."""
    return "-".join(name.casefold().replace(",", " ").split())


def figures_by_name(scored: Scored) -> Mapping[str, Figure]:
    """The figures of a result and of its parts, by their names and abbreviations (`figure_key`)."""
    every = (*scored.figures, *scored.parts)
    found = {figure_key(one.short): one for one in reversed(every) if one.short}
    return {**found, **{figure_key(one.name): one for one in reversed(every)}}


def _names(scored: Scored | None) -> Iterable[str]:
    return () if scored is None else [one.short or one.name for one in (*scored.figures, *scored.parts)]


def _named(known: Mapping[str, Figure], name: str, what: str) -> Figure:
    if (key := figure_key(name)) not in known:
        raise ConfigError(unknown(what, name, dict.fromkeys(one.short or one.name for one in known.values())))
    return known[key]
