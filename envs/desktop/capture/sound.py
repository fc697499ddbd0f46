"""The last minutes of what a desktop sounds, recorded all the time."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import threading
import time
from collections import deque

from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip
from omnipilot.envs.types.observation import Absent

LONGEST = 600.0
"""Seconds of sound that are kept."""
LATENCY = 0.02
"""Seconds of sound that the recorder is handed at a time, by which the monitor runs ahead of the picture."""
STEADY = 20
"""Seconds over which the arrival of samples is compared to find when they sounded."""
BREAK = 0.25
"""Seconds by which samples are late where some were lost, as after a sound server that stood still."""
AGAIN = 1.0
"""Seconds after which a recorder that ended is started again."""
LATE = 0.25
"""Seconds to wait for the last samples of a clip."""


class SampleClock:
    """When the samples of a stream sounded, from when they arrived.

    Sample n sounded at the least of (arrival - samples before / rate) over all reads, plus n / rate: reads may be late,
    and never early. The least is taken over the last `STEADY` seconds, so that the clock follows a sound card that runs
    a little faster or slower than the system's.
    """

    def __init__(self) -> None:
        self._least: deque[tuple[int, float]] = deque()  # (second of arrival, least offset in it)

    def hear(self, arrived: float, before: int) -> float:
        """Take in a read; returns by how many seconds it was later than the stream's clock said, about 0 mostly.

        Args:
            arrived: seconds of `time.monotonic`. before: samples of the stream up to and with this read.
        """
        offset = arrived - before / SAMPLE_RATE
        late = offset - self.zero if self._least else 0.0
        second = int(arrived)
        if self._least and self._least[-1][0] == second:
            self._least[-1] = (second, min(self._least[-1][1], offset))
        else:
            self._least.append((second, offset))
        while self._least[0][0] < second - STEADY:
            self._least.popleft()
        return late

    @property
    def zero(self) -> float:
        """When sample 0 sounded, or would have, in seconds of `time.monotonic`."""
        return min(offset for _, offset in self._least)


class SampleRing:
    """The newest samples of a stream and when they sounded; a pure store.

    Args:
        longest: seconds that are kept.
    """

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = int(longest * SAMPLE_RATE)
        self._pcm = bytearray()
        self._dropped = 0  # samples that are no longer kept
        self._clock = SampleClock()

    @property
    def end(self) -> float:
        """When the newest sample ends, in seconds of `time.monotonic`."""
        return self._clock.zero + self._heard / SAMPLE_RATE

    @property
    def _heard(self) -> int:
        return self._dropped + len(self._pcm) // 2

    def add(self, pcm: bytes, arrived: float) -> None:
        """Add the newest samples; where some were lost before them, silence stands for these."""
        late = self._clock.hear(arrived, self._heard + len(pcm) // 2)
        if late > BREAK and len(pcm) < LATENCY * SAMPLE_RATE * 8:
            self._pcm += bytes(2 * round(late * SAMPLE_RATE))
            self._clock = SampleClock()
            self._clock.hear(arrived, self._heard + len(pcm) // 2)
        self._pcm += pcm
        over = len(self._pcm) // 2 - self._longest
        if over > self._longest // 10:  # not at each read
            del self._pcm[: 2 * over]
            self._dropped += over

    def between(self, start: float, end: float) -> tuple[bytes, float]:
        """The samples that sounded from `start` to `end`, and when the first of them did."""
        zero, held = self._clock.zero, len(self._pcm) // 2
        first, last = (min(max(round((t - zero) * SAMPLE_RATE) - self._dropped, 0), held) for t in (start, end))
        return bytes(self._pcm[2 * first : 2 * max(first, last)]), zero + (self._dropped + first) / SAMPLE_RATE


class SoundRecorder:
    """Records the monitor of a desktop's output through `parec`, from the start and for as long as the desktop is
    used; a recorder that ends, as with its sound server, is started again.

    Raises:
        ConfigError: there is no program `parec`.
    """

    def __init__(self, address: DesktopAddress, name: str) -> None:
        program = shutil.which("parec")
        if program is None:
            raise ConfigError("sound is recorded by the program parec; run: apt install pulseaudio-utils")
        self._command = [
            program,
            f"--device={_monitor(address.sink)}",
            "--format=s16le",
            f"--rate={SAMPLE_RATE}",
            "--channels=1",
            f"--latency-msec={round(LATENCY * 1000)}",
            "--client-name=omnipilot",
            "--raw",
        ]
        self._environment = {**os.environ, "PULSE_SERVER": address.pulse, "LC_ALL": "C"}
        self._name = name
        self._news = threading.Condition()
        self._ring: SampleRing | None = None
        self._problem = "the sound recorder has not started yet"
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._record, name=f"sound of {address.display}", daemon=True)
        self._thread.start()

    def ready(self, seconds: float) -> bool:
        """Wait until samples arrive; whether they do."""
        with self._news:
            return self._news.wait_for(lambda: self._ring is not None or self._over.is_set(), seconds)

    def clip(self, start: float, end: float, clock: WallClock) -> AudioClip | Absent:
        """What sounded from `start` to `end`, in seconds on the clock; where the recording does not reach back so far,
        from its beginning."""
        zero = clock.at(0.0) + LATENCY
        start, end = min(start, end) - zero, end - zero
        with self._news:
            self._news.wait_for(lambda: self._ring is None or self._ring.end >= end, LATE)
            if self._ring is None:
                return Absent("failed", self._problem)
            pcm, began = self._ring.between(start, end)
        return AudioClip(pcm, self._name, began + zero)

    def close(self) -> None:
        """Stop recording. May be called twice."""
        self._over.set()
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join(timeout=2.0)
        with self._news:
            self._news.notify_all()

    def _record(self) -> None:
        while not self._over.is_set():
            try:
                self._process = subprocess.Popen(
                    self._command,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                self._fail(str(error))
            else:
                with self._process:
                    if self._over.is_set():
                        self._process.kill()
                    self._listen(self._process)
                    self._process.kill()
            self._over.wait(AGAIN)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None and process.stderr is not None
        output, rest = process.stdout.fileno(), b""
        while not self._over.is_set():
            readable, _, _ = select.select([output], [], [], 0.5)
            if not readable:
                continue
            read = os.read(output, 65536)
            arrived = time.monotonic()
            if not read:
                process.kill()
                words = process.stderr.read().decode("utf-8", "replace").strip()
                self._fail(words.splitlines()[-1] if words else "its program ended")
                return
            whole = len(rest + read) // 2 * 2
            pcm, rest = (rest + read)[:whole], (rest + read)[whole:]
            with self._news:
                if self._ring is None:
                    self._ring = SampleRing()
                self._ring.add(pcm, arrived)
                self._news.notify_all()

    def _fail(self, problem: str) -> None:
        with self._news:
            self._ring, self._problem = None, f"the sound recorder ended: {problem}"
            self._news.notify_all()


def _monitor(sink: str) -> str:
    """The name of the source that carries what an output sounds."""
    return "@DEFAULT_MONITOR@" if sink in ("", "@DEFAULT_SINK@") else f"{sink}.monitor"
