"""What runs are of, in the few words that columns, labels and directory names hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.run.parts import ASKS, OF_A_SERVER, model_of
from omnipilot.bench.spec import WHEREABOUTS, RunSpec
from omnipilot.envs import Modality
from omnipilot.envs.types import ALL_MODALITIES


def part_words(part: PartSpec | None) -> str:
    """A part by its model where that says which it is, else by its name; its other options in brackets."""
    if part is None:
        return "none"
    model = model_of(part)
    name = model if model and part.name in {model, *ASKS.values()} else f"{part.name} {model}".strip()
    options = {key: value for key, value in part.options.items() if key not in WHEREABOUTS | {"model"}}
    return f"{name}({', '.join(f'{key}={value}' for key, value in options.items())})" if options else name


def options_words(part: PartSpec, *without: str) -> str:
    """Its options as "key=value, …": without its model, where that is and what it costs, and those of some names."""
    left_out = {"model", *WHEREABOUTS, *OF_A_SERVER, *without}
    told = []
    for key, value in sorted(part.options.items()):
        inner = value if isinstance(value, Mapping) else {"": value}
        told += [f"{key}.{name}={item}".replace(".=", "=") for name, item in inner.items() if key not in left_out]
    return ", ".join(told)


def modality_words(granted: frozenset[Modality] | None) -> str:
    """What is granted: "all", "none", what is withheld where that is little ("no audio, no video"), else a list."""
    if granted is None:
        return "the agent's"
    if granted == ALL_MODALITIES:
        return "all"
    withheld = [modality.value for modality in Modality if modality not in granted]
    if len(withheld) <= 2:
        return ", ".join(f"no {name}" for name in withheld)
    return "+".join(modality.value for modality in Modality if modality in granted) or "none"


AXES: Mapping[str, Callable[[RunSpec], str]] = {
    "agent": lambda spec: spec.agent.system,
    "planner": lambda spec: part_words(spec.agent.planner),
    "tool_agent": lambda spec: part_words(spec.agent.tool_agent),
    "grounder": lambda spec: part_words(spec.agent.grounder),
    "memory": lambda spec: part_words(spec.agent.memory),
    "critic": lambda spec: part_words(spec.agent.critic),
    "progress": lambda spec: part_words(spec.agent.progress),
    "loops": lambda spec: part_words(spec.agent.loops),
    "skills": lambda spec: part_words(spec.agent.skills),
    "modalities": lambda spec: modality_words(spec.agent.modalities),
    "planner_modalities": lambda spec: modality_words(spec.agent.planner_modalities),
    "grounder_modalities": lambda spec: modality_words(spec.agent.grounder_modalities),
    "critic_modalities": lambda spec: modality_words(spec.agent.critic_modalities),
    "stand_in": lambda spec: spec.stand_in or "none",
    "thinking": lambda spec: str(spec.thinking),
    "intent": lambda spec: "told" if spec.intent else "not told",
}
"""What runs of one suite can differ in, by the name of the setting: the words for it."""


def varying(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """The names of `AXES` in which these differ."""
    return tuple(name for name, words in AXES.items() if len({words(spec) for spec in specs}) > 1)


def label_of(spec: RunSpec, axes: Sequence[str]) -> str:
    """The words for some axes, as "rules · ocr"."""
    return " · ".join(AXES[name](spec) for name in axes)


def name_words(spec: RunSpec) -> str:
    """The planner, and whatever else is not the default."""
    usual = RunSpec(AgentSpec(), spec.suite)
    kept = [name for name, words in AXES.items() if name == "planner" or words(spec) != words(usual)]
    return label_of(spec, kept)
