"""Wrappers around an agent: critics, checks, progress tracking, skills, loop detection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.base import Wrapper as Wrapper
    from omnipilot.agents.wrappers.checks.agent import CheckAgent as CheckAgent
    from omnipilot.agents.wrappers.critic.agent import CriticAgent as CriticAgent
    from omnipilot.agents.wrappers.loop_detector import LoopDetector as LoopDetector
    from omnipilot.agents.wrappers.perceiving import PerceivingAgent as PerceivingAgent
    from omnipilot.agents.wrappers.progress.agent import ProgressAgent as ProgressAgent
    from omnipilot.agents.wrappers.skills.agent import SkillAgent as SkillAgent

__all__, __getattr__, __dir__ = lazy_exports(__name__)
