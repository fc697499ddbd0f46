"""A run as a record: how many episodes were solved, its figures with their intervals, its episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.python.numbers import interval_numbers, interval_record, make_frame, table_html
from omnipilot.bench.report.results.export import episode_records
from omnipilot.bench.run.labels import name_words
from omnipilot.bench.run.parts import name_of
from omnipilot.bench.scoring.metrics import USUAL, Metric, episode_value, load_metric, metric_figure
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.memory.secrets import scrub_values

FIGURES = tuple(name for name in USUAL if name != "solved")
"""The figures of a run for which none are chosen."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What came of a run.

    Attributes:
        name, folder: of its directory. suite, agent, planner, grounder, memory: what was played, and with what.
        solved: episodes that were solved. total: those that were judged, void ones among them.
        unjudged, void: episodes that nobody judged, and those in which a device, a model or a worker was lost.
        planned: how many the run asks for. interrupted: Ctrl-C, a budget or void episodes ended it before its end.
        episodes: all that are finished. problems: where its files do not say what was recorded.
        level: confidence level of its intervals.
    """

    name: str
    folder: Path
    suite: str
    agent: str
    planner: str
    grounder: str
    memory: str
    solved: int
    total: int
    unjudged: int
    void: int
    planned: int
    episodes: tuple[Episode, ...]
    run: Run
    interrupted: bool = False
    problems: tuple[str, ...] = ()
    level: float = LEVEL

    @classmethod
    def of(cls, run: Run, interrupted: bool = False, level: float = LEVEL) -> RunRecord:
        """The record of a run directory that was loaded."""
        parts, told = run.spec.agent, judged_episodes(run.episodes)
        return cls(
            run.name,
            run.folder or Path(),
            run.spec.suite.name,
            parts.system,
            name_of(parts.planner, "planner"),
            name_of(parts.grounder, "grounder"),
            name_of(parts.memory, "memory"),
            sum(one.success for one in told),
            len(told),
            len(run.episodes) - len(told),
            sum(one.void for one in told),
            run.planned,
            run.episodes,
            run,
            interrupted,
            run.problems,
            level,
        )

    @property
    def sr(self) -> Interval | None:
        """The success rate, in 0..1, with its interval; None where no episode was judged."""
        return self.figure("sr")

    def figure(self, metric: str | Metric) -> Interval | None:
        """A figure of the run with its interval, in its own unit: shares in 0..1; None where it is undefined.

        Args:
            metric: its name (`omnipilot list metrics`), "module:attribute", or a metric made by `@metric`.

        Raises:
            ConfigError: there is none of that name, or it failed for an episode.
        """
        found = load_metric(metric) if isinstance(metric, str) else metric
        return metric_figure(found, self.episodes, self.level).interval

    def to_dict(self, metrics: Sequence[str | Metric] = FIGURES) -> dict[str, Any]:
        """The run as JSON values: counts are integers, figures are numbers, `text` is what tables print."""
        figures = {name_of_metric(one): interval_record(self.figure(one)) for one in metrics}
        return {**self._settings(), **self._counts(), "figures": figures, "text": self.text}

    def to_frame(self, metrics: Sequence[str | Metric] = ()) -> Any:
        """The run's episodes as a `pandas.DataFrame`, a row each, as `omnipilot export` has them.

        Args:
            metrics: further columns, by name or made by `@metric`.

        Raises:
            MissingExtra: pandas is not installed.
        """
        rows = episode_records(self.run)
        for metric in metrics:
            found = load_metric(metric) if isinstance(metric, str) else metric
            for row, episode in zip(rows, self.episodes, strict=True):
                value = episode_value(found, episode)
                part, whole = value if isinstance(value, tuple) else (value, None)
                row[name_of_metric(metric)] = part
                row |= {} if whole is None else {f"{name_of_metric(metric)}_of": whole}
        return make_frame(rows)

    def numbers(self, metrics: Sequence[str | Metric] = FIGURES) -> dict[str, Any]:
        """The run as one flat row: its settings, counts, and each figure as `sr`, `sr_low` and `sr_high`."""
        row = {**self._settings(), **self._counts()}
        for metric in metrics:
            row |= interval_numbers(self.figure(metric), name_of_metric(metric))
        return row

    @property
    def text(self) -> str:
        """What it came to, in words: "3/4 solved, SR 75.0 [30.1, 95.4] %"."""
        if not self.total:
            return f"{self.unjudged} episodes, unjudged" if self.unjudged else "no episode is finished"
        rate = self.sr
        left = f", {self.unjudged} unjudged" * bool(self.unjudged)
        return f"{self.solved}/{self.total} solved{left}, SR {'—' if rate is None else rate.text()} %"

    def _settings(self) -> dict[str, Any]:
        names = ("name", "suite", "agent", "planner", "grounder", "memory")
        told: dict[str, Any] = scrub_values({name: getattr(self, name) for name in names})
        return {**told, "label": scrub_values(name_words(self.run.spec))}

    def _counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in ("solved", "total", "unjudged", "void", "planned")}

    def _repr_html_(self) -> str:
        return LoadedRuns((self,))._repr_html_()

    def __repr__(self) -> str:
        return f"<{self.name}: {self.planner} on {self.suite}, {self.text}>"


@dataclass(frozen=True, slots=True, repr=False)
class LoadedRuns(Sequence[RunRecord]):
    """Several runs, in the order in which they were named."""

    runs: tuple[RunRecord, ...]

    def __getitem__(self, at: Any) -> Any:
        """A run by its number or its name; several by a slice."""
        if isinstance(at, str):
            return next(run for run in self.runs if run.name == at)
        return LoadedRuns(self.runs[at]) if isinstance(at, slice) else self.runs[at]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[RunRecord]:
        return iter(self.runs)

    def to_dict(self, metrics: Sequence[str | Metric] = FIGURES) -> dict[str, Any]:
        """The runs as JSON values; see `RunRecord.to_dict`."""
        return {"runs": [run.to_dict(metrics) for run in self.runs]}

    def to_frame(self, metrics: Sequence[str | Metric] = FIGURES) -> Any:
        """The runs as a `pandas.DataFrame`, a row each, with the figures as numbers.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return make_frame([run.numbers(metrics) for run in self.runs])

    def _repr_html_(self) -> str:
        columns = ("run", "suite", "planner", "grounder", "solved", "of", "SR %", "unjudged", "void")
        rows = [
            (
                run.name,
                run.suite,
                run.planner,
                run.grounder,
                str(run.solved),
                str(run.total),
                "—" if (rate := run.sr) is None else rate.text(),
                str(run.unjudged),
                str(run.void),
            )
            for run in self.runs
        ]
        level = self.runs[0].level if self.runs else LEVEL
        return table_html(columns, rows, notes=(f"[…]: {100 * level:g} % confidence intervals",))

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.runs)) or "<no runs>"


def name_of_metric(metric: str | Metric) -> str:
    """What a metric is called in records: its name, in a module its attribute."""
    return metric.rpartition(":")[2] if isinstance(metric, str) else metric.name
