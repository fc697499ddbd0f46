"""Pixels as a small PNG of few colours, and pictures at another size."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from omnipilot.envs import Image, Size

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray
    from PIL.Image import Image as PilImage

COLORS = 64
"""Of a saved picture. More make no visible difference, and larger files."""


def small_png(pixels: NDArray[uint8]) -> bytes:
    """A PNG of few colours, without which it would be many times larger; `pixels` has shape (height, width, 3)."""
    import numpy as np
    from PIL import Image as pil

    few = pil.fromarray(pixels).quantize(palette=common_palette(pixels), dither=pil.Dither.NONE)
    few.putpalette(_means(pixels, np.asarray(few)).tobytes())
    file = BytesIO()
    few.save(file, "png", optimize=True)
    return file.getvalue()


def common_palette(pixels: NDArray[uint8]) -> PilImage:
    """Chosen from the square roots of how often colours occur, or else a small icon would lose its own."""
    import numpy as np
    from PIL import Image as pil

    coarse = (pixels.reshape(-1, 3) >> 2).astype(np.uint32)
    found, counts = np.unique(coarse[:, 0] << 12 | coarse[:, 1] << 6 | coarse[:, 2], return_counts=True)
    often = np.repeat(found, np.sqrt(counts).astype(np.int64))
    sample = np.stack([often >> 12, often >> 6 & 63, often & 63], axis=1) * 255 // 63
    return pil.fromarray(sample[None].astype(np.uint8)).quantize(COLORS, pil.Quantize.MEDIANCUT)


def _means(pixels: NDArray[uint8], chosen: NDArray[uint8]) -> NDArray[uint8]:
    """For each number of the palette the mean of the colours that it stands for; shape (COLORS, 3)."""
    import numpy as np

    numbers, colors = chosen.reshape(-1), pixels.reshape(-1, 3)
    count = np.maximum(np.bincount(numbers, minlength=COLORS), 1)
    sums = np.stack([np.bincount(numbers, colors[:, i], COLORS) for i in range(3)], axis=1).astype(np.int64)
    means: NDArray[np.uint8] = ((sums + count[:, None] // 2) // count[:, None]).astype(np.uint8)
    return means


def scaled(picture: Image, size: Size) -> NDArray[uint8]:
    """The picture's pixels at another size; shape (height, width, 3)."""
    import numpy as np
    from PIL import Image as pil

    return np.asarray(
        pil.fromarray(picture.array()).resize((size.width, size.height), pil.Resampling.LANCZOS), np.uint8
    )
