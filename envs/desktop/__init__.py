"""A Linux desktop under X11: seen, heard, and operated as a person would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.desktop.address import DesktopAddress as DesktopAddress
    from omnipilot.envs.desktop.env import DesktopEnv as DesktopEnv

__all__, __getattr__, __dir__ = lazy_exports(__name__)
