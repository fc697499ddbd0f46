"""The stage `explore` of a pool: explores applications one by one, and goes on where it was stopped."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from omnipilot.bench.suites.pool.explore.bookkeeping import find_bookkeeping
from omnipilot.bench.suites.pool.explore.search import DEFAULT_BUDGET, Budget, Exploration, explore
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.worlds import ExplorableWorld
from omnipilot.envs import ConfigError

STAGE = "explore"
RECORD = "explored.json"
"""What was explored, how much of it was kept, and what counts as bookkeeping."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is known of one application.

    Attributes:
        views: of its own screens, those that were seen; of_views: how many it has, where that is known.
        pages, situations, controls: different ones that were seen in it; controls by their generalised ids.
        used: controls that were used. effects: different ones, of edges.
        tried, kept: edges; seconds: of processor time.
    """

    app: str
    views: int
    of_views: int
    pages: int
    situations: int
    controls: int
    used: int
    effects: int
    tried: int
    kept: int
    seconds: float


def explore_apps(
    pool: PoolFolder,
    world: ExplorableWorld,
    apps: Sequence[str] = (),
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    ignored: Collection[str] = (),
    effects: Collection[str] = (),
    tell: Callable[[str], object] = str,
) -> None:
    """Explore applications of a world and append what was found to a pool; those that were explored are passed over.

    Args:
        apps: as the world names them, "device/app" or only the last part; all if none is named.
        ignored: changes that count as bookkeeping, besides those that are found. effects: that do not, although they
            look like it.
        tell: called with a line about each application.

    Raises:
        ConfigError: no such application, or the pool was explored with another seed.
    """
    chosen = choose_apps(world, apps)
    record = read_record(pool)
    if record and record["seed"] != seed:
        raise ConfigError(f"{pool.root} was explored with --seed {record['seed']}; use that, or another folder")
    if not record:
        found = find_bookkeeping(world, world.apps(), seed)
        kept = {name: why for name, why in found.items() if name not in effects} | dict.fromkeys(ignored, "named")
        record = {"seed": seed, "bookkeeping": kept, "apps": {}}
        _write_record(pool, record)
    _drop_unfinished(pool, record, seed)
    for app in chosen:
        if app in record["apps"]:
            tell(f"{app}: explored before")
            continue
        exploration = explore(world, app, budget, seed, record["bookkeeping"])
        _append(pool, exploration, seed)
        record["apps"][app] = {
            "tried": exploration.tried,
            "refused": exploration.refused,
            "kept": len(exploration.edges),
            "seconds": round(exploration.seconds, 2),
        }
        _write_record(pool, record)
        tell(f"{app}: {len(exploration.edges)} of {exploration.tried} operations kept, {exploration.seconds:.1f} s")


def choose_apps(world: ExplorableWorld, names: Sequence[str]) -> Sequence[str]:
    """Applications by their names, or the last parts of these; all if none is named.

    Raises:
        ConfigError: no such application.
    """
    known = list(world.apps())
    chosen = [app for app in known if app in names or app.partition("/")[2] in names]
    unknown = set(names) - set(chosen) - {app.partition("/")[2] for app in chosen}
    if unknown:
        raise ConfigError(f"there is no application {min(unknown)!r}; there is {', '.join(known)}")
    return chosen if names else known


def coverage(pool: PoolFolder, world: ExplorableWorld) -> list[Coverage]:
    """What is known of each application that was explored."""
    record = read_record(pool)
    situations = {situation.id: situation for situation in pool.situations.read()}
    edges = defaultdict(list)
    for edge in pool.edges.read():
        edges[edge.app].append(edge)
    found = []
    for app, counts in (record["apps"] if record else {}).items():
        name = app.partition("/")[2]
        seen = [
            situations[id]
            for id in dict.fromkeys(id for edge in edges[app] for id in (edge.before, edge.after))
            if situations[id].app == name
        ]
        views = list(world.views(app))
        found.append(
            Coverage(
                app=app,
                views=len({one.view for one in seen} & set(views)) if views else len({one.view for one in seen}),
                of_views=len(views),
                pages=len({one.page for one in seen}),
                situations=len(seen),
                controls=len({control for one in seen for control in one.controls}),
                used=len({one.control for edge in edges[app] for one in edge.operations if one.control}),
                effects=len({edge.effect for edge in edges[app] if edge.effect}),
                tried=counts["tried"],
                kept=counts["kept"],
                seconds=counts["seconds"],
            )
        )
    return found


def read_record(pool: PoolFolder) -> dict[str, Any]:
    """What was explored: the seed, bookkeeping with reasons, and counts by application; empty if nothing was."""
    path = pool.root / RECORD
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def read_bookkeeping(pool: PoolFolder) -> Mapping[str, str]:
    """The changes that count as no effect in a pool, each with the reason."""
    return dict(read_record(pool).get("bookkeeping", {}))


def coverage_as_json(found: Sequence[Coverage]) -> str:
    """The table of coverage for programs."""
    return json.dumps([asdict(one) for one in found], indent=1)


def _write_record(pool: PoolFolder, record: Mapping[str, Any]) -> None:
    pool.root.mkdir(parents=True, exist_ok=True)
    beside = pool.root / f"{RECORD}.new"
    beside.write_text(json.dumps(record, indent=1), encoding="utf-8")
    beside.replace(pool.root / RECORD)


def _append(pool: PoolFolder, exploration: Exploration, seed: int) -> None:
    known = {situation.id for situation in pool.situations.read()}
    new = [one for id, one in exploration.situations.items() if id not in known]
    pool.situations.append(new, stage=STAGE, seed=seed)
    pool.edges.append(exploration.edges, stage=STAGE, seed=seed)


def _drop_unfinished(pool: PoolFolder, record: Mapping[str, Any], seed: int) -> None:
    """Drop the edges of an application whose exploration was stopped while it was written."""
    edges = pool.edges.read()
    finished = [edge for edge in edges if edge.app in record["apps"]]
    if len(finished) < len(edges):
        pool.edges.write(finished, stage=STAGE, seed=seed)
