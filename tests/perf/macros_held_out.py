"""What mined macros are worth to a planner that calls them, on tasks from which none was mined.

    python tests/perf/macros_held_out.py runs/dev [--folds 5] [--support 3]
    python tests/perf/macros_held_out.py runs/test --played runs/test-macros

The tasks of a run are dealt into folds. Each fold is played again, as the run was, with the macros that are mined from
the run's other tasks; or another run with macros is given. The table compares it with the run itself, by the tasks that
both solve; the interval is that of the paired difference of turns, over tasks.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np

from omnipilot.agents import PartSpec
from omnipilot.bench.experiments.macro_mining import mine_moves, solved_moves
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.run.runner import run
from omnipilot.bench.stats.clusters import clusters_by_name
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.tables import Table


def play_folds(before: Path, folds: int, support: int, out: Path) -> tuple[list[int], dict[str, Episode]]:
    """The number of macros of each fold, and the episodes played with them, by key."""
    spec = load_run(before).spec
    moves = list(solved_moves(before))
    tasks = sorted({one.task for one in load_run(before).episodes})
    numbers: list[int] = []
    episodes: dict[str, Episode] = {}
    for fold in range(folds):
        held_out = tuple(tasks[fold::folds])
        found = mine_moves([one for one in moves if one[0] not in held_out], support)
        file = out / f"macros-{fold}.toml"
        file.write_text("\n".join(one.macro.to_toml() for one in found), encoding="utf-8")
        agent = replace(spec.agent, verbs=PartSpec("macros", {"macros": str(file)}))
        run(replace(spec, tasks=held_out, agent=agent), out / f"fold-{fold}")
        numbers.append(len(found))
        episodes |= {one.key: one for one in load_run(out / f"fold-{fold}").episodes}
    return numbers, episodes


def rows(before: Mapping[str, Episode], after: Mapping[str, Episode]) -> tuple[tuple[str, ...], ...]:
    """The rows of the table: without and with macros."""
    both = [key for key in before if before[key].success and after[key].success]
    found = []
    for name, run_ in (("without macros", before), ("with macros", after)):
        own = [run_[key] for key in both]
        solved = f"{sum(one.success for one in run_.values())} of {len(run_)}"
        found.append((name, solved, f"{fmean(one.turns for one in own):.2f}", f"{fmean(one.steps for one in own):.2f}"))
    return tuple(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="run of the planner without macros")
    parser.add_argument("--played", type=Path, help="run of the same tasks with macros; nothing is played")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--support", type=int, default=3, help="fewest tasks that a macro occurs in")
    given = parser.parse_args()
    before = {one.key: one for one in load_run(given.run).episodes}
    if given.played:
        after = {one.key: one for one in load_run(given.played).episodes}
    else:
        with tempfile.TemporaryDirectory() as folder:
            numbers, after = play_folds(given.run, given.folds, given.support, Path(folder))
        print(f"macros: {min(numbers)} to {max(numbers)} a fold")
    both = [key for key, one in before.items() if one.success and after[key].success]
    saved = np.array([float(before[key].turns - after[key].turns) for key in both])
    clusters = clusters_by_name([before[key].task for key in both], "tasks")
    interval = mean_interval(saved, clusters, (-np.inf, np.inf))
    lost = sum(one.success and not after[key].success for key, one in before.items())
    won = sum(after[key].success and not one.success for key, one in before.items())
    print(Table(("", "solved", "turns", "steps"), rows(before, after), labels=1).text())
    print(f"lost: {lost}, won: {won}")
    print(f"turns saved: {interval.estimate:.2f} [{interval.low:.2f}, {interval.high:.2f}], {interval.clusters} tasks")


if __name__ == "__main__":
    main()
