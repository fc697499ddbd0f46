"""Each `duet` sub-task as its own task, for its authors: `prove --add …single_subtasks only-<template>`.

A sub-task that needs what another yields cannot be alone and is left out; one whose fact only matters to the sub-task
after it is rightly found to have the same right moves as its twin.
"""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.synthesis.compose import compose
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.content.generate import initial_world


def _stands(template: Template) -> bool:
    try:
        compose([template], initial_world(0), 0)
    except ConfigError:
        return False
    return True


RECIPES = tuple(
    Recipe(f"only-{template.id}", "To try a sub-task", (template.id,))
    for template in book().templates.values()
    if _stands(template)
)
