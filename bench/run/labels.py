"""Short names of runs: for table columns, labels and directories."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.parts import written_part
from omnipilot.bench.run.parts import OF_A_SERVER, name_of, registry_of
from omnipilot.bench.settings import axes
from omnipilot.bench.spec import WHEREABOUTS, RunSpec
from omnipilot.bench.tasks.variation import VARY
from omnipilot.envs import Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory.models.embeddings import name_model

OVER_A_MODEL = ("function-calling", "model")
"""Parts that a model stands for; their name says nothing beside its name."""


def part_words(part: PartSpec | None, what: str = "") -> str:
    """A part by its model if that identifies it, otherwise by its name; other options in brackets.

    Args:
        what: the kind of part, "planner" or another, so that its main option goes with its name: "graded:0.9".
    """
    if part is None:
        return "none"
    model = part.model
    plain, rest = written_part(part, registry_of(what)) if what else (part.name, part.options)
    if model and part.name in OVER_A_MODEL:
        name = model
    else:
        name = f"{plain} {model}" if model and plain == part.name else plain
    options = [f"{key}={value}" for key, value in _flat(rest) if key != "model"]
    return f"{name}({', '.join(options)})" if options else name


def _flat(options: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, Any]]:
    """Options as they are written with -o, those of inner parts too, but for where models are asked."""
    for key, value in options.items():
        if key in WHEREABOUTS:
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{under}{key}.")
        else:
            yield f"{under}{key}", value


def options_words(part: PartSpec, *without: str) -> str:
    """Its options as "key=value, …", but for its model, the model's server and price, and those named `without`."""
    left_out = {"model", *WHEREABOUTS, *OF_A_SERVER, *without}
    told = []
    for key, value in sorted(part.options.items()):
        inner = value if isinstance(value, Mapping) else {"": value}
        told += [f"{key}.{name}={item}".replace(".=", "=") for name, item in inner.items() if key not in left_out]
    return ", ".join(told)


def modality_words(granted: frozenset[Modality] | None) -> str:
    """Granted modalities: "all", "none", what is missing if that is at most two ("no audio, no video"), else a list."""
    if granted is None:
        return "the agent's"
    if granted == ALL_MODALITIES:
        return "all"
    withheld = [modality.value for modality in Modality if modality not in granted]
    if len(withheld) <= 2:
        return ", ".join(f"no {name}" for name in withheld)
    return "+".join(modality.value for modality in Modality if modality in granted) or "none"


def axis_words(name: str, spec: RunSpec) -> str:
    """The words for what a run has on one axis.

    Args:
        name: of a setting that a sweep may vary; a field of `AgentSpec` or `RunSpec` has the same name, or of the
            latter's `examples`.
    """
    if name == "agent":
        return spec.agent.system
    if name == "examples":
        return "none" if spec.examples is None else str(spec.examples.count)
    if name == "examples_ranking":
        return "none" if spec.examples is None else name_model(spec.examples.ranking)
    if name == "same_screen":
        return "of the same screen, too" if spec.examples is not None and spec.examples.same_screen else "of others"
    value = getattr(spec.agent if name in _OF_AGENT else spec, name)
    if name.endswith("modalities"):
        return modality_words(value)
    if name == "instruction":
        return value or "text"
    if name == "intent":
        return "told" if value else "not told"
    if name == "go_on":
        return "until the agent ends it" if value else "until it is solved"
    if name == "user" and value is None:
        return "rules"
    return part_words(value, name) if isinstance(value, PartSpec) else "none" if value in (None, "") else str(value)


_OF_AGENT = frozenset(spec.name for spec in fields(AgentSpec))
AXES: Mapping[str, Callable[[RunSpec], str]] = {name: partial(axis_words, name) for name in axes()}
"""How runs of one suite can differ: the words for each setting that a sweep may vary."""


def varying(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """The names of the axes on which these runs differ."""
    return tuple(name for name, words in AXES.items() if len({words(spec) for spec in specs}) > 1)


def label_of(spec: RunSpec, axes: Sequence[str]) -> str:
    """The words for some axes, as "rules · ocr"."""
    return " · ".join(AXES[name](spec) for name in axes)


def name_words(spec: RunSpec) -> str:
    """The planner, and every other axis that is not at its default."""
    usual = RunSpec(AgentSpec(), spec.suite.without_options(VARY))
    kept = [name for name, words in AXES.items() if name == "planner" or words(spec) != words(usual)]
    return label_of(spec, kept)


def run_name(spec: RunSpec) -> str:
    """The default name of a run's directory: the same run gets the same name, so that it is resumed."""
    parts = (spec.suite.name, spec.agent.system, spec.agent.planner.model or name_of(spec.agent.planner, "planner"))
    return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(parts)).strip("-.") + f"-{spec.identity[:8]}"
