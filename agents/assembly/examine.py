"""An agent looked at before anything is played: each of its parts is made once, and asked what it needs and lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from omnipilot.agents.assembly import build
from omnipilot.agents.assembly.agent_parts import AgentParts
from omnipilot.agents.assembly.build import PLANNERS, parts_around, parts_by_themselves
from omnipilot.agents.assembly.honesty import check_perceived
from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.spec import AgentSpec, PartSpec
from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory.models.made_models import ChecksItself, noting_models
from omnipilot.planners import Planner


@dataclass(frozen=True, slots=True)
class ExaminedAgent:
    """An agent of which each part was made once, to be asked; no episode plays with these.

    Attributes:
        spec: what it was made of.
        mistakes: everything that keeps it from being built, with messages for the user, each once; `MissingExtra`
            among them.
        parts: None if some cannot be made. worker: what its tool agent makes, if it names one.
        prompts: hashes of what its models are told, see `omnipilot.agents.assembly.build.prompts`; empty if it cannot
            be built.
        models: those that its parts call.
    """

    spec: AgentSpec
    mistakes: tuple[ConfigError, ...]
    parts: AgentParts | None = None
    worker: Planner | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    models: tuple[ChecksItself, ...] = ()

    @property
    def reads_examples(self) -> bool:
        """Whether its planner reads examples; True also if it cannot be made."""
        return self.parts is None or self.parts.planner.reads_examples

    def uncallable(self) -> list[ConfigError]:
        """What keeps its models from being called here and now, such as keys that are not set; nothing is sent."""
        return _uncallable(self.models)

    def warnings(self) -> list[str]:
        """Warnings about parts that cannot see what they read, each with its cure.

        Raises:
            ConfigError: it cannot be built, for the first of its mistakes.
        """
        return build.warnings(self._sound_parts())

    def check_packages(self, shown: frozenset[Modality] = ALL_MODALITIES) -> None:
        """Check that everything is installed that its parts use of what they are shown.

        Args:
            shown: the modalities that there are in the worlds.

        Raises:
            MissingExtra: something is not. ConfigError: it cannot be built, for the first of its mistakes.
        """
        build.check_packages(self._sound_parts(), self.worker, shown)

    def _sound_parts(self) -> AgentParts:
        if self.parts is None or self.mistakes:
            raise self.mistakes[0]
        return self.parts


def examine(spec: AgentSpec) -> ExaminedAgent:
    """Make each part of an agent once, by itself, and the whole of these parts if none is wrong."""
    found: list[ConfigError] = []
    made: dict[str, Any] = {}
    given = list(parts_by_themselves(spec))
    if spec.tool_agent is not None:
        given.append(("worker", spec.tool_agent, PLANNERS))
    prompts: Mapping[str, str] = {}
    with noting_models() as models:
        for role, part, registry in given:
            made[role] = _made(registry, part, found)
        if (source := made.get("perception")) is not None:
            _noted(found, check_perceived, spec, frozenset(source.needs))
        for part, registry in parts_around(spec):
            _noted(found, registry.main_option, part.name)
        worker = made.pop("worker", None)
        parts = None if None in made.values() else AgentParts(spec, **made)
        if parts is not None and not found:
            prompts = _noted(found, _prompts, parts) or {}
    return ExaminedAgent(spec, _once(found), parts, worker, prompts, tuple(models))


def part_mistakes(registry: Registry, part: PartSpec) -> list[ConfigError]:
    """What is wrong with one part, or keeps its models from being called; each once, none where nothing is wrong."""
    found: list[ConfigError] = []
    with noting_models() as models:
        _made(registry, part, found)
    return list(_once(found + _uncallable(models)))


def _prompts(parts: AgentParts) -> dict[str, str]:
    return build.prompts(build.assemble(parts), parts)


def _made(registry: Registry, part: PartSpec, found: list[ConfigError]) -> Any:
    """What a part makes; None if it cannot be made, and then what is wrong is noted: with each of those that it is made
    of, or else with the whole."""
    wrong: list[ConfigError] = []
    if (made := _noted(wrong, registry.make, part)) is None:
        _, *inner = part.walk()
        of_inner: list[ConfigError] = []
        for one in inner:
            _noted(of_inner, registry.make, one)
        found += of_inner or wrong
    return made


def _noted(found: list[ConfigError], check: Callable[..., Any], *given: object) -> Any:
    """What a function returns; None if it raises an error of ours, which is noted."""
    try:
        return check(*given)
    except ConfigError as error:
        found.append(error)
        return None


def _uncallable(models: Iterable[ChecksItself]) -> list[ConfigError]:
    found: list[ConfigError] = []
    for model in models:
        _noted(found, model.check)
    return found


def _once(found: Iterable[ConfigError]) -> tuple[ConfigError, ...]:
    return tuple({str(error): error for error in found}.values())
