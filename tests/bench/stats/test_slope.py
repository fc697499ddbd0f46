"""The slope of success in pointing accuracy: recovered from simulated tasks, with intervals that keep their level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omnipilot.bench.stats.clusters import Clusters, cluster
from omnipilot.bench.stats.slope import Dose, Slope, slope_of

ACCURACIES = (0.9, 0.7, 0.5, 0.3)
PLANNERS = (0.0, -0.2)
GROUPS = [row for row in range(len(PLANNERS)) for _ in ACCURACIES]


def clusters_of(tasks: int, templates: int = 0) -> Clusters:
    """Tasks alone, or with two templates each of so many."""
    shared = [
        {f"{n % templates}", f"{(n + 1 + n // templates) % templates}"} if templates else () for n in range(tasks)
    ]
    return cluster([f"t{number:03}" for number in range(tasks)], shared)


def drawn(
    seed: int, slope: float, tasks: int = 60, accuracies: tuple[float, ...] = ACCURACIES, places: int = 6
) -> Dose:
    """Two planners with these grounders; tasks differ in how hard they are, and in how many places they ask for.

    The chance to solve a task is linear in the accuracy of the grounder, and none of it is clipped.
    """
    chance = np.random.default_rng(seed)
    easy, clear = 0.2 * chance.random(tasks) - 0.1, 0.1 * chance.random(tasks) - 0.05
    solved, right, told = [], [], []
    for planner in PLANNERS:
        for accuracy in accuracies:
            asked = chance.integers(1, 2 * places, tasks)
            rate = 0.45 + slope * (accuracy - 0.6) + planner / 2 + easy
            assert rate.min() >= 0 and rate.max() <= 1
            solved.append(chance.random(tasks) < rate)
            right.append(chance.binomial(asked, accuracy + clear))
            told.append(asked)
    solved_, right_, told_ = (np.array(rows, dtype=float).T for rows in (solved, right, told))
    return Dose(solved_, right_, told_, clusters_of(tasks))


def covered(found: list[Slope], truth: float) -> float:
    ends = [one.slope for one in found if one.slope is not None]
    assert all(one.low is not None and one.high is not None for one in ends)
    return float(np.mean([(one.low or 0) <= truth <= (one.high or 0) for one in ends]))


@pytest.mark.parametrize(("slope", "tasks"), [(0.6, 60), (0.6, 12), (0.0, 60)])
def test_the_slope_is_recovered_and_covered(slope: float, tasks: int) -> None:
    found = [slope_of(drawn(seed, slope, tasks), GROUPS, resamples=400) for seed in range(120)]
    estimates = np.array([one.slope.estimate for one in found if one.slope is not None])
    assert len(estimates) == 120
    assert abs(estimates.mean() - slope) < 3 * estimates.std() / 120**0.5
    assert 0.89 <= covered(found, slope) <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [5, 8, 20, 60, 120])
@pytest.mark.parametrize("slope", [0.0, 0.6])
def test_intervals_keep_their_level(slope: float, tasks: int) -> None:
    found = [slope_of(drawn(seed, slope, tasks), GROUPS) for seed in range(1000)]
    told = [one for one in found if one.slope is not None and one.slope.low is not None]
    share = covered(told, slope)
    print(f"slope {slope}, {tasks} tasks: {100 * share:.1f} % covered, {1000 - len(told)} without")
    assert share >= 0.93


def test_a_flat_truth_gives_an_interval_over_zero() -> None:
    found = slope_of(drawn(3, 0.0), GROUPS)
    assert found.slope is not None and found.slope.low is not None and found.slope.high is not None
    assert found.slope.low < 0 < found.slope.high
    steep = slope_of(drawn(3, 0.6), GROUPS).slope
    assert steep is not None and steep.low is not None and steep.low > 0


def test_errors_in_the_accuracy_do_not_draw_the_slope_towards_zero() -> None:
    """One place a task: plain least squares loses a twentieth of the slope."""
    plain, corrected = [], []
    for seed in range(300):
        dose = drawn(seed, 0.6, accuracies=(0.85, 0.68, 0.52, 0.35), places=1)
        found = slope_of(dose, GROUPS, resamples=400)
        assert found.slope is not None
        corrected.append(found.slope.estimate)
        x, y = dose.right.sum(axis=0) / dose.told.sum(axis=0), dose.solved.mean(axis=0)
        x, y = (np.concatenate([part - part.mean() for part in np.split(all_, 2)]) for all_ in (x, y))
        plain.append(float(x @ y / (x @ x)))
    error = np.std(corrected) / 300**0.5
    assert np.mean(plain) < 0.6 - 3 * error
    assert abs(np.mean(corrected) - 0.6) < 3 * error


def all_right(seed: int, tasks: int, places: int) -> Dose:
    """Tasks that are solved where all their places are pointed at rightly: both figures share their errors."""
    chance = np.random.default_rng(seed)
    clear = 0.3 * chance.random(tasks) - 0.15
    right = np.stack([chance.binomial(places, np.clip(a + clear, 0, 1)) for a in (0.95, 0.8, 0.6, 0.45)], axis=1)
    return Dose(
        (right == places).astype(float), right.astype(float), np.full(right.shape, float(places)), clusters_of(tasks)
    )


def bent() -> Dose:
    """Cells far from any line, whose accuracies are measured by one place a task."""
    chance = np.random.default_rng(0)
    right = np.stack([chance.random(150) < a for a in (0.9, 0.6, 0.3)], axis=1).astype(float)
    solved = np.stack([chance.random(150) < rate for rate in (0.1, 0.9, 0.1)], axis=1).astype(float)
    return Dose(solved, right, np.ones_like(right), clusters_of(150))


@pytest.mark.parametrize("dose", [drawn(5, 0.6, tasks=150), all_right(1, 150, 2), all_right(2, 150, 4), bent()])
def test_the_linearised_interval_is_that_of_a_full_bootstrap(dose: Dose) -> None:
    """A second implementation: tasks drawn with replacement, and the slope of plain least squares in each sample."""
    tasks, cells = dose.solved.shape
    groups = GROUPS if cells == len(GROUPS) else [0] * cells
    found = slope_of(dose, groups).slope
    assert found is not None and found.low is not None and found.high is not None
    chance, slopes = np.random.default_rng(1), []
    for _ in range(2000):
        some = chance.integers(0, tasks, tasks)
        x = dose.right[some].sum(axis=0) / dose.told[some].sum(axis=0)
        y = dose.solved[some].mean(axis=0)
        design = np.column_stack([x, *(np.array(groups) == name for name in set(groups))])
        slopes.append(float(np.linalg.lstsq(design, y, rcond=None)[0][0]))
    low, high = np.quantile(slopes, (0.025, 0.975))
    assert found.estimate == pytest.approx(np.mean(slopes), abs=0.03)
    assert found.high - found.low == pytest.approx(high - low, rel=0.1, abs=0.01)


def test_tasks_that_share_templates_make_it_wider() -> None:
    dose = drawn(7, 0.6)
    alone = slope_of(dose, GROUPS).slope
    shared = slope_of(replace(dose, clusters=clusters_of(60, 9)), GROUPS).slope
    assert alone is not None and shared is not None
    assert alone.method == "bootstrap of 60 tasks" and "overlapping templates" in shared.method
    assert shared.estimate == pytest.approx(alone.estimate, abs=1e-9)
    assert shared.low is not None and shared.high is not None


def test_a_parabola_is_told_from_a_line() -> None:
    """Success that needs three places in a row is the cube of the accuracy."""
    chance = np.random.default_rng(0)
    accuracies, tasks = (1.0, 0.8, 0.6, 0.4, 0.2), 400
    right = np.stack([chance.binomial(3, a, tasks) for a in accuracies], axis=1).astype(float)
    dose = Dose((right == 3).astype(float), right, np.full_like(right, 3), clusters_of(tasks))
    found = slope_of(dose)
    assert found.bend is not None and found.bend.low is not None and found.bend.low > 0
    # The best parabola through x³ at these five accuracies: its second derivative times the range.
    x = np.array(accuracies)
    assert found.bend.estimate == pytest.approx(2 * np.polyfit(x, x**3, 2)[0] * 0.8, abs=0.4)
    straight = slope_of(drawn(1, 0.6, tasks=400), GROUPS)
    assert straight.bend is not None and straight.bend.low is not None and straight.bend.high is not None
    assert straight.bend.low <= 0 <= straight.bend.high
    assert straight.explained is not None and straight.explained > 0.8


def exact(x: list[float], y: list[float], tasks: int = 40) -> Dose:
    """Cells with exactly these figures, all tasks alike."""
    told = np.full((tasks, len(x)), 10.0)
    return Dose(np.tile(y, (tasks, 1)), told * np.array(x), told, clusters_of(tasks))


def test_exact_lines_are_found_with_their_intercepts() -> None:
    found = slope_of(exact([0.2, 0.6, 1.0, 0.5, 0.9], [0.1, 0.3, 0.5, 0.45, 0.65]), [0, 0, 0, 1, 1])
    assert found.slope is not None and found.slope.estimate == pytest.approx(0.5)
    assert found.intercepts == pytest.approx((0.0, 0.2))
    assert found.explained == pytest.approx(1.0) and found.reliability == pytest.approx(1.0)
    assert (found.cells, found.least, found.most) == (5, 0.2, 1.0)


@pytest.mark.parametrize(
    ("dose", "groups", "why"),
    [
        (exact([0.5], [0.5]), [], "it takes two cells"),
        (exact([0.5, 0.5, 0.5], [0.1, 0.5, 0.9]), [], "all accuracies are equal"),
        (exact([0.5, 0.9], [0.1, 0.5]), [0, 1], "each planner has only one cell"),
        (replace(exact([0.5, 0.9], [0.1, 0.5]), told=np.zeros((40, 2))), [], "of no cell is known"),
        (replace(exact([0.5, 0.9], [0.1, 0.5]), told=np.array([[1.0, 0.0]] * 40)), [], "of only one cell is known"),
        (exact([0.5, 0.9], [0.1, 0.5], tasks=1), [], "there is only 1 task"),
    ],
)
def test_why_there_is_no_slope(dose: Dose, groups: list[int], why: str) -> None:
    found = slope_of(dose, groups)
    assert found.slope is None and why in found.why


def test_accuracies_that_differ_by_chance_alone_give_no_slope() -> None:
    """Of two cells with the same accuracy, one pair in forty seems to differ (`RELIABLE`)."""
    told = [slope_of(drawn(seed, 0.0, accuracies=(0.7, 0.7)), [0, 0, 1, 1], resamples=400) for seed in range(200)]
    assert sum(one.slope is not None for one in told) <= 10
    assert any("differ by little more than chance" in one.why for one in told)
