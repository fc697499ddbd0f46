"""Recordings and films of homes: speech, tones, and films of flashes and of a moving square.

Files of one kind are equally long and have no tags, so that nothing but what is heard or seen tells them apart.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from omnipilot.envs import AudioClip
from omnipilot.envs.types import SAMPLE_RATE, require

Colour = tuple[int, int, int]
GREY, WHITE = (70, 70, 70), (235, 235, 235)
COLOURS: dict[str, Colour] = {
    "red": (200, 40, 40),
    "green": (40, 160, 60),
    "blue": (40, 80, 200),
    "yellow": (225, 205, 40),
    "purple": (140, 50, 180),
}
FILM_RATE = 10
"""Frames a second."""
FILM_SIZE = 480, 320
SQUARE = 80
"""Side of the moving square, in pixels."""
SPEED = 48
"""Pixels a second that it moves; in 5 s to the left, it falls back by the width of the film, so that pictures after it
do not tell that it was."""


def speech(*texts: str, seconds: float, lead: float = 1.0, pause: float = 0.6) -> bytes:
    """A WAV file of so many seconds: after `lead` seconds of silence, speeches with a `pause` after each.

    Args:
        texts: as in `speech_synthesis.synthesize`, such as "en-a:the code is 4711".

    Raises:
        ValueError: they last longer.
    """
    import numpy as np

    from omnipilot.envs.speech import synthesize

    parts = [silence(lead)]
    for text in texts:
        spoken = np.clip(np.asarray(synthesize(text).samples(), np.int64), -32768, 32767)
        parts += [spoken.astype(np.int16), silence(pause)]
    return AudioClip.from_array(pad_sound(np.concatenate(parts), seconds)).wav()


def tones(pieces: Sequence[tuple[float, float]], seconds: float) -> bytes:
    """A WAV file of so many seconds: pure tones one after the other, frequency in Hz (0 for silence) and seconds of
    each, then silence.

    Raises:
        ValueError: they last longer.
    """
    import numpy as np

    return AudioClip.from_array(pad_sound(np.concatenate([tone(*piece) for piece in pieces]), seconds)).wav()


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


def pad_sound(samples: Any, seconds: float) -> Any:
    """Samples, and silence after them up to so many seconds.

    Raises:
        ValueError: they last longer.
    """
    import numpy as np

    missing = round(seconds * SAMPLE_RATE) - len(samples)
    if missing < 0:
        raise ValueError(f"{len(samples) / SAMPLE_RATE:.1f} s of sound do not fit into {seconds:g} s")
    return np.concatenate([samples, np.zeros(missing, np.int16)])


def flashes(shots: Sequence[tuple[Colour, float]], seconds: float) -> bytes:
    """A Matroska film of so many seconds: plain colours, each for some seconds, then grey.

    Raises:
        ValueError: they last longer.
    """
    frames: list[Colour] = []
    for colour, length in shots:
        frames += [colour] * max(1, round(length * FILM_RATE))
    missing = round(seconds * FILM_RATE) - len(frames)
    if missing < 0:
        raise ValueError(f"{len(frames) / FILM_RATE:.1f} s of film do not fit into {seconds:g} s")
    return _film([*frames, *[GREY] * missing], _plain, FILM_RATE)


def moving_square(left_from: float, left_to: float, seconds: float, rate: int = 6) -> bytes:
    """A Matroska film of so many seconds: a square that moves right, but left between two moments; where it leaves at
    one side, it comes in again at the other. No single picture tells which way it moves."""
    places, place = [], 0.0
    for number in range(round(seconds * rate)):
        places.append(round(place) % FILM_SIZE[0])
        place += (-1 if left_from <= number / rate < left_to else 1) * SPEED / rate
    return _film(places, _square, rate)


def _plain(colour: Colour) -> Any:
    import numpy as np

    pixels = np.empty((FILM_SIZE[1], FILM_SIZE[0], 3), np.uint8)
    pixels[:] = colour
    return pixels


def _square(left: int) -> Any:
    """A picture of the square, which may be partly at the left and partly at the right side."""
    import numpy as np

    pixels = _plain(GREY)
    top = (FILM_SIZE[1] - SQUARE) // 2
    columns = (left + np.arange(SQUARE)) % FILM_SIZE[0]
    pixels[top : top + SQUARE, columns] = WHITE
    return pixels


def _film(keys: Sequence[Any], draw: Callable[[Any], Any], rate: int) -> bytes:
    """A film of the picture of each key; each different one is drawn and encoded once."""
    av: Any = require("av", "video")
    out, known = io.BytesIO(), dict[Any, bytes]()
    with av.open(out, "w", format="matroska", options={"fflags": "+bitexact"}) as container:
        video = container.add_stream("mjpeg", rate=rate)
        video.width, video.height = FILM_SIZE
        video.pix_fmt = "yuvj420p"
        video.codec_context.thread_count = 1
        for number, key in enumerate(keys):
            if key not in known:
                known[key] = b"".join(map(bytes, video.encode(av.VideoFrame.from_ndarray(draw(key), format="rgb24"))))
            packet = av.Packet(known[key])
            packet.stream, packet.time_base = video, Fraction(1, rate)
            packet.pts = packet.dts = number
            packet.duration, packet.is_keyframe = 1, True
            container.mux(packet)
    return out.getvalue()
