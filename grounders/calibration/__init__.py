"""Calibration: does a grounder point where it means to?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.calibration.probe import Calibration as Calibration
    from omnipilot.grounders.calibration.probe import calibrate as calibrate

__all__, __getattr__, __dir__ = lazy_exports(__name__)
