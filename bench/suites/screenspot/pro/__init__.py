"""ScreenSpot-Pro."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.screenspot.pro.suite import ScreenSpotProSuite as ScreenSpotProSuite

__all__, __getattr__, __dir__ = lazy_exports(__name__)
