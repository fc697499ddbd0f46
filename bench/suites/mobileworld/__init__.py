"""MobileWorld: what its own runner has recorded and judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.mobileworld.score import MobileWorldScore as MobileWorldScore

__all__, __getattr__, __dir__ = lazy_exports(__name__)
