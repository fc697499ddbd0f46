"""How fast real devices are: what a look costs by modality, steps a second, starts and ends, and several side by side.

Everything but the rows that say so is measured on a private desktop of 1280×800 with its programs, in turns.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from omnipilot.envs import Action, Click, ConfigError, Elements, Image, Modality, MouseMove, OpenApp, Point
from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.env import INPUTS
from omnipilot.envs.desktop.private import PrivateDesktop, start_desktop
from omnipilot.envs.desktop.pyautogui.input import INTERPRETER

PROGRAMS = ("mousepad", "galculator", "pcmanfm-qt", "gnumeric")
"""Whose elements are read: GTK and Qt, few elements and many."""
SIDE_BY_SIDE = 6


def seconds(do: Callable[[], object], count: int) -> float:
    """Median seconds of a call, the first apart."""
    do()
    times = []
    for _ in range(count):
        began = time.perf_counter()
        do()
        times.append(time.perf_counter() - began)
    return median(times)


@contextmanager
def desktop(*programs: str) -> Iterator[tuple[PrivateDesktop, DesktopEnv]]:
    """A private desktop with programs, each with its window open, and the environment on it."""
    with ExitStack() as stack:
        private = start_desktop()
        stack.callback(private.close)
        env = DesktopEnv(private.address, clock=WallClock(), launch=lambda name: (private.open(name), None)[1])
        stack.callback(env.close)
        for name in programs:
            before = len(env.windows())
            private.open(name)
            wait_until(_more_windows(env, before), f"a window of {name}")
        env.settle()
        yield private, env


def _more_windows(env: DesktopEnv, than: int) -> Callable[[], bool]:
    return lambda: len(env.windows()) > than


def wait_until(true: Callable[[], object], what: str, longest: float = 30.0) -> None:
    """Wait for something.

    Raises:
        ConfigError: it did not come.
    """
    until = time.monotonic() + longest
    while not true():
        if time.monotonic() > until:
            raise ConfigError(f"{what} did not come within {longest:g} s")


def starts(rounds: int = 3) -> tuple[float, float, float]:
    """Seconds to start a desktop, to look at it for the first time, and to end it: medians."""
    up, ready, down = [], [], []
    for _ in range(rounds):
        began = time.perf_counter()
        private = start_desktop()
        up.append(time.perf_counter() - began)
        env = DesktopEnv(private.address)
        assert isinstance(env.observe({Modality.SCREENSHOT}, 0.0).screenshot, Image)
        ready.append(time.perf_counter() - began)
        began = time.perf_counter()
        env.close()
        private.close()
        down.append(time.perf_counter() - began)
    return median(up), median(ready), median(down)


def looks(env: DesktopEnv, count: int = 15) -> dict[str, float]:
    """Seconds of one observation by what is asked for; clips are of the last second."""

    def look(*modalities: Modality) -> float:
        return seconds(lambda: env.observe(set(modalities), env.observe((), 0.0).time - 1.0), count)

    def png() -> None:
        shown = env.observe({Modality.SCREENSHOT}, 0.0).screenshot
        assert isinstance(shown, Image)
        shown.png()

    return {
        "screenshot": look(Modality.SCREENSHOT),
        "screenshot and PNG": seconds(png, count),
        "context": look(Modality.CONTEXT),
        "sound of 1 s": look(Modality.AUDIO),
        "video of 1 s": look(Modality.VIDEO),
        "all five": look(*Modality),
    }


def elements(programs: Collection[str] = PROGRAMS, count: int = 5) -> dict[str, tuple[float, int]]:
    """For each program alone on a desktop: seconds to read its elements, and how many there are."""
    found = {}
    for name in programs:
        with desktop(name) as (_, env):

            def read(env: DesktopEnv = env) -> int:
                seen = env.observe({Modality.ELEMENTS}, 0.0).elements
                return len(seen.items) if isinstance(seen, Elements) else 0

            wait_until(read, f"elements of {name}")
            found[name] = (seconds(read, count), read())
    return found


def look_seconds(env: Any, modality: Modality, count: int) -> float:
    """Seconds of one look at one modality, a picture's pixels included."""

    def look() -> None:
        shown = env.observe({modality}, 0.0).screenshot
        assert not isinstance(shown, Image) or shown.rgb

    return seconds(look, count)


