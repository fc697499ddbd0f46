"""A world with one browser."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.envs.base import Thinking
from omnipilot.envs.clock import WallClock
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.web.chromium import Chromium, launch
from omnipilot.envs.web.env import DESKTOP, BrowserEnv

FROZEN = Thinking()


class BrowserWorld:
    """One browser that starts on one page. Pages run all the time, so the clock is wall time.

    Args:
        thinking: only recorded; a browser cannot be frozen.
        url: the page that each reset opens.
        size: of the viewport in CSS pixels.
        chromium: the browser to use; by default it starts and closes its own.
        clock: of the world that this one is part of, which restarts it; by default it has a clock of its own.

    Raises:
        MissingExtra, ConfigError: Playwright or Chromium is missing.
    """

    def __init__(
        self,
        thinking: Thinking = FROZEN,
        url: str = "about:blank",
        size: Size = DESKTOP,
        chromium: Chromium | None = None,
        clock: WallClock | None = None,
    ) -> None:
        self.thinking = thinking
        self._url = url
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._own = launch() if chromium is None else None
        self.browser = BrowserEnv(chromium or self._chromium, size=size, clock=lambda: self.now)

    @property
    def _chromium(self) -> Chromium:
        assert self._own is not None
        return self._own

    @property
    def envs(self) -> Mapping[str, BrowserEnv]:
        """The browser, by its name."""
        return {self.browser.name: self.browser}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """A new context on the start page. What the web serves does not depend on `instance`."""
        self.browser.restart(self._url)
        if self._own_clock:
            self._clock.restart()

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        self.browser.pause(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the pages kept running."""

    def close(self) -> None:
        """Close the window, and the browser if it is our own."""
        self.browser.close()
        if self._own is not None:
            self._own.close()
