"""The figures of a pool, as `report.json` has them.

Beside them stand those that OmniBench's paper prints of its own pool (arXiv:2506.08933): 255 subtasks of 49
applications, 36,076 tasks, 20 scenarios, 46.05 % that need a network, 2.21 applications a task, instructions of 51.7
and 237.9 words. It prints neither times nor costs nor drop-out rates; ours do where models were asked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from statistics import fmean
from typing import Any

from omnipilot.bench.suites.pool.compose.cells import cell_of
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.rate.agreement import acceptance
from omnipilot.bench.suites.pool.records import GraphRecord, SubtaskRecord, TaskRecord, VerdictRecord
from omnipilot.bench.tasks import HARD_FROM, count_words

PAPER: Mapping[str, float] = {
    "subtasks": 255,
    "applications": 49,
    "tasks": 36_076,
    "scenarios": 20,
    "network": 0.4605,
    "apps a task": 2.21,
    "words, high": 51.7,
    "words, low": 237.9,
    "accepted by people": 0.907,
}
"""OmniBench's figures of its own pool."""


@dataclass(frozen=True, slots=True)
class StageCount:
    """What a stage was given, and what of it survived."""

    stage: str
    given: int
    kept: int
    what: str


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """The figures of a pool.

    Attributes:
        stages: survivors, in order of the stages; those that have not run are left out.
        counts: how many of each kind of record, and means, by the names of `PAPER` where the paper has them.
        cells: graphs by cell, a cell being five grades in the order of table 2, such as "hard-easy-…".
        figures: complexity → value → number of graphs. capabilities, scenarios, categories: graphs by each.
        apps: subtasks by application. use: how often each subtask occurs in graphs.
        evenness: entropy of the use of subtasks through its maximum, 0..1.
        ratings: what people said, as `Acceptance` has it; None where nobody has rated.
        costs: seconds, dollars and models of the stages that noted them.
    """

    stages: Sequence[StageCount]
    counts: Mapping[str, float]
    cells: Mapping[str, int]
    figures: Mapping[str, Mapping[int, int]]
    capabilities: Mapping[str, int]
    scenarios: Mapping[str, int]
    apps: Mapping[str, int]
    use: Mapping[str, int]
    evenness: float
    ratings: Mapping[str, Any] | None = None
    costs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, with the paper's own figures."""
        return {**asdict(self), "paper": dict(PAPER)}


def pool_figures(pool: PoolFolder) -> PoolFigures:
    """The figures of a pool, whatever of its stages have run.

    Raises:
        ConfigError: a file has a line that is no record.
    """
    subtasks, graphs, tasks = pool.subtasks.read(), pool.graphs.read(), pool.tasks.read()
    verdicts, ratings = pool.verdicts.read(), pool.ratings.read()
    apps = {subtask.id: f"{subtask.env}/{subtask.application}" for subtask in subtasks}
    use = Counter(id for graph in graphs for id in graph.subtasks)
    return PoolFigures(
        stages=list(_stages(pool, subtasks, verdicts, graphs, tasks)),
        counts=_counts(subtasks, graphs, tasks, apps),
        cells=dict(Counter(cell_of(graph.figures) for graph in graphs).most_common()),
        figures={
            name: dict(sorted(Counter(graph.figures[name] for graph in graphs if name in graph.figures).items()))
            for name in HARD_FROM
        },
        capabilities=dict(Counter(name for graph in graphs for name in graph.capabilities).most_common()),
        scenarios=dict(Counter(graph.scenario for graph in graphs if graph.scenario).most_common()),
        apps=dict(Counter(apps.values()).most_common()),
        use=dict(use.most_common()),
        evenness=evenness(use, len(subtasks)),
        ratings=asdict(acceptance(ratings)) if ratings else None,
        costs=_costs(pool),
    )


def evenness(use: Mapping[str, int], kinds: int) -> float:
    """The entropy of how often each of some kinds is used, through its maximum: 1 where all are used alike.

    Args:
        kinds: how many there are, used or not.
    """
    total = sum(use.values())
    if kinds < 2 or not total:
        return 0.0
    return -sum(n / total * math.log(n / total) for n in use.values() if n) / math.log(kinds)


def _stages(
    pool: PoolFolder,
    subtasks: Sequence[SubtaskRecord],
    verdicts: Sequence[VerdictRecord],
    graphs: Sequence[GraphRecord],
    tasks: Sequence[TaskRecord],
) -> Iterable[StageCount]:
    edges = pool.edges.read()
    if edges:
        yield StageCount(
            "explore", len(edges), sum(bool(edge.effect) for edge in edges), "moves that changed something"
        )
    found = [subtask for subtask in subtasks if subtask.made_by == "search"]
    if found:
        evidence = {id for subtask in found for id in subtask.evidence}
        yield StageCount("subtasks", max(len(edges), len(evidence)), len(found), "subtasks made of them")
    if verdicts:
        last = {verdict.subtask: verdict for verdict in verdicts}
        yield StageCount("verify", len(last), sum(one.accepted for one in last.values()), "subtasks that hold")
    if graphs:
        yield StageCount("compose", len(graphs), len(graphs), "graphs")
    if tasks:
        yield StageCount("tell", len(graphs), len(tasks), "graphs put into words so far")
        checked = [task for task in tasks if task.checked]
        if checked:
            kept = sum(task.is_kept for task in checked)
            yield StageCount("check", len(checked), kept, "wordings that keep their graph")


def _counts(
    subtasks: Sequence[SubtaskRecord],
    graphs: Sequence[GraphRecord],
    tasks: Sequence[TaskRecord],
    apps: Mapping[str, str],
) -> dict[str, float]:
    counts: dict[str, float] = {
        "subtasks": len(subtasks),
        "applications": len(set(apps.values())),
        "both take and yield": sum(bool(one.input_resources and one.output_resources) for one in subtasks),
        "tasks": len(graphs),
        "cells": len({cell_of(graph.figures) for graph in graphs}),
    }
    if graphs:
        named = [len({apps[id] for id in graph.subtasks if id in apps}) for graph in graphs]
        counts |= {
            "apps a task": fmean(named),
            "subtasks a task": fmean(len(graph.subtasks) for graph in graphs),
            "scenarios": len({graph.scenario for graph in graphs if graph.scenario}),
            "network": fmean(graph.network for graph in graphs),
        }
    for wording in ("high", "low"):
        if texts := [text for task in tasks if (text := getattr(task, wording))]:
            counts[f"words, {wording}"] = fmean(map(count_words, texts))
    return counts


def _and_before(made: Mapping[str, Any] | None) -> Iterable[Mapping[str, Any]]:
    """What a line says of the stage that made it, and of those that had it before."""
    while made:
        yield made
        made = made.get("before")


def _costs(pool: PoolFolder) -> dict[str, dict[str, Any]]:
    """What the lines of files say of the seconds and dollars that each of them took, and of the models asked."""
    found: dict[str, dict[str, Any]] = {}
    for file in pool.files():
        for made in chain.from_iterable(map(_and_before, file.made())):
            stage = found.setdefault(str(made.get("stage", "")), {})
            for name in ("seconds", "dollars"):
                if isinstance(made.get(name), int | float):
                    stage[name] = stage.get(name, 0.0) + made[name]
            if made.get("model"):
                stage["models"] = sorted({*stage.get("models", ()), str(made["model"])})
    return {stage: costs for stage, costs in found.items() if costs}
