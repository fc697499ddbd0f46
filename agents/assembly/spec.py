"""What an agent is made of, by name: frozen records that a command line and a TOML file fill alike."""

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


def _left_out() -> Any:
    """A field that is left out of the record where it is None, so that runs from before there was one keep theirs."""
    return field(default=None, metadata={"left_out": True})


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent system and its parts.

    Attributes:
        tool_agent: who works for the head of a team, turning its words into calls; None for the planner's own model.
        critic, progress, loops, skills: what is put around the agent, each None where it is left out. Fields of these
            that are None are no part of the record that a run's identity is made of.
        modalities: what the agent is granted at all; withheld here, a modality is captured for none of its roles.
        planner_modalities, grounder_modalities: of the two roles, where they see less; None for all of the agent's.

    Raises:
        ConfigError: a role is granted what the agent is not.
    """

    system: str = "single"
    planner: PartSpec = field(default_factory=lambda: PartSpec("rules"))
    grounder: PartSpec = field(default_factory=lambda: PartSpec("elements"))
    memory: PartSpec = field(default_factory=lambda: PartSpec("window"))
    modalities: frozenset[Modality] = ALL_MODALITIES
    planner_modalities: frozenset[Modality] | None = None
    grounder_modalities: frozenset[Modality] | None = None
    tool_agent: PartSpec | None = _left_out()
    critic: PartSpec | None = _left_out()
    progress: PartSpec | None = _left_out()
    loops: PartSpec | None = _left_out()
    skills: PartSpec | None = _left_out()
    critic_modalities: frozenset[Modality] | None = _left_out()

    def __post_init__(self) -> None:
        for role in ("planner", "grounder", "critic"):
            granted: frozenset[Modality] | None = getattr(self, f"{role}_modalities")
            if granted is not None and (beyond := granted - self.modalities):
                raise ConfigError(
                    f"--{role}-modalities grants {', '.join(sorted(beyond))}, which --modalities withholds from the "
                    "whole agent; add it there too"
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
        raise ConfigError(f"unknown modality {', '.join(strangers)}; there are {', '.join(sorted(known))}")
    return frozenset(Modality(name) for name in names)
