"""How long Set-of-Marks takes on a screen of full HD: finding what is marked, by source, and drawing it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs import Image, Modality, Observation, OpenApp, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.display import Look
from omnipilot.grounders.marks import Marks
from omnipilot.grounders.marks.marks import mark
from omnipilot.memory.perception import OcrReader

SCREEN = Size(1920, 1080)


def marks_seconds(rounds: int = 5) -> dict[str, float]:
    """Seconds of the processor by what is done, best of `rounds`.

    Text is read from a screen that nobody has seen; what a reader remembers would make it faster.

    Raises:
        MissingExtra: OpenCV or RapidOCR is not installed.
    """
    seen = full_screen()
    all_sources = ("elements", "ocr", "detector")
    found = {
        "elements": _best(lambda: mark(seen, ["elements"]), rounds),
        "elements and detector": _best(lambda: mark(seen, ["elements", "detector"]), rounds),
        "all sources, a new screen": _best(lambda: mark(seen, all_sources, reader=OcrReader()), 2),
        "all sources, a known screen": _best(lambda: mark(seen, all_sources), rounds),
    }
    marks = mark(seen, all_sources)
    found[f"drawing {len(marks.items)} marks"] = _best(lambda: _drawn(marks), rounds)
    return found


def full_screen() -> Observation:
    """The desktop of the embedded world with a few windows, scaled to full HD."""
    from PIL import Image as pil

    world = SimWorld()
    world.reset(0)
    world.prepare(lambda state: state.looking(Look(density="large"), "desktop"))
    desktop = world.envs["desktop"]
    for app in ("Mail", "Files"):
        desktop.act(OpenApp(app))
    seen = desktop.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, world.now)
    assert isinstance(seen.screenshot, Image)
    large = pil.frombytes("RGB", (seen.size.width, seen.size.height), seen.screenshot.rgb)
    small = large.resize((SCREEN.width, SCREEN.height), pil.Resampling.LANCZOS)
    return replace(seen, size=SCREEN, screenshot=Image.raw(SCREEN, small.tobytes(), seen.env, seen.time))


def _drawn(marks: Marks) -> object:
    """The picture, drawn again."""
    return replace(marks).image


def _best(call: Callable[[], object], rounds: int) -> float:
    call()
    times = []
    for _ in range(rounds):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times)
