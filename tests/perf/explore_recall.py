"""How much of what people thought of does exploration find? Measured against the hand-written templates of duet.

Exploration never reads the templates. Each template's demonstration is played here, and its effect on the account, less
the bookkeeping that exploration found, is looked up among the effects of the edges and paths of a pool. Applications
are divided once, by the hash of their names: two thirds to develop on, one third to be looked at once, at the end.

    omnipilot synth explore POOL
    python tests/perf/explore_recall.py POOL            the two thirds
    python tests/perf/explore_recall.py POOL --held-out the other third
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.suites.duet.kit.play import pieces, play
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.suites.pool.explore.stage import read_bookkeeping
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import Edge
from omnipilot.bench.synthesis.compose import compose, fits
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world

INSTANCES = (1, 2, 3)
DEVICES = ("~phone.", "~desktop.", "~signals.")
"""Changes of devices, which are no effect on the account."""


@dataclass(frozen=True)
class TemplateEffect:
    """What the demonstration of a template changes.

    Attributes:
        effects: one for each instance that was played.
    """

    template: Template
    effects: tuple[frozenset[str], ...]


def is_held_out(app: str) -> bool:
    """Whether an application, by its title, belongs to the third that is looked at once."""
    return int.from_bytes(hashlib.sha256(app.encode()).digest()[:4], "big") % 3 == 0


def effects_of(template: Template) -> TemplateEffect:
    """Play a template's demonstration, after that of a template which yields its inputs, where it needs one."""
    return TemplateEffect(template, tuple(_effect(template, instance) for instance in INSTANCES))


def _effect(template: Template, instance: int) -> frozenset[str]:
    before = _providers(template)
    composed = compose([*before, template], quiet(initial_world(instance)), instance)
    world = SimWorld()
    world.reset(instance)
    world.prepare(lambda _: composed.state)
    parts = pieces(world, composed.solutions())
    start = world.state()
    for number, moves in enumerate(parts):
        if number == len(before):
            start = world.state()
        for move in moves:
            play(world, move)
    return frozenset(change.signature for change in changes(start, world.state()))


def _providers(template: Template) -> list[Template]:
    try:
        compose([template], quiet(initial_world(0)), 0)
        return []
    except ConfigError:
        known = list(book("").templates.values())
        return [
            next(other for other in known if fits(other.output, kind) and not other.inputs)
            for kind in template.inputs.values()
        ]


def recall(
    effects: Sequence[TemplateEffect], edges: Sequence[Edge], bookkeeping: Mapping[str, str]
) -> tuple[list[TemplateEffect], list[TemplateEffect], list[TemplateEffect]]:
    """Templates whose effect was found on an edge or a path; those of which only a part of it was; and the others.

    Templates without any effect on the account are in none of the three.
    """
    known = {_account(signatures, bookkeeping) for edge in edges for signatures in (edge.effect, edge.total)}
    exact, partly, missed = [], [], []
    for one in effects:
        wanted = {_account(effect, bookkeeping) for effect in one.effects} - {frozenset()}
        if not wanted:
            continue
        if wanted & known:
            exact.append(one)
        elif any(effect & found for effect in wanted for found in known):
            partly.append(one)
        else:
            missed.append(one)
    return exact, partly, missed


def _account(effect: Sequence[str] | frozenset[str], bookkeeping: Mapping[str, str]) -> frozenset[str]:
    return frozenset(one for one in effect if one not in bookkeeping and not one.startswith(DEVICES))


def main() -> None:
    """Print the recall of a pool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--held-out", action="store_true", help="the third that is looked at once, at the end")
    parser.add_argument("--names", action="store_true", help="name what was not found")
    chosen = parser.parse_args()
    pool = PoolFolder(chosen.pool)
    edges, bookkeeping = pool.edges.require(), read_bookkeeping(pool)
    templates = [one for one in book("").templates.values() if is_held_out(one.app) == chosen.held_out]
    played = [effects_of(template) for template in templates]
    exact, partly, missed = recall(played, edges, bookkeeping)
    count = len(exact) + len(partly) + len(missed)
    print(f"{len(templates)} templates, {count} with an effect on the account")
    print(f"found exactly: {len(exact)} of {count}; in part: {len(partly)}; not: {len(missed)}")
    if chosen.names:
        for name, group in (("in part", partly), ("not", missed)):
            for one in group:
                wanted = sorted({tuple(sorted(_account(effect, bookkeeping))) for effect in one.effects})
                print(f"{name}: {one.template.app}: {one.template.id}: {wanted}")


if __name__ == "__main__":
    main()
