"""The table of native families, and looking them up by name or model id."""

from __future__ import annotations

import functools
from importlib import import_module

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.memory.models.model_names import base_model_name
from omnipilot.planners.native.family import NativeFamily

UNREAD: dict[str, tuple[str, str]] = {
    "ui-venus-2": (
        "inclusionAI/UI-Venus-2-*",
        "its batches and its desktop verbs are known from a third party's copy alone; it points, as a grounder",
    ),
    "agentcpm-gui": ("openbmb/AgentCPM-GUI", "it acts by its authors' Chinese prompt; it points, as a grounder"),
    "showui": ("showlab/ShowUI-2B", "its navigation has a prompt of its own for each device; it points, as a grounder"),
}
"""Models that act, but whose actions are not read here, by family: their ids, and why."""

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

    A name may also end in how its weights are packed, or in a date: see `base_model_name`.

    Raises:
        ConfigError: no family has this model; the message says how to name the family.
    """
    wanted = model.lower().rstrip("/")
    base = base_model_name(wanted)
    last = base.rsplit("/", 1)[-1]
    found = _listed(wanted) or _listed(base)
    if found is not None:
        return found
    for family in families():
        # Names of hosted models go on with words of their own, such as -preview or -mini.
        if any(last.startswith(id.lower().rsplit("/", 1)[-1] + "-") for id in family.models):
            return family
    for name, (ids, why) in UNREAD.items():
        if last.startswith(ids.lower().rsplit("/", 1)[-1].rstrip("*")) or last == name:
            raise ConfigError(f"the actions of {model!r} are not read: {why}")
    raise ConfigError(
        f"no native family lists the model {model!r}; set the option family: {', '.join(f.name for f in families())}"
    )


def _listed(wanted: str) -> NativeFamily | None:
    """The family that lists an id in lower case, whole or by its last part."""
    last = wanted.rsplit("/", 1)[-1]
    for exact in (True, False):
        for family in families():
            for known in family.models:
                id = known.lower()
                if wanted.endswith("/" + id) or wanted == id or (not exact and last == id.rsplit("/", 1)[-1]):
                    return family
    return None
