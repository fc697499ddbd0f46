"""How fast real pages are, against the Gymnasium environment that comes with them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median

from omnipilot.bench.suites.miniwob import Miniwob
from omnipilot.bench.suites.miniwob.world import NO_LIMIT, SIZE
from omnipilot.envs import Click, ConfigError, Image, Modality, Point, Thinking
from omnipilot.envs.types import require
from omnipilot.envs.web import find_chromium

PAGE = "click-button"
PLACE = (150, 5)
"""Where both click: on the instruction, which does nothing, so that no step ends the episode."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Steps a second, medians: a click, then screenshot (decoded) and elements; `ratio` is ours to theirs."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """How many times as fast ours is."""
        return self.ours / self.theirs


def compare(steps: int = 40, rounds: int = 3) -> Comparison:
    """Both environments on the same page at the same viewport of 160x210, in turns, resets excluded.

    Raises:
        MissingExtra: `playwright` or `miniwob` is not installed.
        ConfigError: Chromium or chromedriver is missing.
    """
    ours: list[float] = []
    theirs: list[float] = []
    with ExitStack() as stack:
        mine, other = stack.enter_context(_ours()), stack.enter_context(_theirs())
        for _ in range(rounds):
            ours += _times(mine, steps)
            theirs += _times(other, steps)
    return Comparison(1 / median(ours), 1 / median(theirs))


def _times(step: Callable[[], None], count: int) -> list[float]:
    step()
    times = []
    for _ in range(count):
        began = time.perf_counter()
        step()
        times.append(time.perf_counter() - began)
    return times


@contextmanager
def _ours() -> Iterator[Callable[[], None]]:
    world = Miniwob().world(Thinking())
    try:
        world.start(PAGE, 0)
        place = Point.from_pixels(*PLACE, SIZE)
        wanted = {Modality.SCREENSHOT, Modality.ELEMENTS}

        def step() -> None:
            world.browser.act(Click(place))
            seen = world.browser.observe(wanted, 0.0)
            assert isinstance(seen.screenshot, Image)
            assert len(seen.screenshot.rgb) == SIZE.pixels * 3
            assert not world.ended()

        yield step
    finally:
        world.close()


@contextmanager
def _theirs() -> Iterator[Callable[[], None]]:
    driver = shutil.which("chromedriver")
    if driver is None:
        raise ConfigError("no chromedriver found to run the package's own environment; run `make system`")
    gymnasium, miniwob = require("gymnasium", "web"), require("miniwob", "web")
    # Without these two, selenium looks for a driver on the network.
    os.environ.setdefault("MINIWOB_CHROME_BINARY", str(find_chromium()))
    os.environ.setdefault("MINIWOB_CHROMEDRIVER", driver)
    gymnasium.register_envs(miniwob)
    env = gymnasium.make(f"miniwob/{PAGE}-v1", disable_env_checker=True)
    try:
        instance = env.unwrapped.instance
        viewport = {"width": SIZE.width, "height": SIZE.height, "deviceScaleFactor": 1, "mobile": False}
        instance.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", viewport)
        instance.inner_width, instance.inner_height = instance.driver.execute_script(
            "return [window.innerWidth, window.innerHeight];"
        )
        assert (instance.inner_width, instance.inner_height) == (SIZE.width, SIZE.height)
        instance.driver.execute_script("core.EPISODE_MAX_TIME = arguments[0];", NO_LIMIT)
        env.reset(seed=0)
        kind = require("miniwob.action", "web").ActionTypes.CLICK_COORDS
        action = env.unwrapped.create_action(kind, coords=PLACE)

        def step() -> None:
            seen, _, terminated, _, _ = env.step(action)
            assert seen["screenshot"].shape == (SIZE.height, SIZE.width, 3)
            assert seen["dom_elements"] and not terminated

        yield step
    finally:
        env.close()
