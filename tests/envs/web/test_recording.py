"""What a page plays and shows, recorded with its times."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

from omnipilot.envs import AudioClip, Click, Elements, EnvLost, Modality, Point, Size, VideoClip
from omnipilot.envs.types import ALL_MODALITIES, Absent
from omnipilot.envs.web import BrowserWorld

pytestmark = [pytest.mark.web, pytest.mark.desktop("Xvfb", "pulseaudio", "parec")]

SIZE = Size(400, 300)
PLAY = (
    "const c=new AudioContext(),o=c.createOscillator();o.frequency.value=880;o.connect(c.destination);o.start();"
    "o.stop(c.currentTime+1)"
)
# Every quarter of a second another shade of red; the page notes when it asked for each.
PAGE = "data:text/html," + quote(
    f"<!doctype html><title>T</title><body style='margin:0'><button onclick=\"{PLAY}\">play</button><script>let n=0;"
    "const asked=[];(step=()=>{asked.push(Date.now()/1000);document.body.style.background=`rgb(${6*n++},0,0)`})();"
    "setInterval(step,250)</script>"
)


@pytest.fixture(autouse=True)
def programs(chromium_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    assert chromium_path
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not list(tmp_path.iterdir())


def shades(clip: VideoClip) -> dict[int, float]:
    """Number of each shade of red → when it was first shown."""
    shown: dict[int, float] = {}
    for frame in clip.frames:
        red, green, _ = frame.array()[200, 200].tolist()
        if green < 30:
            shown.setdefault(round(red / 6), frame.start)
    return shown


@pytest.mark.parametrize("video", ["screencast", pytest.param("display", marks=pytest.mark.slow)])
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
        unix_zero = time.time() - world._clock.now
        asked = [when - unix_zero for when in world.browser.ask_page("() => asked")]
        shown = {number: when for number, when in shades(seen.video).items() if when > seen.video.start}
        assert len(shown) >= 5
        late = [when - asked[number] for number, when in shown.items()]
        assert -0.05 < float(np.median(late)) < 0.15, late
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
