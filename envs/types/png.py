"""Pictures as PNG files, fast rather than small: the one encoder for run directories, for models and for pages.

Only the pixels are a promise, never the bytes of a file: these differ with the library at hand, its version and the
processor. So nothing is named, compared or looked up by them: `Image.digest` is that of the pixels, the media store
names its files by that digest, and a cassette knows a request by the digests of its pictures. A run that was begun
with one encoder can therefore be finished with the other, and what old versions wrote is read and found as before.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_UNFILTERED, _UP = 0, 2
_FLAT = 16
"""How many times smaller unfiltered rows become at least where a picture is mostly flat, as a user interface is."""


def _load_deflate() -> Callable[[Any, int], bytes] | None:
    try:
        from isal.isal_zlib import compress
    except ImportError:
        # There are processors for which it is not built; Pillow writes the same pixels.
        return None
    return compress


_deflate = _load_deflate()


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture as a PNG file: 8 bits a channel, RGB, lossless.

    Args:
        pixels: shape (height, width, 3), uint8, no side empty.

    Raises:
        ValueError: the pixels are of another shape or type.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.size == 0 or pixels.dtype != "uint8":
        raise ValueError(f"a picture has pixels of shape (height, width, 3), uint8, not {pixels.shape}, {pixels.dtype}")
    if _deflate is None:
        return _encode_with_pillow(pixels)
    height, width, _ = pixels.shape
    rows = pixels.reshape(height, width * 3)
    content = _deflate(_filtered(rows, _UNFILTERED), 1)
    if len(content) * _FLAT > rows.size:
        # A photograph: its rows differ little from those above them. A third smaller then, and tried in 3 to 10 ms.
        content = min(content, _deflate(_filtered(rows, _UP), 1), key=len)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", content) + _chunk(b"IEND", b"")


def _filtered(rows: NDArray[np.uint8], kind: int) -> NDArray[np.uint8]:
    """Each row after the byte that names its filter (PNG specification, third edition, §9.2)."""
    import numpy as np

    out = np.empty((rows.shape[0], rows.shape[1] + 1), np.uint8)
    out[:, 0] = kind
    out[:, 1:] = rows
    if kind == _UP:
        # Bytes wrap around, as the specification wants it; above the first row there are zeros.
        out[1:, 1:] -= rows[:-1]
    return out


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(content, zlib.crc32(kind)))


def _encode_with_pillow(pixels: NDArray[np.uint8]) -> bytes:
    from PIL import Image as pil

    out = io.BytesIO()
    pil.fromarray(pixels).save(out, "PNG", compress_level=1)
    return out.getvalue()
