"""A second look at each proposed action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.critic.agent import Critic as Critic
    from omnipilot.agents.wrappers.critic.agent import CriticAgent as CriticAgent
    from omnipilot.agents.wrappers.critic.agent import CriticVerdict as CriticVerdict
    from omnipilot.agents.wrappers.critic.model import ModelCritic as ModelCritic
    from omnipilot.agents.wrappers.critic.rules import RulesCritic as RulesCritic

__all__, __getattr__, __dir__ = lazy_exports(__name__)
