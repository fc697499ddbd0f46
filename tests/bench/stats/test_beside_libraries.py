"""Our methods beside those of scipy and statsmodels: the same where theirs hold, and coverage where they do not.

`pytest -m slow -rP tests/bench/stats/test_beside_libraries.py` prints every figure that docstrings in `bench/stats`
quote. Coverages are over 1,000 simulations, with a standard error of 0.7 points at 95 %, or exact where it says so.
Libraries are imported in the tests, since they take a second.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from exact_power import power_of
from made_runs import Draw, paired_design
from numpy.typing import NDArray

from omnipilot.bench.stats import EpisodeOutcome
from omnipilot.bench.stats.clusters import Clusters, cluster, clusters_by_name
from omnipilot.bench.stats.components import components
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.intervals import mean_interval, wilson
from omnipilot.bench.stats.paired import mcnemar, no_difference, pair
from omnipilot.bench.stats.power import detectable
from omnipilot.bench.stats.quantiles import normal_quantile
from omnipilot.bench.stats.ratio import macro_of
from omnipilot.bench.stats.score_intervals import tango_interval

Array = NDArray[np.float64]
Ends = tuple[float, float]
ROUNDS = 1000
LEAST = 0.94 - 2 * math.sqrt(0.95 * 0.05 / ROUNDS)
"""94 %, less two standard errors of a simulated coverage."""
NARROW = 0.93
"""What an interval that claims 95 % must not fall below; those quoted as too narrow do."""


@pytest.mark.slow
def test_wilsons_interval_is_the_libraries() -> None:
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_confint

    draw, largest = Random(1), 0.0
    for number in range(10_000):
        count = draw.choice((1, 2, 10_000)) if draw.random() < 0.1 else draw.randint(1, 500)
        successes = draw.choice((0, count)) if draw.random() < 0.2 else draw.randint(0, count)
        level = draw.choice((0.5, 0.9, 0.95, 0.99, 0.9999))
        ours = wilson(successes, count, level)
        theirs = [proportion_confint(successes, count, 1 - level, "wilson")]
        if number % 10 == 0:
            theirs.append(binomtest(successes, count).proportion_ci(level, "wilson"))
        largest = max(largest, *(abs(a - b) for ends in theirs for a, b in zip(ours, ends, strict=True)))
    print(f"Wilson: largest difference {largest:.1e}")
    assert largest < 1e-12


@pytest.mark.slow
def test_holms_correction_is_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    from statsmodels.stats.multitest import multipletests

    # It collects garbage in every call, which takes 30 ms.
    monkeypatch.setattr("gc.collect", lambda: 0)
    draw, largest = Random(2), 0.0
    for _ in range(10_000):
        values = [draw.choice((0.0, 1.0, 0.05, draw.random(), draw.random() ** 4)) for _ in range(draw.randint(1, 12))]
        theirs = multipletests(values, method="holm")[1]
        largest = max(largest, *(abs(a - b) for a, b in zip(holm(values), theirs, strict=True)))
    print(f"Holm: largest difference {largest:.1e}")
    assert largest < 1e-12


@pytest.mark.slow
def test_mcnemars_test_is_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import mcnemar as library

    draw, largest = Random(3), 0.0
    cases = [(0, 0), (1, 0), (0, 1), (600, 500)] + [(draw.randint(0, 40), draw.randint(0, 40)) for _ in range(1500)]
    for only_a, only_b in cases:
        ours = [EpisodeOutcome(f"t{n:04}", 0, 0, float(n < only_a)) for n in range(only_a + only_b)]
        theirs = [EpisodeOutcome(f"t{n:04}", 0, 0, float(n >= only_a)) for n in range(only_a + only_b)]
        expected = min(1.0, library([[0, only_a], [only_b, 0]], exact=True).pvalue) if only_a + only_b else 1.0
        largest = max(largest, abs(mcnemar(pair(ours, theirs)[0])[2] - expected))
    print(f"McNemar: largest difference {largest:.1e}")
    assert largest < 1e-10


@pytest.mark.slow
def test_sign_flips_are_scipys_permutation_test() -> None:
    """All flips where there are few; where they are drawn, the same within what drawing leaves to chance."""
    from scipy.stats import permutation_test

    for seed in range(300):
        chance = np.random.default_rng(seed)
        count = int(chance.integers(2, 11))
        values = np.round(4 * chance.normal(0.3, 1.0, count)) / 4  # sums are exact: scipy loses ties that are rounded
        clusters = cluster([f"t{n:02}" for n in range(count)], [()] * count)
        theirs = permutation_test((values,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
        assert no_difference(values, clusters)[0] == pytest.approx(theirs, abs=1e-12)
    tie = np.array([-2.0, 2.2, 0.6, 0.2, 0.3, -1.1, -0.3, 0.9, -0.8])
    assert no_difference(tie, cluster(list("abcdefghi"), [()] * 9))[0] == 1.0
    assert permutation_test((tie,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue < 0.98
    values = np.random.default_rng(0).normal(0.25, 1.0, 60)
    clusters = cluster([f"t{n:02}" for n in range(60)], [()] * 60)
    theirs = permutation_test((values,), np.sum, permutation_type="samples", n_resamples=20_000, rng=1).pvalue
    assert no_difference(values, clusters, 20_000)[0] == pytest.approx(theirs, abs=0.006)


@pytest.mark.slow
def test_components_of_a_balanced_design_are_those_of_restricted_likelihood() -> None:
    from pandas import DataFrame
    from statsmodels.formula.api import mixedlm

    chance = np.random.default_rng(4)
    made = [
        EpisodeOutcome(f"t{t:02}", i, k, value)
        for t, of_task in enumerate(chance.normal(0, 1.0, 40))
        for i, of_instance in enumerate(chance.normal(0, 0.7, 3))
        for k, value in enumerate(0.5 + of_task + of_instance + chance.normal(0, 0.5, 2))
    ]
    frame = DataFrame([(o.task, f"{o.task}#{o.instance}", o.value) for o in made], columns=["task", "instance", "y"])
    fit = mixedlm("y ~ 1", frame, groups="task", vc_formula={"instance": "0 + C(instance)"}, re_formula="1").fit()
    ours = components(made)
    theirs = float(fit.cov_re.iloc[0, 0]), float(fit.vcomp[0]), float(fit.scale)
    assert (ours.task, ours.instance, ours.trial) == pytest.approx(theirs, rel=1e-3)
    luck = [replace(o, value=float(chance.random() < 0.5)) for o in made]
    frame["y"] = [o.value for o in luck]
    with pytest.warns(UserWarning, match="boundary|singular"):
        mixedlm("y ~ 1", frame, groups="task", vc_formula={"instance": "0 + C(instance)"}, re_formula="1").fit()


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [8, 12])
def test_percentiles_of_few_clusters_are_too_narrow_unless_moved_outwards(tasks: int) -> None:
    clusters, draw = paired_design(tasks, instances=3, trials=2)
    covered = coverage(f"difference over {tasks} tasks", clusters, draw, 0.1, (-1.0, 1.0), METHODS)
    assert covered["ours"] >= LEAST and max(covered["percentile"], covered["BCa"]) < NARROW


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "giant", "correlation", "rate"), [(20, 50, 0.1, 0.5), (10, 100, 0.5, 0.7), (20, 50, 0.5, 0.9)]
)
def test_a_giant_cluster_makes_the_libraries_too_narrow(
    count: int, giant: int, correlation: float, rate: float
) -> None:
    sizes = np.array([giant] + [5] * (count - 1))
    clusters = clusters_by_name([f"c{n:02}" for n in np.repeat(np.arange(count), sizes)], "clusters")
    scale = (1 - correlation) / correlation

    def draw(chance: np.random.Generator) -> Array:
        rates = np.repeat(chance.beta(rate * scale, (1 - rate) * scale, count), sizes)
        return (chance.random(len(rates)) < rates).astype(float)

    words = f"{count} clusters of 5, one of {giant}, correlation {correlation}, rate {rate}"
    methods = {**METHODS, "cluster-robust t": cluster_robust, "most likely share": most_likely_share}
    covered = coverage(words, clusters, draw, rate, (0.0, 1.0), methods)
    assert covered["ours"] >= LEAST
    assert covered["percentile"] < 0.94 and max(covered["BCa"], covered["cluster-robust t"]) < NARROW


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.95, 0.05])
def test_few_clusters_that_differ_make_the_libraries_too_narrow(rate: float) -> None:
    """Forty tasks whose three trials are alike."""
    clusters = cluster([f"t{n:02}" for n in range(40) for _ in range(3)], [()] * 120)

    def draw(chance: np.random.Generator) -> Array:
        return np.repeat((chance.random(40) < rate).astype(float), 3)

    methods = {**METHODS, "cluster-robust t": cluster_robust}
    covered = coverage(f"40 tasks, trials alike, rate {rate}", clusters, draw, rate, (0.0, 1.0), methods)
    assert covered.pop("ours") >= 0.93 and max(covered.values()) < 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("templates", "share"), [(8, 0.4), (10, 0.2)])
def test_the_most_likely_share_alone_is_too_narrow_over_overlapping_templates(templates: int, share: float) -> None:
    """Restricted maximum likelihood, as programs for mixed models have it, with normal quantiles."""
    chance = np.random.default_rng(0)
    member = np.zeros((40, templates))
    for row in member:
        row[chance.choice(templates, 2, replace=False)] = 1.0
    names = [tuple(f"s{n}" for n in np.flatnonzero(row)) for row in member]
    clusters = cluster([f"t{n:02}" for n in range(40)], names)

    def draw(chance: np.random.Generator) -> Array:
        parts = chance.standard_normal(templates) @ member.T / np.sqrt(2)
        return (np.sqrt(share) * parts + np.sqrt(1 - share) * chance.standard_normal(40) < 0).astype(float)

    words = f"40 tasks of 2 of {templates} templates, {share} of the variance in them"
    covered = coverage(words, clusters, draw, 0.5, (0.0, 1.0), {"most likely share": most_likely_share})
    assert covered["ours"] >= LEAST and covered["most likely share"] < 0.92


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "rate"), [((8,) * 6, 0.7), ((40, 40, 40, 40, 40, 2), 0.7), ((40,) * 5 + (5,), 0.9)])
def test_small_cells_make_a_bootstrap_of_strata_too_narrow(sizes: tuple[int, ...], rate: float) -> None:
    from scipy.stats import bootstrap

    def statistic(*cells: Array, axis: int = -1) -> Array:
        return np.asarray(np.mean([cell.mean(axis) for cell in cells], axis=0))

    covered = {"ours": 0, "percentile": 0, "BCa": 0}
    for seed in range(ROUNDS):
        chance = np.random.default_rng(seed)
        cells = [(chance.random(size) < rate).astype(float) for size in sizes]
        found = macro_of([(x.tolist(), [f"{k}-{n}" for n in range(len(x))]) for k, x in enumerate(cells)])
        assert found.low is not None and found.high is not None
        covered["ours"] += found.low <= rate <= found.high
        for method in ("percentile", "BCa"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ends = bootstrap(cells, statistic, vectorized=True, n_resamples=500, method=method, rng=seed)
            covered[method] += ends.confidence_interval.low <= rate <= ends.confidence_interval.high
    shares = {name: count / ROUNDS for name, count in covered.items()}
    print(f"mean of cells of {sizes}, rate {rate}: {shares}")
    assert shares["ours"] >= NARROW and shares["percentile"] < NARROW


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "b", "a"), [(10, 0.1, 0.05), (20, 0.05, 0.02), (20, 0.1, 0.0), (40, 0.1, 0.0)])
def test_where_few_pairs_flip_a_t_interval_is_too_narrow_and_tangos_is_not(pairs: int, b: float, a: float) -> None:
    """Exact, over all outcomes with their chances; neither scipy nor statsmodels has an interval for paired shares."""
    from scipy.stats import ttest_1samp

    ours = theirs = 0.0
    for only_b in range(pairs + 1):
        for only_a in range(pairs + 1 - only_b):
            rest = pairs - only_a - only_b
            ways = math.comb(pairs, only_b) * math.comb(pairs - only_b, only_a)
            chance = ways * b**only_b * a**only_a * (1 - a - b) ** rest
            if chance < 1e-9:
                continue
            low, high = tango_interval(only_a, only_b, pairs, normal_quantile(0.975))
            ours += chance * (low - 1e-9 <= b - a <= high + 1e-9)
            values = np.repeat([1.0, -1.0, 0.0], [only_b, only_a, rest])
            if np.ptp(values):
                interval = ttest_1samp(values, 0.0).confidence_interval(0.95)
                theirs += chance * (interval.low - 1e-9 <= b - a <= interval.high + 1e-9)
    print(f"{pairs} pairs, {b} and {a} flip: Tango {ours:.3f}, t {theirs:.3f} covered")
    assert ours >= 0.95 and theirs < NARROW


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "flipped"), [(20, 1), (40, 1), (100, 1), (40, 5)])
def test_the_power_of_a_t_test_is_promised_where_sign_flips_cannot_have_it(pairs: int, flipped: int) -> None:
    """Exact powers of what statsmodels and `detectable` say is the smallest difference found in 80 % of cases."""
    from statsmodels.stats.power import TTestPower

    share = flipped / pairs
    deviation = math.sqrt(share * (1 - share) * pairs / (pairs - 1))
    promised = float(TTestPower().solve_power(nobs=pairs, alpha=0.05, power=0.8)) * deviation
    ours = detectable(deviation / math.sqrt(pairs), pairs - 1, pairs, 0.95, 0.8)
    assert ours is not None
    theirs_has, ours_has = (power_of(pairs, max(share, found), found) for found in (promised, ours))
    print(
        f"{flipped} of {pairs} pairs differ: TTestPower {promised:.3f} with power {theirs_has:.3f}, "
        f"ours {ours:.3f} with {ours_has:.3f}"
    )
    assert theirs_has < 0.6 and ours_has == pytest.approx(0.8, abs=0.01)


def bootstrap_ends(method: str) -> Callable[[Array, Clusters, int], Ends]:
    """scipy's bootstrap of whole clusters: pairs of their sums and sizes, drawn together."""

    def ends(values: Array, clusters: Clusters, seed: int) -> Ends:
        from scipy.stats import bootstrap

        def ratio(sums: Array, sizes: Array, axis: int = -1) -> Array:
            return np.asarray(sums.sum(axis) / sizes.sum(axis))

        data = clusters.sums(values), clusters.sizes
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = bootstrap(data, ratio, paired=True, vectorized=True, n_resamples=1000, method=method, rng=seed)
        return found.confidence_interval.low, found.confidence_interval.high

    return ends


