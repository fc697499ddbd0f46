"""PNG files: the same pixels come back, whichever encoder wrote them and whoever reads them."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image as pil
from PIL import ImageFilter

from omnipilot.envs import Image
from omnipilot.envs.types import png
from omnipilot.envs.types.png import encode_png

Pixels = NDArray[np.uint8]
ENCODERS = ("isal", "pillow")
# A fixture of a whole test is the same for each of its examples, as it is meant to be.
one_encoder_a_test = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=ENCODERS)
def encoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which encoder writes in this test."""
    name: str = request.param
    assert png._deflate is not None, "isal is not installed; run: pip install -e ."
    if name == "pillow":
        monkeypatch.setattr(png, "_deflate", None)
    return name


def chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of every chunk, its checksum tested."""
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(file):
        (length,) = struct.unpack(">I", file[at : at + 4])
        kind, content = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        assert struct.unpack(">I", file[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + content)
        yield kind, content
        at += 12 + length
    assert at == len(file)


def decode_by_hand(file: bytes) -> tuple[Pixels, set[int]]:
    """Pixels of an RGB file, read as the specification says byte by byte, and the filters of its rows."""
    found = list(chunks(file))
    assert found[0][0] == b"IHDR" and found[-1] == (b"IEND", b"")
    width, height, *rest = struct.unpack(">IIBBBBB", found[0][1])
    assert rest == [8, 2, 0, 0, 0]
    data = zlib.decompress(b"".join(content for kind, content in found if kind == b"IDAT"))
    length = 3 * width
    assert len(data) == height * (1 + length)
    above, filters, rows = bytearray(length), set(), []
    for y in range(height):
        start = y * (1 + length)
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + length])
        for x in range(length):
            a, b, c = (row[x - 3] if x > 2 else 0), above[x], (above[x - 3] if x > 2 else 0)
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[x] = (row[x] + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
        filters.add(kind)
        rows.append(bytes(row))
        above = row
    return np.frombuffer(b"".join(rows), np.uint8).reshape(height, width, 3), filters


def decode_with_pillow(file: bytes) -> Pixels:
    with pil.open(io.BytesIO(file)) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
        return np.asarray(picture)


@st.composite
def drawn(draw: st.DrawFn) -> Pixels:
    """Pictures of any size to 40 by 40: flat, with slopes that wrap around, or with any byte at all."""
    height, width = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    y, x, channel = np.mgrid[:height, :width, :3]
    slope = draw(st.integers(0, 300)) * x + draw(st.integers(0, 300)) * y + draw(st.integers(0, 255)) * channel
    if draw(st.booleans()):
        return (slope % 256).astype(np.uint8)
    return np.random.default_rng(draw(st.integers(0, 2**32))).integers(0, 256, slope.shape, dtype=np.uint8)


def photograph(height: int, width: int) -> Pixels:
    """Soft colours everywhere, no two pixels alike for certain."""
    noise = np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return np.asarray(pil.fromarray(noise).filter(ImageFilter.GaussianBlur(4)))


def screen(height: int, width: int) -> Pixels:
    """A window of rows of buttons on a plain ground."""
    pixels = np.full((height, width, 3), 240, np.uint8)
    pixels[10:-10, 10:-10] = 255
    for top in range(20, height - 30, 25):
        pixels[top : top + 15, 20 : 20 + width // 3] = (top % 256, 90, 200)
    return pixels


@one_encoder_a_test
@given(drawn())
def test_the_same_pixels_come_back(encoder: str, pixels: Pixels) -> None:
    file = encode_png(pixels)
    assert np.array_equal(decode_with_pillow(file), pixels)
    assert np.array_equal(decode_by_hand(file)[0], pixels)
    assert Image.encoded(file) == Image.from_array(pixels)


@pytest.mark.parametrize("shape", [(1, 1), (1, 2003), (2003, 1), (719, 1281), (1080, 1921)])
@pytest.mark.parametrize("kind", [photograph, screen])
def test_pictures_of_odd_and_large_sizes_come_back(
    encoder: str, kind: Callable[[int, int], Pixels], shape: tuple[int, int]
) -> None:
    pixels = kind(*shape)
    assert np.array_equal(decode_with_pillow(encode_png(pixels)), pixels)


def test_any_view_of_an_array_is_encoded_as_it_looks(encoder: str) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    for view in (pixels[::2, 1:-1], pixels[::-1], pixels[:, :, ::-1], pixels.transpose(1, 0, 2)):
        assert np.array_equal(decode_with_pillow(encode_png(view)), view)


def test_photographs_are_written_as_what_changes_from_row_to_row_where_that_is_smaller() -> None:
    assert decode_by_hand(encode_png(screen(120, 160)))[1] == {0}
    pixels = photograph(120, 160)
    file = encode_png(pixels)
    assert decode_by_hand(file)[1] == {2}
    unfiltered = np.concatenate([np.zeros((120, 1), np.uint8), pixels.reshape(120, -1)], axis=1)
    assert len(file) < 0.8 * len(zlib.compress(unfiltered.tobytes(), 1))
    # Of nothing but noise neither is smaller by much; the smaller one is taken all the same.
    noise = np.random.default_rng(1).integers(0, 256, (50, 60, 3), dtype=np.uint8)
    assert len(encode_png(noise)) < noise.size * 1.02


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 5), np.uint8),
        np.zeros((4, 5, 4), np.uint8),
        np.zeros((0, 5, 3), np.uint8),
        np.zeros((4, 0, 3), np.uint8),
        np.zeros((4, 5, 3), np.uint16),
        np.zeros((4, 5, 3), np.int8),
    ],
    ids=lambda pixels: f"{pixels.shape}-{pixels.dtype}",
)
def test_what_is_no_picture_is_refused(encoder: str, pixels: Pixels) -> None:
    with pytest.raises(ValueError, match=r"\(height, width, 3\), uint8"):
        encode_png(pixels)


def test_without_isal_pillow_encodes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert png._load_deflate() is not None
    monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    assert png._load_deflate() is None
