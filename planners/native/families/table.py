"""The table of native families: every record, and the way from a model's id to its record."""

from __future__ import annotations

import functools
from importlib import import_module

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.planners.native.family import NativeFamily

_FILES = ("tars", "code", "atlas", "tools", "boxes", "api")


@functools.cache
def families() -> tuple[NativeFamily, ...]:
    """Every record, in the order of the files that hold them."""
    return tuple(
        family for file in _FILES for family in import_module(f"omnipilot.planners.native.families.{file}").FAMILIES
    )


def get(name: str) -> NativeFamily:
    """A family by its name.

    Raises:
        ConfigError: there is none; the message names the nearest.
    """
    for family in families():
        if family.name == name.lower():
            return family
    raise ConfigError(f"no native family is called {name!r}; {nearest(name, [known.name for known in families()])}")


def find(model: str) -> NativeFamily:
    """The family of a model's id: whole, or its last part, in any case; `provider/` before it does not count.

    Raises:
        ConfigError: no family has such a model; the message says how to name the family.
    """
    wanted = model.lower().rstrip("/")
    last = wanted.rsplit("/", 1)[-1]
    for exact in (True, False):
        for family in families():
            for known in family.models:
                id = known.lower()
                if wanted.endswith("/" + id) or wanted == id or (not exact and last == id.rsplit("/", 1)[-1]):
                    return family
    for family in families():
        # Hosted models carry their date behind the name.
        if any(last.startswith(id.lower().rsplit("/", 1)[-1] + "-") for id in family.models):
            return family
    raise ConfigError(
        f"no native family has a model {model!r}; name its family: {', '.join(family.name for family in families())}"
    )
