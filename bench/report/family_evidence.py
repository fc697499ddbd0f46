"""Whose words the models of a run are asked in, and how sure it is that they are asked as they were trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.envs import ConfigError
from omnipilot.grounders import Family
from omnipilot.grounders.families import find
from omnipilot.planners.native import NativeFamily


def families_used(grounder: PartSpec) -> list[Family]:
    """The families of the models that a grounder's options name, including those of inner grounders."""
    found: dict[str, Family] = {}
    for model, family in (named for part in grounder.walk() for named in _named(part.options)):
        try:
            used = find(model, family)
        except ConfigError:
            # A plug-in's model is none of ours; a model of ours that nobody knows has stopped the run long before.
            continue
        found[used.name] = used
    return list(found.values())


def unverified_families(grounder: PartSpec) -> list[str]:
    """Names of those families whose prompts are unverified."""
    return [family.name for family in families_used(grounder) if family.evidence == "unverified"]


OURS, AUTHORS, FILE = "ours", "its authors'", "a file"
"""Whose words a model is asked in."""


def prompt_words(planner: PartSpec, grounder: PartSpec) -> str:
    """Whose words a native planner and pointing models are asked in; "" if there is none of these.

    A model is trained on its authors' words: asked in others, it may do worse than they report.
    """
    asked = {"planner": _acting(planner), "grounder": _pointing(grounder)}
    found = {role: words for role, words in asked.items() if words}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return ", ".join(f"{words} ({role})" for role, words in found.items())


def native_family(planner: PartSpec) -> NativeFamily | None:
    """The family of a planner `native`; None for other planners and unknown models."""
    from omnipilot.planners.native.families import table

    if planner.name != "native":
        return None
    try:
        given = planner.options.get("family")
        return table.get(str(given)) if given else table.find(str(planner.options.get("model", "")))
    except ConfigError:
        return None


def _acting(planner: PartSpec) -> str:
    family = native_family(planner)
    if family is None:
        return ""
    return FILE if planner.options.get("prompt") else OURS if family.layout.ours else AUTHORS


def _pointing(grounder: PartSpec) -> str:
    used = families_used(grounder)
    if not used:
        return ""
    given = [option for part in grounder.walk() for option in part.options.items()]
    if any(key.rpartition(".")[2] in ("prompt", "template") and value for key, value in given):
        return FILE
    return OURS if any(family.layout.ours for family in used) else AUTHORS


def _named(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    groups: dict[str, dict[str, str]] = {}
    for key, value in options.items():
        for inner in value if isinstance(value, list | tuple) else (value,):
            if isinstance(inner, Mapping):
                yield from _named(inner)
        prefix, _, last = key.rpartition(".")
        if last in ("model", "family") and isinstance(value, str):
            groups.setdefault(prefix, {})[last] = value
    for group in groups.values():
        yield group.get("model", ""), group.get("family", "")
