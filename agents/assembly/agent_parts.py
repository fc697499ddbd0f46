"""The parts of one agent as objects, each made once: what checks ask, and what is put together to an agent."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.agents.assembly.spec import AgentSpec
from omnipilot.agents.verbs.base import VerbSet
from omnipilot.agents.wrappers.critic.agent import Critic
from omnipilot.agents.wrappers.progress.agent import Tracker
from omnipilot.agents.wrappers.readers.agent import Reader
from omnipilot.agents.wrappers.stopping.base import StopRule
from omnipilot.grounders import Grounder
from omnipilot.grounders.sources import ElementSource
from omnipilot.memory import Memory
from omnipilot.memory.gate import Gate
from omnipilot.planners import Planner


@dataclass(frozen=True, slots=True)
class AgentParts:
    """The parts of an agent that can be made by themselves, each None where the specification has none.

    The agent system, loops, skills and checks are made around others, see `omnipilot.agents.assembly.build.assemble`; a
    team makes a planner for each of its workers.
    """

    spec: AgentSpec
    planner: Planner
    grounder: Grounder
    memory: Memory
    readers: Reader | None = None
    progress: Tracker | None = None
    critic: Critic | None = None
    gate: Gate | None = None
    verbs: VerbSet | None = None
    perception: ElementSource | None = None
    stop: StopRule | None = None
