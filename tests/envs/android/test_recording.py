"""Video of a phone: segments are ended properly, fetched, placed in time, and joined."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from scripted_phone import ScriptedPhone, screenshot

from omnipilot.envs import Absent, Image, Size, VideoClip
from omnipilot.envs.android.recording import MOST_FRAMES, ScreenRecorder, decode
from omnipilot.envs.clock import WallClock

SIZE = Size(64, 96)


def film(shades: list[int], seconds: float) -> bytes:
    """An MP4 file whose picture changes at equal intervals."""
    step = seconds / len(shades)
    frames = [Image.raw(SIZE, bytes([shade]) * (SIZE.pixels * 3), "", i * step) for i, shade in enumerate(shades)]
    return VideoClip(frames, seconds).mp4(10)


class Recording:
    """A `screenrecord` that runs until it is interrupted."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.said = b""

    def read(self, timeout: float | None = None) -> bytes:
        self.ended.wait(timeout)
        said, self.said = self.said, b""
        return said

    def write(self, data: bytes) -> None:
        """Nothing."""

    def close(self) -> None:
        self.ended.set()


class FilmingPhone(ScriptedPhone):
    """Films grey pictures."""

    def __init__(self, shades: list[int], says: bytes = b"") -> None:
        super().__init__({"pkill": self.interrupt})
        self.runs: list[Recording] = []
        self.paths: list[str] = []
        self.shades, self.says = shades, says
        self.started: list[float] = []

    def start(self, command: str) -> Any:
        self.check()
        assert command.startswith("screenrecord --time-limit 180 ")
        self.paths.append(command.split()[3])
        self.runs.append(Recording())
        self.started.append(time.monotonic())
        if self.says:
            self.runs[-1].said = self.says
            self.runs[-1].ended.set()
        return self.runs[-1]

    def interrupt(self, command: str) -> str:
        assert command == "pkill -INT screenrecord || killall -INT screenrecord"
        self.finish()
        return ""

    def finish(self) -> None:
        """The recording that runs ends."""
        seconds = max(0.3, time.monotonic() - self.started[-1])
        self.files[self.paths[-1]] = film(self.shades, seconds)
        self.runs[-1].ended.set()


def recorder(phone: ScriptedPhone) -> tuple[ScreenRecorder, WallClock]:
    clock = WallClock()
    return ScreenRecorder(phone, clock, "phone"), clock


def pause(seconds: float) -> None:
    threading.Event().wait(seconds)


def test_it_records_from_the_first_clip_on() -> None:
    phone = FilmingPhone([0, 80, 160])
    film_of, clock = recorder(phone)
    first = film_of.clip(0.0, clock.now, None)
    assert isinstance(first, Absent) and "from now on" in first.detail
    begun = clock.now
    pause(0.6)
    shown = Image.raw(SIZE, bytes([240]) * (SIZE.pixels * 3))
    clip = film_of.clip(begun, clock.now, shown)
    assert isinstance(clip, VideoClip)
    assert clip.start == pytest.approx(begun) and clip.end <= clock.now
    shades = [int(frame.array().mean()) for frame in clip.frames]
    # What was filmed, and as the last frame what was shown at the end: screenrecord leaves out the last change.
    assert sorted(shades) == shades and shades[-1] == 240 and len(set(shades)) >= 4
    assert clip.frames[-1].start == clip.end
    assert len(phone.runs) == 2, "recording goes on"
    assert [one for one in phone.sent if one.startswith("rm -f")] == [f"rm -f {phone.paths[0]}"]
    film_of.stop()
    assert all(run.ended.is_set() for run in phone.runs)
    assert f"rm -f {phone.paths[1]}" in phone.sent