def move_seconds(env: DesktopEnv, count: int) -> float:
    """Seconds of one move of the pointer, to two places in turn."""

    def move() -> None:
        for x in (0.4, 0.6):
            env.act(MouseMove(Point(x, 0.5)))

    return seconds(move, count) / 2


BESIDE = (Click(Point(0.4, 0.995)), Click(Point(0.6, 0.995)))
"""Clicks at two places where nothing is done."""
OPENED = (OpenApp("Notes"), OpenApp("Clock"))
"""Applications of the embedded phone, so that its screen is another one at each step."""


def steps_a_second(env: Any, actions: Sequence[Action] = BESIDE, count: int = 10) -> float:
    """Steps a second of any environment: one of the actions in turn, then screenshot and elements."""
    turns = itertools.cycle(actions)

    def step() -> None:
        env.act(next(turns))
        shown = env.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0).screenshot
        assert not isinstance(shown, Image) or shown.rgb

    return 1.0 / seconds(step, count)


def side_by_side(count: int = 10) -> tuple[float, float]:
    """Looks a second at one desktop, and at six in turns: screenshot and elements of an editor."""
    wanted = {Modality.SCREENSHOT, Modality.ELEMENTS}
    with ExitStack() as stack:
        envs = [stack.enter_context(desktop("mousepad"))[1] for _ in range(SIDE_BY_SIDE)]
        one = seconds(lambda: envs[0].observe(wanted, 0.0), count)
        six = seconds(lambda: [env.observe(wanted, 0.0) for env in envs], count)
    return 1.0 / one, SIDE_BY_SIDE / six


def inputs(count: int = 30) -> tuple[float, float]:
    """Seconds of a move of the pointer, without waiting for the screen: over XTEST, and through PyAutoGUI.

    Raises:
        ConfigError: PyAutoGUI is not there.
    """
    python = Path(os.environ.setdefault(INTERPRETER, str(Path(".venv-pyautogui/bin/python").absolute())))
    if not python.exists():
        raise ConfigError(f"there is no {python}, the Python that has PyAutoGUI; `make pyautogui` makes one")
    times = []
    with desktop() as (private, _):
        for way in INPUTS:
            env = DesktopEnv(private.address, input=way, record=False, least=0.0, quiet=0.0, cap_settle=0.0)
            try:
                times.append(move_seconds(env, count))
            finally:
                env.close()
    return times[0], times[1]


def pages(count: int = 10) -> tuple[float, dict[str, float]]:
    """Steps a second of a web page, and seconds of one look by what is asked for."""
    from omnipilot.envs.web import BrowserWorld

    world = BrowserWorld(url="data:text/html,<h1>Words</h1>" + "<button>Press</button>" * 40)
    try:
        world.reset(0)
        env = world.browser
        times = {one.value: look_seconds(env, one, count) for one in (Modality.SCREENSHOT, Modality.ELEMENTS)}
        return steps_a_second(env, count=count), times
    finally:
        world.close()


def phones(count: int = 10) -> dict[str, tuple[float, float, float]]:
    """The embedded phone in process and over adb: seconds of a screenshot and of the elements of a screen that stays as
    it is, and steps a second, each of which opens another application."""
    from omnipilot.envs.sim import SimWorld
    from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone

    found = {}
    for name, world in (("in process", SimWorld()), ("over adb", EmbeddedPhone())):
        try:
            world.reset(0)
            env = world.envs["phone"]
            found[name] = (
                look_seconds(env, Modality.SCREENSHOT, count),
                look_seconds(env, Modality.ELEMENTS, count),
                steps_a_second(env, OPENED, count),
            )
        finally:
            world.close()
    return found
