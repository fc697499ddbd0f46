"""Specifications of agents and their parts: frozen records of names and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import ALL_MODALITIES


@dataclass(frozen=True, slots=True)
class PartSpec:
    """One part: the name it is found by, and its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


def _default_planner() -> PartSpec:
    from omnipilot.envs.installed_plugins import installed_plugins

    return PartSpec(installed_plugins().default("planner") or "noop")


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent system and its parts.

    Attributes:
        planner: the one that a plug-in of ours says is the default; `noop` where none is installed.
        tool_agent: the planner of a team's workers; None for the head's own model.
        critic, progress, loops, skills: wrappers of the agent, each None if it is left out.
        readers: tells the planner in words what is heard and written; None for nothing.
        checks: tells the planner which moves did not have the effect that it expects, or that they imply; None for
            nothing.
        gate: decides which sound and film of a turn the planner gets; None for all that it is granted.
        modalities: granted to the agent. Others are captured for none of its roles.
        planner_modalities, grounder_modalities, critic_modalities: subsets for one role; None for all of the agent's.

    Raises:
        ConfigError: a role is granted a modality that the agent is not.
    """

    system: str = "single"
    planner: PartSpec = field(default_factory=_default_planner)
    grounder: PartSpec = field(default_factory=lambda: PartSpec("elements"))
    memory: PartSpec = field(default_factory=lambda: PartSpec("window"))
    modalities: frozenset[Modality] = ALL_MODALITIES
    planner_modalities: frozenset[Modality] | None = None
    grounder_modalities: frozenset[Modality] | None = None
    tool_agent: PartSpec | None = None
    critic: PartSpec | None = None
    progress: PartSpec | None = None
    loops: PartSpec | None = None
    skills: PartSpec | None = None
    critic_modalities: frozenset[Modality] | None = None
    readers: PartSpec | None = None
    checks: PartSpec | None = None
    gate: PartSpec | None = None

    def __post_init__(self) -> None:
        for role in ("planner", "grounder", "critic"):
            granted: frozenset[Modality] | None = getattr(self, f"{role}_modalities")
            if granted is not None and (beyond := granted - self.modalities):
                raise ConfigError(
                    f"--{role}-modalities grants {', '.join(sorted(beyond))}, which --modalities withholds from the "
                    "whole agent; add it to --modalities too"
                )


def modalities(text: str) -> frozenset[Modality]:
    """From "screenshot,audio", "all" or "none".

    Raises:
        ConfigError: an unknown name.
    """
    if text.strip() in ("all", "none"):
        return ALL_MODALITIES if text.strip() == "all" else frozenset()
    known = {modality.value for modality in Modality}
    names = [name.strip() for name in text.split(",") if name.strip()]
    if strangers := [name for name in names if name not in known]:
        raise ConfigError(f"unknown modality {', '.join(strangers)}; choose from {', '.join(sorted(known))}")
    return frozenset(Modality(name) for name in names)
