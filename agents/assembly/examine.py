"""Everything that keeps an agent from being built or its models from being called, not only the first of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from omnipilot.agents.assembly.build import AGENTS, GATES, GROUNDERS, MEMORIES, PLANNERS, prompts
from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.spec import AgentSpec, PartSpec
from omnipilot.agents.assembly.teams import CHECKS, CRITICS, LOOPS, READERS, SKILLS, TRACKERS
from omnipilot.envs import ConfigError
from omnipilot.memory.models.made_models import ChecksItself, noting_models

OF_WRAPPERS = frozenset({"grace", "patience"})
"""Options of a wrapper that are written beside those of the part that it consults."""


def agent_mistakes(spec: AgentSpec, call: bool = True) -> list[ConfigError]:
    """What is wrong with an agent: each of its parts is made by itself, and the whole only if every part can be.

    Args:
        call: whether its models shall be called, so that their keys have to be set.

    Returns:
        Errors with messages for the user, each once, `MissingExtra` among them; none where nothing is wrong.
    """
    found: list[ConfigError] = []
    with noting_models() as models:
        for part, registry in _parts(spec):
            found += _unmade(registry, part)
        for part, registry in _around(spec):
            found += _noted(registry.main_option, part.name)
        if not found:
            found += _noted(prompts, spec)
    return _once(found + (_uncallable(models) if call else []))


def part_mistakes(registry: Registry, part: PartSpec) -> list[ConfigError]:
    """What is wrong with one part, or keeps its models from being called; as in `agent_mistakes`."""
    with noting_models() as models:
        found = _unmade(registry, part)
    return _once(found + _uncallable(models))


def _parts(spec: AgentSpec) -> Iterator[tuple[PartSpec, Registry]]:
    """The parts that can be made by themselves; those around an agent need it."""
    given: tuple[tuple[PartSpec | None, Registry], ...] = (
        (spec.planner, PLANNERS),
        (spec.tool_agent, PLANNERS),
        (spec.grounder, GROUNDERS),
        (spec.memory, MEMORIES),
        (spec.readers, READERS),
        (spec.gate, GATES),
    )
    yield from ((part, registry) for part, registry in given if part is not None)
    for part, registry in ((spec.critic, CRITICS), (spec.progress, TRACKERS)):
        if part is not None:
            yield part.without_options(*OF_WRAPPERS), registry


def _around(spec: AgentSpec) -> Iterator[tuple[PartSpec, Registry]]:
    """The agent system and the wrappers, which are made around others."""
    yield PartSpec(spec.system), AGENTS
    for part, registry in ((spec.loops, LOOPS), (spec.skills, SKILLS), (spec.checks, CHECKS)):
        if part is not None:
            yield part, registry


def _unmade(registry: Registry, part: PartSpec) -> list[ConfigError]:
    """What is wrong with a part, or with each of those that it is made of."""
    _, *inner = part.walk()
    found = [error for one in inner for error in _noted(registry.make, one)]
    return found or _noted(registry.make, part)


def _noted(check: Callable[..., object], *given: object) -> list[ConfigError]:
    try:
        check(*given)
    except ConfigError as error:
        return [error]
    return []


def _uncallable(models: Iterable[ChecksItself]) -> list[ConfigError]:
    return [error for model in models for error in _noted(model.check)]


def _once(found: Iterable[ConfigError]) -> list[ConfigError]:
    return list({str(error): error for error in found}.values())
