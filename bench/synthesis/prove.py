"""Runs the proofs of a suite's tasks, and prints what fails: for `duet`, `duet-memory`, `lures` and `workshop`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context

import typer

from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import OmnipilotError

MOST_SHOWN = 5
"""Defects of one proof that are printed."""


def flaws_of(proofs: Mapping[str, Callable[..., Iterable[str]]], where: str, *case: object) -> Iterator[str]:
    """The defects of one case: one line per reason, with the proof's name.

    Args:
        proofs: by name; each lists defects, and nothing means proved.
        where: what is proved, such as "move-file [0]".
        case: what each proof is called with.
    """
    for name, proof in proofs.items():
        try:
            wrong = list(proof(*case))
        except OmnipilotError as error:
            wrong = [f"{type(error).__name__}: {error}"]
        yield from (f"{where} {name}: {reason}" for reason in wrong[:MOST_SHOWN])


def flaws_of_task(
    proofs: Mapping[str, Callable[..., Iterable[str]]], suite: Suite, task_id: str, instances: int
) -> list[str]:
    """The defects of a task: one line per reason, with instance and proof.

    Args:
        proofs: as of `flaws_of`, called with suite, task and instance. instances: how many, from 0 on.
    """
    return [
        line
        for instance in range(instances)
        for line in flaws_of(proofs, f"{task_id} [{instance}]", suite, task_id, instance)
    ]


def parser_for(module: str, description: str | None, instances: int, jobs: int) -> argparse.ArgumentParser:
    """The options that every such command has: tasks, `--instances` and `--jobs`, with these defaults."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("tasks", nargs="*", help="task ids; all where none is given")
    parser.add_argument("--instances", type=int, default=instances, help="how many of each task")
    parser.add_argument("--jobs", type=int, default=jobs, help="processes side by side")
    return parser


def prove(find: Callable[[str], Sequence[str]], tasks: Sequence[str], jobs: int, what: str) -> int:
    """Prove tasks, print what fails as it is found, and then how many fail.

    Args:
        find: the defects of one task; picklable where there is more than one job.
        what: what was proved, such as "5 proofs, 2 instances".

    Returns:
        The exit status: 0 where all holds, else 1.
    """
    began = time.perf_counter()
    failed = 0
    with ProcessPoolExecutor(jobs, get_context("spawn")) if jobs > 1 else nullcontext() as workers:
        for found in workers.map(find, tasks) if workers is not None else map(find, tasks):
            failed += bool(found)
            for line in found:
                typer.echo(line)
    seconds = time.perf_counter() - began
    typer.echo(f"{what} of {len(tasks)} tasks: {failed} tasks fail ({seconds:.0f} s)")
    return int(failed > 0)


def prove_suite(
    options: argparse.Namespace, suite: Suite, find: Callable[..., Sequence[str]], proofs: Mapping[str, object]
) -> int:
    """Prove the tasks of a suite that were asked for, as `prove` does.

    Args:
        options: as `parser_for` reads them. find: the defects of a task; called with it and with `instances`, how many.
    """
    chosen = options.tasks or [info.id for info in suite.tasks()]
    what = f"{len(proofs)} proofs, {options.instances} instances"
    return prove(partial(find, instances=options.instances), chosen, options.jobs, what)
