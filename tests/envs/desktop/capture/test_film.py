"""The ring of frames, and the files that they are kept as; no X server needed."""

from __future__ import annotations

import numpy as np

from omnipilot.envs import Size
from omnipilot.envs.desktop.capture.film import BUSY, FilmFrame, FrameRing, frame_file
from omnipilot.envs.desktop.capture.screenshot import rgb_bytes
from omnipilot.envs.types.media import Image


def test_a_clip_begins_with_what_was_shown_then():
    ring = FrameRing()
    for at in (1.0, 2.0, 5.0):
        ring.add(FilmFrame(at, f"{at}".encode()))
    assert ring.between(0.0, 0.5) == []
    assert ring.between(0.5, 2.0) == [FilmFrame(1.0, b"1.0")]
    assert ring.between(3.0, 6.0) == [FilmFrame(3.0, b"2.0"), FilmFrame(5.0, b"5.0")]
    assert ring.between(2.0, 5.0) == [FilmFrame(2.0, b"2.0")]


def test_only_the_last_seconds_and_bytes_are_kept():
    ring = FrameRing(longest=10.0)
    for at in range(100):
        ring.add(FilmFrame(float(at), b"x"))
    assert [frame.at for frame in ring.between(-1.0, 200.0)] == [float(at) for at in range(88, 100)]
    ring = FrameRing(budget=1000)
    for at in range(100):
        ring.add(FilmFrame(float(at), bytes(300)))
    assert [frame.at for frame in ring.between(-1.0, 200.0)] == [97.0, 98.0, 99.0]
    # A screen that rests is one frame, however long.
    ring = FrameRing(longest=10.0)
    ring.add(FilmFrame(0.0, b"x"))
    ring.add(FilmFrame(1000.0, b"y"))
    assert ring.between(995.0, 1001.0) == [FilmFrame(995.0, b"x"), FilmFrame(1000.0, b"y")]


def test_frames_of_programs_are_exact_and_those_of_films_small():
    size = Size(640, 400)
    flat = np.zeros((400, 640, 4), np.uint8)
    flat[50:80, 60:300] = (10, 200, 30, 0)
    image = Image.encoded(frame_file(flat.tobytes(), size))
    assert image.rgb == rgb_bytes(flat.tobytes(), size) == np.ascontiguousarray(flat[:, :, 2::-1]).tobytes()
    noise = np.random.default_rng(1).integers(0, 255, (400, 640, 4), np.uint8)
    file = frame_file(noise.tobytes(), size)
    assert file[:2] == b"\xff\xd8" and len(file) < BUSY
    assert Image.encoded(file).size == size
