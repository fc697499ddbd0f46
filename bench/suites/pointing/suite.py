"""Suite `pointing`: over 1,000 seeded targets on screens of the embedded world and of real web pages.

Instructions have the two styles of MMBench-GUI L2 (arXiv:2507.19478, §3.2): basic ones give name, look and place,
advanced ones the target's function.
"""

from __future__ import annotations

from collections.abc import Iterator

from omnipilot.bench.pointing import Pointing, Shot
from omnipilot.bench.suites.pointing.sim_screens import sim_shots
from omnipilot.bench.suites.pointing.web_screens import web_shots
from omnipilot.envs import ConfigError


class PointingSuite(Pointing):
    """The suite.

    Args:
        seed: determines content, screens and targets.
        web: whether to include web pages; without them Chromium is not needed, and the version differs.

    Raises:
        ConfigError: the seed is negative.
    """

    name: str = "pointing"

    def __init__(self, seed: int = 0, web: bool = True) -> None:
        if seed < 0:
            raise ConfigError(f"a seed must be at least 0, not {seed}")
        self.seed = seed
        self.web = web

    @property
    def version(self) -> str:
        """The version of the rules that generate screens and instructions."""
        return "1" if self.web else "1-without-web"

    def shots(self) -> Iterator[Shot]:
        """The embedded world's screens, then the web pages."""
        yield from sim_shots(self.seed)
        if self.web:
            yield from web_shots(self.seed)
