"""The agent systems: one planner, or several with roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.teams.base import GroundedAgent as GroundedAgent
    from omnipilot.agents.teams.by_environment import ByEnvironmentAgent as ByEnvironmentAgent
    from omnipilot.agents.teams.by_function import ByFunctionAgent as ByFunctionAgent
    from omnipilot.agents.teams.single import SingleAgent as SingleAgent
    from omnipilot.agents.teams.team import Team as Team

__all__, __getattr__, __dir__ = lazy_exports(__name__)
