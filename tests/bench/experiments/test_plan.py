"""Plans: what a wanted difference needs, from assumptions and from pilots."""

from __future__ import annotations

import re
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from exact_power import power_of
from made_runs import a_run, episode
from toy_suite import toy_spec

from omnipilot.bench import Episode
from omnipilot.bench.cli.commands.plan import PlanOptions, plan_command
from omnipilot.bench.experiments import designs
from omnipilot.bench.experiments.pilot import divide_variance, pilot_basis
from omnipilot.bench.experiments.plan import (
    Assumptions,
    Basis,
    TaskPool,
    assumed_basis,
    plan_sentences,
    plan_table,
    pool_table,
)
from omnipilot.bench.run import run
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.stats.components import Components
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import difference, pair
from omnipilot.bench.stats.power import tasks_needed
from omnipilot.envs import ConfigError

SHARES = Assumptions().shares


def pilot(seed: int, tasks: int = 60, instances: int = 2, trials: int = 3, better: float = 0.0) -> list[Episode]:
    """Tasks that differ in how often they are solved, equally for every seed but for the luck of trials."""
    rates = np.clip(np.random.default_rng(0).random(tasks) * 0.8 + 0.1 + better, 0, 1)
    chance = np.random.default_rng(seed)
    return [
        episode(f"t{t:02}#{i}.{k}", 2 * int(chance.random() < rate))
        for t, rate in enumerate(rates)
        for i in range(instances)
        for k in range(trials)
    ]


def test_assumptions_by_hand() -> None:
    basis = assumed_basis(Assumptions(rate=0.5, noise=0.4, content=0.1, agreement=0.5, cost=0.02, seconds=90), 0.05)
    noise = basis.noise
    # 0.25 + 0.2475 in all, 0.4 of it between trials; of the rest, both share 0.5 · 0.6 · √(0.25 · 0.2475).
    lasting = 0.6 * 0.4975 - 2 * 0.3 * sqrt(0.25 * 0.2475)
    assert (noise.task, noise.instance, noise.trial) == pytest.approx((lasting * 5 / 6, lasting / 6, 0.199))
    found = designs(0.05, basis, jobs=4)
    first = found[0]
    assert (first.instances, first.trials, first.episodes) == (1, 1, 2 * first.tasks)
    # (1.96 · √(0.3484 + 0.05²) + 0.84 · √0.3484)² / 0.05², and one more.
    assert first.tasks == pytest.approx((1.959964 * sqrt(0.35087) + 0.841621 * sqrt(0.34837)) ** 2 / 0.0025 + 1, abs=1)
    assert first.dollars == pytest.approx(0.02 * first.episodes)
    assert first.hours == pytest.approx(90 * first.episodes / 3600 / 4)
    for one, more in zip(found, found[1:], strict=False):
        assert more.episodes >= one.episodes and more.tasks < one.tasks


@pytest.mark.parametrize(
    ("wanted", "rate", "agreement", "alpha", "tasks"),
    # The first can only differ one way: the fewest tasks of which six do in 80 % of cases.
    [(0.2, 0.7, 0.9, 0.05, 39), (0.7, 0.3, 0.9, 0.0025, 19), (0.35, 0.3, 0.0, 0.05, 35), (0.1, 0.5, 0.5, 0.05, 199)],
)
def test_no_plan_promises_more_than_the_exact_test_has(
    wanted: float, rate: float, agreement: float, alpha: float, tasks: int
) -> None:
    basis = assumed_basis(Assumptions(rate=rate, agreement=agreement, noise=0.0, content=0.0), wanted)
    assert basis.noise.task >= wanted * (1 - wanted) - 1e-12
    first = designs(wanted, basis, 1 - alpha)[0]
    assert first.tasks == tasks
    assert power_of(tasks, basis.noise.task + wanted**2, wanted, alpha) > 0.77


