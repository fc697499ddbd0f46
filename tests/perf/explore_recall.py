"""How much of what people thought of does exploration find? Measured against the hand-written templates of duet.

Exploration never reads the templates. Each template's demonstration is played here, and its effect on the account, less
the bookkeeping that exploration found, is looked up among the effects of the edges and paths of a pool. Applications
are divided once, by the hash of their names: two thirds to develop on, one third to be looked at once, at the end.

    omnipilot synth explore POOL
    python tests/perf/explore_recall.py POOL              the two thirds
    python tests/perf/explore_recall.py POOL --held-out   the other third
    python tests/perf/explore_recall.py POOL --new        effects that no template has, of either part
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.explore.stage import read_bookkeeping
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import Edge
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.training.pool_tasks.template_effects import effect_of

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
    return TemplateEffect(template, effect_of(template).effects)


@dataclass
class Recall:
    """Templates by how much of their effect was found; those without any effect on the account are left out.

    Attributes:
        exact: it is that of an edge or a path. composed: it is that of two edges together.
        partly: some of its changes are those of an edge. missed: the others.
    """

    exact: list[TemplateEffect] = field(default_factory=list)
    composed: list[TemplateEffect] = field(default_factory=list)
    partly: list[TemplateEffect] = field(default_factory=list)
    missed: list[TemplateEffect] = field(default_factory=list)

    @property
    def count(self) -> int:
        """All of them."""
        return sum(map(len, (self.exact, self.composed, self.partly, self.missed)))


def recall(effects: Sequence[TemplateEffect], edges: Sequence[Edge], bookkeeping: Mapping[str, str]) -> Recall:
    """Look up each template's effect, in whichever instance, among those of edges and paths."""
    single = {_account(edge.effect, bookkeeping) for edge in edges}
    known = single | {_account(edge.total, bookkeeping) for edge in edges}
    pairs = {one | other for one in single for other in single}
    found = Recall()
    for template in effects:
        wanted = {_account(effect, bookkeeping) for effect in template.effects} - {frozenset()}
        if not wanted:
            continue
        if wanted & known:
            found.exact.append(template)
        elif wanted & pairs:
            found.composed.append(template)
        elif any(effect & other for effect in wanted for other in known):
            found.partly.append(template)
        else:
            found.missed.append(template)
    return found


def new_effects(
    effects: Sequence[TemplateEffect], edges: Sequence[Edge], bookkeeping: Mapping[str, str]
) -> Mapping[frozenset[str], Edge]:
    """Effects of edges on the account that no template has, each with the first edge that has the fewest operations."""
    known: set[frozenset[str]] = {_account(effect, bookkeeping) for one in effects for effect in one.effects}
    known.add(frozenset())
    found: dict[frozenset[str], Edge] = {}
    for edge in sorted(edges, key=lambda edge: len(edge.operations)):
        effect = _account(edge.effect, bookkeeping)
        if effect not in known:
            found.setdefault(effect, edge)
    return found


def _account(effect: Sequence[str] | frozenset[str], bookkeeping: Mapping[str, str]) -> frozenset[str]:
    return frozenset(one for one in effect if one not in bookkeeping and not one.startswith(DEVICES))


def main() -> None:
    """Print the recall of a pool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--held-out", action="store_true", help="the third that is looked at once, at the end")
    parser.add_argument("--names", action="store_true", help="name what was not found")
    parser.add_argument("--new", action="store_true", help="list effects that no template has, instead")
    chosen = parser.parse_args()
    pool = PoolFolder(chosen.pool)
    edges, bookkeeping = pool.edges.require(), read_bookkeeping(pool)
    every = list(book("").templates.values())
    if chosen.new:
        new = new_effects([effects_of(template) for template in every], edges, bookkeeping)
        for effect, edge in sorted(new.items(), key=lambda pair: (pair[1].app, sorted(pair[0]))):
            path = "; ".join(f"{one.verb} {one.control} {one.text}".strip() for one in edge.operations)
            print(f"{edge.app}: {', '.join(sorted(effect))}: {path}")
        print(f"{len(new)} effects that no template has")
        return
    templates = [one for one in every if is_held_out(one.app) == chosen.held_out]
    found = recall([effects_of(template) for template in templates], edges, bookkeeping)
    print(f"{len(templates)} templates of {len({one.app for one in templates})} applications")
    print(f"{found.count} with an effect on the account; found exactly: {len(found.exact)}")
    print(f"found as two effects: {len(found.composed)}; in part: {len(found.partly)}; not: {len(found.missed)}")
    if chosen.names:
        for name, group in (("two effects", found.composed), ("in part", found.partly), ("not", found.missed)):
            for one in group:
                wanted = sorted({tuple(sorted(_account(effect, bookkeeping))) for effect in one.effects})
                print(f"{name}: {one.template.app}: {one.template.id}: {wanted}")


if __name__ == "__main__":
    main()
