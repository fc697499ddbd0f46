"""Runs watched while they go on: `omnipilot view`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.live.page import LivePage as LivePage

__all__, __getattr__, __dir__ = lazy_exports(__name__)
