"""What the encoder of pictures costs, and what it saves a recorded run, against Pillow's in the same process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TypeVar
from unittest.mock import patch

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.envs import Absent, ConfigError, Image, Modality, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types import png
from omnipilot.memory import MediaStore

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Encoding:
    """One screenshot as a file: seconds of CPU, the best of ten, and bytes."""

    seconds: float
    size: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run of so many episodes, all its media written: seconds of CPU and of the clock."""

    episodes: int
    cpu: float
    wall: float


def with_both_encoders(measure: Callable[[], T]) -> tuple[T, T]:
    """What is measured with our encoder, and with Pillow's.

    Raises:
        ConfigError: there is only Pillow's.
    """
    if png._deflate is None:
        raise ConfigError("isal is not installed, so Pillow encodes the pictures; run: pip install isal")
    ours = measure()
    with patch.object(png, "_deflate", None):
        return ours, measure()


def mail_screen() -> Image:
    """A mail app on a desktop of 1280x800."""
    world = SimWorld()
    world.reset(0)
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Mail"))
    image = desktop.observe({Modality.SCREENSHOT}, world.now).screenshot
    assert not isinstance(image, Absent)
    return image


def encodings() -> tuple[Encoding, Encoding]:
    """The screenshot of a mail app, by our encoder and by Pillow's."""
    image = mail_screen()

    def measure() -> Encoding:
        times = []
        for _ in range(10):
            fresh = Image.raw(image.size, image.rgb)
            began = time.process_time()
            file = fresh.png()
            times.append(time.process_time() - began)
        return Encoding(min(times), len(file))

    return with_both_encoders(measure)


def stored(number: int = 200) -> tuple[float, float]:
    """Seconds of CPU, medians, for storing a screenshot: a new one, and one that another process has stored already."""
    image = mail_screen()
    screens = [bytes([n]) + image.rgb[1:] for n in range(number)]

    def seconds(store: MediaStore, rgb: bytes) -> float:
        fresh = Image.raw(image.size, rgb)
        # Whoever stores a capture has to compute its digest; it takes the same time for both.
        assert fresh.digest
        began = time.process_time()
        store.put(fresh)
        return time.process_time() - began

    with tempfile.TemporaryDirectory() as folder:
        stores = MediaStore(Path(folder)), MediaStore(Path(folder))
        new, again = zip(*([seconds(store, rgb) for store in stores] for rgb in screens), strict=True)
    return median(new), median(again)


def recorded_runs(instances: int = 5) -> tuple[Recorded, Recorded]:
    """All tasks of `duet` played by the planner `oracle` in this process, by our encoder and by Pillow's."""
    spec = RunSpec(AgentSpec(planner=PartSpec("oracle")), PartSpec("duet"), instances=instances)

    def measure() -> Recorded:
        with tempfile.TemporaryDirectory() as folder:
            cpu, wall = time.process_time(), time.perf_counter()
            result = run(spec, Path(folder))
            return Recorded(len(result.episodes), time.process_time() - cpu, time.perf_counter() - wall)

    with tempfile.TemporaryDirectory() as folder:
        # Letters, icons and speech are made once a process, by whichever run comes first.
        run(replace(spec, instances=1), Path(folder))
    return with_both_encoders(measure)
