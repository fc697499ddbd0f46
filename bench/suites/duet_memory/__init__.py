"""Our benchmark of memory: what is needed has left every screen long ago."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.duet_memory.suite import DuetMemory as DuetMemory

__all__, __getattr__, __dir__ = lazy_exports(__name__)
