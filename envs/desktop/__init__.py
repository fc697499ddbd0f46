"""A Linux desktop under X11: seen, heard, and operated as a person would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.desktop.accessibility.walk import AccessibleNode as AccessibleNode
    from omnipilot.envs.desktop.accessibility.walk import AccessibleProgram as AccessibleProgram
    from omnipilot.envs.desktop.address import DesktopAddress as DesktopAddress
    from omnipilot.envs.desktop.env import VERBS as VERBS
    from omnipilot.envs.desktop.env import DesktopEnv as DesktopEnv
    from omnipilot.envs.desktop.own import own_desktop as own_desktop
    from omnipilot.envs.desktop.programs import PROGRAMS as PROGRAMS
    from omnipilot.envs.desktop.programs import Program as Program
    from omnipilot.envs.desktop.programs import find_program as find_program
    from omnipilot.envs.desktop.world import DesktopWorld as DesktopWorld
    from omnipilot.envs.desktop.x11.windows import XWindow as XWindow

__all__, __getattr__, __dir__ = lazy_exports(__name__)
