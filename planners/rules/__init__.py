"""The planner `rules`, which uses no model: a frozen baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.rules.planner import RulesPlanner as RulesPlanner

__all__, __getattr__, __dir__ = lazy_exports(__name__)
