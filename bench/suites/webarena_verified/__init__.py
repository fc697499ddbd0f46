"""WebArena-Verified: recorded network traces and answers, judged by its own package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.webarena_verified.score import WebArenaVerified as WebArenaVerified

__all__, __getattr__, __dir__ = lazy_exports(__name__)
