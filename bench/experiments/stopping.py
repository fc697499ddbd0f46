"""What stopping rules change, and a rule that is learned from a development run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path

from omnipilot.agents.wrappers.stopping import FEATURES, FittedRule
from omnipilot.agents.wrappers.stopping.learned import fit_logistic, row_of
from omnipilot.bench.experiments.budget import TurnBudget
from omnipilot.bench.experiments.comparison import Comparison, ComparisonRow, compare
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import SUCCESS
from omnipilot.bench.journal.run import Run
from omnipilot.bench.registry import SUITES
from omnipilot.bench.run.task_selection import SPLIT
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.envs import ConfigError

FIGURES = ("SR", "after success", "ended early", "EQA", "EQ1", "EQ2")
"""What a rule is judged by, in the order of the table."""
UNDER_BUDGETS = ("SR", "EQA", "EQ1", "EQ2")
"""What is known of a run at the moment of a cut."""
TEST = "test"
"""The split, by the tag of tasks or the suite's option, that nothing may be fitted on."""


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn of a development run: the numbers of the turn, and whether going on solved the task.

    Attributes:
        key: of the run and the episode. numbers: in the order of `FEATURES`, see `row_of`.
        solves: the task was not solved yet, and was solved later in the episode. Where only the judges that wait for
            the end could tell, each turn of a solved episode led to it.
    """

    key: str
    numbers: tuple[float, ...]
    solves: bool


def compare_stops(
    runs: Sequence[Run], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> list[tuple[str, ComparisonRow]]:
    """Each run beside the first one, which has no rule: the name of the run and a figure of `FIGURES`, run by run.

    Args:
        runs: of one suite, the one without a rule first.

    Raises:
        ConfigError: fewer than two runs, or as `compare`.
    """
    if len(runs) < 2:
        raise ConfigError("one run has nothing to compare; give the run without a rule first, then those with one")
    found = []
    for run in runs[1:]:
        one = compare(runs[0], run, level, resamples=resamples, seed=seed, figures=("after-success", "ended-early"))
        found += [(run.name, row) for row in _in_order(one, FIGURES)]
    return found


def compare_budgets(
    runs: Sequence[Run],
    budgets: tuple[TurnBudget, TurnBudget],
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[tuple[str, ComparisonRow]]:
    """Each run under two budgets of turns: the name of the run and a figure of `UNDER_BUDGETS`.

    Raises:
        ConfigError: as `compare`.
    """
    found = []
    for run in runs:
        one = compare(run, run, level, resamples=resamples, seed=seed, budgets=budgets)
        found += [(run.name, row) for row in _in_order(one, UNDER_BUDGETS)]
    return found


def _in_order(found: Comparison, names: Sequence[str]) -> list[ComparisonRow]:
    titles = {(one.figure.name if one.figure is not None else one.name): one for one in found.rows}
    return [titles[name] for name in names if name in titles]


def fit_stop(folders: Sequence[Path], ridge: float = 1.0) -> FittedRule:
    """Fit the rule `learned` on development runs that recorded their numbers (any `--stop`, such as `watch`).

    Args:
        folders: run directories. ridge: see `fit_logistic`.

    Raises:
        ConfigError: a run is one of a test split, or recorded no numbers; or all turns have the same outcome.
    """
    turns: list[JudgedTurn] = []
    about: list[str] = []
    for folder in folders:
        run = load_run(folder)
        _refuse_test(run)
        mine = list(judged_turns(folder))
        if not mine:
            raise ConfigError(f"{folder} recorded no numbers for a stopping rule; run it with --stop watch --go-on")
        if not run.spec.go_on:
            raise ConfigError(
                f"{folder} ends each episode where it is solved, so it does not show what comes after; run it with "
                "--go-on"
            )
        turns += mine
        about.append(f"{run.spec.suite.name} {_split_of(run)}".strip() + f": {run.name}")
    rows, outcomes = [one.numbers for one in turns], [one.solves for one in turns]
    bias, weights = fit_logistic(rows, outcomes, ridge)
    share = sum(outcomes) / len(outcomes)
    rule = FittedRule(bias, dict(zip(FEATURES, weights, strict=True)))
    likely = [1 / (1 + math.exp(-(bias + sum(w * x for w, x in zip(weights, row, strict=True))))) for row in rows]
    fitted = {
        "runs": about,
        "episodes": len({one.key for one in turns}),
        "turns": len(turns),
        "solves": sum(outcomes),
        "loss": round(_loss(likely, outcomes), 4),
        "base": round(_loss([share] * len(outcomes), outcomes), 4),
    }
    return FittedRule(rule.bias, rule.weights, fitted)


def judged_turns(folder: Path) -> Iterator[JudgedTurn]:
    """The turns of a run's finished episodes that have numbers, each with what came of going on.

    The turn in which a rule ended the episode is left out: nobody knows what would have come of going on.
    """
    open_turns: dict[tuple[str, int], list[tuple[int, tuple[float, ...]]]] = {}
    solved: dict[tuple[str, int], int] = {}
    total: dict[tuple[str, int], int] = {}
    for event in read(folder):
        if isinstance(event, EpisodeStarted):
            total[event.key, event.attempt] = len(event.nodes)
        elif isinstance(event, TurnTaken) and event.stopping and not event.stopping.get("why"):
            row = tuple(row_of(event.stopping["evidence"]))
            open_turns.setdefault((event.key, event.attempt), []).append((event.turn, row))
        elif isinstance(event, StepTaken):
            at = (event.key, event.attempt)
            if event.completed and event.completed == total.get(at):
                solved.setdefault(at, event.turn)
        elif isinstance(event, EpisodeEnded) and not event.void:
            at = (event.key, event.attempt)
            last = solved.get(at, math.inf if event.reason == SUCCESS else -1)
            for turn, row in open_turns.pop(at, []):
                yield JudgedTurn(f"{folder}: {event.key}", row, turn <= last)


def _split_of(run: Run) -> str:
    """The split that a run's suite was asked for, or has where nobody asks; "" where it has none."""
    if SPLIT in run.spec.suite.options:
        return str(run.spec.suite.options[SPLIT])
    takes = signature(SUITES.load(run.spec.suite.name)).parameters.get(SPLIT)
    return takes.default if takes is not None and isinstance(takes.default, str) else ""


def _refuse_test(run: Run) -> None:
    if _split_of(run) == TEST or any(episode.tags.get(SPLIT) == TEST for episode in run.episodes):
        raise ConfigError(
            f"{run.name} has tasks of the test split, on which nothing may be fitted; fit on a development run, and "
            "test on this one"
        )


def _loss(likely: Sequence[float], outcomes: Sequence[bool]) -> float:
    """Mean log loss, in nats."""
    tiny = 1e-12
    return -sum(math.log(max(tiny, p if y else 1 - p)) for p, y in zip(likely, outcomes, strict=True)) / len(outcomes)