def cluster_robust(values: Array, clusters: Clusters, seed: int) -> Ends:
    """The cluster-robust interval of statsmodels' regression on a constant, with Student's t."""
    from statsmodels.api import OLS

    fit = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": clusters.of}, use_t=True)
    low, high = fit.conf_int()[0]
    return float(low), float(high)


def most_likely_share(values: Array, clusters: Clusters, seed: int) -> Ends:
    """The share of the variance in clusters or templates that restricted likelihood is largest at, taken for known."""
    together = clusters.shares
    if together is None:
        together, data = (clusters.of[:, None] == clusters.of).astype(float), values
    else:
        data = clusters.sums(values) / clusters.sizes
    weights = np.ones(len(data)) / len(data)
    basis, eigenvalues = contrasts(together)
    share = np.linspace(0, 0.99, 100)[:, None]
    variances = 1 - share + share * eigenvalues
    squares = ((basis @ data) ** 2 / variances).sum(axis=1) / len(eigenvalues)
    best = int(np.argmax(-0.5 * (np.log(variances).sum(axis=1) + len(eigenvalues) * np.log(squares))))
    chosen = share[best, 0]
    of_mean = (1 - chosen) * weights @ weights + chosen * weights @ together @ weights
    half = normal_quantile(0.975) * math.sqrt(squares[best] * of_mean)
    return float(data.mean()) - half, float(data.mean()) + half


