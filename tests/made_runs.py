"""Made-up outcomes and runs for the tests of statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from toy_suite import toy_spec

from omnipilot.bench.episodes import Episode
from omnipilot.bench.run_read import Run
from omnipilot.bench.stats import Outcome
from omnipilot.bench.stats_clusters import Clusters, cluster
from omnipilot.memory.transcript import Usage

Draw = Callable[[np.random.Generator], NDArray[np.float64]]


def outcome(key: str, value: float = 1.0, void: bool = False, templates: tuple[str, ...] = ()) -> Outcome:
    """From "task#instance.trial"."""
    task, _, rest = key.partition("#")
    instance, _, trial = rest.partition(".")
    return Outcome(task, int(instance or 0), int(trial or 0), value, void, templates)


def episode(key: str, done: int = 2, reason: str = "", cost: float | None = 0.5, template: str = "") -> Episode:
    """An episode of two nodes, `done` of them reached."""
    one = outcome(key)
    why = reason or ("success" if done == 2 else "turns")
    tags = {"template": template} if template else {}
    head = (f"{one.task}#{one.instance}.{one.trial}", one.task, one.instance, one.trial, 1, "do it", tags)
    usage = Usage(1, 90, 10, cost, 1.0)
    return Episode(*head, why, "", "", done, 2, 4, 4, 4, 0, usage, {}, 3.0, 36.0)


def a_run(name: str, episodes: Sequence[Episode], planner: str = "rules", planned: int = 0) -> Run:
    """A run directory, as tables see it."""
    spec = toy_spec("count")
    agent = replace(spec.agent, planner=replace(spec.agent.planner, name=planner))
    return Run(name, replace(spec, agent=agent), tuple(episodes), planned or len(episodes))


def paired_design(
    tasks: int,
    instances: int = 1,
    trials: int = 1,
    difference: float = 0.1,
    templates: Sequence[tuple[str, ...]] | None = None,
    effect: float = 0.0,
    base: float = 0.2,
) -> tuple[Clusters, Draw]:
    """Pairs of simulated systems: their clusters, and what draws their differences.

    Tasks differ in how often A solves them (0.45 ± base) and in how much better B is (difference ± 0.15, and a part
    for each template, shared by the tasks that have it). Every mean is exact: nothing is clipped.
    """
    names = [f"task-{number:03}" for number in range(tasks) for _ in range(instances)]
    made = [() if templates is None else templates[number] for number in range(tasks) for _ in range(instances)]
    known = sorted({name for found in templates or () for name in found})

    def draw(chance: np.random.Generator) -> NDArray[np.float64]:
        rate = 0.45 + base * (2 * chance.random(tasks) - 1)
        better = difference + 0.15 * (2 * chance.random(tasks) - 1)
        if templates is not None:
            parts: Mapping[str, float] = {name: effect * (2 * chance.random() - 1) for name in known}
            better += np.array([sum(map(parts.__getitem__, found)) / len(found) ** 0.5 for found in templates])
        both = np.stack([rate, rate + better])
        assert both.min() >= 0 and both.max() <= 1
        solved = chance.binomial(trials, np.repeat(both, instances, axis=1)) / trials
        return np.asarray(solved[1] - solved[0])

    return cluster(names, made), draw
