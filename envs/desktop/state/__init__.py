"""What is true of a desktop, for judges: read outside the agent's sight, never from pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.desktop.state.reading import StateReader as StateReader
    from omnipilot.envs.desktop.state.record import DesktopState as DesktopState
    from omnipilot.envs.desktop.state.record import PlayerState as PlayerState
    from omnipilot.envs.desktop.state.record import PlayingStream as PlayingStream
    from omnipilot.envs.desktop.state.record import WindowState as WindowState
    from omnipilot.envs.desktop.state.record import cell_position as cell_position

__all__, __getattr__, __dir__ = lazy_exports(__name__)
