"""The embedded phone as an ADB device: the protocol, its services, and the shell over the phone's own state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.sim.adb.server import PhoneServer as PhoneServer

__all__, __getattr__, __dir__ = lazy_exports(__name__)
