"""Teams of planners, and wrappers around an agent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, cast

from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.spec import AgentSpec, PartSpec
from omnipilot.agents.base import Agent
from omnipilot.agents.teams.team import Hire
from omnipilot.agents.wrappers.critic.agent import Critic, CriticAgent
from omnipilot.agents.wrappers.progress.agent import ProgressAgent, Tracker
from omnipilot.agents.wrappers.readers.agent import Reader, ReadingAgent
from omnipilot.envs import Modality
from omnipilot.grounders import Grounder
from omnipilot.memory import AgentPart, Memory, Role
from omnipilot.memory.truth import Truth
from omnipilot.planners import Planner, Thinker

CRITICS = Registry(
    "critic",
    {
        "rules": "omnipilot.agents.wrappers.critic.rules:RulesCritic",
        "model": "omnipilot.agents.wrappers.critic.model:ModelCritic",
    },
    "critics",
    by_model="model",
    offers=Critic,
)
TRACKERS = Registry(
    "progress",
    {
        "clauses": "omnipilot.agents.wrappers.progress.clauses:ClauseTracker",
        "model": "omnipilot.agents.wrappers.progress.model:ModelTracker",
    },
    "trackers",
    by_model="model",
    offers=Tracker,
)
LOOPS = Registry("loops", {"repeats": "omnipilot.agents.wrappers.loop_detector:LoopDetector"})
READERS = Registry(
    "readers",
    {
        "perception": "omnipilot.agents.wrappers.readers.perception:PerceptionReader",
        "gold": "omnipilot.agents.wrappers.readers.gold:GoldReader",
    },
    "readers",
    gold=("gold",),
    offers=Reader,
)
CHECKS = Registry(
    "checks",
    {
        "notice": "omnipilot.agents.wrappers.checks.agent:CheckAgent",
        "repair": "omnipilot.agents.wrappers.checks.repair:RepairAgent",
    },
    "checks",
)
SKILLS = Registry("skills", {"routing": "omnipilot.agents.wrappers.skills.agent:SkillAgent"})


def wrap(
    agent: Agent,
    spec: AgentSpec,
    memory: Memory,
    grounder: Grounder,
    planner_role: Role,
    grounder_role: Role,
    truth: Truth | None = None,
) -> Agent:
    """The agent in its wrappers, from inside out: readers, skills, progress, checks, loops, critic.

    The critic is outermost, so that it also checks what the others decide.

    Args:
        memory, grounder: the agent's own, which skills may call, as the critic may the memory.
        planner_role: all that it is granted, whatever the planner itself looks at.
        truth: for gold readers.

    Raises:
        ConfigError, MissingExtra: as in `Registry.make`.
    """
    if spec.readers is not None:
        reader = cast(Reader, READERS.make(spec.readers, truth))
        agent = ReadingAgent(agent, reader, narrow_role(replace(planner_role, name="readers"), reader))
    if spec.skills is not None:
        given = {"memory": memory, "grounder": grounder, "grounder_role": grounder_role}
        agent = _around(SKILLS, spec.skills, agent, role=replace(planner_role, name="skills"), **given)
    if spec.progress is not None:
        own, part = _split(spec.progress, "grace", "patience")
        tracker = cast(Tracker, TRACKERS.make(part))
        agent = ProgressAgent(agent, tracker, narrow_role(replace(planner_role, name="progress"), tracker), **own)
    if spec.checks is not None:
        # Around all that asks the planner more than once a turn, so that it is told in each of them.
        agent = _around(CHECKS, spec.checks, agent, memory=memory, role=replace(planner_role, name="checks"))
    if spec.loops is not None:
        agent = _around(LOOPS, spec.loops, agent)
    if spec.critic is not None:
        own, part = _split(spec.critic, "patience")
        critic = cast(Critic, CRITICS.make(part))
        granted = spec.modalities if spec.critic_modalities is None else spec.critic_modalities
        agent = CriticAgent(agent, critic, narrow_role(Role("critic", granted), critic), memory=memory, **own)
    return agent


def lacking_modalities(spec: AgentSpec) -> Iterator[tuple[str, str, frozenset[Modality]]]:
    """Wrappers that lack modalities they need: role, name and what is missing.

    Raises:
        ConfigError, MissingExtra: as in `Registry.make`.
    """
    planner = spec.modalities if spec.planner_modalities is None else spec.planner_modalities
    critic = spec.modalities if spec.critic_modalities is None else spec.critic_modalities
    for role, part, registry, granted in (
        ("critic", spec.critic, CRITICS, critic),
        ("progress", spec.progress, TRACKERS, planner),
        ("readers", spec.readers, READERS, planner),
    ):
        if part is not None:
            made = registry.make(part.without_options("grace", "patience"))
            if missing := made.needs - granted:
                yield role, part.name, missing


def head_and_hire(
    spec: AgentSpec, planners: Registry, head_prompt: str, truth: Truth | None = None
) -> tuple[Thinker, Hire]:
    """The head of a team, and the function that makes its workers.

    A planner over a chat model heads a team with a prompt of that role, and its model also works, with a prompt of each
    job, unless the specification names another tool agent. Any other planner heads one by putting its decisions into
    words.

    Args:
        planners: where planners are found by name. head_prompt: for a head that is a chat model.
        truth: for a gold head.

    Raises:
        ConfigError, MissingExtra: as in `Registry.make`.
    """
    from omnipilot.planners.chat import ChatPlanner, RelayPlanner, RelayThinker

    planner = cast(Planner, planners.make(spec.planner, truth))
    chats = isinstance(planner, ChatPlanner)

    def hire(job: str, control: frozenset[str]) -> Planner:
        if spec.tool_agent is None and not chats:
            return RelayPlanner()
        # The head's prompt is not its workers'.
        part = spec.tool_agent or spec.planner.without_options("prompt")
        worker = cast(Planner, planners.make(part))
        return worker.for_job(job, control) if isinstance(worker, ChatPlanner) else worker

    return (_head(planner, head_prompt) if isinstance(planner, ChatPlanner) else RelayThinker(planner)), hire


def _head(planner: Any, prompt: str) -> Thinker:
    """A thinker over the model of a chat planner."""
    from omnipilot.planners.chat import ChatThinker

    options = {spec.name: getattr(planner, spec.name) for spec in fields(ChatThinker)}
    return ChatThinker(**{**options, "prompt": planner.prompt or prompt})


def _around(registry: Registry, part: PartSpec, agent: Agent, **given: Any) -> Agent:
    return cast(Agent, registry.make(part.with_options({"agent": agent, **given})))


def _split(part: PartSpec, *names: str) -> tuple[dict[str, Any], PartSpec]:
    """The options of a wrapper, which have these names, and the part that it consults."""
    return {key: value for key, value in part.options.items() if key in names}, part.without_options(*names)


def narrow_role(role: Role, part: AgentPart) -> Role:
    """The role without the modalities that its part never looks at, so that they are not captured in vain."""
    return role if part.reads is None else replace(role, modalities=role.modalities & part.reads)
