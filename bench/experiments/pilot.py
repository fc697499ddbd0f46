"""Bases a plan on a pilot: finished episodes of one system or of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from omnipilot.bench.experiments.plan import Assumptions, Basis, price_lines
from omnipilot.bench.journal.run import Run
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.components import Components, components, paired_components
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import pair
from omnipilot.bench.stats.power import VarianceSources
from omnipilot.bench.stats.sign_flips import differing, fewest
from omnipilot.bench.stats.spread import spread
from omnipilot.envs import ConfigError


def pilot_basis(runs: Sequence[Run], assumptions: Assumptions) -> Basis:
    """A basis from finished episodes: of one run, or of one run of each system on the same tasks.

    Variance that the pilot cannot separate (see `Components`) is split as assumed; a stated cost or time overrides the
    pilot's.

    Raises:
        ConfigError: no episodes, more than two runs, two without common tasks, or no variance.
    """
    if len(runs) not in (1, 2):
        raise ConfigError(f"--pilot takes one run, or one run of each of the two systems, not {len(runs)}")
    for run in runs:
        if not run.episodes:
            raise ConfigError(f"{run.name} has no finished episode; run it again to finish it")
    noise, lines = _from_two(runs[0], runs[1], assumptions) if len(runs) == 2 else _from_one(runs[0], assumptions)
    known = _priced(runs, assumptions)
    count = sum(len(run.episodes) for run in runs)
    origin = (
        "assumed" if stated is not None else f"pilot, mean of {count} episodes" for stated in _stated(assumptions)
    )
    return Basis(noise, known.cost, known.seconds, (*lines, *price_lines(known, *origin)))


def divide_variance(found: Components, shares: Mapping[str, float], least: float = 0.0) -> dict[str, float]:
    """Divide the variance among levels; sums over several levels are split in proportion to `shares`.

    A level that the data cannot separate is included in the next separable one above. Levels above the highest known
    one are unknown and are scaled from the known ones by their shares.

    Args:
        shares: assumed for trial, instance and task. least: minimum of the sum, to which all are scaled up.
    """
    known: dict[str, float] = {}
    waiting: list[str] = []
    for level in ("trial", "instance", "task"):
        waiting.append(level)
        value = getattr(found, level)
        if value is not None:
            whole = sum(shares[name] for name in waiting)
            known |= {name: value * (shares[name] / whole if whole else 1 / len(waiting)) for name in waiting}
            waiting = []
    seen = sum(shares[name] for name in known)
    scale = sum(known.values()) / seen if seen else 0.0
    known |= {name: shares[name] * scale for name in waiting}
    total = sum(known.values())
    if total >= least:
        return known
    return {name: value * least / total for name, value in known.items()} if total else _times(shares, least)


def _from_one(run: Run, assumptions: Assumptions) -> tuple[VarianceSources, list[str]]:
    solved = outcomes(run.episodes)
    # A pilot that solved all or nothing does not prove that nothing varies: p is drawn to the middle by two episodes
    # solved and two not (Agresti and Coull, 1998).
    p = (sum(o.value for o in solved) + 2) / (len(solved) + 4)
    found = components(solved)
    level = divide_variance(found, assumptions.shares, p * (1 - p) if found.total == 0 else 0.0)
    apart = 2 * (1 - assumptions.agreement)
    values = [o.value for o in solved]
    lines = [
        f"pilot {run.name}: {100 * float(np.mean(values)):.1f} % of {len(solved)} episodes solved",
        *_told(found, level),
        f"assumed: the other system varies as much, and the two correlate with {assumptions.agreement:g}; a pilot of "
        "both tells",
    ]
    shape = _shape([o.task for o in solved], [o.templates for o in solved], values, lines)
    one = VarianceSources(apart * level["task"], apart * level["instance"], 2 * level["trial"], *shape)
    return replace(one, design=max(1.0, one.design)), lines


def _from_two(a: Run, b: Run, assumptions: Assumptions) -> tuple[VarianceSources, list[str]]:
    pairs, _, _ = pair(outcomes(a.episodes), outcomes(b.episodes))
    if len({one.task for one in pairs}) < 2:
        raise ConfigError("the two pilots share fewer than two tasks; run both with the same --tasks and --instances")
    found = paired_components(pairs)
    values = [one.difference for one in pairs]
    if found.total == 0:
        how = f"differ by {100 * values[0]:+.4g} points in every pair" if values[0] else "never differ"
        raise ConfigError(
            f"{a.name} and {b.name} {how}, so they cannot show how much a difference varies; use larger pilots, only "
            "one of them, or --rate without a pilot"
        )
    level = divide_variance(found, assumptions.shares)
    lines = [
        f"pilots {a.name} and {b.name}: {len(pairs)} pairs, differing by {100 * float(np.mean(values)):+.1f} points",
        *_told(found, level),
    ]
    names = [one.task for one in pairs], [sorted(one.templates) for one in pairs]
    shape = _shape(*names, values, lines)
    known = differing(np.array(values, dtype=float), cluster(*names)) >= fewest()
    return VarianceSources(level["task"], level["instance"], level["trial"], *shape, known), lines


def _told(found: Components, level: Mapping[str, float]) -> list[str]:
    lines = [", ".join(f"variance between {name}s {level[name]:.3f}" for name in ("task", "instance", "trial"))]
    if unknown := [f"{name}s" for name in ("trial", "instance", "task") if getattr(found, name) is None]:
        lines.append(f"assumed: the share of {' and of '.join(unknown)}, which the pilot has one of each")
    return lines


def _shape(
    tasks: Sequence[str], templates: Sequence[Sequence[str]], values: Sequence[float], lines: list[str]
) -> tuple[float, float, float | None]:
    """The effect of shared templates: `design`, `freedom` and `clusters` of `VarianceSources`, explained in `lines`."""
    numbers = np.array(values, dtype=float)
    clusters, lone = cluster(tasks, templates), cluster(tasks, [()] * len(tasks))
    shared, apart = spread(numbers, clusters), spread(numbers, lone)
    if shared.freedom < 1:
        if clusters.kind != "task":
            lines.append("assumed: tasks share no templates; those of the pilot share too many to tell what that costs")
        return 1.0, 1.0, 1.0
    if clusters.kind == "task":
        return 1.0, shared.freedom / (lone.count - 1), 1.0
    effect = (shared.error / apart.error) ** 2 if apart.error else 1.0
    free = shared.freedom / (lone.count - 1)
    lines.append(
        f"tasks share templates: the variance is {effect:.2f} times that of tasks that share none, and "
        f"{lone.count} tasks have {shared.freedom:.1f} degrees of freedom"
    )
    return effect, free, None if clusters.kind == "overlap" else clusters.count / lone.count


def _priced(runs: Sequence[Run], assumptions: Assumptions) -> Assumptions:
    episodes = [episode for run in runs for episode in run.episodes]
    costs = [episode.cost for episode in episodes if episode.cost is not None]
    paid = float(np.mean(costs)) if len(costs) == len(episodes) else None
    took = float(np.mean([episode.wall_seconds for episode in episodes]))
    cost, seconds = _stated(assumptions)
    return replace(assumptions, cost=paid if cost is None else cost, seconds=took if seconds is None else seconds)


def _stated(assumptions: Assumptions) -> tuple[float | None, float | None]:
    return assumptions.cost, assumptions.seconds


def _times(shares: Mapping[str, float], total: float) -> dict[str, float]:
    return {name: share * total for name, share in shares.items()}
