"""Suite `pointing`: our own targets, on screens of the embedded world and of real web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.pointing.suite import PointingSuite as PointingSuite

__all__, __getattr__, __dir__ = lazy_exports(__name__)
