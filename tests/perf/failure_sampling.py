"""Compares tasks drawn by what failed in a run (`--sample-from`) with tasks drawn at random: failures that each holds.

    python tests/perf/failure_sampling.py runs/dev runs/test --sample 20 --tags hangs_on+level

The tasks are those of the second run, which says whether each of them fails; the first run alone decides what is drawn.
Both draws are repeated with `--seeds` seeds. Intervals are of the mean over seeds, not of another second run.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean, stdev

from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.task_selection import draw_failing
from omnipilot.bench.tasks.failure_cells import draw_weighted
from omnipilot.bench.tasks.reviewed_tasks import listed_tasks


def measure(first: Path, second: Path, count: int, seeds: int, tags: str) -> dict[str, list[float]]:
    """The share of failed episodes among those of the drawn tasks, by the way of drawing, for each seed."""
    run = load_run(second)
    played: dict[str, list[bool]] = {}
    for one in run.episodes:
        if not one.void:
            played.setdefault(one.task, []).append(not one.success)
    infos = [info for info in listed_tasks(load_suite(run.spec.suite)) if info.id in played]
    ids = {info.id: info.id for info in infos}
    found: dict[str, list[float]] = {"at random": [], "by failure": []}
    for seed in range(seeds):
        drawn = {
            "at random": draw_weighted(ids, dict.fromkeys(ids, 1.0), count, seed),
            "by failure": draw_failing(infos, f"{first}:{tags}" if tags else str(first), count, seed),
        }
        for how, tasks in drawn.items():
            found[how].append(fmean(failed for task in tasks for failed in played[task]))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path, help="run whose failures decide")
    parser.add_argument("second", type=Path, help="run on the tasks that are drawn")
    parser.add_argument("--sample", type=int, default=20, help="tasks drawn each time")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--tags", default="", help="tags that make tasks alike; by default that which tells most")
    given = parser.parse_args()
    for how, shares in measure(given.first, given.second, given.sample, given.seeds, given.tags).items():
        half = 1.96 * stdev(shares) / len(shares) ** 0.5
        print(f"{how:10}  {100 * fmean(shares):5.1f} % failed  ±{100 * half:.1f}")


if __name__ == "__main__":
    main()
