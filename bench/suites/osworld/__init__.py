"""OSWorld, OSWorld-Verified and WindowsAgentArena, from a checkout of the user's; and desktops of ours, served to
whoever drives OSWorld's machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.osworld.suite import OSWorldSuite as OSWorldSuite

__all__, __getattr__, __dir__ = lazy_exports(__name__)
