"""Knowing when to stop: rules that end an episode which is not worth another turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.stopping.agent import StoppingAgent as StoppingAgent
    from omnipilot.agents.wrappers.stopping.base import StopRule as StopRule
    from omnipilot.agents.wrappers.stopping.base import StopVerdict as StopVerdict
    from omnipilot.agents.wrappers.stopping.features import FEATURES as FEATURES
    from omnipilot.agents.wrappers.stopping.features import TurnFacts as TurnFacts
    from omnipilot.agents.wrappers.stopping.learned import FittedRule as FittedRule

__all__, __getattr__, __dir__ = lazy_exports(__name__)
