"""MMBench-GUI level 2: pointing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.mmbench_gui.level2.suite import MMBenchL2Suite as MMBenchL2Suite

__all__, __getattr__, __dir__ = lazy_exports(__name__)
