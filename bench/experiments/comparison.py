"""Paired comparison of two runs: instances that only one of them solves, and whether the difference is significant.

The two may also be one run under two budgets of turns (`omnipilot.bench.experiments.budget`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.build import gold_parts
from omnipilot.bench.experiments.budget import TurnBudget, budget_notes, under_budget
from omnipilot.bench.journal.provenance import version_changes
from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.run.parts import registry_of
from omnipilot.bench.scoring.compared_figures import compare_runs
from omnipilot.bench.scoring.efficiency import NAMES as EFFICIENCY
from omnipilot.bench.scoring.efficiency import efficiency, efficiency_difference, has_eqa
from omnipilot.bench.scoring.eqa_curve import Curve, eqa_curve
from omnipilot.bench.scoring.figure_difference import on_common_items
from omnipilot.bench.scoring.score import Figure
from omnipilot.bench.spec import RunSpec, differences, essence
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval
from omnipilot.bench.stats.outcomes import FIGURES, outcomes, says_anything
from omnipilot.bench.stats.paired import (
    POWER,
    Difference,
    Pair,
    contrast,
    difference,
    either_mean,
    mcnemar,
    pair,
    valid_only,
)
from omnipilot.bench.stats.pointing import pointing_accuracy, pointing_difference
from omnipilot.bench.stats.scopes import scopes_of
from omnipilot.bench.stats.summary import EpisodeOutcome, cells, per_instance
from omnipilot.bench.stats.trials import pass_all, pass_at
from omnipilot.bench.tasks.figures import termination
from omnipilot.bench.tasks.variation import VARY
from omnipilot.envs import ConfigError

POINTED = "pointed right"
"""The row that says how often runs pointed right, of all places for which it can be told."""


@dataclass(frozen=True, slots=True)
class Flip:
    """An instance that one run solves more often than the other.

    Attributes:
        a, b: solved out of tried. how: the distinct endings of the worse run's failures.
    """

    task: str
    instance: int
    a: tuple[int, int]
    b: tuple[int, int]
    how: str

    @property
    def gain(self) -> float:
        """B's success rate minus A's, in -1..1."""
        return self.b[0] / self.b[1] - self.a[0] / self.a[1]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One metric of both runs over their pairs, with intervals, and the difference B - A.

    Attributes:
        among: the tasks that it is over, such as "several apps"; "" for all.
        figure: the figure of A, where it was asked for by name; it says how to print the numbers.
    """

    name: str
    a: Interval
    b: Interval
    difference: Difference
    among: str = ""
    figure: Figure | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Run B compared with run A on the instances that both have.

    Attributes:
        names: of A and B, with their budgets. level, power: as requested.
        pairs: how many instances both have; only_a, only_b: "task#instance" that one has.
        tasks: number of tasks in the pairs. void: void episodes among the pairs, for each run.
        rows: figures with their differences, in the order of the table; SR first.
        scopes: SR among tasks with one and with several applications and devices, where there are both, and the
            difference between the two.
        curves: SR reached against the share of the budget spent, of A and B; empty where there is no EQA.
        valid: SR without void episodes; None if none is void or all are.
        flips: gains first, the largest first.
        mcnemar: only A, only B, p; or why it is unavailable.
        shared: whether tasks share templates.
        specs: differences between the runs other than suite and tasks. incomplete: their unfinished parts.
        gold: the parts of each that know the solution or the true screen. agents: of each.
        budgets: notes on the budgets, or on why there is no EQA. one_run: A and B are one run under two budgets.
        checks: what checks found in the paired episodes, a line for each run that has any; empty with budgets.
    """

    names: tuple[str, str]
    level: float
    power: float
    pairs: int
    tasks: int
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    void: tuple[int, int]
    rows: tuple[ComparisonRow, ...]
    valid: ComparisonRow | None
    scopes: tuple[ComparisonRow, ...]
    curves: tuple[Curve, ...]
    flips: tuple[Flip, ...]
    mcnemar: tuple[int, int, float] | str
    shared: bool
    specs: tuple[str, ...]
    incomplete: tuple[str, ...]
    gold: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    agents: tuple[AgentSpec, ...] = ()
    budgets: tuple[str, ...] = ()
    one_run: bool = False
    checks: tuple[str, ...] = ()


def compare(
    a: Run,
    b: Run,
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
    budgets: tuple[TurnBudget, TurnBudget] | None = None,
    figures: Sequence[str] = (),
) -> Comparison:
    """Compare two runs of one suite by task and instance, or one run under two budgets.

    Args:
        budgets: of A and of B; None for the limits that they were run with. With budgets, only SR and what follows from
            success and turns is compared: the rest is not known at the moment of a cut.
        figures: names of further figures, see `run_figures`; by default the headline of the benchmark, where it is not
            SR and both runs are compared whole.

    Raises:
        ConfigError: the suites differ, they share no task and instance, nobody judged one of them, or one run is to be
            compared with itself.
    """
    _same_suite(a, b)
    for run in (a, b):
        if run.episodes and not judged_episodes(run.episodes):
            raise ConfigError(f"nobody judged the episodes of {run.name}: give its tasks checks, and run them again")
    one_run = (a.spec, a.episodes) == (b.spec, b.episodes)
    said: list[str] = []
    if budgets is not None:
        if one_run and budgets[0] == budgets[1]:
            raise ConfigError(f"{a.name} under one budget has nothing to compare; give it two, such as --turns 15,50")
        said = [note for run, budget in zip((a, b), budgets, strict=True) for note in budget_notes(run, budget)]
        a, b = under_budget(a, budgets[0]), under_budget(b, budgets[1])
    one_run = one_run and budgets is not None
    pairs, only_a, only_b = pair(outcomes(a.episodes), outcomes(b.episodes))
    row = partial(compared_figure, level=level, power=power, resamples=resamples, seed=seed, test=not one_run)
    apart = partial(contrast, level=level, resamples=resamples, seed=seed, test=not one_run)
    both = {(one.task, one.instance) for one in pairs}
    ours, theirs = _among(a.episodes, both), _among(b.episodes, both)
    rows = [row(name, found) for name, found in paired_shares(a, b).items() if name != "CR"]
    timed = has_eqa(ours) and has_eqa(theirs)
    if timed:
        rows += _efficiency_rows(ours, theirs, level, resamples, seed, not one_run)
    elif any(one.turn_limit and not one.recorded for one in (*ours, *theirs)):
        said.append("no EQA: not every episode had a turn limit; --turns N gives each one")
    for name in FIGURES:
        if name != "SR" and budgets is None and says_anything(ours, name) and says_anything(theirs, name):
            rows.append(row(name, pair(outcomes(ours, name), outcomes(theirs, name))[0]))
    if budgets is None:
        rows += _pointing_rows(ours, theirs, level, resamples, seed)
    if budgets is None:
        more, unpaired = _figure_rows(a, b, figures, level, power, resamples, seed)
        rows += more
        said += unpaired
    elif figures:
        raise ConfigError("--figures compares whole runs; under budgets, only success and turns are known")
    void = sum(e.void for e in ours), sum(e.void for e in theirs)
    left = valid_only(pairs) if any(void) else []
    exact: tuple[int, int, float] | str
    try:
        exact = "there is one run only" if one_run else mcnemar(pairs)
    except ConfigError as refusal:
        exact = str(refusal)
    return Comparison(
        (a.name, b.name),
        level,
        power,
        len(pairs),
        len({one.task for one in pairs}),
        tuple(f"{task}#{instance}" for task, instance in only_a),
        tuple(f"{task}#{instance}" for task, instance in only_b),
        void,
        tuple(rows),
        row("SR", left) if left else None,
        _scope_rows(pairs, ours, theirs, row, apart),
        (eqa_curve(ours), eqa_curve(theirs)) if timed else (),
        _flips(pairs, ours, theirs),
        exact,
        _shared(pairs),
        tuple(_differ(a, b)),
        tuple(f"{run.name}: {len(run.episodes)} of {run.planned} episodes" for run in (a, b) if _open(run)),
        (gold_parts(a.spec.agent), gold_parts(b.spec.agent)),
        (a.spec.agent, b.spec.agent),
        tuple(said),
        one_run,
        () if budgets is not None else (*_checked(a.name, ours), *_checked(b.name, theirs)),
    )


def compared_figure(
    name: str,
    pairs: Sequence[Pair],
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
    test: bool = True,
    among: str = "",
) -> ComparisonRow:
    """The row of a figure that is a mean over pairs.

    Args:
        name: of the figure; `pairs` hold its values. The others are those of `difference`.

    Raises:
        ConfigError: there is no pair.
    """
    apart = difference(pairs, level, power, resamples, seed, test)
    return ComparisonRow(name, *either_mean(pairs, level, resamples, seed), apart, among)


def paired_shares(a: Run, b: Run) -> dict[str, list[Pair]]:
    """The pairs of figures that are means of shares, by their names in tables: SR, with several trials pass^k and
    pass@k, and CR.

    Empty lists where the runs share no task and instance.
    """
    found = {name: pair(outcomes(a.episodes, name), outcomes(b.episodes, name))[0] for name in ("SR", "CR")}
    both = {(one.task, one.instance) for one in found["SR"]}
    ours, theirs = (outcomes(_among(run.episodes, both)) for run in (a, b))
    return {"SR": found["SR"], **dict(_over_trials(ours, theirs)), "CR": found["CR"]}


def narrow(run: Run, instance: int | None, trial: int | None) -> Run:
    """Restrict a run to one instance or one trial.

    Raises:
        ConfigError: it has no such episode.
    """
    kept = tuple(e for e in run.episodes if instance in (None, e.instance) and trial in (None, e.trial))
    if not kept:
        raise ConfigError(f"{run.name} has no episode of --instance {instance} --trial {trial}; both count from 0")
    less = (1 if instance is None else run.spec.instances) * (1 if trial is None else run.spec.trials)
    folder = run.folder if len(kept) == len(run.episodes) else None
    return replace(run, episodes=kept, folder=folder, planned=max(run.planned // less, len(kept)))


def _checked(name: str, episodes: Sequence[Episode]) -> tuple[str, ...]:
    """What checks found in a run, in words; empty if there was nothing that they could tell."""
    if not (checked := sum(one.checked for one in episodes)):
        return ()
    violated, repaired = sum(one.violated for one in episodes), sum(one.repaired for one in episodes)
    told = f"{name}: {violated} of {checked} expectations violated, {violated / len(episodes):.2f} an episode"
    return (f"{told}; moves repaired: {repaired}" if repaired else told,)


def _efficiency_rows(
    a: Sequence[Episode], b: Sequence[Episode], level: float, resamples: int, seed: int, test: bool
) -> list[ComparisonRow]:
    """EQA, EQ1 and EQ2; EQ1 only where both solve something."""
    ours, theirs = efficiency(a, level, resamples, seed), efficiency(b, level, resamples, seed)
    assert ours is not None and theirs is not None
    rows = []
    for name in EFFICIENCY:
        left, right = ours.figure(name), theirs.figure(name)
        apart = efficiency_difference(a, b, name, level, resamples, seed, test)
        if left is not None and right is not None and apart is not None:
            rows.append(ComparisonRow(name, left, right, apart))
    return rows


def _scope_rows(
    pairs: Sequence[Pair],
    a: Sequence[Episode],
    b: Sequence[Episode],
    row: Callable[..., ComparisonRow],
    apart: Callable[..., tuple[Interval, Interval, Difference]],
) -> tuple[ComparisonRow, ...]:
    """SR among the tasks of each scope, with the number of pairs, and of several minus one; see `scopes_of`."""
    found = []
    for scopes in scopes_of([*a, *b]):
        for one in scopes:
            some = [each for each in pairs if each.task in one.tasks]
            found.append(row("SR", some, among=f"{one.words} ({len(some)})"))
        of = {one.count: one for one in scopes}
        if "one" in of and "several" in of:
            first, second = of["one"], of["several"]
            words = f"{second.words} − {first.words}"
            found.append(ComparisonRow("SR", *apart(pairs, first.tasks, second.tasks), words))
    return tuple(found)


def _pointing_rows(
    a: Sequence[Episode], b: Sequence[Episode], level: float, resamples: int, seed: int
) -> list[ComparisonRow]:
    """Pointing accuracy, where it can be told of both runs."""
    left, right = (pointing_accuracy(episodes, level, resamples, seed) for episodes in (a, b))
    apart = pointing_difference(a, b, level, resamples, seed)
    if left is None or right is None or apart is None:
        return []
    return [ComparisonRow(POINTED, left, right, apart)]


def _over_trials(a: Sequence[EpisodeOutcome], b: Sequence[EpisodeOutcome]) -> list[tuple[str, list[Pair]]]:
    """pass^k and pass@k, with the fewest trials that any instance has in either run; nothing for single trials."""
    k = min((len(trials) for found in (a, b) for trials in cells(found).values()), default=0)
    if k < 2:
        return []
    return [
        (f"pass{sign}{k}", pair(per_instance(a, of, k), per_instance(b, of, k))[0])
        for sign, of in (("^", pass_all), ("@", pass_at))
    ]


def _figure_rows(
    a: Run, b: Run, names: Sequence[str], level: float, power: float, resamples: int, seed: int
) -> tuple[list[ComparisonRow], list[str]]:
    """Further figures over the items that both runs have, and a note on those that cannot be paired."""
    rows, notes = [], []
    theirs_of_a, row = compare_runs([a, b], names, 0, level, power, resamples, seed)
    for first, second in zip(theirs_of_a, row, strict=True):
        ours, theirs = on_common_items(first.figure, second.figure, level, resamples, seed)
        if ours.interval is not None and theirs.interval is not None and second.difference is not None:
            rows.append(
                ComparisonRow(ours.short or ours.name, ours.interval, theirs.interval, second.difference, "", ours)
            )
        elif ours.interval is not None and theirs.interval is not None:
            told = " and ".join(one.text(ours.digits, ours.scale) for one in (ours.interval, theirs.interval))
            notes.append(f"{ours.heading} is {told}, and cannot be paired")
    return rows, notes


def _flips(pairs: Sequence[Pair], a: Sequence[Episode], b: Sequence[Episode]) -> tuple[Flip, ...]:
    found = []
    for one in pairs:
        if one.difference == 0:
            continue
        worse = b if one.difference < 0 else a
        failed = [e for e in worse if (e.task, e.instance) == (one.task, one.instance) and not e.success]
        how = ", ".join(dict.fromkeys(termination(e.reason, e.status, e.success) for e in failed))
        found.append(Flip(one.task, one.instance, _solved(one.a), _solved(one.b), how))
    return tuple(sorted(found, key=lambda flip: (-flip.gain, flip.task, flip.instance)))


def _solved(trials: Sequence[EpisodeOutcome]) -> tuple[int, int]:
    return round(sum(trial.value for trial in trials)), len(trials)


def _shared(pairs: Sequence[Pair]) -> bool:
    tasks: dict[str, set[str]] = {}
    for one in pairs:
        for name in one.templates:
            tasks.setdefault(name, set()).add(one.task)
    return any(len(found) > 1 for found in tasks.values())


def _among(episodes: Sequence[Episode], both: set[tuple[str, int]]) -> list[Episode]:
    return [episode for episode in episodes if (episode.task, episode.instance) in both]


def _open(run: Run) -> bool:
    return len(run.episodes) < run.planned


def _same_suite(a: Run, b: Run) -> None:
    # Variations of a task are compared with one another; the differences of the runs name them.
    ours, theirs = (
        {
            "suite": essence(replace(spec, suite=spec.suite.without_options(VARY)).to_json())["suite"],
            "version": spec.suite_version,
        }
        for spec in _spelt_out(a.spec, b.spec)
    )
    if lines := differences(ours, theirs):
        raise ConfigError(
            f"{a.name} and {b.name} cannot be compared: their suite, version or "
            f"options differ; run both again with the same ones ({'; '.join(_between(a, b, lines))})"
        )


def _differ(a: Run, b: Run) -> list[str]:
    """Differences between their specifications other than tasks, instances and trials, and between the versions of
    what they were made with."""
    left_out = {"tasks", "instances", "trials", "prompts", "code"}
    told = (essence(spec.to_json()) for spec in _spelt_out(a.spec, b.spec))
    ours, theirs = ({k: v for k, v in one.items() if k not in left_out} for one in told)
    return [*_between(a, b, differences(ours, theirs)), *_other_code(a, b), *_other_texts(a, b), *_other_versions(a, b)]


def _spelt_out(a: RunSpec, b: RunSpec) -> tuple[RunSpec, RunSpec]:
    """Two specifications, each with the defaults of its parts that the other one spells out."""
    return _filled(a, b), _filled(b, a)


def _filled(spec: RunSpec, other: RunSpec) -> RunSpec:
    parts: dict[str, Any] = {
        part.name: registry_of(part.name).with_defaults(mine, theirs)
        for part in fields(spec.agent)
        if isinstance(mine := getattr(spec.agent, part.name), PartSpec)
        and isinstance(theirs := getattr(other.agent, part.name), PartSpec)
    }
    suite = registry_of("suite").with_defaults(spec.suite, other.suite)
    return replace(spec, suite=suite, agent=replace(spec.agent, **parts))


def _other_code(a: Run, b: Run) -> list[str]:
    """The parts that both have, and whose source was edited in between."""
    ours, theirs = a.spec.code or {}, b.spec.code or {}
    changed = [name for name, code in ours.items() if theirs.get(name, code) != code]
    return [f"{', '.join(changed)}: other code in {b.name} than in {a.name}"] if changed else []


def _other_texts(a: Run, b: Run) -> list[str]:
    """What parts of one name and with the same options state of themselves and is not the same, such as a prompt.

    Of parts that are others it says nothing: they have other prompts, of course.
    """
    if a.spec.agent != b.spec.agent:
        return []
    ours, theirs = a.spec.prompts, b.spec.prompts
    changed = sorted(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))
    return [f"{', '.join(changed)}: another text in {b.name} than in {a.name}"] if changed else []


def _other_versions(a: Run, b: Run) -> list[str]:
    """What the last starts of two runs were made with in other versions, in one line."""
    before, after = (run.made_with[-1] if run.made_with else {} for run in (a, b))
    changed = version_changes(before, after)
    if not changed:
        return []
    told = ", ".join(f"{name} {was or 'none'} and {now or 'none'}" for name, (was, now) in changed.items())
    return [f"versions, in {a.name} and in {b.name}: {told}"]


def _between(a: Run, b: Run, lines: Sequence[str]) -> list[str]:
    """Lines of `differences`, worded for two runs."""
    said = []
    for line in lines:
        name, _, rest = line.partition(": ")
        there, _, here = rest.rpartition(" there, ")
        said.append(f"{name}: {here.removesuffix(' asked for')} in {a.name}, {there} in {b.name}")
    return said
