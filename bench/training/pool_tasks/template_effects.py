"""What duet's hand-written templates do, found by playing their demonstrations: the fields that each changes.

Nothing here looks at what a template says; its demonstration is played on content that belongs to no task.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from omnipilot.bench.suites.duet.kit.play import pieces, play
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import Duet, quiet
from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.synthesis.compose import compose, fits
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world

INSTANCES = (1, 2, 3)
"""Contents on which each template is played."""


@dataclass(frozen=True, slots=True)
class TemplateEffect:
    """What a template does.

    Attributes:
        app: the name of its application. effects: the changes of each content that it was played on, such as
            `~todos.done`, bookkeeping included. output: the type of what it tells or yields, "" for nothing.
    """

    app: str
    effects: tuple[frozenset[str], ...]
    output: str


def test_templates() -> frozenset[str]:
    """The ids of all hand-written templates that occur in a task of duet's test split."""
    suite = Duet("all")
    return frozenset(
        id for info in suite.every() if suite.split_of(info.id) == "test" for id in suite.about(info.id).templates
    )


def effects_of_templates(ids: Collection[str]) -> Mapping[str, TemplateEffect]:
    """What templates of duet do, by id.

    Raises:
        KeyError: duet has no template of that id.
    """
    return {id: effect_of(book("").templates[id]) for id in sorted(ids)}


def effect_of(template: Template) -> TemplateEffect:
    """What a template of duet does, played after one that yields its inputs, where it needs one."""
    return TemplateEffect(template.app, _effects(template.id), template.output)


@cache
def _effects(id: str) -> tuple[frozenset[str], ...]:
    template = book("").templates[id]
    return tuple(_effect(template, instance) for instance in INSTANCES)


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
