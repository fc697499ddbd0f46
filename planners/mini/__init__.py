"""The small planner that is shipped: a language model of a few million parameters, run with numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.mini.planner import MiniPlanner as MiniPlanner

__all__, __getattr__, __dir__ = lazy_exports(__name__)
