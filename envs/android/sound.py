"""Sound of a phone: the served phone's own recorder, or scrcpy on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
import wave
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from omnipilot.envs.android.connection import AdbConnection, PhoneConnection
from omnipilot.envs.clock import WallClock
from omnipilot.envs.temporary_folders import make_folder, remove_folder
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip
from omnipilot.envs.types.observation import Absent

SoundKind: TypeAlias = Literal["auto", "scrcpy", "phone", "off"]
API_SOUND = 30
"""Android API level from which scrcpy hears a phone (11; there only with the screen unlocked)."""
OLDEST_SCRCPY = 2
START_SECONDS = 10.0
LAG_SECONDS = 1.0
"""Maximum seconds to wait for the first sound of a source, and for sound that has been heard to arrive."""
LOOK_SECONDS = 10.0
"""Maximum seconds of a command."""
SOUNDCAP, LONGEST_SOUND = "soundcap", 120.0
"""The served phone's command that gives the last seconds of its sound as a WAV file, and the most it is asked for."""
_SOURCE_RATE = 48_000
_CHANNELS = 2
_FRAME = 2 * _CHANNELS


class SoundSource(Protocol):
    """Where the sound of a phone comes from."""

    def clip(self, since: float, now: float) -> AudioClip | Absent:
        """What sounded from `since` to `now`."""
        ...

    def close(self) -> None:
        """Stop listening. May be called twice."""
        ...


class NoSound:
    """A phone that cannot be heard, and why."""

    def __init__(self, detail: str, reason: Literal["unsupported", "failed"] = "unsupported") -> None:
        self._absent = Absent(reason, detail)

    def clip(self, since: float, now: float) -> Absent:  # noqa: ARG002
        """Nothing, and why."""
        return self._absent

    def close(self) -> None:
        """Do nothing."""


def sound_source(kind: SoundKind, connection: PhoneConnection, clock: WallClock, env: str, sdk: int) -> SoundSource:
    """The source that a phone has.

    Args:
        kind: `auto` takes the phone's own recorder, else scrcpy. sdk: the phone's API level, 0 if it is not known.
    """
    if kind == "off":
        return NoSound("sound is switched off for this phone")
    if kind in ("auto", "phone"):
        if connection.shell(f"command -v {SOUNDCAP} || which {SOUNDCAP}", LOOK_SECONDS).text.strip():
            return PhoneSound(connection, clock, env)
        if kind == "phone":
            return NoSound(f"this phone has no {SOUNDCAP}; only phones of `omnipilot phone serve` have one")
    program = shutil.which("scrcpy")
    if program is None:
        return NoSound("a phone is heard through scrcpy 2 or later, which is not installed on this machine")
    version = scrcpy_version(program)
    if version < OLDEST_SCRCPY:
        return NoSound(f"a phone is heard through scrcpy 2 or later; this machine has version {version or 'unknown'}")
    if sdk and sdk < API_SOUND:
        return NoSound(f"Android 11 (API {API_SOUND}) and later let a computer hear the phone; this one has API {sdk}")
    if not isinstance(connection, AdbConnection):
        return NoSound("scrcpy needs a phone at an adb server")
    return ScrcpySound(connection, clock, env, program)


class PhoneSound:
    """Asks a phone that keeps what it sounded, as that of `omnipilot phone serve` does.

    The end of what it gives is placed between the question and the answer.
    """

    def __init__(self, connection: PhoneConnection, clock: WallClock, env: str) -> None:
        self._connection = connection
        self._clock = clock
        self._env = env

    def clip(self, since: float, now: float) -> AudioClip | Absent:
        """See `SoundSource.clip`."""
        asked = self._clock.now
        seconds = min(max(asked - since, 0.0) + 0.2, LONGEST_SOUND)
        answer = self._connection.execute(f"{SOUNDCAP} -t {seconds:.3f}", LOOK_SECONDS)
        end = (asked + self._clock.now) / 2
        try:
            heard = AudioClip.from_wav(answer, self._env)
        except (ValueError, EOFError, wave.Error) as error:
            self._connection.check()
            return Absent("failed", f"the phone gave no sound: {error}")
        if since < asked - LONGEST_SOUND:
            return Absent("failed", f"the phone keeps the last {LONGEST_SOUND:g} s of its sound only")
        return AudioClip(heard.pcm, self._env, end - heard.seconds).slice(since, now)

    def close(self) -> None:
        """Do nothing."""


