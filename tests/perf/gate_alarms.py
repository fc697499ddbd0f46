"""How often gates (`omnipilot compare A B --fail-if`) raise a false alarm, and how often they catch a planted drop.

    python tests/perf/gate_alarms.py --comparisons 1000

Runs are drawn with known rates. An episode is solved where the sum of a task's, an instance's and a trial's part, all
normal, exceeds what the rate asks for. The correlations of success are those that `omnipilot plan` assumes: between
trials of an instance 0.7 (30 % of the variance is between trials), between instances of a task 0.5, and between two
systems 0.5 of either. Two runs of the same system share tasks and instances as they are. Every pair of runs goes
through the function that the command calls: `judge_gate`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri  # type: ignore[import-untyped]
from scipy.stats import multivariate_normal  # type: ignore[import-untyped]

from omnipilot.bench.experiments.plan import Assumptions, assumed_basis, designs
from omnipilot.bench.gates.rule import GateVerdict, gate_level, judge_gate, read_gate
from omnipilot.bench.stats import EpisodeOutcome, pair, wilson
from omnipilot.bench.tables import Table

DROP = 15.0
POWER = 0.9


@dataclass(frozen=True)
class Design:
    """Two runs to be drawn.

    Attributes:
        rate, drop: share that A solves, and how much less B does. tasks, instances, trials: of each run.
        shared: how much of what tasks and instances do to success the two have in common: 1 for the same system.
        noise, content: shares of the variance of success between trials, and between instances.
    """

    tasks: int
    rate: float = 0.65
    drop: float = 0.0
    instances: int = 1
    trials: int = 1
    shared: float = 1.0
    noise: float = 0.3
    content: float = 0.2

    @property
    def words(self) -> str:
        return f"{self.tasks} tasks × {self.instances} × {self.trials}"


@cache
def latent_correlation(success: float, rate: float, other: float) -> float:
    """The correlation of two normal variables of which shares `rate` and `other` are above their thresholds, if the
    correlation of being above is `success`; the largest that there is where `success` is more than can be."""
    spread = sqrt(rate * (1 - rate) * other * (1 - other))
    low, high = 0.0, 0.9999
    for _ in range(30):
        middle = (low + high) / 2
        both = multivariate_normal.cdf([ndtri(rate), ndtri(other)], cov=[[1, middle], [middle, 1]])
        low, high = (middle, high) if (both - rate * other) / spread < success else (low, middle)
    return low


def draw_runs(design: Design, chance: np.random.Generator) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """What A and B solve, each of shape (tasks, instances, trials)."""
    a, b = design.rate, design.rate - design.drop
    same_task = latent_correlation(1 - design.noise - design.content, a, a)
    same_instance = latent_correlation(1 - design.noise, a, a)
    tasks, instances = same_task, max(0.0, same_instance - same_task)
    across = latent_correlation(design.shared * (1 - design.noise), a, b)
    # The parts of both systems correlate alike, at most as a whole.
    together = min(1.0, across / (tasks + instances))
    wide, narrow = sqrt(together), sqrt(1 - together)

    def part(variance: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
        common, own = chance.standard_normal(shape), chance.standard_normal((2, *shape))
        return np.asarray(sqrt(variance) * (wide * common + narrow * own))

    of_task = part(tasks, (design.tasks, 1, 1))
    of_instance = part(instances, (design.tasks, design.instances, 1))
    shape = 2, design.tasks, design.instances, design.trials
    value = of_task + of_instance + sqrt(1 - tasks - instances) * chance.standard_normal(shape)
    return value[0] < ndtri(a), value[1] < ndtri(b)


def outcomes_of(solved: NDArray[np.bool_]) -> list[EpisodeOutcome]:
    return [EpisodeOutcome(f"t{task:04}", i, k, float(done)) for (task, i, k), done in np.ndenumerate(solved)]


def judge_drawn(
    design: Design, gate: str, comparisons: int, seed: int = 0, resamples: int = 10_000, gates: int = 1
) -> list[GateVerdict]:
    """The verdict of a gate, one of `gates`, on each of so many drawn comparisons."""
    chance, found = np.random.default_rng(seed), []
    for number in range(comparisons):
        a, b = (outcomes_of(solved) for solved in draw_runs(design, chance))
        found.append(judge_gate(read_gate(gate), pair(a, b)[0], gate_level(0.95, gates), POWER, resamples, number))
    return found


def planned(drop: float = DROP, power: float = POWER, rate: float = 0.5) -> int:
    """How many tasks `omnipilot plan --difference DROP --power POWER` names, each played once by each system."""
    return designs(drop / 100, assumed_basis(Assumptions(rate=rate), drop / 100), power=power)[0].tasks


def designs_shown(tasks: int) -> list[tuple[str, Design, str]]:
    """What the table shows: A/A and planted drops, of the same system (changed a little) and of another."""
    drop = DROP / 100
    one = Design(tasks)
    return [
        ("A/A", one, "SR < -5"),
        ("A/A", Design(40), "SR < -5"),
        ("A/A", Design(40, rate=0.9), "SR < -5"),
        ("A/A", Design(40, instances=2, trials=3), "SR < -5"),
        ("A/A, another system", Design(tasks, shared=0.5), "SR < -5"),
        ("drop, another system", Design(tasks, drop=drop, shared=0.5), "SR < -5"),
        ("drop, another system", Design(tasks, drop=drop, shared=0.5), f"SR < -{DROP:g}"),
        ("drop, the same system", Design(tasks, drop=drop, shared=0.9), "SR < -5"),
        ("drop, another system", Design(40, drop=drop, shared=0.5), "SR < -5"),
        ("drop, another system", Design(planned(power=0.8), drop=drop, shared=0.5), "SR < -5"),
    ]


def alarm_table(comparisons: int, tasks: int, resamples: int, gates: int = 1) -> Table:
    """How often a gate, one of `gates`, failed, a row a design."""
    rows = []
    for number, (truth, design, gate) in enumerate(designs_shown(tasks)):
        found = judge_drawn(design, gate, comparisons, number, resamples, gates)
        failed = sum(one.failed for one in found)
        low, high = wilson(failed, comparisons)
        share = f"{100 * failed / comparisons:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        shown = f"{100 * design.rate:g} → {100 * (design.rate - design.drop):g}"
        rows.append((truth, design.words, shown, gate, share))
    note = (
        f"{comparisons} comparisons a row; one gate of {gates}; tasks × instances × trials; failed in percent, with "
        "Wilson's 95 % interval"
    )
    named = f"omnipilot plan --difference {DROP:g} --power {POWER:g} names {planned()} tasks, each once"
    plan = f"{named}; with 0.8, {planned(power=0.8)}"
    return Table(("truth", "runs", "SR %", "gate", "failed"), tuple(rows), (note, plan), labels=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=1000)
    parser.add_argument("--gates", type=int, default=1, help="so many gates share the false alarms")
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--tasks", type=int, default=planned(), help="default: those that `plan` names")
    asked = parser.parse_args()
    print(alarm_table(asked.comparisons, asked.tasks, asked.resamples, asked.gates).text())


if __name__ == "__main__":
    main()
