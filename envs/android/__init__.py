"""An Android phone or emulator over adb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.android.connection import AdbServer as AdbServer
    from omnipilot.envs.android.env import VERBS as VERBS
    from omnipilot.envs.android.env import AndroidEnv as AndroidEnv
    from omnipilot.envs.android.foreground import Foreground as Foreground
    from omnipilot.envs.android.foreground import parse_foreground as parse_foreground
    from omnipilot.envs.android.hierarchy import DumpFailed as DumpFailed
    from omnipilot.envs.android.hierarchy import Hierarchy as Hierarchy
    from omnipilot.envs.android.hierarchy import UiNode as UiNode
    from omnipilot.envs.android.hierarchy import elements as elements
    from omnipilot.envs.android.hierarchy import parse_hierarchy as parse_hierarchy
    from omnipilot.envs.android.screen import PixelMapping as PixelMapping
    from omnipilot.envs.android.world import AndroidWorld as AndroidWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
