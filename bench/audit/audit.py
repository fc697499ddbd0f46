"""Audits the tasks of a suite, side by side; what was audited before is taken from its certificates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.audit.records import Certificate, certificate_path, read_certificate, write_certificate
from omnipilot.bench.registry import load_suite
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError, OmnipilotError


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What is audited.

    Attributes:
        suite: the part. tasks: ids; empty for all that the suite runs. instances: of each task.
        sequences: over all tasks together. minutes: of wall time for all, None for no limit.
        seed: of all that is drawn. jobs: processes. planners, doors: as in `AuditBudget`.

    Raises:
        ConfigError: a number is below 1.
    """

    suite: PartSpec
    tasks: tuple[str, ...] = ()
    instances: int = 1
    sequences: int = 20_000
    minutes: float | None = None
    seed: int = 0
    jobs: int = 1
    planners: tuple[str, ...] = ()
    doors: bool = True

    def __post_init__(self) -> None:
        for name in ("instances", "jobs"):
            if getattr(self, name) < 1:
                raise ConfigError(f"--{name} must be at least 1, not {getattr(self, name)}")
        if self.sequences < 0:
            raise ConfigError(f"--sequences must be at least 0, not {self.sequences}")
        if self.minutes is not None and self.minutes <= 0:
            raise ConfigError(f"--minutes must be above 0, not {self.minutes}")


@dataclass(frozen=True, slots=True)
class AuditFailure:
    """A task that could not be audited, and why."""

    task: str
    instance: int
    reason: str


def audit_suite(
    plan: AuditPlan, folder: Path, tell: Callable[[str], None] = lambda _: None
) -> tuple[list[Certificate], list[AuditFailure]]:
    """Audit tasks, and write a certificate for each as soon as it is there.

    Args:
        folder: certificates of the same task, version, seed and budget that lie there are not made again.
        tell: told a line for each task that is done.

    Raises:
        ConfigError: there is no such suite or task.
    """
    suite = load_suite(plan.suite)
    work = _work_of(plan, suite)
    found: list[Certificate] = []
    failed: list[AuditFailure] = []
    due = []
    for one in work:
        kept = read_certificate(certificate_path(folder, one.task, one.instance))
        if kept is not None and kept.is_same_audit(one.blank(suite.version)):
            found.append(kept)
            tell(f"{one.key}: as certified before")
        else:
            due.append(one)
    for one, result in _done(due, plan.jobs):
        if isinstance(result, Certificate):
            write_certificate(folder, result)
            found.append(result)
            tell(f"{one.key}: {_in_short(result)}")
        else:
            failed.append(AuditFailure(one.task, one.instance, result))
            tell(f"{one.key}: not audited: {result}")
    order = [(one.task, one.instance) for one in work]
    found.sort(key=lambda one: order.index((one.task, one.instance)))
    return found, failed


def _work_of(plan: AuditPlan, suite: Suite) -> list[_Work]:
    """What is to be audited, each with its share of the budget."""
    chosen = list(plan.tasks) or [info.id for info in suite.tasks()]
    cells = [(task, instance) for task in chosen for instance in range(plan.instances)]
    if not cells:
        raise ConfigError(f"suite {suite.name!r} has no tasks here; see `omnipilot list tasks`")
    for task in plan.tasks:
        suite.instantiate(task, 0)
    until = None if plan.minutes is None else time.time() + 60 * plan.minutes
    share = -(-plan.sequences // len(cells))
    return [_Work(plan, *cell, share, until, number, len(cells)) for number, cell in enumerate(cells)]


@dataclass(frozen=True, slots=True)
class _Work:
    """One task to be audited, for a process that shares nothing with this one."""

    plan: AuditPlan
    task: str
    instance: int
    sequences: int
    until: float | None
    number: int
    of: int

    @property
    def key(self) -> str:
        return f"{self.task}#{self.instance}"

    def budget(self) -> AuditBudget:
        seconds = 1e9
        if self.until is not None:
            # What is left, shared by those that are still to come.
            left = max(0.0, self.until - time.time())
            seconds = max(1.0, left * self.plan.jobs / max(1, self.of - self.number))
        return AuditBudget(self.sequences, seconds, self.plan.planners, self.plan.doors)

    def blank(self, version: str) -> Certificate:
        plan: dict[str, Any] = {
            "sequences": self.sequences,
            "minutes": self.plan.minutes,
            "planners": list(self.plan.planners),
            "doors": self.plan.doors,
        }
        return Certificate(suite_name(self.plan.suite), version, self.task, self.instance, self.plan.seed, plan)


def suite_name(part: PartSpec) -> str:
    """A suite with its options, as `read_suite_name` reads it."""
    return part.name + "".join(f" {key}={value}" for key, value in sorted(part.options.items()))


def read_suite_name(text: str) -> PartSpec:
    """The inverse of `suite_name`."""
    name, *options = text.split(" ")
    return PartSpec(name, dict(one.split("=", 1) for one in options))


def _done(work: Sequence[_Work], jobs: int) -> Iterator[tuple[_Work, Certificate | str]]:
    if jobs == 1 or len(work) < 2:
        yield from ((one, _audit(one)) for one in work)
        return
    with ProcessPoolExecutor(min(jobs, len(work)), get_context("spawn")) as workers:
        running = {workers.submit(_audit, one): one for one in work}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        except BaseException:
            workers.shutdown(wait=False, cancel_futures=True)
            raise


_LOADED: dict[str, Any] = {}


def _audit(work: _Work) -> Certificate | str:
    """Audit one task; why not, where it cannot be."""
    name = suite_name(work.plan.suite)
    try:
        suite = _LOADED.get(name)
        if suite is None:
            suite = _LOADED[name] = load_suite(work.plan.suite)
        made = audit_task(suite, work.task, work.instance, work.plan.seed, work.budget(), name=name)
    except OmnipilotError as error:
        return f"{type(error).__name__}: {error}"
    return replace(made, budget=work.blank(suite.version).budget)


def _in_short(one: Certificate) -> str:
    if one.findings:
        return "; ".join(f"{finding.kind} ({finding.by})" for finding in one.findings)
    return f"holds, {one.search.get('sequences', 0):,} sequences"
