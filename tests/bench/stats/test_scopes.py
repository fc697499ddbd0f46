"""Episodes by what their tasks need, and the drop from one to several."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_runs import a_run, episode

from omnipilot.bench import Episode
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.report.scope_table import scope_table
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import contrast, pair
from omnipilot.bench.stats.scopes import scopes_of
from omnipilot.envs import ConfigError


def one(number: int, solved: bool, app: str, envs: tuple[str, ...] = ("phone",)) -> Episode:
    return replace(episode(f"t{number:03}#0.0", 2 if solved else 0), tags={"app": app} if app else {}, envs=envs)


def some(alone: int, together: int, of: int = 10) -> list[Episode]:
    """`of` tasks with one application and `of` with two, so many of each solved."""
    return [one(n, n < alone, "mail") for n in range(of)] + [
        one(of + n, n < together, "mail+clock", ("phone", "desktop") if n % 2 else ("phone",)) for n in range(of)
    ]


def test_scopes_are_told_only_where_there_are_several() -> None:
    words = [[scope.words for scope in scopes] for scopes in scopes_of(some(5, 5))]
    assert words == [["one app", "several apps"], ["one device", "several devices"]]
    assert scopes_of([one(n, True, "mail") for n in range(3)]) == []
    both = [one(0, True, "a"), one(1, True, "a+b", ("x", "y"))]
    assert [[scope.words for scope in scopes] for scopes in scopes_of(both)] == [
        ["one app and device", "several apps and devices"]
    ]
    assert [scope.words for scope in scopes_of([one(0, True, ""), one(1, True, "a")])[0]] == ["one app", "apps unknown"]


def test_the_table_gives_n_and_the_drop() -> None:
    table = scope_table([a_run("x", some(8, 3))])
    assert table is not None
    rows = {row[1]: row for row in table.rows}
    assert rows["one app"][2:4] == ("10", "8/10") and rows["one app"][4].startswith("80.0 [")
    assert rows["several apps"][4].startswith("30.0 [")
    assert rows["several apps − one app"][4].startswith("-50.0 [")
    assert scope_table([a_run("x", [one(0, True, "a")])]) is None


def test_a_comparison_has_each_scope_and_the_difference_of_the_drops() -> None:
    found = compare(a_run("a", some(8, 3)), a_run("b", some(9, 8)))
    rows = {row.among: row for row in found.scopes}
    assert rows["one app (10)"].difference.interval.estimate == pytest.approx(0.1)
    assert rows["several apps (10)"].difference.interval.estimate == pytest.approx(0.5)
    drop = rows["several apps − one app"]
    assert (drop.a.estimate, drop.b.estimate) == (pytest.approx(-0.5), pytest.approx(-0.1))
    assert drop.difference.interval.estimate == pytest.approx(0.4)
    assert drop.difference.p is not None and drop.difference.interval.low is not None


def test_a_contrast_needs_both_kinds() -> None:
    pairs = pair(outcomes(some(3, 3)), outcomes(some(3, 3)))[0]
    with pytest.raises(ConfigError, match="tasks of both kinds"):
        contrast(pairs, {"t000"}, {"nowhere"})


@pytest.mark.slow
def test_intervals_of_a_contrast_cover() -> None:
    chance, covered, rejected = np.random.default_rng(5), 0, 0
    first, second = {f"t{n:03}" for n in range(16)}, {f"t{n:03}" for n in range(16, 40)}
    for _ in range(500):
        sides = []
        for rates in ((0.7, 0.4), (0.8, 0.5)):
            solved = chance.random(40) < np.repeat(rates, (16, 24))
            sides.append(outcomes([one(n, bool(won), "x") for n, won in enumerate(solved)]))
        drop, _, apart = contrast(pair(*sides)[0], first, second, resamples=1000)
        covered += drop.low is not None and drop.high is not None and drop.low <= -0.3 <= drop.high
        rejected += apart.p is not None and apart.p <= 0.05
    assert 0.92 <= covered / 500 <= 0.98
    assert rejected / 500 <= 0.07
