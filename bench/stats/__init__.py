"""Intervals, tests and power for the figures of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.stats.summary import Headline as Headline
    from omnipilot.bench.stats.summary import Outcome as Outcome
    from omnipilot.bench.stats.summary import cells as cells
    from omnipilot.bench.stats.summary import headline as headline

__all__, __getattr__, __dir__ = lazy_exports(__name__)