def test_no_two_systems_vary_less_than_they_have_to_differ() -> None:
    for rate, wanted, noise, agreement in product((0.1, 0.4), (0.05, 0.3, 0.6), (0.0, 0.3, 1.0), (0.0, 0.5, 1.0)):
        found = assumed_basis(Assumptions(rate=rate, noise=noise, content=0.0, agreement=agreement), wanted).noise
        assert found.task + found.instance + found.trial >= wanted * (1 - wanted) - 1e-12
        assert min(found.task, found.instance, found.trial) >= 0
    with pytest.raises(ConfigError, match="would solve 120 %; give the weaker system's --rate, at most 0.3"):
        assumed_basis(Assumptions(rate=0.5), 0.7)
    assert assumed_basis(Assumptions(rate=0.3), 0.7).noise.task > 0
    capped = assumed_basis(Assumptions(rate=0.7, agreement=0.9, noise=0.0), 0.2)
    assert any("correlates with 0.51, the most that can be," in line for line in capped.lines)


def test_a_plan_keeps_to_what_the_correction_can_show() -> None:
    basis = assumed_basis(Assumptions(rate=0.3, agreement=0.9), 0.7)
    strict = 1 - 0.05 / 20
    assert all(one.tasks >= 10 for one in designs(0.7, basis, strict))
    assert min(one.tasks for one in designs(0.7, basis)) >= 6
    table = plan_table(0.7, basis, strict, most=9)
    assert table.rows == ()
    first, none, cure = plan_sentences(0.7, lambda _: basis, strict, pool=TaskPool("duet", 9, 20))
    assert first.startswith(
        "The 9 tasks of duet (20 in all splits) cannot show a difference of 70 points, however many"
    )
    assert none == "They show no difference at all." and cure.startswith("Plan for a larger difference")
    assert any("fewer than 10 tasks" in note for note in table.notes)


@pytest.mark.parametrize("templates", [1, 4, "overlap"])
@pytest.mark.parametrize("often", [0.9, 0.45, 0.15])
def test_two_pilots_plan_what_comparing_them_shows(templates: int | str, often: float) -> None:
    """At the pilots' own size: for tasks on their own, in groups of four, and in a chain that overlaps."""
    chance = np.random.default_rng(8)
    names = [f"s{n}+s{n + 1}" if templates == "overlap" else f"s{n // int(templates)}" for n in range(48)]
    a, b = (
        [
            episode(f"t{n:02}#0.0", 2 * int(group < often and chance.random() < 0.8), template=names[n])
            for n, group in enumerate(np.repeat(chance.random(12), 4))
        ]
        for _ in "ab"
    )
    runs = a_run("a", a), a_run("b", b)
    pairs, _, _ = pair(outcomes(runs[0].episodes), outcomes(runs[1].episodes))
    found = difference(pairs).detectable
    basis = pilot_basis(runs, Assumptions())
    assert found is not None and basis.noise.detectable(48, 1, 1) == pytest.approx(found)
    assert tasks_needed(found + 1e-9, basis.noise, 1, 1) == 48


def test_more_agreement_more_power_and_more_tasks_go_together() -> None:
    def tasks(wanted: float = 0.05, power: float = 0.8, level: float = 0.95, **more: float) -> int:
        return designs(wanted, assumed_basis(Assumptions(**more), wanted), level, power)[0].tasks

    assert tasks(agreement=0.9) < tasks() < tasks(agreement=0.0)
    assert tasks(power=0.9) > tasks() and tasks(level=0.99) > tasks() and tasks(0.1) < tasks()


def test_a_limit_on_tasks_asks_for_repeats_or_says_what_could_be_shown() -> None:
    basis = assumed_basis(Assumptions(), 0.05)
    found = designs(0.05, basis, most=600)
    assert found and all(one.tasks <= 600 for one in found) and found[0].instances * found[0].trials > 1
    assert plan_table(0.05, basis, most=50).rows == ()

    def basis_at(wanted: float) -> Basis:
        return assumed_basis(Assumptions(), wanted)

    pool = TaskPool("duet", 50, 50, sharing=True)
    first, shown, cure, sharing = plan_sentences(0.05, basis_at, pool=pool)
    assert first.startswith("The 50 tasks of duet cannot show a difference of 5 points")
    assert "that all 50 show is 23 points (each once), " in shown and "5 trials of those)" in shown
    assert cure == "Plan for a larger difference, or add tasks of other splits or suites."
    assert sharing.startswith("Some of them share templates")
    table = pool_table(basis_at, pool)
    assert table.rows[0] == ("50", "1", "1", "100", "23") and len(table.rows) == 16
    # What it says can be shown is shown, and a point less is not.
    assert designs(0.23, basis_at(0.23), most=50) and basis_at(0.22).noise.detectable(50, 1, 1) > 0.22  # type: ignore[operator]
    fits = plan_sentences(0.3, basis_at, pool=pool)[0]
    assert fits == "To show a difference of 30 points takes 30 of the 50 tasks of duet, each once under each system."
    assert plan_sentences(0.3, basis_at) == [
        "To show a difference of 30 points takes 30 tasks, each once under each system."
    ]