def scrcpy_version(program: str) -> int:
    """The main version of a scrcpy, from `scrcpy --version`; 0 if it does not tell."""
    try:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r"scrcpy v?(\d+)", told)
    return int(found[1]) if found else 0


class ScrcpySound:
    """Listens through scrcpy, which writes what the phone plays into a WAV file as it comes.

    The phone itself is silent meanwhile, and applications may forbid being heard. Sample n was heard at the earliest
    moment at which it could have been: the least difference, over all looks at the file, between the time of the look
    and the length of the sound in it.
    """

    def __init__(self, connection: AdbConnection, clock: WallClock, env: str, program: str) -> None:
        self._clock = clock
        self._env = env
        self._folder = make_folder("sound")
        file = self._folder / "sound.wav"
        self._wav = _GrowingWav(file)
        self._log = self._folder / "log"
        server = connection.server
        with self._log.open("wb") as log:
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
                [
                    program,
                    "--serial",
                    connection.serial,
                    "--no-video",
                    "--no-playback",
                    "--no-control",
                    "--audio-codec=raw",
                    f"--record={file}",
                ],
                env={**os.environ, "ADB_SERVER_SOCKET": f"tcp:{server.host}:{server.port}"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._zero: float | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"scrcpy-{env}", daemon=True)
        self._thread.start()
        self._begun = clock.now

    def clip(self, since: float, now: float) -> AudioClip | Absent:
        """See `SoundSource.clip`; absent until the first sound has come."""
        waiting = threading.Event()
        until = self._clock.now + (LAG_SECONDS if self._zero is not None else START_SECONDS)
        while self._heard() < now and self._clock.now < until and self._running():
            waiting.wait(0.02)
        zero = self._zero
        if not self._running() or zero is None:
            return Absent("failed", f"scrcpy hears nothing of this phone: {self._told()}")
        if since < zero - 0.5:
            return Absent("failed", f"the phone was heard from {max(zero, 0):.1f} s on only, not from {since:.1f} s")
        start = max(since, zero)
        return AudioClip(to_mono(self._wav.read(start - zero, now - zero)), self._env, start)

    def close(self) -> None:
        """End scrcpy. May be called twice."""
        process, self._process = self._process, None
        if process is None:
            return
        self._stop.set()
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._thread.join()
        remove_folder(self._folder)

    def _running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _told(self) -> str:
        lines = self._log.read_text("utf-8", "replace").strip().splitlines() if self._log.exists() else []
        return lines[-1] if lines else "it wrote no sound in time"

    def _heard(self) -> float:
        """Until when sound has arrived, on the world's clock."""
        return -1.0 if self._zero is None else self._zero + self._wav.seconds

    def _follow(self) -> None:
        while not self._stop.wait(0.05):
            length = self._wav.seconds
            if length:
                zero = self._clock.now - length
                self._zero = zero if self._zero is None else min(self._zero, zero)


class _GrowingWav:
    """A WAV file that is being written; its header says nothing of its length."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begin = 0

    @property
    def seconds(self) -> float:
        """Length of the sound in it so far; 0 before its first sample."""
        try:
            if not self._begin:
                with self._path.open("rb") as file:
                    head = file.read(4096)
                at = head.find(b"data", 12)
                self._begin = at + 8 if at >= 0 else 0
            size = self._path.stat().st_size
        except FileNotFoundError:
            return 0.0
        return max(0, size - self._begin) // _FRAME / _SOURCE_RATE if self._begin else 0.0

    def read(self, start: float, end: float) -> bytes:
        """The samples between two moments, in seconds from the first sample."""
        first, last = (max(0, round(at * _SOURCE_RATE)) for at in (start, end))
        with self._path.open("rb") as file:
            file.seek(self._begin + first * _FRAME)
            data = file.read(max(0, last - first) * _FRAME)
        return data[: len(data) // _FRAME * _FRAME]


def to_mono(stereo: bytes) -> bytes:
    """16-bit stereo at 48 kHz as mono at 16 kHz."""
    import numpy as np
    from scipy.signal import resample_poly  # type: ignore[import-untyped]

    samples: Any = np.frombuffer(stereo, dtype="<i2").reshape(-1, _CHANNELS).astype(np.float64).mean(axis=1)
    if not samples.size:
        return b""
    low = resample_poly(samples, 1, _SOURCE_RATE // SAMPLE_RATE)
    return bytes(np.clip(np.round(low), -32768, 32767).astype("<i2").tobytes())
