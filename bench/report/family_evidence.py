"""The evidence that a run's grounding models are prompted as they were trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.grounders import Family
from omnipilot.grounders.families import find


def families_used(options: Mapping[str, Any]) -> list[Family]:
    """The families of the models that a grounder's options name, including those of inner grounders."""
    found: dict[str, Family] = {}
    for model, family in _named(options):
        try:
            used = find(model, family)
        except ConfigError:
            # A plug-in's model is none of ours; a model of ours that nobody knows has stopped the run long before.
            continue
        found[used.name] = used
    return list(found.values())


def unverified(options: Mapping[str, Any]) -> list[str]:
    """Names of those families whose prompts are unverified."""
    return [family.name for family in families_used(options) if family.evidence == "unverified"]


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