def contrasts(matrix: Array) -> tuple[Array, Array]:
    """Orthogonal contrasts that make a covariance diagonal, and what stands on its diagonal."""
    key = matrix.tobytes()
    if key not in _CONTRASTS:
        count = len(matrix)
        centre = np.eye(count) - 1 / count
        values, vectors = np.linalg.eigh(centre @ matrix @ centre - 1 / count)
        _CONTRASTS.clear()
        _CONTRASTS[key] = vectors[:, 1:].T, np.maximum(values[1:], 0.0)
    return _CONTRASTS[key]


_CONTRASTS: dict[bytes, tuple[Array, Array]] = {}
METHODS = {"percentile": bootstrap_ends("percentile"), "BCa": bootstrap_ends("BCa")}


def coverage(
    words: str,
    clusters: Clusters,
    draw: Draw,
    truth: float,
    bounds: tuple[float, float],
    methods: dict[str, Callable[[Array, Clusters, int], Ends]],
) -> dict[str, float]:
    """How often `mean_interval` ("ours") and each of the methods cover the truth; printed."""
    covered = dict.fromkeys(("ours", *methods), 0)
    for seed in range(ROUNDS):
        values = draw(np.random.default_rng(seed))
        found = mean_interval(values, clusters, bounds, 0.95, 1000, seed)
        assert found.low is not None and found.high is not None
        covered["ours"] += found.low - 1e-9 <= truth <= found.high + 1e-9
        for name, method in methods.items():
            low, high = method(values, clusters, seed)
            covered[name] += bool(low - 1e-9 <= truth <= high + 1e-9)
    shares = {name: count / ROUNDS for name, count in covered.items()}
    print(f"{words}: {shares}")
    return shares
