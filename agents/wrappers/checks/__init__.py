"""Checks: whether each move did what the planner expects of it, and what it implies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.checks.agent import CheckAgent as CheckAgent
    from omnipilot.agents.wrappers.checks.repair import RepairAgent as RepairAgent

__all__, __getattr__, __dir__ = lazy_exports(__name__)
