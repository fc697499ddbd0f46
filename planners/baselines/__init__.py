"""Baseline planners: oracle, gold, graded, from-memory, blind, random, noop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.baselines.blind import BlindPlanner as BlindPlanner
    from omnipilot.planners.baselines.from_memory import FromMemoryPlanner as FromMemoryPlanner
    from omnipilot.planners.baselines.from_memory import read_fact as read_fact
    from omnipilot.planners.baselines.gold import GoldPlanner as GoldPlanner
    from omnipilot.planners.baselines.graded import GradedPlanner as GradedPlanner
    from omnipilot.planners.baselines.noop import NoopPlanner as NoopPlanner
    from omnipilot.planners.baselines.oracle import OraclePlanner as OraclePlanner
    from omnipilot.planners.baselines.random import RandomPlanner as RandomPlanner

__all__, __getattr__, __dir__ = lazy_exports(__name__)
