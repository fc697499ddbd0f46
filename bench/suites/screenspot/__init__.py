"""ScreenSpot v1 and v2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.screenspot.suite import ScreenSpotSuite as ScreenSpotSuite
    from omnipilot.bench.suites.screenspot.suite import ScreenSpotV2Suite as ScreenSpotV2Suite

__all__, __getattr__, __dir__ = lazy_exports(__name__)
