"""The world of MiniWoB pages: one browser window that shows one page after another."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from omnipilot.envs import Capability, ConfigError, EnvLost, Size, Thinking, World
from omnipilot.envs.web import POINTING_VERBS, TYPING_VERBS, BrowserEnv, launch

TimeLimit: TypeAlias = Literal["none", "page"]

SIZE = Size(160, 210)
FLIGHT_SIZE = Size(375, 667)
NO_LIMIT = 2**31 - 1
"""Milliseconds; the longest that a browser's timer can be set to, 24 days."""

START = """([seed, limit]) => {
  // The score board and the picture of clicks stand beside the task; wheel and focus could bring them into view.
  const style = document.createElement('style');
  style.textContent = 'html, body { overflow: hidden } #reward-display, #click-canvas { display: none }';
  document.head.append(style);
  Math.seedrandom(seed);
  if (limit) core.EPISODE_MAX_TIME = limit;
  core.startEpisodeReal();
}"""
READY = "() => typeof core !== 'undefined' && core.cover_div != null"
STARTED = "() => WOB_TASK_READY"
STATE = """() => typeof WOB_DONE_GLOBAL === 'undefined' ? null
  : [WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL, WOB_REWARD_REASON || '', core.getUtterance()]"""


@dataclass(frozen=True, slots=True)
class PageState:
    """The state that a page reports about its episode.

    Attributes:
        done: the episode is over. reward: the raw one, without time penalty, -1..1; 0 until it is over.
        reason: the page's own, "" for most pages. instruction: the task in words.
    """

    done: bool
    reward: float
    reason: str
    instruction: str


class MiniwobWorld(World):
    """A browser whose window shows only the task area of a MiniWoB page.

    The clock is real time: pages cannot be paused.

    Raises:
        MissingExtra, ConfigError: Playwright or Chromium is missing.
    """

    capabilities = frozenset({Capability.STATE, Capability.ENDS})

    def __init__(self, html: Path, thinking: Thinking, time_limit: TimeLimit = "none") -> None:
        self.thinking = thinking
        self._html = html
        self._limit = NO_LIMIT if time_limit == "none" else 0
        self._start = time.monotonic()
        # Flight pages look into a frame of theirs, which Chromium forbids to files without this.
        self._chromium = launch(["--allow-file-access-from-files"])
        self.browser = BrowserEnv(
            self._chromium,
            size=SIZE,
            verbs=POINTING_VERBS | TYPING_VERBS,
            clock=lambda: self.now,
            dialogs="dismiss",
            downloads=False,
            pierce=False,
        )
        self._page = ""

    @property
    def envs(self) -> Mapping[str, BrowserEnv]:
        """The browser, as "browser"."""
        return {self.browser.name: self.browser}

    @property
    def now(self) -> float:
        """Wall-clock seconds since the last reset."""
        return time.monotonic() - self._start

    def start(self, page: str, instance: int) -> str:
        """Load a page and begin its episode.

        Args:
            page: its name, "click-button"; flight pages are named "flight.AA".
            instance: seed of the page's random generator.

        Returns:
            The instruction.

        Raises:
            EnvLost: the page does not load or does not begin.
        """
        self._page = page
        self.reset(instance)
        return self.state().instruction

    def reset(self, instance: int) -> None:
        """Reload the current page and begin an episode with this seed.

        Raises:
            ConfigError: no page has been started yet.
            EnvLost: the page does not load or does not begin.
        """
        if not self._page:
            raise ConfigError("this MiniWoB world has no page yet; call start(page, instance) first")
        flight = self._page.startswith("flight.")
        file = f"{self._page.replace('.', '/')}/wrapper.html" if flight else f"miniwob/{self._page}.html"
        env = self.browser
        env.resize(FLIGHT_SIZE if flight else SIZE)
        env.load((self._html / file).as_uri())
        env.ask_page(READY, wait=True)
        env.ask_page(START, [instance, self._limit])
        env.ask_page(STARTED, wait=True)
        self._start = time.monotonic()
        env.settle()

    def state(self) -> PageState:
        """The page's current state; if the page was left, the episode is over without reward.

        Raises:
            EnvLost: the browser is gone.
        """
        answer = self.browser.ask_page(STATE)
        if answer is None:
            return PageState(True, 0.0, "the task's page was left", "")
        done, reward, reason, instruction = answer
        if not isinstance(reward, int | float):
            raise EnvLost(f"the page {self._page} is broken: its reward is {reward!r}")
        return PageState(bool(done), float(reward), str(reason), str(instruction))

    def ended(self) -> str:
        """Why the episode is over; "" while it continues."""
        state = self.state()
        if not state.done:
            return ""
        return f"the page has ended the episode with raw reward {state.reward:g}" + (
            f": {state.reason}" if state.reason else ""
        )

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        self.browser.pause(seconds)

    def think(self, measured: float) -> None:
        """Does nothing: the page runs in real time anyway."""

    def close(self) -> None:
        """Close the window and the browser. May be called twice."""
        self.browser.close()
        self._chromium.close()
