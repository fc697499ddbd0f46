"""The embedded world: a simulated phone and desktop with one clock and one account; no device is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.sim.env import SimEnv as SimEnv
    from omnipilot.envs.sim.world import SimWorld as SimWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
