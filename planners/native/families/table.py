"""The table of native families, and looking them up by name or model id."""

from __future__ import annotations

import functools
from importlib import import_module

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.planners.native.family import NativeFamily

_FILES = ("tars", "code", "atlas", "tools", "boxes", "api")


@functools.cache
def families() -> tuple[NativeFamily, ...]:
    """Every family, in the order of the files that define them."""
    return tuple(
        family for file in _FILES for family in import_module(f"omnipilot.planners.native.families.{file}").FAMILIES
    )


def get(name: str) -> NativeFamily:
    """A family by its name.

    Raises:
        ConfigError: the name is unknown; the message suggests the nearest.
    """
    for family in families():
        if family.name == name.lower():
            return family
    raise ConfigError(f"unknown native family {name!r};  {nearest(name, [known.name for known in families()])}")


def find(model: str) -> NativeFamily:
    """The family of a model id, or of its last part, ignoring case and a `provider/` prefix.

    Raises:
        ConfigError: no family has this model; the message says how to name the family.
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
        # Names of hosted models end with a date.
        if any(last.startswith(id.lower().rsplit("/", 1)[-1] + "-") for id in family.models):
            return family
    raise ConfigError(
        f"no native family lists the model {model!r}; set the option family: {', '.join(f.name for f in families())}"
    )
