"""Collects the templates and recipes of `duet`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.duet import recipes
from omnipilot.bench.suites.duet.recipe import Recipe
from omnipilot.bench.suites.duet.templates import both, desktop, phone
from omnipilot.bench.synthesis.compose import Joins
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class Book:
    """All templates by id and all recipes in order."""

    templates: dict[str, Template]
    recipes: tuple[Recipe, ...]

    def recipe(self, id: str) -> Recipe:
        """The recipe with this id.

        Raises:
            ConfigError: there is none; the message names the nearest.
        """
        found = next((recipe for recipe in self.recipes if recipe.id == id), None)
        if found is None:
            raise ConfigError(describe_unknown("duet task", id, [recipe.id for recipe in self.recipes]))
        return found

    def parts_of(self, recipe: Recipe) -> tuple[tuple[Template, ...], Joins]:
        """The templates of a recipe and the joins that it specifies.

        Raises:
            ConfigError: a step names no template, or an input otherwise than as name=number.
        """
        templates = []
        given: dict[tuple[int, str], int | None] = {}
        for number, step in enumerate(recipe.steps):
            id, *overrides = step.split()
            if id not in self.templates:
                raise ConfigError(f"{recipe.id}: {describe_unknown('template', id, self.templates)}")
            templates.append(self.templates[id])
            for override in overrides:
                name, _, source = override.partition("=")
                if not (source == "alone" or (source.isdecimal() and int(source) > 0)):
                    raise ConfigError(f"{recipe.id}: an input must be NAME=STEP or NAME=alone, not {override!r}")
                given[number, name] = None if source == "alone" else int(source) - 1
        return tuple(templates), given


@lru_cache(maxsize=8)
def book(added: str = "") -> Book:
    """Every `TEMPLATES` and `RECIPES` in `templates`, `recipes` and the module `added`, ordered by file name.

    Raises:
        ConfigError: an id twice, or there is no such module.
    """
    templates: dict[str, Template] = {}
    recipes: dict[str, Recipe] = {}
    for module in _modules(added):
        for template in getattr(module, "TEMPLATES", ()):
            if template.id in templates:
                raise ConfigError(f"{module.__name__}: there is already a template {template.id!r}")
            templates[template.id] = template
        for recipe in getattr(module, "RECIPES", ()):
            if recipe.id in recipes:
                raise ConfigError(f"{module.__name__}: there is already a recipe {recipe.id!r}")
            recipes[recipe.id] = recipe
    return Book(templates, tuple(recipes.values()))


def _modules(added: str) -> Iterator[ModuleType]:
    packages = (phone, desktop, both, recipes)
    names = [(found.name, package.__name__) for package in packages for found in pkgutil.iter_modules(package.__path__)]
    for name, package in sorted(names):
        yield importlib.import_module(f"{package}.{name}")
    if added:
        try:
            yield importlib.import_module(added)
        except ModuleNotFoundError as error:
            raise ConfigError(f"suite.add needs a module that Python can import, not {added!r}: {error}") from None