def test_the_command_knows_how_many_tasks_a_suite_has(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    toy = RunSettings(suite="toy_suite:ToySuite")
    plan_command(20, how=PlanOptions(suite=toy))
    printed = capsys.readouterr().out
    assert re.match(r"The \d+ tasks of toy_suite:ToySuite cannot show a difference of 20 points", printed), printed
    with pytest.raises(ConfigError, match=r"--tasks 99 is more than the \d+ tasks of toy_suite:ToySuite"):
        plan_command(20, how=PlanOptions(suite=toy, tasks=99))
    plan_command(30, how=PlanOptions(tasks=60))
    assert capsys.readouterr().out.startswith("To show a difference of 30 points takes 30 of the 60 tasks, each once")


def test_a_pilot_tells_the_variance_the_price_and_the_time() -> None:
    basis = pilot_basis([a_run("first", pilot(1))], Assumptions(agreement=1.0))
    # Rates are even between 0.1 and 0.9: p(1 − p) is 0.25 − 0.64/12 on average, twice that for two systems.
    assert basis.noise.trial == pytest.approx(2 * (0.25 - 0.64 / 12), rel=0.15)
    assert basis.noise.task == basis.noise.instance == 0
    assert (basis.cost, basis.seconds) == (pytest.approx(0.5), pytest.approx(36.0))
    assert any("pilot, mean of 360 episodes: $0.5" in line for line in basis.lines)
    apart = pilot_basis([a_run("first", pilot(1))], Assumptions(agreement=0.0))
    assert apart.noise.task == pytest.approx(2 * 0.64 / 12, rel=0.4)


def test_two_pilots_tell_how_much_the_systems_agree() -> None:
    both = pilot_basis([a_run("a", pilot(1)), a_run("b", pilot(2))], Assumptions(agreement=0.0))
    one = pilot_basis([a_run("a", pilot(1))], Assumptions(agreement=0.0))
    assert both.noise.task < 0.3 * one.noise.task
    assert both.noise.trial == pytest.approx(one.noise.trial, rel=0.15)
    assert "a: 360" not in "".join(both.lines) and "120 pairs" in "".join(both.lines)


def test_what_a_pilot_cannot_tell_is_divided_as_assumed_and_said() -> None:
    basis = pilot_basis([a_run("thin", pilot(1, instances=1, trials=1))], Assumptions(agreement=0.0))
    whole = basis.noise.task + basis.noise.instance + basis.noise.trial
    assert basis.noise.trial == pytest.approx(0.3 * whole) and basis.noise.instance == pytest.approx(0.2 * whole)
    assert any("the share of trials and of instances" in line for line in basis.lines)


@pytest.mark.parametrize(
    ("found", "least", "expected"),
    [
        (Components(0.5, 0.2, 0.1, 0.8), 0.0, (0.1, 0.2, 0.5)),
        (Components(0.5, 0.25, None, 0.75), 0.0, (0.15, 0.1, 0.5)),
        (Components(0.7, None, 0.1, 0.8), 0.0, (0.1, 0.2, 0.5)),
        (Components(1.0, None, None, 1.0), 0.0, (0.3, 0.2, 0.5)),
        (Components(None, None, 0.3, 0.3), 0.0, (0.3, 0.2, 0.5)),
        (Components(None, None, None, 0.0), 0.1, (0.03, 0.02, 0.05)),
        (Components(0.0, 0.0, 0.0, 0.0), 0.1, (0.03, 0.02, 0.05)),
        (Components(0.05, 0.02, 0.03, 0.1), 0.2, (0.06, 0.04, 0.1)),
    ],
)
def test_a_sum_of_variances_is_divided(found: Components, least: float, expected: tuple[float, float, float]) -> None:
    level = divide_variance(found, SHARES, least)
    assert (level["trial"], level["instance"], level["task"]) == pytest.approx(expected)


def test_a_pilot_that_solved_everything_does_not_promise_certainty() -> None:
    basis = pilot_basis([a_run("all", [episode(f"t{n}#0.0") for n in range(20)])], Assumptions())
    assert basis.noise.trial > 0 and designs(0.05, basis)[0].tasks > 20


def test_templates_that_tasks_share_ask_for_more_of_them() -> None:
    def templated(shared: bool) -> list[Episode]:
        return [episode(f"t{n:02}#0.0", 2 * (n // 4 % 2), template=f"s{n // 4 if shared else n}") for n in range(48)]

    apart, shared = (pilot_basis([a_run("p", templated(how))], Assumptions()) for how in (False, True))
    assert apart.noise.design == 1.0 and shared.noise.design == pytest.approx(4, rel=0.1)
    assert designs(0.1, shared)[0].tasks > 3.5 * designs(0.1, apart)[0].tasks
    assert any("share templates" in line for line in shared.lines)


def test_unknown_prices_are_said_to_be_unknown() -> None:
    runs = [a_run("free", [episode(f"t{n}#0.0", 2 * (n % 2), cost=None) for n in range(8)])]
    table = plan_table(0.1, pilot_basis(runs, Assumptions()))
    assert table.rows[0][4] == "—" and any("dollars unknown: say it with --cost" in note for note in table.notes)
    known = pilot_basis(runs, Assumptions(cost=0.1))
    assert known.cost == 0.1 and any("assumed: $0.1" in line for line in known.lines)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"rate": 1.5}, "between 0 and 1"),
        ({"rate": 1.0}, "without variance"),
        ({"noise": 0.7, "content": 0.5}, "shares of the same variance"),
        ({"cost": -1.0}, "negative"),
    ],
)
def test_assumptions_that_cannot_be_are_refused(wrong: dict[str, float], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        Assumptions(**wrong)


def test_pilots_that_tell_nothing_are_refused() -> None:
    solved = a_run("a", [episode(f"t{n}#0.0") for n in range(4)])
    with pytest.raises(ConfigError, match="never differ"):
        pilot_basis([solved, solved], Assumptions())
    failed = a_run("none", [episode(f"t{n}#0.0", 0) for n in range(4)])
    with pytest.raises(
        ConfigError, match="none and a differ by \\+100 points in every pair, so they cannot show how much"
    ):
        pilot_basis([failed, solved], Assumptions())
    with pytest.raises(ConfigError, match="fewer than two tasks"):
        pilot_basis([solved, a_run("b", [episode("else#0.0")])], Assumptions())
    with pytest.raises(ConfigError, match="no finished episode"):
        pilot_basis([a_run("none", [])], Assumptions())
    with pytest.raises(ConfigError, match="not 3"):
        pilot_basis([solved] * 3, Assumptions())


def test_the_command_plans_from_a_run_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(toy_spec("count", "far", instances=2, planner="noop"), tmp_path / "run")
    plan_command(10, [tmp_path / "run"])
    printed = capsys.readouterr().out
    assert "pilot run: 0.0 % of 4 episodes solved" in printed and "tasks  instances  trials  episodes" in printed
    plan_command(10, assumed={"rate": 0.3}, how=PlanOptions(comparisons=3))
    assert "at 1.67 %" in capsys.readouterr().out
    for wrong, why in (
        ({"difference": 0.05}, "in percentage points"),
        ({"difference": 5, "pilots": [tmp_path / "run"], "assumed": {"rate": 0.5}}, "--rate and --pilot exclude"),
    ):
        with pytest.raises(ConfigError, match=why):
            plan_command(**wrong)  # type: ignore[arg-type]
    for name in ("comparisons", "jobs", "tasks"):
        with pytest.raises(ConfigError, match=f"--{name} must be at least 1, not 0"):
            PlanOptions(**{name: 0})
