"""GUI models that plan and ground in one step, with their own prompts and action syntaxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.native.family import NativeFamily as NativeFamily
    from omnipilot.planners.native.planner import NativePlanner as NativePlanner

__all__, __getattr__, __dir__ = lazy_exports(__name__)
