"""Any benchmark that follows cube-standard, played in a process with its own packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.cube.suite import Cube as Cube
    from omnipilot.bench.suites.cube.world import CubeWorld as CubeWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
