"""AndroidLab: recorded tasks, judged by a checkout of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.androidlab.score import AndroidLabScore as AndroidLabScore

__all__, __getattr__, __dir__ = lazy_exports(__name__)
