"""EQA of runs whose tasks have limits of their own: by hand, against brute force, and how often intervals cover."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_runs import a_run, episode
from shared_folders import ROOT

from omnipilot.bench import Episode
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.scoring.efficiency import (
    attempt,
    efficiency,
    efficiency_difference,
    efforts,
    expected_eqa,
    has_eqa,
)
from omnipilot.bench.scoring.eqa import Attempt, eqa_as_given
from omnipilot.bench.stats.intervals import wilson
from omnipilot.envs import ConfigError

RECORDED = ROOT / "tests/fixtures/recorded"


def episodes(*rows: tuple[int, int, int]) -> list[Episode]:
    """Episodes of (solved, turns, limit), one a task."""
    return [one(f"t{place:03}#0.0", *row) for place, row in enumerate(rows)]


def one(key: str, solved: int, turns: int, limit: int | None) -> Episode:
    return replace(episode(key, 2 if solved else 0), turns=turns, turn_limit=limit)


some_rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 12), st.integers(1, 12)).map(lambda r: (r[0], min(r[1], r[2]), r[2])),
    min_size=1,
    max_size=6,
)


def test_by_hand_with_limits_of_their_own() -> None:
    # Half of 10 turns, solved, then all of 20, failed: u = 0.25 and 0.75. Or the other way round: u = 0.75 solved.
    some = episodes((1, 5, 10), (0, 20, 20))
    assert expected_eqa(some) == pytest.approx((0.75 / 2 + 0.25 / 2) / 2)
    found = efficiency(some)
    assert found is not None and found.eq1 is not None
    assert found.eqa.estimate == pytest.approx(0.25)
    assert found.eq1.estimate == pytest.approx(0.5)
    assert found.eq2.estimate == pytest.approx(0.25)


def at_equal_limits(some: Sequence[Episode]) -> tuple[list[Attempt], int]:
    """Attempts in units in which all limits are equal, the least common multiple of the limits; and that limit."""
    common = math.lcm(*(each.turn_limit or 1 for each in some))
    units = [common // (each.turn_limit or 1) for each in some]
    return [replace(attempt(each), steps=each.turns * unit) for each, unit in zip(some, units, strict=True)], common


@given(some_rows)
def test_it_is_the_mean_over_all_orders(rows: list[tuple[int, int, int]]) -> None:
    some = episodes(*rows)
    made, limit = at_equal_limits(some)
    orders = [eqa_as_given(order, limit, "closed") for order in itertools.permutations(made)]
    assert expected_eqa(some) == pytest.approx(math.fsum(orders) / len(orders))


@given(some_rows, st.integers(1, 5), st.integers(1, 5))
def test_other_units_change_nothing(rows: list[tuple[int, int, int]], first: int, others: int) -> None:
    # The unit of each task, say turns that do twice as much, does not matter.
    scaled = [(s, t * (others if n else first), m * (others if n else first)) for n, (s, t, m) in enumerate(rows)]
    assert expected_eqa(episodes(*rows)) == pytest.approx(expected_eqa(episodes(*scaled)))


@given(some_rows)
def test_eqa_is_at_most_sr_and_the_equations_hold(rows: list[tuple[int, int, int]]) -> None:
    some = episodes(*rows)
    found, rate = efficiency(some), sum(row[0] for row in rows) / len(rows)
    assert found is not None
    assert 0 <= found.eqa.estimate <= rate + 1e-12
    assert found.eq2.estimate == pytest.approx(rate - found.eqa.estimate)
    assert (found.eq1 is None) == (rate == 0)
    if found.eq1 is not None:
        assert found.eq1.estimate == pytest.approx(found.eqa.estimate / rate)
    for interval in filter(None, (found.eqa, found.eq1, found.eq2)):
        assert interval.low is None or 0 <= interval.low <= interval.estimate + 1e-9
        assert interval.high is None or interval.estimate - 1e-9 <= interval.high <= 1


def test_trials_are_a_mean_over_which_of_them_is_taken() -> None:
    trials = [one("a#0.0", 1, 2, 10), one("a#0.1", 0, 10, 10), one("b#0.0", 1, 4, 8), one("b#0.1", 1, 8, 8)]
    taken = []
    for first, second in itertools.product((0, 1), repeat=2):
        taken.append(expected_eqa([trials[first], replace(trials[2 + second], key="b#0.0", trial=0)]) or 0.0)
    assert expected_eqa(trials) == pytest.approx(sum(taken) / 4)
    assert [(each.task, each.success) for each in efforts(trials)] == [("a", 0.5), ("b", 1.0)]


def test_void_episodes_fail_and_more_turns_than_the_limit_do_too() -> None:
    void = replace(one("b#0.0", 1, 4, 8), reason="void")
    assert [each.success for each in efforts([one("a#0.0", 1, 12, 10), void])] == [0.0, 0.0]
    assert expected_eqa([void]) == 0


def test_without_limits_there_is_no_eqa() -> None:
    none = [one("a#0.0", 1, 2, None)]
    assert not has_eqa(none) and not has_eqa([]) and has_eqa([one("a#0.0", 1, 2, 3)])
    with pytest.raises(ConfigError, match="no turn limit"):
        efficiency(none)
    assert not has_eqa([replace(one("a#0.0", 1, 2, 3), recorded=True)])
    assert efficiency([]) is None and expected_eqa([]) is None


def paired(rows: Sequence[tuple[int, int]], limit: int = 20, name: str = "t") -> list[Episode]:
    return [one(f"{name}{place:03}#0.0", *row, limit) for place, row in enumerate(rows)]


def test_the_difference_is_that_of_the_figures_and_turns_its_sign() -> None:
    a, b = paired([(1, 4), (0, 20), (1, 9)] * 6), paired([(1, 2), (1, 15), (0, 9)] * 6)
    first, second = efficiency(a), efficiency(b)
    assert first is not None and second is not None
    for name in ("EQA", "EQ1", "EQ2"):
        there, back = (efficiency_difference(x, y, name) for x, y in ((a, b), (b, a)))
        ours, theirs = first.figure(name), second.figure(name)
        assert there and back and ours and theirs
        assert there.interval.estimate == pytest.approx(theirs.estimate - ours.estimate)
        assert there.interval.estimate == pytest.approx(-back.interval.estimate)
        # Drawn exchanges: each end of a flip is drawn on its own.
        assert there.p == pytest.approx(back.p, abs=0.02)


def test_one_flip_among_equals_is_not_significant() -> None:
    a = paired([(1, 4), (0, 20)] * 10)
    b = [replace(each, turns=6, reason="success") if each.task == "t001" else each for each in a]
    found = efficiency_difference(a, b, "EQA")
    assert found is not None and found.p == 1.0
    assert found.interval.low is not None and found.interval.low <= 0 <= (found.interval.high or 0)


def test_the_p_value_is_that_of_every_exchange() -> None:
    a, b = paired([(0, 20), (1, 9), (0, 20), (1, 18), (1, 7)]), paired([(1, 6), (1, 5), (1, 12), (0, 20), (1, 2)])
    seen = (expected_eqa(b) or 0) - (expected_eqa(a) or 0)
    beyond = 0
    for ways in itertools.product((0, 1), repeat=5):
        left, right = zip(*((y, x) if flip else (x, y) for x, y, flip in zip(a, b, ways, strict=True)), strict=True)
        beyond += abs((expected_eqa(right) or 0) - (expected_eqa(left) or 0)) >= abs(seen) - 1e-12
    found = efficiency_difference(a, b, "EQA")
    assert found is not None and found.p == pytest.approx(beyond / 32)
    untested = efficiency_difference(a, b, "EQA", test=False)
    assert untested is not None and untested.p is None


def test_nothing_solved_has_no_eq1_and_other_tasks_are_refused() -> None:
    a, b = paired([(0, 4), (0, 6)]), paired([(1, 4), (0, 6)])
    assert efficiency_difference(a, b, "EQ1") is None
    assert efficiency_difference(a, b, "EQA") is not None
    with pytest.raises(ConfigError, match="same tasks"):
        efficiency_difference(a, paired([(0, 1), (0, 2)], name="x"), "EQA")


def drawn(chance: np.random.Generator, count: int, rate: float, better: float = 0.0) -> list[list[tuple[int, int]]]:
    """Two systems on tasks of unequal difficulty: success and turns of 40, longer where a task is hard."""
    hard = chance.beta(2, 2, count)
    found = []
    for share in (rate, rate + better):
        solved = chance.random(count) < np.clip(2 * share * (1 - hard), 0, 1)
        turns = np.where(solved, 4 + 20 * hard * chance.random(count), np.where(chance.random(count) < 0.5, 40, 20))
        found.append([(int(s), int(t)) for s, t in zip(solved, turns, strict=True)])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("count", "rate"), [(12, 0.15), (12, 0.5), (40, 0.05), (40, 0.15), (40, 0.5)])
def test_intervals_cover(count: int, rate: float) -> None:
    chance = np.random.default_rng(1)
    made: dict[str, list[tuple[float, float | None, float | None]]] = {"EQA": [], "EQ1": [], "EQ2": []}
    for _ in range(600):
        found = efficiency(paired(drawn(chance, count, rate)[0], 40), resamples=1000)
        assert found is not None
        for name, rows in made.items():
            if (interval := found.figure(name)) is not None:
                rows.append((interval.estimate, interval.low, interval.high))
    for name, rows in made.items():
        truth = math.fsum(row[0] for row in rows) / len(rows)
        covered = sum(low is not None and high is not None and low <= truth <= high for _, low, high in rows)
        assert covered / len(rows) >= 0.91, name


@pytest.mark.slow
def test_differences_cover_and_equal_systems_seldom_differ() -> None:
    chance = np.random.default_rng(2)
    for better in (0.0, 0.2):
        rows, rejected = [], 0
        for _ in range(400):
            a, b = (paired(side, 40) for side in drawn(chance, 30, 0.4, better))
            found = efficiency_difference(a, b, "EQA", resamples=1000)
            assert found is not None and found.p is not None
            rejected += found.p <= 0.05
            rows.append((found.interval.estimate, found.interval.low or 0.0, found.interval.high or 0.0))
        truth = 0.0 if not better else math.fsum(row[0] for row in rows) / len(rows)
        assert sum(low <= truth <= high for _, low, high in rows) / len(rows) >= 0.92
        assert rejected / len(rows) <= 0.08 if not better else rejected / len(rows) >= 0.3


def test_where_all_is_solved_others_may_not_be() -> None:
    # Success is alike in all tasks, so only SR's own interval says how far the true one may be from 1.
    a = paired([(1, 2 + n % 3) for n in range(12)])
    found, low = efficiency(a), wilson(12, 12)[0]
    assert found is not None and found.eqa.low is not None
    assert found.eqa.low < found.eqa.estimate * (low + 0.1)
    worse = efficiency_difference(a, paired([(0, 20)] * 12), "EQA")
    assert worse is not None and worse.interval.high is not None
    assert worse.interval.high > -found.eqa.low


def test_templates_that_overlap_take_the_t_test() -> None:
    def templated(episodes: list[Episode]) -> list[Episode]:
        return [replace(each, tags={"template": f"x{n // 2}+y{n // 3}"}) for n, each in enumerate(episodes)]

    a, b = templated(paired([(0, 20), (1, 9)] * 8)), templated(paired([(1, 6), (1, 5)] * 8))
    found = efficiency_difference(a, b, "EQA")
    assert found is not None and found.test.startswith("t test") and found.p is not None and found.p < 0.05
    plain = efficiency_difference(*(paired(rows) for rows in ([(0, 20), (1, 9)] * 8, [(1, 6), (1, 5)] * 8)), "EQA")
    assert plain is not None and plain.interval.estimate == pytest.approx(found.interval.estimate)


def test_the_report_of_a_run_has_it_with_and_without_void_episodes() -> None:
    some = [*paired([(1, 4), (0, 20), (1, 9)]), replace(one("void#0.0", 0, 3, 20), reason="void")]
    rows = {row[1]: row for row in interval_table([a_run("x", some)], resamples=200).rows}
    assert rows["EQA %"][2].startswith(f"{100 * (expected_eqa(some) or 0):.1f} [")
    assert (
        rows["EQA %"][3].startswith(f"{100 * (expected_eqa(some[:3]) or 0):.1f} [") and "(1 void)" in rows["EQA %"][3]
    )
    assert "EQA %" not in {row[1] for row in interval_table([a_run("x", [one("a#0.0", 1, 2, None)])]).rows}


def test_what_the_journal_tells_of_limits_devices_and_recordings() -> None:
    live, recording = (load_run(RECORDED / name).episodes for name in ("oracle", "omnigui"))
    assert has_eqa(live) and {each.envs for each in live} <= {("phone",), ("desktop",), ("desktop", "phone")}
    assert recording and not has_eqa(recording) and all(each.turn_limit for each in recording)