def test_after_it_was_stopped_the_clock_may_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was forgotten of the episode before is no bound for the next one, whose times begin at 0 again."""
    monkeypatch.setattr("omnipilot.envs.android.recording.KEPT_SECONDS", 0.1)
    phone = FilmingPhone([0, 80])
    film_of, clock = recorder(phone)
    film_of.start()
    pause(1.0)
    assert isinstance(film_of.clip(0.0, clock.now, None), VideoClip)  # and all but its end is forgotten
    film_of.stop()
    clock.restart()
    film_of.start()
    begun = clock.now
    pause(0.3)
    shown = Image.raw(SIZE, bytes([240]) * (SIZE.pixels * 3))
    clip = film_of.clip(begun, clock.now, shown)
    assert isinstance(clip, VideoClip) and clip.start == pytest.approx(begun)
    film_of.stop()


def test_a_segment_that_ends_by_itself_is_followed_by_the_next_and_both_are_in_the_clip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("omnipilot.envs.android.recording.SHORT_SECONDS", 0.1)
    phone = FilmingPhone([0, 80])
    film_of, clock = recorder(phone)
    film_of.start()
    begun = clock.now
    pause(0.4)
    phone.finish()  # the screen was turned, or 180 s are over
    until = time.monotonic() + 5
    while len(phone.runs) < 2:
        assert time.monotonic() < until
        pause(0.01)
    phone.shades = [160, 220]
    pause(0.4)
    clip = film_of.clip(begun, clock.now, None)
    assert isinstance(clip, VideoClip)
    assert {int(frame.array().mean()) // 60 for frame in clip.frames} == {0, 1, 2, 3}
    film_of.stop()


def test_a_phone_that_cannot_record_says_so() -> None:
    phone = FilmingPhone([], b"Unable to get output buffers (err=-38)\n")
    film_of, clock = recorder(phone)
    film_of.start()
    pause(0.2)
    clip = film_of.clip(0.0, clock.now, None)
    assert isinstance(clip, Absent) and "output buffers" in clip.detail
    assert len(phone.runs) == 1, "it is not tried again and again"


def test_what_was_before_the_recording_is_not_made_up() -> None:
    phone = FilmingPhone([0, 200])
    film_of, clock = recorder(phone)
    pause(0.8)
    film_of.start()
    pause(0.3)
    clip = film_of.clip(0.0, clock.now, None)
    assert isinstance(clip, Absent) and "from 0.8 s on only" in clip.detail
    film_of.stop()


def test_frames_of_another_size_are_those_from_before_the_screen_was_turned() -> None:
    phone = FilmingPhone([0, 200])
    film_of, clock = recorder(phone)
    film_of.start()
    begun = clock.now
    pause(0.3)
    shown = Image.encoded(screenshot(Size(96, 64)))
    clip = film_of.clip(begun, clock.now, shown)
    assert isinstance(clip, VideoClip) and clip.size == Size(96, 64)
    film_of.stop()


def test_a_film_of_another_size_ends_with_the_screenshot_in_its_size() -> None:
    """As on a phone whose encoder cannot do the screen's size, so that screenrecord falls back to a smaller one."""
    phone = FilmingPhone([0, 200])
    film_of, clock = recorder(phone)
    film_of.start()
    begun = clock.now
    pause(0.3)
    clip = film_of.clip(begun, clock.now, Image.raw(Size(64, 192), bytes([240]) * (64 * 192 * 3)))
    assert isinstance(clip, VideoClip) and clip.size == SIZE
    last = clip.frames[-1].array()
    assert last[:, 32].min() == 240 and last[:, :10].max() == 0, "between bars"
    film_of.stop()


def test_long_films_are_thinned_while_they_are_read() -> None:
    frames = decode(film([n % 250 for n in range(400)], 40.0), 100.0, "phone", 100.0, 40.0)
    assert MOST_FRAMES - 5 <= len(frames) <= MOST_FRAMES + 1
    late = decode(film([n % 250 for n in range(400)], 40.0), 100.0, "phone", 138.0, 40.0)
    assert late[0][0] <= 138.0 < late[1][0] and len(late) > 15
    with pytest.raises(ValueError):
        decode(b"no film", 0.0, "phone", 0.0, 1.0)
