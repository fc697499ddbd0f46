"""The agent's own list of sub-goals, and stopping when they are reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.progress.agent import ProgressAgent as ProgressAgent
    from omnipilot.agents.wrappers.progress.agent import SubGoal as SubGoal
    from omnipilot.agents.wrappers.progress.agent import Tracker as Tracker
    from omnipilot.agents.wrappers.progress.clauses import ClauseTracker as ClauseTracker
    from omnipilot.agents.wrappers.progress.model import ModelTracker as ModelTracker

__all__, __getattr__, __dir__ = lazy_exports(__name__)
