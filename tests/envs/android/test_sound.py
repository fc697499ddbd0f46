"""Sound of a phone through scrcpy, which a script stands in for: it writes a WAV file as scrcpy does."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from scripted_phone import ScriptedPhone

from omnipilot.envs import Absent, AudioClip
from omnipilot.envs.android.connection import AdbConnection, AdbServer
from omnipilot.envs.android.sound import NoSound, ScrcpySound, SoundKind, scrcpy_version, sound_source, to_mono
from omnipilot.envs.clock import WallClock

SCRCPY = """\
#!{python}
import math, os, struct, sys, time
if "--version" in sys.argv:
    print("scrcpy {version} <https://github.com/Genymobile/scrcpy>")
    sys.exit()
assert os.environ["ADB_SERVER_SOCKET"] == "tcp:127.0.0.1:5999" and sys.argv[2] == "1.2.3.4:5", sys.argv
if {fails}:
    print("ERROR: Audio disabled: it is not supported before Android 11")
    sys.exit(1)
file = open(next(one for one in sys.argv if one.startswith("--record=")).split("=", 1)[1], "wb", buffering=0)
file.write(b"RIFF" + struct.pack("<I", 0xFFFFFFFF) + b"WAVEfmt ")
file.write(struct.pack("<IHHIIHH", 16, 1, 2, 48000, 192000, 4, 16))
file.write(b"data" + struct.pack("<I", 0xFFFFFFFF))
begin, sent = time.monotonic(), 0
while True:
    due = int((time.monotonic() - begin) * 48000)
    tone = [int(12000 * math.sin(2 * math.pi * 440 * n / 48000)) for n in range(sent, due)]
    file.write(b"".join(struct.pack("<hh", one, one) for one in tone))
    sent = due
    time.sleep(0.02)
"""


def scrcpy(folder: Path, version: str = "2.4", fails: bool = False) -> str:
    program = folder / "scrcpy"
    program.write_text(SCRCPY.format(python=sys.executable, version=version, fails=fails))
    program.chmod(0o755)
    return str(program)


def pause(seconds: float) -> None:
    threading.Event().wait(seconds)


def pitch(clip: AudioClip) -> float:
    spectrum = np.abs(np.fft.rfft(clip.array()))
    return float(np.argmax(spectrum) / clip.seconds)


def test_what_scrcpy_writes_is_heard_in_time(tmp_path: Path) -> None:
    clock = WallClock()
    sound = ScrcpySound(AdbConnection("1.2.3.4:5", AdbServer(port=5999)), clock, "phone", scrcpy(tmp_path))
    try:
        while sound._heard() < 0:
            pause(0.02)
        begun = clock.now
        pause(0.7)
        clip = sound.clip(begun, clock.now)
        assert isinstance(clip, AudioClip)
        assert clip.start == pytest.approx(begun) and clip.seconds == pytest.approx(0.7, abs=0.2)
        assert pitch(clip) == pytest.approx(440, abs=3)
        early = sound.clip(begun - 60, clock.now)
        assert isinstance(early, Absent) and "on only" in early.detail
    finally:
        sound.close()
    assert sound._process is None
    sound.close()


def test_a_scrcpy_that_fails_says_why(tmp_path: Path) -> None:
    clock = WallClock()
    program = scrcpy(tmp_path, fails=True)
    sound = ScrcpySound(AdbConnection("1.2.3.4:5", AdbServer(port=5999)), clock, "phone", program)
    clip = sound.clip(0.0, clock.now)
    assert isinstance(clip, Absent) and "not supported before Android 11" in clip.detail
    sound.close()


@pytest.mark.parametrize(
    ("kind", "version", "sdk", "words"),
    [
        ("off", "2.4", 34, "switched off"),
        ("auto", "", 34, "not installed"),
        ("auto", "1.24", 34, "has version 1"),
        ("phone", "2.4", 34, "no soundcap"),
        ("scrcpy", "2.4", 29, "Android 11"),
        ("scrcpy", "2.4", 34, "adb server"),
    ],
)
def test_a_phone_that_cannot_be_heard_says_why(
    kind: SoundKind, version: str, sdk: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version:
        scrcpy(tmp_path, version)
    monkeypatch.setenv("PATH", str(tmp_path))
    source = sound_source(kind, ScriptedPhone(), WallClock(), "phone", sdk)
    assert isinstance(source, NoSound)
    absent = source.clip(0.0, 1.0)
    assert absent.reason == "unsupported" and words in absent.detail
    source.close()


def test_a_phone_that_keeps_its_sound_is_asked_for_it() -> None:
    """As the served phone does: the last seconds up to now."""
    clock = WallClock()

    def soundcap(command: str) -> bytes:
        seconds = float(command.split()[2])
        now = clock.now
        begin = now - seconds
        # A click each whole half second.
        samples = np.zeros(round(seconds * 16_000), dtype=np.int16)
        for half in range(1, 100):
            at = round((half / 2 - begin) * 16_000)
            if 0 <= at < len(samples):
                samples[at] = 30_000
        return AudioClip.from_array(samples).wav()

    phone = ScriptedPhone({"command -v soundcap": "/system/bin/soundcap\n", "^soundcap": soundcap})
    source = sound_source("auto", phone, clock, "phone", 34)
    begun = clock.now
    pause(1.2)
    clip = source.clip(begun, clock.now)
    assert isinstance(clip, AudioClip)
    assert clip.start == pytest.approx(begun, abs=0.05) and clip.end == pytest.approx(clock.now, abs=0.1)
    (clicks,) = np.nonzero(clip.array())
    assert [clip.start + at / 16_000 for at in clicks] == pytest.approx([0.5, 1.0], abs=0.05)
    phone.answers["^soundcap"] = "soundcap: no memory\n"
    absent = source.clip(begun, clock.now)
    assert isinstance(absent, Absent) and absent.reason == "failed"


def test_versions_are_read(tmp_path: Path) -> None:
    assert scrcpy_version(scrcpy(tmp_path, "3.1")) == 3
    assert scrcpy_version(str(tmp_path / "none")) == 0


def test_stereo_becomes_mono() -> None:
    stereo = np.repeat(np.full(4800, 1000, dtype="<i2"), 2).tobytes()
    mono = np.frombuffer(to_mono(stereo), dtype="<i2")
    assert len(mono) == 1600
    assert mono[400:1200].mean() == pytest.approx(1000, abs=5)
    assert to_mono(b"") == b""
