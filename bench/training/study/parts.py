"""The parts of the study: demonstrations, then for each arm and seed training, then playing. Each is resumed where it
was stopped, and each arm that is finished has a file of JSON with all that figures are made of."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from math import ceil
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly import AgentSpec, PartSpec
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import values_of
from omnipilot.bench.training.data import read_lines, write_lines
from omnipilot.bench.training.demonstrations import FIRST_MEASURED, Sample, demonstrate
from omnipilot.bench.training.progress import TellLine
from omnipilot.bench.training.study.arms import StudyArm, measured_tasks, study_arms
from omnipilot.bench.training.study.order import PartClock, PartOver, StudyOrder, work_in
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text
from omnipilot.memory.store import write_atomically

CHUNK = 20
"""Demonstrations that are tried for one file."""
MOST_TRIED = 4
"""How many times more are tried than wanted, before an arm is said to lack tasks."""


def run_study(order: StudyOrder, minutes: float, said: TellLine) -> bool:
    """Do what is left of a study, for at most so many minutes and what a step of it takes; whether all is done.

    Demonstrations are written, models trained and episodes played in `order.workers` processes; what comes out is the
    same with one.

    Raises:
        ConfigError: the folder holds another study, or an arm has too few tasks.
    """
    _settle(order)
    clock = PartClock(time.monotonic() + 60 * minutes)
    try:
        for name in order.arms:
            _write_samples(order, name, clock, said)
        if not (order.folder / "measured.jsonl").exists():
            said("demonstrations of the tasks that are measured on")
            suite = Duet("dev")
            steps = [one for task in measured_tasks() for one in demonstrate(suite, task, FIRST_MEASURED, slips=0.0)]
            write_lines(order.folder / "measured.jsonl", steps)
        models = [(name, seed) for seed in order.seeds for name in order.arms]
        untrained = [one for one in models if not _trained(order, *one).exists()]
        if untrained:
            from omnipilot.bench.training.study.training import settle_vocabulary

            settle_vocabulary(order)
            work_in(order.workers, [partial(_train, order, *one, clock) for one in untrained], said)
        for name, seed in models:
            _play(order, name, seed, clock, said)
    except PartOver:
        said("the time of this part is over; the same command goes on")
        return False
    return True


def _settle(order: StudyOrder) -> None:
    path = order.folder / "study.json"
    told = json.dumps(order.settings(), indent=1) + "\n"
    if path.exists() and read_text(path) != told:
        raise ConfigError(
            f"{order.folder} holds a study of another pool, or with other settings ({path}); choose another --out"
        )
    order.folder.mkdir(parents=True, exist_ok=True)
    path.write_text(told, encoding="utf-8")


@cache
def _arm(pool: Path, names: tuple[str, ...], name: str) -> StudyArm:
    """One arm of a study; each process reads the pool once."""
    return next(arm for arm in _arms(pool, names) if arm.name == name)


@cache
def _arms(pool: Path, names: tuple[str, ...]) -> list[StudyArm]:
    return study_arms(pool, names)


def _write_samples(order: StudyOrder, name: str, clock: PartClock, said: TellLine) -> None:
    """Write as many files of demonstrations as the ordered number takes: some demonstrations cannot be made."""
    folder = order.folder / "samples" / name
    folder.mkdir(parents=True, exist_ok=True)
    files = ceil(order.count / CHUNK)
    while True:
        paths = [folder / f"{number:05d}.jsonl" for number in range(files)]
        missing = [number for number, path in enumerate(paths) if not path.exists()]
        work_in(order.workers, [partial(_write_file, order, name, number, clock) for number in missing], said)
        samples = [one for path in paths for one in read_lines(path, Sample, "omnipilot train study")]
        shown = len({(one.task, one.instance) for one in samples})
        if shown >= order.count:
            return
        if files * CHUNK > MOST_TRIED * order.count + CHUNK:
            raise ConfigError(f"arm {name}: only {shown} of {order.count} demonstrations can be made; ask for fewer")
        files += ceil((order.count - shown) / CHUNK)


def _write_file(order: StudyOrder, name: str, number: int, clock: PartClock, said: TellLine) -> None:
    clock.check()
    arm = _arm(order.pool, order.arms, name)
    chosen = [arm.candidate(number * CHUNK + at) for at in range(CHUNK)]
    path = order.folder / "samples" / name / f"{number:05d}.jsonl"
    write_lines(path, [one for task, instance in chosen for one in arm.demonstrate(task, instance)])
    said(f"{name}: demonstrations {number * CHUNK + 1} to {(number + 1) * CHUNK}")


def _model(order: StudyOrder, name: str, seed: int) -> Path:
    return order.folder / "models" / f"{name}-{seed}"


def _trained(order: StudyOrder, name: str, seed: int) -> Path:
    return _model(order, name, seed) / "trained.json"


def _train(order: StudyOrder, name: str, seed: int, clock: PartClock, said: TellLine) -> None:
    from omnipilot.bench.training.study.training import train_arm

    clock.check()
    said(f"{name}, seed {seed}: training")
    arm = _arm(order.pool, order.arms, name)
    about = train_arm(
        order, arm, seed, _model(order, name, seed), clock, lambda line: said(f"{name}, seed {seed}: {line}")
    )
    write_atomically(_trained(order, name, seed), json.dumps(about).encode())


def _play(order: StudyOrder, name: str, seed: int, clock: PartClock, said: TellLine) -> None:
    """Play what a trained model is measured on, and write its file."""
    for test in (False, True) if order.test else (False,):
        path = order.result(name, seed, test)
        if path.exists():
            continue
        clock.check()
        said(f"{name}, seed {seed}: playing {'the test split' if test else 'held-out tasks'}")
        intents = _arm(order.pool, order.arms, name).intents
        told = {
            **order.settings(),
            "arm": name,
            "seed": seed,
            "split": "test" if test else "dev",
            **parse_json(read_text(_trained(order, name, seed))),
            "episodes": _played(order, f"{name}-{seed}", intents, _model(order, name, seed) / "model", test),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (json.dumps(told, indent=1) + "\n").encode())


def _played(order: StudyOrder, name: str, intents: bool, model: Path, test: bool) -> Sequence[Mapping[str, Any]]:
    split = "test" if test else "dev"
    suite = Duet(split)  # type: ignore[arg-type]
    tasks = tuple(info.id for info in suite.tasks()) if test else measured_tasks()
    stated = {info.id for info in suite.tasks() if info.intent}
    agent = AgentSpec(
        planner=PartSpec("mini", {"folder": str(model)}), readers=PartSpec("gold", {"what": "transcript"})
    )
    spec = RunSpec(
        agent,
        PartSpec("duet", {"split": split}),
        tasks=tasks,
        instances=order.instances,
        intent=intents and stated.issuperset(tasks),
    )
    out = order.folder / "runs" / f"{name}-{split}"
    run(spec, out, RunExecution(jobs=order.workers if order.workers > 1 else 0, media="none"))
    return [
        asdict(
            StudyEpisode(
                one.task, one.instance, one.success, one.completed, one.total, values_of(one.tags, "template"), one.void
            )
        )
        for one in load_run(out).episodes
    ]


@dataclass(frozen=True, slots=True)
class StudyEpisode:
    """One episode that a model played: what a figure needs of it."""

    task: str
    instance: int
    success: bool
    completed: int
    total: int
    templates: tuple[str, ...]
    void: bool = False
