"""How long DetACT takes: a screen that nobody has seen, one that is known, and icons against a large pack."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Modality, Observation, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.grounders.marks.detectors.icon_pack import IconPack
from omnipilot.grounders.sources.detact import DetAct
from omnipilot.memory.perception import OcrReader

TASK = "Compose a mail to Omar Haddad with the blue button"
TEMPLATES, REGIONS = 1600, 60


@dataclass(frozen=True, slots=True)
class DetActSeconds:
    """Seconds of the processor, and what each module took of the new screen by the clock."""

    new: float
    known: float
    modules: dict[str, float]


def detact_seconds(rounds: int = 3) -> DetActSeconds:
    """A screen of 1280 x 800 with a window, the models loaded; best of `rounds` of new readers.

    Raises:
        MissingExtra: OpenCV or RapidOCR is not installed.
    """
    seen = _desktop()
    with tempfile.TemporaryDirectory() as folder:
        write_icons(Path(folder))
        found = []
        for _ in range(rounds):
            source = DetAct(ocr=OcrReader(), pack=folder)
            source.warm_up()
            began = time.process_time()
            sighting = source.find(seen, TASK)
            new = time.process_time() - began
            began = time.process_time()
            source.find(seen, TASK)
            found.append(DetActSeconds(new, time.process_time() - began, dict(sighting.seconds)))
    return min(found, key=lambda one: one.new)


def icons_seconds(rounds: int = 5) -> float:
    """Seconds of the processor for `REGIONS` regions against `TEMPLATES` templates, best of `rounds`."""
    draws = np.random.default_rng(0)
    pictures = [(f"icon {number}", _shape(draws)) for number in range(TEMPLATES)]
    pack = IconPack(pictures)
    regions = [np.pad(pictures[number][1], ((2, 2), (2, 2), (0, 0)), mode="edge") for number in range(REGIONS)]
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        found = pack.match(regions)
        best = min(best, time.process_time() - began)
    if [one.name for one in found] != [name for name, _ in pictures[:REGIONS]]:
        raise AssertionError("a region was not found in the pack that it is from")
    return best


def _desktop() -> Observation:
    world = SimWorld()
    world.reset(0)
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Mail"))
    world.wait(1.0)
    return desktop.observe({Modality.SCREENSHOT}, world.now)


def _shape(draws: np.random.Generator) -> NDArray[np.uint8]:
    """Four strokes of random directions on white, 24 x 24 pixels."""
    from PIL import Image as pil
    from PIL import ImageDraw

    picture = pil.new("RGB", (24, 24), "white")
    pen = ImageDraw.Draw(picture)
    for _ in range(4):
        pen.line([tuple(draws.integers(3, 21, 2).tolist()) for _ in range(2)], fill="black", width=2)
    return np.asarray(picture)
