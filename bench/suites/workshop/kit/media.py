"""Recordings and films of homes: spoken codes, tones, and films of coloured flashes, drawn from the instance."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from omnipilot.envs import AudioClip
from omnipilot.envs.types import require
from omnipilot.envs.types.media import SAMPLE_RATE

Colour = tuple[int, int, int]
RED, GREEN, BLUE, GREY = (200, 40, 40), (40, 160, 60), (40, 80, 200), (70, 70, 70)
FILM_RATE = 10
"""Frames a second."""
FILM_SIZE = 480, 320


def speech(text: str, lead: float = 1.0, repeat: int = 2) -> bytes:
    """A WAV file of speech, after `lead` seconds of silence; `text` as in `speech_synthesis.synthesize`, such as
    "en-a:the code is 4711"."""
    import numpy as np

    from omnipilot.envs.sim.audio.speech_synthesis import synthesize

    spoken = np.asarray(synthesize(text).samples(), np.int64)
    loud = np.clip(spoken, -32768, 32767).astype(np.int16)
    return AudioClip.from_array(np.concatenate([silence(lead), *[loud, silence(0.6)] * repeat])).wav()


def speeches(texts: Sequence[str]) -> bytes:
    """A WAV file of several speeches, one after the other."""
    import numpy as np

    return AudioClip.from_array(
        np.concatenate([AudioClip.from_wav(speech(text, 1.0, 1)).array() for text in texts])
    ).wav()


def tones(pieces: Sequence[tuple[float, float]]) -> bytes:
    """A WAV file of pure tones one after the other: frequency in Hz (0 for silence) and seconds of each."""
    import numpy as np

    return AudioClip.from_array(np.concatenate([tone(*piece) for piece in pieces])).wav()


def tone(frequency: float, seconds: float) -> Any:
    """Samples of a pure tone with soft ends, a quarter of full scale; silence for 0 Hz."""
    import numpy as np

    count = round(seconds * SAMPLE_RATE)
    if frequency == 0:
        return silence(seconds)
    at = np.arange(count) / SAMPLE_RATE
    ends = np.minimum(1.0, np.minimum(at, at[::-1]) / 0.02)
    return (8192 * ends * np.sin(2 * np.pi * frequency * at)).astype(np.int16)


def silence(seconds: float) -> Any:
    """Samples of silence."""
    import numpy as np

    return np.zeros(round(seconds * SAMPLE_RATE), np.int16)


def film(shots: Sequence[tuple[Colour, float]], sound: Any = None) -> bytes:
    """A Matroska film of plain colours, each for some seconds; with sound, 16-bit samples at 16 kHz, if given."""
    import numpy as np

    av: Any = require("av", "video")
    out = io.BytesIO()
    with av.open(out, "w", format="matroska", options={"fflags": "+bitexact"}) as container:
        video = container.add_stream("mjpeg", rate=FILM_RATE)
        video.width, video.height = FILM_SIZE
        video.pix_fmt = "yuvj420p"
        video.codec_context.thread_count = 1
        audio = None
        if sound is not None:
            audio = container.add_stream("pcm_s16le", rate=SAMPLE_RATE)
            audio.layout = "mono"
        for colour, seconds in shots:
            pixels = np.empty((FILM_SIZE[1], FILM_SIZE[0], 3), np.uint8)
            pixels[:] = colour
            for _ in range(max(1, round(seconds * FILM_RATE))):
                for packet in video.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")):
                    container.mux(packet)
        for packet in video.encode():
            container.mux(packet)
        if audio is not None:
            frame = av.AudioFrame.from_ndarray(np.asarray(sound, np.int16)[None], format="s16", layout="mono")
            frame.sample_rate = SAMPLE_RATE
            for packet in [*audio.encode(frame), *audio.encode()]:
                container.mux(packet)
    return out.getvalue()
