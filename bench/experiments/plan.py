"""Power planning: how many tasks, trials, dollars and hours it takes to detect a difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.paired import POWER
from omnipilot.bench.stats.power import VarianceSources, tasks_needed
from omnipilot.bench.stats.sign_flips import fewest
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

REPEATS = (1, 2, 3, 5)
"""Instances of a task, and trials of an instance, that designs are tried with."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions of a plan. Measurements from a pilot override them.

    Attributes:
        rate: share of episodes that the worse of the two systems solves, 0..1; the other solves the wanted difference
            more.
        noise: share of the variance between trials of one instance. content: between instances of one task.
            The rest is between tasks.
        agreement: correlation of two systems' success over tasks and instances: 1 if both find the same ones hard.
        cost: dollars per episode. seconds: wall time per episode. None if unknown.
    """

    rate: float = 0.5
    noise: float = 0.3
    content: float = 0.2
    agreement: float = 0.5
    cost: float | None = None
    seconds: float | None = None

    @property
    def shares(self) -> dict[str, float]:
        """Shares of the variance by level: trial, instance, task."""
        return {"trial": self.noise, "instance": self.content, "task": 1 - self.noise - self.content}

    def __post_init__(self) -> None:
        for name in ("rate", "noise", "content", "agreement"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be between 0 and 1, not {getattr(self, name):g}")
        if not 0 < self.rate < 1:
            raise ConfigError("rate must be above 0 and below 1: without variance there is nothing to plan")
        if self.noise + self.content > 1:
            raise ConfigError(
                f"noise and content are shares of the same variance, so their sum must be at most 1, "
                f"not {self.noise:g} + {self.content:g}"
            )
        for name in ("cost", "seconds"):
            if (value := getattr(self, name)) is not None and value < 0:
                raise ConfigError(f"{name} cannot be negative: {value:g}")


@dataclass(frozen=True, slots=True)
class Basis:
    """The inputs of a plan, with a line on the source of each."""

    noise: VarianceSources
    cost: float | None
    seconds: float | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Design:
    """One design. `episodes`, `dollars` and `hours` are for both systems together; None if unknown."""

    tasks: int
    instances: int
    trials: int
    episodes: int
    dollars: float | None
    hours: float | None


def assumed_basis(assumptions: Assumptions, wanted: float) -> Basis:
    """A basis without a pilot.

    With the shares p < q = p + wanted that they solve, one trial of each differs with the variance p(1 − p) + q(1 − q)
    − 2c. The covariance c is `agreement` of what is not between trials, and at most p(1 − q): of what the worse solves,
    the better can solve no more than all (Fréchet's bound; Connor, "Sample size for testing differences in proportions
    for the paired-sample design", Biometrics 43, 1987).

    Args:
        wanted: difference in 0..1.

    Raises:
        ConfigError: no system can be better by that much.
    """
    low, high = assumptions.rate, assumptions.rate + wanted
    if high > 1 + 1e-9:
        raise ConfigError(
            f"a system {100 * wanted:g} points better than one that solves {100 * low:g} % would solve "
            f"{100 * high:g} %; give the weaker system's --rate, at most {1 - wanted:.4g}, or a smaller --difference"
        )
    high = min(1.0, high)
    both = low * (1 - low) + high * (1 - high)
    alike = (1 - assumptions.noise) * math.sqrt(low * (1 - low) * high * (1 - high))
    together = min(assumptions.agreement * alike, low * (1 - high))
    lasting = max(0.0, both * (1 - assumptions.noise) - 2 * together)
    content = assumptions.content / (1 - assumptions.noise) if assumptions.noise < 1 else 0.0
    noise = VarianceSources(lasting * (1 - content), lasting * content, both * assumptions.noise, there=True)
    most = low * (1 - high) / alike if alike else 1.0
    agreement = f"{assumptions.agreement:g}" if most >= assumptions.agreement else f"{most:.2g}, the most that can be,"
    lines = (
        f"assumed: {100 * low:g} % solved by the worse and {100 * high:g} % by the better; of the variance "
        f"{100 * assumptions.noise:g} % between trials, {100 * assumptions.content:g} % between instances, the rest "
        "between tasks",
        f"assumed: the systems' success correlates with {agreement} over tasks; no templates are shared",
        *price_lines(assumptions, "assumed", "assumed"),
    )
    return Basis(noise, assumptions.cost, assumptions.seconds, lines)


def designs(
    wanted: float, basis: Basis, level: float = LEVEL, power: float = POWER, jobs: int = 1, most: int | None = None
) -> list[Design]:
    """Designs that detect the difference, fewest episodes first; designs with more episodes only if they save tasks.

    Args:
        wanted: difference in 0..1. jobs: parallel episodes. most: number of available tasks; None for no limit.
    """
    check_level(level)
    if jobs < 1:
        raise ConfigError(f"jobs must be at least 1, not {jobs}")
    found = []
    for instances, trials in product(REPEATS, REPEATS):
        tasks = tasks_needed(wanted, basis.noise, instances, trials, level, power)
        if most is not None and tasks > most:
            continue
        episodes = 2 * tasks * instances * trials
        dollars = None if basis.cost is None else episodes * basis.cost
        hours = None if basis.seconds is None else episodes * basis.seconds / 3600 / jobs
        found.append(Design(tasks, instances, trials, episodes, dollars, hours))
    found.sort(key=lambda design: (design.episodes, design.tasks, design.trials))
    return [one for i, one in enumerate(found) if all(one.tasks < other.tasks for other in found[:i])]


def plan_table(
    wanted: float, basis: Basis, level: float = LEVEL, power: float = POWER, jobs: int = 1, most: int | None = None
) -> Table:
    """One row per design, see `designs`; none if no design of so many tasks detects the difference."""
    found = designs(wanted, basis, level, power, jobs, most)
    rows = tuple(
        (
            str(one.tasks),
            str(one.instances),
            str(one.trials),
            str(one.episodes),
            "—" if one.dollars is None else f"{one.dollars:,.2f}",
            "—" if one.hours is None else f"{one.hours:,.1f}",
        )
        for one in found
    )
    notes = [
        f"to show a difference of {100 * wanted:g} points in {100 * power:g} % of cases, two-sided, at "
        f"{100 * (1 - level):.3g} %; paired by task and instance",
        f"episodes, dollars and hours ({jobs} at once) are those of both systems; fewest episodes first",
        f"fewer than {fewest(level)} tasks, or groups of tasks that share templates, show nothing at that level",
        *basis.lines,
    ]
    return Table(("tasks", "instances", "trials", "episodes", "dollars", "hours"), rows, tuple(notes), labels=0)


@dataclass(frozen=True, slots=True)
class TaskPool:
    """The tasks that a study can choose from.

    Attributes:
        name: of the suite, or "--tasks". tasks: how many there are, at least 1. every: how many in all splits.
        sharing: whether some share templates.
    """

    name: str
    tasks: int
    every: int
    sharing: bool = False

    @property
    def words(self) -> str:
        """As a sentence names them: "40 tasks of duet (120 in all splits)"."""
        more = f" ({self.every} in all splits)" if self.every > self.tasks else ""
        return f"{self.tasks} task{'' if self.tasks == 1 else 's'}{f' of {self.name}' if self.name else ''}{more}"


def plan_sentences(
    wanted: float,
    basis_at: Callable[[float], Basis],
    level: float = LEVEL,
    power: float = POWER,
    pool: TaskPool | None = None,
) -> list[str]:
    """What a plan says, above its table: the cheapest design, or that there is none and what could be shown instead.

    Args:
        wanted: difference in 0..1. basis_at: the basis if that is the difference, as an assumed one depends on it.
        pool: the tasks that there are; None if as many as are needed.
    """
    found = designs(wanted, basis_at(wanted), level, power, most=pool.tasks if pool else None)
    show = f"a difference of {100 * wanted:g} points"
    if pool is None:
        return [f"To show {show} takes {found[0].tasks} tasks, {_repeats(found[0])} under each system."]
    first = (
        f"To show {show} takes {found[0].tasks} of the {pool.words}, {_repeats(found[0])} under each system."
        if found
        else f"The {pool.words} cannot show {show}, however many instances of each and trials of those are run (up to "
        f"{REPEATS[-1]} of either were tried)."
    )
    sentences = [first]
    shown = []
    for instances, trials in ((1, 1), (REPEATS[-2], 1), (REPEATS[-1], REPEATS[-1])):
        least = smallest_shown(basis_at, pool.tasks, instances, trials, level, power)
        if least is not None:
            how = _repeats(Design(pool.tasks, instances, trials, 0, None, None))
            shown.append(f"{100 * least:.0f} points ({how})")
    if shown:
        all_ = "it shows" if pool.tasks == 1 else f"all {pool.tasks} show"
        sentences.append(f"The smallest difference that {all_} is {', '.join(shown)}.")
    else:
        sentences.append("They show no difference at all.")
    if not found:
        sentences.append("Plan for a larger difference, or add tasks of other splits or suites.")
    if pool.sharing:
        sentences.append("Some of them share templates; a pilot tells what that costs (--pilot).")
    return sentences


def pool_table(basis_at: Callable[[float], Basis], pool: TaskPool, level: float = LEVEL, power: float = POWER) -> Table:
    """What all tasks of a pool show: one row for so many instances and trials, with the smallest difference.

    Args:
        basis_at: the basis if that is the difference; differences for which it raises `ConfigError` cannot be.
    """
    rows = []
    for instances, trials in product(REPEATS, REPEATS):
        least = smallest_shown(basis_at, pool.tasks, instances, trials, level, power)
        episodes = 2 * pool.tasks * instances * trials
        shown = "—" if least is None else f"{100 * least:.0f}"
        rows.append((str(pool.tasks), str(instances), str(trials), str(episodes), shown))
    note = (
        f"detectable: the smallest difference, in points, that is shown in {100 * power:g} % of cases, two-sided, at "
        f"{100 * (1 - level):.3g} %; paired by task and instance"
    )
    return Table(("tasks", "instances", "trials", "episodes", "detectable"), tuple(rows), (note,), labels=0)


def smallest_shown(
    basis_at: Callable[[float], Basis],
    tasks: int,
    instances: int,
    trials: int,
    level: float = LEVEL,
    power: float = POWER,
) -> float | None:
    """The smallest difference, in steps of a point, that a design shows; None if it shows none.

    Args:
        basis_at: the basis if that is the difference; differences for which it raises `ConfigError` cannot be.
    """
    for step in range(1, 100):
        wanted = step / 100
        try:
            noise = basis_at(wanted).noise
        except ConfigError:
            return None
        least = noise.detectable(tasks, instances, trials, level, power)
        if least is not None and least <= wanted + 1e-9:
            return wanted
    return None


def _repeats(one: Design) -> str:
    """How often a task is played: "each once", "with 3 instances of each and 2 trials of those"."""
    if one.instances == one.trials == 1:
        return "each once"
    if one.trials == 1:
        return f"with {one.instances} instances of each"
    if one.instances == 1:
        return f"with {one.trials} trials of each"
    return f"with {one.instances} instances of each and {one.trials} trials of those"


def price_lines(known: Assumptions, cost_from: str, seconds_from: str) -> list[str]:
    """Cost and time per episode with their sources, or how to supply them."""
    cure = "say it with --{}, or give a pilot that tells"
    return [
        f"dollars unknown: {cure.format('cost')}"
        if known.cost is None
        else f"{cost_from}: ${known.cost:.4g} an episode",
        f"hours unknown: {cure.format('seconds')}"
        if known.seconds is None
        else f"{seconds_from}: {known.seconds:.4g} s an episode",
    ]
