"""BrowserGym: MiniWoB, WebArena, WorkArena and others, played in a process with their own package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.browsergym.suite import BrowserGym as BrowserGym
    from omnipilot.bench.suites.browsergym.world import BrowserGymWorld as BrowserGymWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
