"""The table of native families, and looking them up by name or model id."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.memory.models.model_names import base_model_name, model_letters, same_model
from omnipilot.planners.native.family import NativeFamily

UNREAD: dict[str, tuple[str, str]] = {
    "ui-venus-2": (
        "inclusionAI/UI-Venus-2-*",
        "its batches and its desktop verbs are known from a third party's copy alone; it points, as a grounder",
    ),
    "agentcpm-gui": ("openbmb/AgentCPM-GUI", "it acts by its authors' Chinese prompt; it points, as a grounder"),
    "holo1.5": (
        "Hcompany/Holo1.5-*",
        "its authors' cookbook (2ba8961) says that it returns actions and shows none of them; it points, as a grounder",
    ),
    "holo2": (
        "Hcompany/Holo2-*",
        "its authors' cookbook (2ba8961) shows how it points alone; it points, as a grounder",
    ),
    "holo3": (
        "Hcompany/Holo3*",
        "no runner of its authors was found; a third party (GUI-Docker-Env mm_agents/holo_agent.py, 04a0936) asks it "
        "as UI-TARS-1.5 is asked: family=ui-tars-1.5, unverified",
    ),
    "qwen3.8": (
        "Qwen/Qwen3.8-*",
        "no runner that acts with it was found; its chat template asks for the same calls as Qwen3.5's (vLLM recipes "
        "models/Qwen/Qwen3.8-27B.yaml, 015a26c): family=qwen3.5, unverified",
    ),
    "kimi-k3": ("moonshotai/Kimi-K3*", "no runner for it was found; family=kimi-k2.5 reads its predecessor"),
    "step-gui": ("stepfun-ai/Step-GUI*", "no runner for it was found; family=gelab-zero reads its authors' open model"),
    "showui": ("showlab/ShowUI-2B", "its navigation has a prompt of its own for each device; it points, as a grounder"),
}
"""Models that act, but whose actions are not read here, by family: their ids, and why."""

_FILES = ("tars", "code", "atlas", "tools", "boxes", "phones", "api")


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

    A name may also end in how its weights are packed, or in a date: see `base_model_name`. It may be spelled as those
    who pack and serve weights do: see `same_model`.

    Raises:
        ConfigError: no family has this model; the message says how to name the family.
    """
    wanted = model.lower().rstrip("/")
    base = base_model_name(wanted)
    last = base.rsplit("/", 1)[-1]
    found = _listed(wanted) or _listed(base, base_model_name)
    if found is not None:
        return found
    for family in families():
        if any(same_model(wanted, id) for id in family.models):
            return family
    for family in families():
        # Names of hosted models go on with words of their own, such as -preview or -mini.
        if any(last.startswith(id.lower().rsplit("/", 1)[-1] + "-") for id in family.models):
            return family
    said = model_letters(last)
    for name, (ids, why) in UNREAD.items():
        beginnings = (model_letters(ids), model_letters(ids.rsplit("/", 1)[-1]), model_letters(name))
        if said.startswith(beginnings):
            raise ConfigError(f"the actions of {model!r} are not read: {why}")
    raise ConfigError(
        f"no native family lists the model {model!r}; set the option family: {', '.join(f.name for f in families())}"
    )


def _listed(wanted: str, shorten: Callable[[str], str] = str) -> NativeFamily | None:
    """The family that lists an id in lower case, whole or by its last part.

    Args:
        shorten: what is done to the ids that are listed, before they are compared.
    """
    last = wanted.rsplit("/", 1)[-1]
    for exact in (True, False):
        for family in families():
            for known in family.models:
                id = shorten(known.lower())
                if wanted.endswith("/" + id) or wanted == id or (not exact and last == id.rsplit("/", 1)[-1]):
                    return family
    return None
