"""How fast the embedded world is: real actions on real screens, one core."""

from __future__ import annotations

import time
from collections.abc import Callable

from omnipilot.envs.actions import Action, Click, OpenApp, Scroll, System, TypeText
from omnipilot.envs.errors import ActionRejected
from omnipilot.envs.observation import Absent, Element, Modality, Observation
from omnipilot.envs.sim.world import SimWorld

SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO})


def raw_steps_a_second(seconds: float = 5.0) -> float:
    """Steps a second, best of three stretches; a step is one action on a device and one look at it.

    The actions are those of a person at work on both devices: opening apps, clicking through every button and row on
    the screen, typing, scrolling. Each look takes the screenshot, the elements and the sound since the last.
    """
    return max(_stretch(SimWorld(), seconds / 3) for _ in range(3))


def _stretch(world: SimWorld, seconds: float) -> float:
    world.reset(0)
    steps = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        for name, env in world.envs.items():
            seen = env.observe(SEEN, world.now)
            for action in _actions(name, seen, steps):
                since = world.now
                try:
                    env.act(action)
                except ActionRejected:
                    # An earlier click has put something else there; only steps that were done count.
                    continue
                env.observe(SEEN, since)
                steps += 1
    return steps / (time.perf_counter() - began)


def _actions(name: str, seen: Observation, turn: int) -> list[Action]:
    apps = ("Messages", "Clock", "Notes") if name == "phone" else ("Mail", "Editor")
    actions: list[Action] = [OpenApp(apps[turn % len(apps)]), Scroll("down"), Scroll("up")]
    elements = () if isinstance(seen.elements, Absent) else seen.elements.items
    for element in elements:
        if "disabled" not in element.states and element.role in ("button", "listitem", "textbox", "tab"):
            actions += _use(element)
    return [*actions, System("home")] if name == "phone" else actions


def _use(element: Element) -> list[Action]:
    at = element.box.center
    return [Click(at), TypeText("on my way")] if element.role == "textbox" else [Click(at)]


def encoding_seconds() -> dict[str, float]:
    """Seconds to encode what one look at the desktop holds, by kind, best of ten."""
    world = SimWorld()
    world.reset(0)
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Mail"))
    world.wait(1.0)
    seen = desktop.observe(SEEN, world.now - 1.0)
    found: dict[str, float] = {}
    if not isinstance(seen.screenshot, Absent):
        image = seen.screenshot
        found["PNG of 1280x800"] = _best(lambda: type(image).raw(image.size, image.rgb).png())
    if not isinstance(seen.audio, Absent):
        found["WAV of 1 s"] = _best(seen.audio.wav)
    return found


def _best(call: Callable[[], object]) -> float:
    times = []
    for _ in range(10):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)
