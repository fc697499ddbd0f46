"""Machines that run OSWorld's or WindowsAgentArena's in-VM server, driven through it as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.remote.osworld.world import OSWorldEnv as OSWorldEnv
    from omnipilot.envs.remote.osworld.world import OSWorldWorld as OSWorldWorld
    from omnipilot.envs.remote.osworld.world import WindowsAgentArenaWorld as WindowsAgentArenaWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
