"""The worlds that can be explored, by name."""

from __future__ import annotations

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.explore.sim import SimExplorable
from omnipilot.bench.suites.pool.worlds import ExplorableWorld
from omnipilot.envs import ConfigError

WORLDS = {"sim": SimExplorable}


def open_explorable(name: str) -> ExplorableWorld:
    """The world of a name.

    Raises:
        ConfigError: no such world.
    """
    if name not in WORLDS:
        raise ConfigError(describe_unknown("world", name, list(WORLDS)))
    return WORLDS[name]()
