"""What a page plays and shows, recorded with its times."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from urllib.parse import quote

import numpy as np
import pytest
from system_needs import missing

from omnipilot.envs import AudioClip, Click, Elements, EnvLost, Modality, Point, Size, VideoClip
from omnipilot.envs.types import ALL_MODALITIES, Absent
from omnipilot.envs.web import BrowserWorld

pytestmark = [pytest.mark.web, pytest.mark.desktop]

SIZE = Size(400, 300)
PLAY = (
    "const c=new AudioContext(),o=c.createOscillator();o.frequency.value=880;o.connect(c.destination);o.start();"
    "o.stop(c.currentTime+1)"
)
# Every quarter of a second another of eight equal steps of red.
PAGE = "data:text/html," + quote(
    f"<!doctype html><title>T</title><body style='margin:0'><button onclick=\"{PLAY}\">play</button><script>let n=0;"
    "setInterval(()=>{n=(n+1)%8;document.body.style.background=`rgb(${n*32},0,0)`},250)</script>"
)


@pytest.fixture(autouse=True)
def programs(chromium_path: str) -> Iterator[None]:
    assert chromium_path
    for name in ("Xvfb", "pulseaudio", "parec"):
        if shutil.which(name) is None:
            missing(f"there is no program {name}; run `make system-desktop`")
    before = left_behind()
    yield
    assert left_behind() <= before


def left_behind() -> set[str]:
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("omnipilot-")}


def reds(clip: VideoClip) -> list[tuple[float, int]]:
    """When each step of red was first shown."""
    steps: list[tuple[float, int]] = []
    for frame in clip.frames:
        step = round(int(frame.array()[200, 200, 0]) / 32)
        if not steps or steps[-1][1] != step:
            steps.append((frame.start, step))
    return steps


@pytest.mark.parametrize("video", ["screencast", "display"])
def test_a_tone_is_heard_and_a_change_is_seen_when_it_happens(video: str) -> None:
    world = BrowserWorld(url=PAGE, size=SIZE, sound=True, video=video)
    try:
        world.reset(0)
        first = world.browser.observe(ALL_MODALITIES, 0.0)
        assert isinstance(first.elements, Elements)
        place = next(e for e in first.elements if e.name == "play").box.center
        world.browser.act(Click(place))
        world.wait(2.0)
        seen = world.browser.observe(ALL_MODALITIES, first.time)
        assert isinstance(seen.audio, AudioClip) and isinstance(seen.video, VideoClip)
        for clip in (seen.audio, seen.video):
            assert clip.start == pytest.approx(first.time, abs=0.05) and clip.end == pytest.approx(seen.time, abs=0.05)
        samples = seen.audio.array().astype(float)
        tones = np.abs(np.fft.rfft(samples))
        assert np.fft.rfftfreq(len(samples), 1 / 16000)[tones.argmax()] == pytest.approx(880, abs=3)
        assert seen.video.size == SIZE
        steps = reds(seen.video)
        assert len(steps) >= 6
        assert all((b - a) % 8 == 1 for (_, a), (_, b) in zip(steps, steps[1:], strict=False)), steps
        apart = np.diff([when for when, _ in steps[1:]])
        assert abs(float(np.median(apart)) - 0.25) < 0.05, apart
    finally:
        world.close()
        world.close()


def test_a_browser_that_is_killed_in_mid_step_is_lost_and_leaves_nothing() -> None:
    world = BrowserWorld(url=PAGE, size=SIZE, video="screencast")
    try:
        world.reset(0)
        assert world.browser.observe({Modality.AUDIO}, 0.0).audio == Absent("unsupported")
        os.kill(world._own.pid, signal.SIGKILL)  # type: ignore[union-attr]
        start = time.monotonic()
        with pytest.raises(EnvLost):
            world.browser.act(Click(Point(0.5, 0.5)))
        with pytest.raises(EnvLost):
            world.browser.observe(ALL_MODALITIES, 0.0)
        assert time.monotonic() - start < 10
    finally:
        world.close()
