"""Agents: act, composed from planners, grounders and memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.assembly.build import build as build
    from omnipilot.agents.assembly.parts import parse_part as parse_part
    from omnipilot.agents.assembly.registry import Registry as Registry
    from omnipilot.agents.assembly.spec import AgentSpec as AgentSpec
    from omnipilot.agents.assembly.spec import PartSpec as PartSpec
    from omnipilot.agents.base import Agent as Agent
    from omnipilot.agents.base import Choice as Choice
    from omnipilot.agents.base import Proposal as Proposal
    from omnipilot.agents.base import Situation as Situation
    from omnipilot.agents.limits import Ending as Ending
    from omnipilot.agents.limits import Limits as Limits
    from omnipilot.agents.loop import Recorder as Recorder
    from omnipilot.agents.loop import Unrecorded as Unrecorded
    from omnipilot.agents.loop import episode as episode
    from omnipilot.agents.teams.by_environment import ByEnvironmentAgent as ByEnvironmentAgent
    from omnipilot.agents.teams.by_function import ByFunctionAgent as ByFunctionAgent
    from omnipilot.agents.teams.single import SingleAgent as SingleAgent
    from omnipilot.agents.wrappers.base import Wrapper as Wrapper
    from omnipilot.agents.wrappers.critic.agent import CriticAgent as CriticAgent
    from omnipilot.agents.wrappers.loop_detector import LoopDetector as LoopDetector
    from omnipilot.agents.wrappers.progress.agent import ProgressAgent as ProgressAgent
    from omnipilot.agents.wrappers.skills.agent import SkillAgent as SkillAgent

__all__, __getattr__, __dir__ = lazy_exports(__name__)
