"""Conclusions are right: checked on simulated studies whose true effects are known.

Each study draws tasks of unequal difficulty, some sharing a template whose effect they have in common, and plays
episodes of a reference and of several systems, each with a true effect of its own; some have none. A false claim is a
system called better that is no better, or worse that is no worse; a study is wrong if it makes one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from made_runs import a_run, episode

from omnipilot.bench import Episode
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.experiments.grid_results import grid_results
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.conclusions import Conclusion, conclude_comparison, conclude_sweep
from omnipilot.bench.report.grid_conclusion import conclude_grid


@dataclass(frozen=True)
class Study:
    """A design, and the truth.

    Attributes:
        effects: of each system beside the reference, on the scale of the logit, and how much they vary between tasks.
        difficulty: standard deviation of the tasks' logits around `base`. shared: that of templates' effects on what a
            system gains there. templates: how many tasks share one; 1 for none. chain: they overlap from task to task.
    """

    tasks: int = 20
    instances: int = 1
    trials: int = 1
    effects: tuple[float, ...] = (0.0, 0.0, 0.0)
    base: float = 0.0
    difficulty: float = 1.0
    varies: float = 0.5
    shared: float = 0.0
    templates: int = 1
    chain: bool = False

    def runs(self, rng: np.random.Generator) -> list[Run]:
        """The reference and the systems, each with its episodes."""
        logits = rng.normal(self.base, self.difficulty, self.tasks)
        names = [self._templates(task) for task in range(self.tasks)]
        made = []
        for system, effect in enumerate((0.0, *self.effects)):
            parts = {name: rng.normal(0, self.shared) for some in names for name in some}
            gains = effect + rng.normal(0, self.varies if system else 0.0, self.tasks)
            own = np.array([sum(parts[name] for name in some) / math.sqrt(len(some) or 1) for some in names])
            rates = 1 / (1 + np.exp(-(logits + gains + (own if system else 0.0))))
            made.append(a_run(f"s{system}", self._episodes(rng, rates, names), "rules" if system else "noop"))
        return made

    def _templates(self, task: int) -> tuple[str, ...]:
        if self.chain:
            return f"c{task // 2}", f"d{(task + 1) // 2}"
        return (f"x{task // self.templates}",) if self.templates > 1 else ()

    def _episodes(self, rng: np.random.Generator, rates: np.ndarray, names: Sequence[tuple[str, ...]]) -> list[Episode]:
        solved = rng.random((self.tasks, self.instances, self.trials)) < rates[:, None, None]
        return [
            replace(
                episode(f"t{task:02}#{instance}.{trial}", 2 * bool(solved[task, instance, trial])),
                tags={"template": "+".join(names[task])} if names[task] else {},
            )
            for task in range(self.tasks)
            for instance in range(self.instances)
            for trial in range(self.trials)
        ]


@dataclass
class Tally:
    """What a number of studies said.

    Attributes:
        wrong: studies with a false claim. saying: studies with any claim. claims, false: their numbers.
        found: claims about true effects, of `real` of them.
    """

    studies: int = 0
    wrong: int = 0
    saying: int = 0
    claims: int = 0
    false: int = 0
    found: int = 0
    real: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, said: Conclusion, truth: dict[str, float]) -> None:
        """One study. truth: by name, the sign of the effect."""
        self.studies += 1
        claims = {**dict.fromkeys(said.better, 1.0), **dict.fromkeys(said.worse, -1.0)}
        false = [name for name, sign in claims.items() if truth.get(name, 0.0) * sign <= 0]
        self.wrong += bool(false)
        self.saying += bool(claims)
        self.claims += len(claims)
        self.false += len(false)
        self.real += sum(one != 0 for one in truth.values())
        self.found += len(claims) - len(false)
        self.first.append(said.sentences[0])

    def words(self, what: str) -> str:
        """A line of the table that `-rP` shows."""
        share = 100 * self.wrong / self.studies
        found = f", {100 * self.found / self.real:5.1f} % of true effects found" if self.real else ""
        return f"{what:58} wrong {share:4.1f} % of {self.studies} studies ({self.claims} claims){found}"


def simulated(study: Study, studies: int, seed: int = 0, corrected: bool = True) -> Tally:
    """The conclusions of sweeps with this design.

    Args:
        corrected: False takes p-values as they are, as a conclusion must not.
    """
    tally, rng = Tally(), np.random.default_rng(seed)
    for _ in range(studies):
        runs = study.runs(rng)
        rows = rows_of(runs, resamples=400, seed=int(rng.integers(1 << 30)))
        if not corrected:
            rows = tuple(replace(row, adjusted=row.difference and row.difference.p) for row in rows)
        said = conclude_sweep(rows)
        tally.add(said, {run.name: effect for run, effect in zip(runs[1:], study.effects, strict=True)})
    return tally


def most_wrong(studies: int, rate: float = 0.05) -> int:
    """So many wrong studies are less likely than 1 in 1,000 to be exceeded if the true rate is `rate`."""
    cumulated, count = 0.0, -1
    while cumulated < 0.999:
        count += 1
        cumulated += math.comb(studies, count) * rate**count * (1 - rate) ** (studies - count)
    return count


NULL = {
    "20 tasks, 3 systems": Study(),
    "20 tasks, 8 systems": Study(effects=(0.0,) * 8),
    "40 tasks, 6 systems": Study(tasks=40, effects=(0.0,) * 6),
    "12 tasks, 3 instances, 2 trials": Study(tasks=12, instances=3, trials=2),
    "24 tasks, templates of 3": Study(tasks=24, templates=3, shared=0.8),
    "30 tasks, overlapping templates": Study(tasks=30, chain=True, shared=0.8),
    "40 tasks, nearly all solved": Study(tasks=40, base=3.0),
    "25 tasks, none varies": Study(tasks=25, difficulty=0.0, varies=0.0),
}
"""No system differs from the reference."""
MIXED = {
    "40 tasks, one much worse, one better, two the same": Study(tasks=40, effects=(-3.0, 2.0, 0.0, 0.0)),
    "20 tasks, 3 instances, 3 trials, small effects": Study(
        tasks=20, instances=3, trials=3, effects=(-0.4, 0.4, 0.0), varies=0.3
    ),
    "30 tasks, templates of 3, one worse": Study(tasks=30, templates=3, shared=0.8, effects=(-2.5, 0.0, 0.0)),
    "30 tasks, overlapping templates, one worse": Study(tasks=30, chain=True, shared=0.8, effects=(-2.5, 0.0, 0.0)),
}
"""Some do."""


@pytest.mark.slow
def test_nothing_is_claimed_where_nothing_differs() -> None:
    study = NULL["20 tasks, 8 systems"]
    tally = simulated(study, 40)
    assert tally.wrong <= most_wrong(40), tally.words("corrected")
    hasty = simulated(study, 40, corrected=False)
    assert hasty.wrong >= tally.wrong + 4, "without correction, it would show"


@pytest.mark.slow
def test_tasks_of_one_template_are_not_taken_for_several() -> None:
    tally = simulated(NULL["24 tasks, templates of 3"], 40)
    assert tally.wrong <= most_wrong(40), tally.words("templates of 3")


@pytest.mark.slow
def test_large_effects_are_found_with_the_right_sign() -> None:
    name = "40 tasks, one much worse, one better, two the same"
    tally = simulated(MIXED[name], 25)
    assert tally.wrong <= most_wrong(25) and tally.found >= 0.7 * tally.real, tally.words(name)


def test_a_study_that_cannot_show_anything_claims_nothing_and_says_so() -> None:
    tally = simulated(Study(tasks=8, effects=(-9.0,) * 7, base=4.0), 10)
    assert tally.claims == 0
    assert all(one.startswith("8 tasks cannot show any difference in 7 comparisons at once") for one in tally.first)


def test_the_tally_counts_false_claims() -> None:
    tally = Tally()
    tally.add(Conclusion(("",), ("a",), ("b",), ("c",)), {"a": 1.0, "b": 0.0, "c": -1.0})
    tally.add(Conclusion(("",), ("a",)), {"a": -1.0})
    assert (tally.studies, tally.wrong, tally.claims, tally.false, tally.found, tally.real) == (2, 2, 3, 2, 1, 3)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", [*NULL, *MIXED])
def test_at_most_five_per_cent_of_studies_make_a_false_claim(name: str) -> None:
    tally = simulated({**NULL, **MIXED}[name], 1000, seed=1)
    print(tally.words(name))
    assert tally.wrong <= most_wrong(1000), tally.words(name)
    assert name in NULL or tally.found / tally.claims >= 0.95


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_runs_compared() -> None:
    tally, rng = Tally(), np.random.default_rng(2)
    for _ in range(600):
        a, b = Study(effects=(0.0,), trials=2).runs(rng)
        tally.add(conclude_comparison(compare(a, b, resamples=400)), {})
    print(tally.words("compare: 20 tasks, 2 trials"))
    assert tally.wrong <= most_wrong(600)


def crossed(rng: np.random.Generator, rates: Sequence[Sequence[float]], tasks: int = 24) -> list[Run]:
    """The runs of a grid with these success rates of cells, on tasks of unequal difficulty."""
    spread, runs = rng.normal(0, 1, tasks), []
    for row, line in enumerate(rates):
        for column, rate in enumerate(line):
            chance = 1 / (1 + np.exp(-(spread + math.log(rate / (1 - rate)))))
            solved = rng.random(tasks) < chance
            made = [episode(f"t{task:02}#0.0", 2 * bool(solved[task])) for task in range(tasks)]
            runs.append(a_run(f"p{row} · g{column}", made))
    return runs


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("name", "rates", "truth", "studies"),
    [
        ("grid 2 × 2, nothing differs", ((0.5, 0.5), (0.5, 0.5)), {}, 300),
        ("grid 3 × 3, nothing differs", ((0.5,) * 3,) * 3, {}, 60),
        ("grid 2 × 2, grounders differ", ((0.8, 0.3), (0.8, 0.3)), {"grounder g0": 1.0, "grounder g1": -1.0}, 100),
    ],
)
def test_grids(name: str, rates: Sequence[Sequence[float]], truth: dict[str, float], studies: int) -> None:
    tally, rng = Tally(), np.random.default_rng(3)
    planners, grounders = (
        [f"{kind}{n}" for n in range(size)] for kind, size in (("p", len(rates)), ("g", len(rates[0])))
    )
    dominant = 0
    for _ in range(studies):
        said = conclude_grid(grid_results(planners, grounders, crossed(rng, rates)))
        tally.add(said, truth)
        dominant += "matters more than" in said.text and not truth
    print(tally.words(name), f"; dominance wrongly claimed {dominant}")
    assert tally.wrong <= most_wrong(studies), tally.words(name)
