"""`make prove`: proves that the tasks of `duet` measure what they claim to.

`python -m omnipilot.bench.suites.duet.prove` takes the tasks to prove, and how many instances of each.

Every proof of every task, at several instances; the exit status is 1 where one does not hold.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import typer

from omnipilot.bench.suites.duet.proofs.proofs import PROOFS
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.envs import OmnipilotError

MOST_SHOWN = 5
"""Flaws of one proof that are printed."""


def flaws(task_id: str, instances: int, add: str = "") -> list[str]:
    """The defects of a task: one line per failed proof, with instance and reason."""
    suite = Duet("all", add=add)
    found = []
    for instance in range(instances):
        for name, proof in PROOFS.items():
            try:
                wrong = proof(suite, task_id, instance)
            except OmnipilotError as error:
                wrong = [f"{type(error).__name__}: {error}"]
            found += [f"{task_id} [{instance}] {name}: {reason}" for reason in wrong[:MOST_SHOWN]]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove, and print what fails.

    Returns:
        0 where all holds, else 1.
    """
    parser = argparse.ArgumentParser(prog="python -m omnipilot.bench.suites.duet.prove", description=__doc__)
    parser.add_argument("tasks", nargs="*", help="task ids; all where none is given")
    parser.add_argument("--template", help="only tasks that use this template")
    parser.add_argument("--instances", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--add", default="", help="a module with templates and recipes of your own")
    options = parser.parse_args(arguments)
    suite = Duet("all", add=options.add)
    known = [info.id for info in suite.tasks()]
    chosen = [suite.about(id).id for id in options.tasks] or known
    if options.template:
        chosen = [id for id in chosen if options.template in suite.about(id).templates]
    began = time.perf_counter()
    failed = 0
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for found in pool.map(partial(flaws, instances=options.instances, add=options.add), chosen):
            failed += bool(found)
            for line in found:
                typer.echo(line)
    seconds = time.perf_counter() - began
    what = f"{len(PROOFS)} proofs, {options.instances} instances of {len(chosen)} tasks"
    typer.echo(f"{what}: {failed} tasks fail ({seconds:.0f} s)")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
