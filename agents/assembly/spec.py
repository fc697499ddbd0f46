"""Specifications of agents and their parts: frozen records of names and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import ALL_MODALITIES

MODEL_OPTIONS = ("model", "anchor_model", "embeddings", "transcriber")
"""Options of parts that name a model."""


@dataclass(frozen=True, slots=True)
class PartSpec:
    """One part: the name it is found by, its options, and the parts that it is made of.

    Nothing in it is a text that is still to be taken apart: what is written `graded:0.9`, `openai/gpt-4o` or
    `cascade:elements,ocr` becomes such a record by `omnipilot.agents.parse_part`.

    Attributes:
        name: as in a registry, or "module:attribute".
        inner: parts of the same kind, as `cascade` has them; empty for a part of its own.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    inner: tuple[PartSpec, ...] = field(default=(), metadata={"left_out": True})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PartSpec:
        """The part of a specification that was written as JSON.

        Raises:
            KeyError, TypeError: it is none.
        """
        inner = tuple(cls.from_json(one) for one in data.get("inner", ()))
        if strangers := set(data) - {"name", "options", "inner"}:
            raise TypeError(f"a part has no {', '.join(sorted(strangers))}")
        return cls(data["name"], data["options"], inner)

    @property
    def model(self) -> str:
        """The model that the part itself calls, as its option `model` says; "" if it calls none."""
        return str(self.options.get("model", ""))

    @property
    def names_model(self) -> bool:
        """Whether an option of the part itself names a model that it asks."""
        return any(self.options.get(name) for name in MODEL_OPTIONS)

    @property
    def calls_model(self) -> bool:
        """Whether the part, or one that it is made of, calls a model."""
        return any(one.names_model for one in self.walk())

    def walk(self) -> Iterator[PartSpec]:
        """The part, then all parts that it is made of, each before its own."""
        yield self
        for one in self.inner:
            yield from one.walk()

    def with_options(self, options: Mapping[str, Any]) -> PartSpec:
        """The part with further options; those it has already are overridden."""
        return replace(self, options={**self.options, **options})

    def without_options(self, *names: str) -> PartSpec:
        """The part without these options."""
        return replace(self, options={name: value for name, value in self.options.items() if name not in names})


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
        verbs: changes which verbs the planner is offered, and carries out those that its devices have not got; None for
            the devices' own.
        perception: reads the elements of a screen from its screenshot, in place of its tree; None for the tree.
        stop: ends an episode that is not worth another turn; None for the agent alone.
        honest: that no part is given the truth (`parts`), or also that nothing but pixels and sound is read (`pixels`);
            "" says nothing. What stands against it is refused, see `omnipilot.agents.assembly.honesty`.
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
    verbs: PartSpec | None = None
    perception: PartSpec | None = None
    stop: PartSpec | None = None
    honest: str = ""

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
        near = get_close_matches(strangers[0], sorted(known), n=1)
        choose = f"did you mean {near[0]}? There are" if near else "choose from"
        raise ConfigError(f"unknown modality {', '.join(strangers)}; {choose} {', '.join(sorted(known))}")
    return frozenset(Modality(name) for name in names)
