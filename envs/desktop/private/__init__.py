"""Desktops that are started and ended here, each shut off from the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.desktop.private.desktop import DesktopProcess as DesktopProcess
    from omnipilot.envs.desktop.private.desktop import PrivateDesktop as PrivateDesktop
    from omnipilot.envs.desktop.private.desktop import start_desktop as start_desktop
    from omnipilot.envs.desktop.private.home import HomeFolder as HomeFolder
    from omnipilot.envs.desktop.private.network import Network as Network
    from omnipilot.envs.desktop.private.network import parse_network as parse_network
    from omnipilot.envs.desktop.private.register import Listed as Listed
    from omnipilot.envs.desktop.private.register import enter as enter
    from omnipilot.envs.desktop.private.register import find_desktop as find_desktop
    from omnipilot.envs.desktop.private.register import free_name as free_name
    from omnipilot.envs.desktop.private.register import read_entry as read_entry
    from omnipilot.envs.desktop.private.register import register_folder as register_folder
    from omnipilot.envs.desktop.private.register import running_desktops as running_desktops
    from omnipilot.envs.desktop.private.sandbox import Isolation as Isolation

__all__, __getattr__, __dir__ = lazy_exports(__name__)
