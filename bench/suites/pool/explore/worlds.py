"""The worlds that can be explored, by name."""

from __future__ import annotations

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.worlds import ExplorableWorld
from omnipilot.envs import ConfigError

WORLDS = ("sim", "web")


def open_explorable(name: str, url: str = "") -> ExplorableWorld:
    """The world of a name: "sim", the embedded one, or "web", a site in a browser.

    Args:
        url: the first page of the site.

    Raises:
        ConfigError: no such world, or a site without an address.
        MissingExtra: what a browser needs is missing.
    """
    if name == "sim":
        from omnipilot.bench.suites.pool.explore.sim import SimExplorable

        return SimExplorable()
    if name == "web":
        from omnipilot.bench.suites.pool.explore.web import WebExplorable
        from omnipilot.envs.web import BrowserWorld

        if not url:
            raise ConfigError("say which site: --world web --url https://…")
        return WebExplorable(BrowserWorld(url=url))
    raise ConfigError(describe_unknown("world", name, WORLDS))
