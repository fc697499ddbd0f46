"""All commands of the phone's shell, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from omnipilot.envs.sim.adb.commands import apps, basics, device, pointing, screen, server_launch, text_filters
from omnipilot.envs.sim.adb.process import Command

COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        **basics.COMMANDS,
        **text_filters.COMMANDS,
        **pointing.COMMANDS,
        **screen.COMMANDS,
        **apps.COMMANDS,
        **device.COMMANDS,
        **server_launch.COMMANDS,
    }
)
