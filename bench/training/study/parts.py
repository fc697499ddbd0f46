"""The parts of the study: demonstrations, then for each arm and seed training, then playing. Each is resumed where it
was stopped, and each arm that is finished has a file of JSON with all that figures are made of."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly import AgentSpec, PartSpec
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import values_of
from omnipilot.bench.training.data import read_lines, write_lines
from omnipilot.bench.training.demonstrations import FIRST_MEASURED, Sample, demonstrate
from omnipilot.bench.training.study.arms import StudyArm, measured_tasks, study_arms
from omnipilot.bench.training.study.order import PartClock, PartOver, Said, StudyOrder
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text
from omnipilot.memory.store import write_atomically

CHUNK = 20
"""Demonstrations that are tried for one file."""
MOST_TRIED = 4
"""How many times more are tried than wanted, before an arm is said to lack tasks."""


def run_study(order: StudyOrder, minutes: float, said: Said) -> bool:
    """Do what is left of a study, for at most so many minutes and what a step of it takes; whether all is done.

    Raises:
        ConfigError: the folder holds another study, or an arm has too few tasks.
    """
    _settle(order)
    clock = PartClock(time.monotonic() + 60 * minutes)
    try:
        arms = study_arms(order.pool, order.arms)
        for arm in arms:
            _write_samples(order, arm, clock, said)
        if not (order.folder / "measured.jsonl").exists():
            said("demonstrations of the tasks that are measured on")
            suite = Duet("dev")
            steps = [one for task in measured_tasks() for one in demonstrate(suite, task, FIRST_MEASURED, slips=0.0)]
            write_lines(order.folder / "measured.jsonl", steps)
        for seed in order.seeds:
            for arm in arms:
                _finish(order, arm, seed, clock, said)
    except PartOver:
        said("the time of this part is over; the same command goes on")
        return False
    return True


def _settle(order: StudyOrder) -> None:
    path = order.folder / "study.json"
    told = json.dumps(order.settings(), indent=1) + "\n"
    if path.exists() and read_text(path) != told:
        raise ConfigError(f"{order.folder} holds a study with other settings; choose another --out")
    order.folder.mkdir(parents=True, exist_ok=True)
    path.write_text(told, encoding="utf-8")


def _write_samples(order: StudyOrder, arm: StudyArm, clock: PartClock, said: Said) -> None:
    folder = order.folder / "samples" / arm.name
    folder.mkdir(parents=True, exist_ok=True)
    shown = number = 0
    while shown < order.count:
        if number * CHUNK > MOST_TRIED * order.count + CHUNK:
            raise ConfigError(
                f"arm {arm.name}: only {shown} of {order.count} demonstrations can be made; ask for fewer"
            )
        path = folder / f"{number:05d}.jsonl"
        if not path.exists():
            clock.check()
            chosen = [arm.candidate(number * CHUNK + at) for at in range(CHUNK)]
            write_lines(path, [one for task, instance in chosen for one in arm.demonstrate(task, instance)])
            said(f"{arm.name}: demonstrations {number * CHUNK + 1} to {(number + 1) * CHUNK}")
        shown += len({(one.task, one.instance) for one in read_lines(path, Sample, "omnipilot train study")})
        number += 1


def _finish(order: StudyOrder, arm: StudyArm, seed: int, clock: PartClock, said: Said) -> None:
    model = order.folder / "models" / f"{arm.name}-{seed}"
    trained = model / "trained.json"
    if not trained.exists():
        from omnipilot.bench.training.study.training import train_arm

        clock.check()
        said(f"{arm.name}, seed {seed}: training")
        about = train_arm(order, arm, seed, model, clock, said)
        write_atomically(trained, json.dumps(about).encode())
    for test in (False, True) if order.test else (False,):
        path = order.result(arm.name, seed, test)
        if path.exists():
            continue
        clock.check()
        said(f"{arm.name}, seed {seed}: playing {'the test split' if test else 'held-out tasks'}")
        episodes = _played(order, arm, seed, model / "model", test)
        told = {
            **order.settings(),
            "arm": arm.name,
            "seed": seed,
            "split": "test" if test else "dev",
            **parse_json(read_text(trained)),
            "episodes": episodes,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (json.dumps(told, indent=1) + "\n").encode())


def _played(order: StudyOrder, arm: StudyArm, seed: int, model: Path, test: bool) -> Sequence[Mapping[str, Any]]:
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
        intent=arm.intents and stated.issuperset(tasks),
    )
    out = order.folder / "runs" / f"{arm.name}-{seed}-{split}"
    run(spec, out)
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
