"""Grounders composed of other grounders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.combine.agree import AgreeGrounder as AgreeGrounder
    from omnipilot.grounders.combine.cascade import CascadeGrounder as CascadeGrounder
    from omnipilot.grounders.combine.vote import VoteGrounder as VoteGrounder
    from omnipilot.grounders.combine.zoom import ZoomGrounder as ZoomGrounder

__all__, __getattr__, __dir__ = lazy_exports(__name__)
