"""Whether figures agree with people who watched the same episodes (OmniBench, figure 5).

Raters say how far a task was completed and how logical the way was, each in steps of ten percent, for the same
episodes. Their mean is correlated (Pearson) with a figure of the episode, and the raters with each other.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean

from scipy import stats  # type: ignore[import-untyped]

from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

ASPECTS = ("completion", "logic")
TENS = tuple(range(0, 101, 10))
"""What raters say of each, in percent."""
LEAST = 4
"""Fewest episodes of which a correlation has an interval (Fisher's transformation)."""


@dataclass(frozen=True, slots=True)
class WatchedEpisode:
    """What one rater said of one episode: completion and logic in percent (`TENS`), and the seconds that it took."""

    episode: str
    rater: str
    completion: int
    logic: int
    seconds: float = 0.0


def check_tens(completion: object, logic: object) -> None:
    """Refuse what is no rating.

    Raises:
        ConfigError: one of the two is not in steps of 10 from 0 to 100.
    """
    for name, value in zip(ASPECTS, (completion, logic), strict=True):
        if isinstance(value, bool) or value not in TENS:
            raise ConfigError(f"{name} must be 0, 10, … 100 (percent), not {value!r}")


def read_watched(path: Path, known: Collection[str] | None = None, rater: str = "") -> list[WatchedEpisode]:
    """The lines of a sheet (CSV) with the columns episode, completion, logic, and perhaps rater and seconds; lines
    where neither completion nor logic is filled in are left out.

    Args:
        known: the episodes that there are; None for any. rater: who filled it in, where the sheet does not say.

    Raises:
        ConfigError: it cannot be read, a column is missing, or a line makes no sense; the message names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise ConfigError(f"the sheet {path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"the sheet {path} is no CSV in UTF-8 ({error}); save it as that") from None
    columns = ("episode", *ASPECTS)
    if rows and (missing := [name for name in columns if name not in rows[0]]):
        raise ConfigError(f"{path} has no column {missing[0]!r}; it needs {', '.join(columns)}")
    found = []
    for number, row in enumerate(rows, 2):
        if any(_percent(row, name) for name in ASPECTS):
            try:
                found.append(_watched(row, known, rater))
            except ConfigError as error:
                raise ConfigError(f"{path}:{number}: {error}") from None
    return found


def _watched(row: Mapping[str, str | None], known: Collection[str] | None, rater: str) -> WatchedEpisode:
    episode = (row["episode"] or "").strip()
    if known is not None and episode not in known:
        raise ConfigError(f"{episode!r} is none of the episodes that are rated here")
    who = (row.get("rater") or "").strip() or rater.strip()
    if not who:
        raise ConfigError("who rated? Fill in the column rater, or give --rater NAME where the command takes it")
    said = [int(one) if one.isdecimal() else one for one in (_percent(row, name) for name in ASPECTS)]
    check_tens(*said)
    return WatchedEpisode(episode, who, int(said[0]), int(said[1]), _seconds(row))


def _seconds(row: Mapping[str, str | None]) -> float:
    said = (row.get("seconds") or "").strip()
    try:
        return float(said.replace(",", ".")) if said else 0.0
    except ValueError:
        raise ConfigError(f"seconds must be a number, not {said!r}") from None


def _percent(row: Mapping[str, str | None], name: str) -> str:
    return (row[name] or "").strip().removesuffix("%").strip()


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """A correlation.

    Attributes:
        first, second: what is correlated. r: Pearson's, with Fisher's interval; the estimate is NaN where one of them
            never varies. episodes: how many.
    """

    first: str
    second: str
    r: Interval
    episodes: int


def agreement_with_people(
    watched: Sequence[WatchedEpisode], figures: Mapping[str, Mapping[str, float]], level: float = LEVEL
) -> list[PeopleAgreement]:
    """Each figure with each aspect as the mean rater sees it, then the raters with each other.

    Args:
        watched: the last of a rater for an episode counts. figures: name → episode's key → value.

    Raises:
        ConfigError: fewer than four of the episodes were watched.
    """
    last = {(one.episode, one.rater): one for one in watched}
    said: dict[str, dict[str, dict[str, int]]] = {aspect: defaultdict(dict) for aspect in ASPECTS}
    for (episode, rater), one in last.items():
        for aspect in ASPECTS:
            said[aspect][episode][rater] = getattr(one, aspect)
    found = []
    for name, values in figures.items():
        common = [episode for episode in said["completion"] if episode in values]
        if len(common) < LEAST:
            raise ConfigError(
                f"{len(common)} of the episodes that were watched are in the run; {LEAST} are needed. An episode is "
                "named TASK#INSTANCE.TRIAL, such as send-message#0.0"
            )
        for aspect in ASPECTS:
            means = [fmean(said[aspect][episode].values()) for episode in common]
            found.append(_correlate(name, aspect, [values[episode] for episode in common], means, level))
    raters = sorted({rater for _, rater in last})
    for aspect in ASPECTS:
        for a, b in combinations(raters, 2):
            both = [one for one in said[aspect].values() if a in one and b in one]
            if len(both) >= LEAST:
                ours, theirs = ([float(one[rater]) for one in both] for rater in (a, b))
                found.append(_correlate(f"{aspect} by {a}", f"by {b}", ours, theirs, level))
    return found


def _correlate(first: str, second: str, a: Sequence[float], b: Sequence[float], level: float) -> PeopleAgreement:
    if len(set(a)) < 2 or len(set(b)) < 2:
        nothing = Interval(float("nan"), None, None, level, "none, as one side never varies", len(a), len(a))
        return PeopleAgreement(first, second, nothing, len(a))
    result = stats.pearsonr(a, b)
    ends = result.confidence_interval(level)
    interval = Interval(float(result.statistic), float(ends.low), float(ends.high), level, "Fisher", len(a), len(a))
    return PeopleAgreement(first, second, interval, len(a))


def people_table(found: Sequence[PeopleAgreement]) -> Table:
    """One row a correlation."""
    rows = []
    for one in found:
        told = "never varies" if one.r.low is None else f"{one.r.estimate:.2f} [{one.r.low:.2f}, {one.r.high:.2f}]"
        rows.append((one.first, one.second, told, str(one.episodes)))
    note = "Pearson's r; OmniBench shows its coefficients in a figure that prints no numbers (figure 5)"
    return Table(("figure", "with", "r", "episodes"), tuple(rows), (note,), labels=2)
