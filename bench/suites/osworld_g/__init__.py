"""OSWorld-G."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.osworld_g.suite import OSWorldGSuite as OSWorldGSuite

__all__, __getattr__, __dir__ = lazy_exports(__name__)
