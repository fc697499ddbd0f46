"""Teams of planners, and wrappers around an agent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, cast

from omnipilot.agents.assembly.agent_parts import AgentParts
from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.spec import AgentSpec, PartSpec
from omnipilot.agents.base import Agent
from omnipilot.agents.teams.team import Hire
from omnipilot.agents.wrappers.critic.agent import Critic, CriticAgent
from omnipilot.agents.wrappers.perceiving import PerceivingAgent
from omnipilot.agents.wrappers.progress.agent import ProgressAgent, Tracker
from omnipilot.agents.wrappers.readers.agent import Reader, ReadingAgent
from omnipilot.agents.wrappers.readers.composed import ComposedReader
from omnipilot.agents.wrappers.stopping.agent import StoppingAgent
from omnipilot.agents.wrappers.stopping.base import StopRule
from omnipilot.envs import Modality
from omnipilot.grounders.sources import ElementSource
from omnipilot.memory import AgentPart, Role
from omnipilot.planners import Planner, Thinker

CRITICS = Registry(
    "critic",
    {
        "rules": "omnipilot.agents.wrappers.critic.rules:RulesCritic",
        "model": "omnipilot.agents.wrappers.critic.model:ModelCritic",
        "gold": "omnipilot.agents.wrappers.critic.gold:GoldCritic",
    },
    "critics",
    by_model="model",
    gold=("gold",),
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
STOPS = Registry(
    "stop",
    {
        "patience": "omnipilot.agents.wrappers.stopping.patience:PatienceRule",
        "confidence": "omnipilot.agents.wrappers.stopping.confidence:ConfidenceRule",
        "asked": "omnipilot.agents.wrappers.stopping.confidence:AskedRule",
        "learned": "omnipilot.agents.wrappers.stopping.learned:LearnedRule",
        "watch": "omnipilot.agents.wrappers.stopping.base:WatchRule",
        "gold": "omnipilot.agents.wrappers.stopping.gold:GoldRule",
    },
    "stops",
    by_model="asked",
    gold=("gold",),
    offers=StopRule,
)
LOOPS = Registry("loops", {"repeats": "omnipilot.agents.wrappers.loop_detector:LoopDetector"})
READERS = Registry(
    "readers",
    {
        "perception": "omnipilot.agents.wrappers.readers.perception:PerceptionReader",
        "whisper": "omnipilot.agents.wrappers.readers.transcribed:WhisperReader",
        "endpoint": "omnipilot.agents.wrappers.readers.transcribed:EndpointReader",
        "gold": "omnipilot.agents.wrappers.readers.gold:GoldReader",
        "composed": "omnipilot.agents.wrappers.readers.composed:ComposedReader",
    },
    "readers",
    by_model="endpoint",
    joined="composed",
    gold=("gold",),
    offers=Reader,
)
PERCEPTIONS = Registry(
    "perception",
    {
        "detact": "omnipilot.grounders.sources.detact.source:DetAct",
        "listed": "omnipilot.grounders.sources.listed:ListedElements",
    },
    "sources",
    offers=ElementSource,
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


OWN_OPTIONS = {"progress": ("grace", "patience"), "critic": ("patience",)}
"""Options of a wrapper itself, which are written beside those of the part that it consults."""


def consulted_part(part: PartSpec, role: str) -> PartSpec:
    """The part that a wrapper, critic or progress, consults: without the wrapper's own options."""
    return part.without_options(*OWN_OPTIONS[role])


def wrap(agent: Agent, parts: AgentParts, planner_role: Role, grounder_role: Role) -> Agent:
    """The agent in its wrappers, from inside out: readers, skills, progress, checks, loops, critic, stop, perception.

    The critic is around the others, so that it also checks what they decide, and a stopping rule around it, since no
    critic has a say in that end; perception is around all, since it stands in for what the world shows.

    Args:
        parts: of the agent; skills may call its memory and grounder, as the critic may the memory.
        planner_role: all that it is granted, whatever the planner itself looks at.

    Raises:
        ConfigError, MissingExtra: as in `Registry.make`.
    """
    spec, memory = parts.spec, parts.memory
    if parts.readers is not None:
        role = narrow_role(replace(planner_role, name="readers"), parts.readers)
        agent = ReadingAgent(agent, parts.readers, role)
    if spec.skills is not None:
        given = {"memory": memory, "grounder": parts.grounder, "grounder_role": grounder_role}
        agent = _around(SKILLS, spec.skills, agent, role=replace(planner_role, name="skills"), **given)
    progress: ProgressAgent | None = None
    if parts.progress is not None:
        role = narrow_role(replace(planner_role, name="progress"), parts.progress)
        agent = progress = ProgressAgent(agent, parts.progress, role, **_own_options(spec.progress, "progress"))
    if spec.checks is not None:
        # Around all that asks the planner more than once a turn, so that it is told in each of them.
        agent = _around(CHECKS, spec.checks, agent, memory=memory, role=replace(planner_role, name="checks"))
    if spec.loops is not None:
        agent = _around(LOOPS, spec.loops, agent)
    if parts.critic is not None:
        role = narrow_role(Role("critic", _granted_to_critic(spec)), parts.critic)
        agent = CriticAgent(agent, parts.critic, role, memory=memory, **_own_options(spec.critic, "critic"))
    if parts.stop is not None and spec.stop is not None:
        role = narrow_role(replace(planner_role, name="stop"), parts.stop)
        agent = StoppingAgent(agent, parts.stop, role, spec.stop.name, progress)
    if parts.perception is not None:
        agent = PerceivingAgent(agent, parts.perception)
    return agent


def lacking_modalities(parts: AgentParts) -> Iterator[tuple[str, str, frozenset[Modality]]]:
    """Wrappers that lack modalities they need: role, name and what is missing; of several readers, each by itself."""
    spec = parts.spec
    planner = spec.modalities if spec.planner_modalities is None else spec.planner_modalities
    for role, part, made, granted in (
        ("critic", spec.critic, parts.critic, _granted_to_critic(spec)),
        ("progress", spec.progress, parts.progress, planner),
        ("readers", spec.readers, parts.readers, planner),
    ):
        if part is None or made is None:
            continue
        each = zip(part.inner, made.of, strict=True) if isinstance(made, ComposedReader) else ((part, made),)
        for one, consulted in each:
            if missing := frozenset(consulted.needs) - granted:
                yield role, one.name, missing


def head_and_hire(spec: AgentSpec, planner: Planner, planners: Registry, head_prompt: str) -> tuple[Thinker, Hire]:
    """The head of a team, and the function that makes its workers.

    A planner over a chat model heads a team with a prompt of that role, and its model also works, with a prompt of each
    job, unless the specification names another tool agent. Any other planner heads one by putting its decisions into
    words.

    Args:
        planner: the agent's own, which becomes the head. planners: where those of workers are found by name.
        head_prompt: for a head that is a chat model.
    """
    from omnipilot.planners.chat import ChatPlanner, RelayPlanner, RelayThinker

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


def _own_options(part: PartSpec | None, role: str) -> dict[str, Any]:
    """The options of a wrapper itself."""
    return {key: value for key, value in (part.options if part else {}).items() if key in OWN_OPTIONS[role]}


def _granted_to_critic(spec: AgentSpec) -> frozenset[Modality]:
    return spec.modalities if spec.critic_modalities is None else spec.critic_modalities


def narrow_role(role: Role, part: AgentPart) -> Role:
    """The role without the modalities that its part never looks at, so that they are not captured in vain."""
    return role if part.reads is None else replace(role, modalities=role.modalities & part.reads)
