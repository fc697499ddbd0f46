"""Worlds of several devices of any kind on one clock, made by hand or from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.composite.machine import missing_requirements as missing_requirements
    from omnipilot.envs.composite.world import CompositeWorld as CompositeWorld
    from omnipilot.envs.composite.world import Device as Device
    from omnipilot.envs.composite.world_file import check_world as check_world
    from omnipilot.envs.composite.world_file import open_world as open_world
    from omnipilot.envs.composite.world_file import read_world as read_world
    from omnipilot.envs.composite.world_file import with_options as with_options
    from omnipilot.envs.composite.world_file import world_conditions as world_conditions

__all__, __getattr__, __dir__ = lazy_exports(__name__)
