"""Shared parts of pointing scores: reading predictions, and computing figures from hits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic

from omnipilot.bench.pointing.data import DataPointing, S
from omnipilot.bench.pointing.given_answers import Given, read_pointed
from omnipilot.bench.pointing.rows import Rows, match_rows, read_rows
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.ratio import macro_of, mean_of
from omnipilot.envs import ConfigError

SCREENS = "screens"
NO_POINT = "no point: an abstention, or a reply that cannot be read; it counts as wrong"


@dataclass(frozen=True, slots=True)
class Hit:
    """One target, as input to the figures; `key` is the same for the same target in every run."""

    cell: tuple[str, ...]
    screen: str
    right: bool
    void: bool
    key: str


def share(name: str, hits: Sequence[Hit]) -> Figure:
    """The share of hits, with all targets in the denominator; the bootstrap resamples whole screens."""
    items = tuple(Item(hit.key, hit.screen, float(hit.right)) for hit in hits)
    return Figure(name, _mean(hits), len(hits), "items", _voids(hits), _valid(hits, _mean), items=items, noun=SCREENS)


def shares_by_part(parts: Sequence[str], hits: Sequence[Hit]) -> tuple[Figure, ...]:
    """The share of hits of each part, in the order in which they first appear.

    Args:
        parts: the name of the part that each hit belongs to.
    """
    among: dict[str, list[Hit]] = {}
    for part, hit in zip(parts, hits, strict=True):
        among.setdefault(part, []).append(hit)
    return tuple(share(part, some) for part, some in among.items())


def mean_of_cells(name: str, hits: Sequence[Hit]) -> Figure:
    """The unweighted mean of the cells' shares; without items, as a target counts by the size of its cell."""
    return Figure(name, _macro(hits), len(hits), "items", _voids(hits), _valid(hits, _macro))


def _mean(hits: Sequence[Hit]) -> Interval | None:
    return mean_of([float(h.right) for h in hits], [h.screen for h in hits], SCREENS) if hits else None


def _macro(hits: Sequence[Hit]) -> Interval | None:
    cells: dict[tuple[str, ...], tuple[list[float], list[str]]] = {}
    for hit in hits:
        values, screens = cells.setdefault(hit.cell, ([], []))
        values.append(float(hit.right))
        screens.append(hit.screen)
    return macro_of(list(cells.values()), SCREENS) if cells else None


def _voids(hits: Sequence[Hit]) -> int:
    return sum(hit.void for hit in hits)


def _valid(hits: Sequence[Hit], of: Callable[[Sequence[Hit]], Interval | None]) -> Interval | None:
    return of([hit for hit in hits if not hit.void]) if _voids(hits) else None


def percent_of(right: int, total: int) -> str:
    """A table cell: percent, and hits out of all; "—" if empty."""
    return f"{100 * right / total:.1f} ({right}/{total})" if total else "—"


class PointingScore(Generic[S]):
    """Scores of one pointing benchmark; subclasses define loading, parsing of rows, and output."""

    name = ""
    variants: tuple[str, ...] = ("release",)
    format = ""

    def suite(self, options: Mapping[str, Any]) -> DataPointing[S]:
        """The suite with these options, including `data`."""
        raise NotImplementedError

    def whole(self, data: str, rows: Sequence[Record]) -> DataPointing[S]:  # noqa: ARG002
        """The suite with all targets that a prediction file may cover."""
        return self.suite({"data": data})

    def read(self, row: Record, spot: S) -> Given | None:
        """A row's prediction for its target; None if the model could not be called."""
        raise NotImplementedError

    def asked(self, spots: Sequence[S], rows: Rows) -> tuple[tuple[S, ...], tuple[str, ...]]:  # noqa: ARG002
        """The targets that a prediction file covers, and a note if those are not all."""
        return tuple(spots), ()

    def score(self, data: str, predictions: Path, variant: str = "") -> Scored:
        """Score a file of predictions (see `format`), or a directory of `omnipilot ground`.

        Raises:
            ConfigError: no such variant, data or predictions; or a directory of another suite or version of the data.
        """
        variant = variant or self.variants[0]
        if variant not in self.variants:
            raise ConfigError(f"{self.name}: variant must be one of {', '.join(self.variants)}, not {variant!r}")
        if predictions.is_dir():
            return self._run(data, predictions, variant)
        lines = read_rows(predictions)
        suite = self.whole(data, lines)
        rows = match_rows(lines, suite.spots, self.read)
        if len(rows.given) == len(rows.unread):
            stray = "they are for no target of the data" if rows.extra else "the model could not be asked once"
            stray = stray if lines else "it is empty"
            wrong = [*rows.bad, *rows.unread.values()]
            first = f"the first: {wrong[0]}" if wrong else stray
            raise ConfigError(
                f"{predictions.name} has no prediction that can be scored; {first}. Expected: {self.format}"
            )
        spots, notes = self.asked(suite.spots, rows)
        scored = suite.figures(spots, rows.given, variant)
        return replace(scored, extra=(*rows.extra, *map(str, rows.bad)), notes=(*scored.notes, *notes, *rows.notes))

    def _run(self, data: str, folder: Path, variant: str) -> Scored:
        run = read_pointed(folder, self.name)
        suite = self.suite({**run.options, "data": data or run.data})
        if suite.version != run.version:
            raise ConfigError(
                f"{folder} was run on version {run.version} of {self.name}, but the data is version {suite.version}; "
                "give the data that it was run on"
            )
        scored = suite.scored(run.answers, run.limit, run.styles, variant)
        return replace(scored, extra=strangers(suite, [answer.target for answer in run.answers]))


def strangers(suite: DataPointing[S], targets: Sequence[str]) -> tuple[str, ...]:
    """Targets missing from the suite."""
    known = {spot.target.id for spot in suite.spots}
    return tuple(target for target in targets if target not in known)
