"""Key frames of a video that comes frame by frame: what was on the screen whenever it had settled, and at cuts."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.memory.perception.video.regions import CUT, Mask, blocks

Why: TypeAlias = Literal["first", "settled", "cut", "going on"]
Luma: TypeAlias = NDArray[np.uint8]

LONGEST = 720
"""Most pixels of the longer side of what is compared; every `n`th pixel is taken."""
FAINTEST = 16
"""Least difference of luma, of 255, that counts: above the noise of a codec at ordinary quality."""
LEAST = 4
"""Least number of differing blocks (of 4x4 compared pixels): a digit of a clock is one more, a dead pixel less."""
SETTLED = 0.2
"""Seconds without a change after which the screen has settled."""
EVERY, MUCH = 2.0, 0.05
"""Seconds between key frames while it does not settle, and the share of the image that has to differ for one."""
_KNOWN = 8


@dataclass(frozen=True, slots=True)
class FrameChange:
    """What a frame is beside those before it.

    Attributes:
        key: why it is a key frame; None if it is none.
        moved: whether it differs from the frame before.
    """

    key: Why | None
    moved: bool


class KeyFrameDetector:
    """Tells of each frame whether it is a key frame.

    Absolute differences of luma, block by block, against two frames, as in the twin comparison of Zhang, Kankanhalli &
    Smoliar, "Automatic Partitioning of Full-Motion Video" (1993): against the frame before, where a high threshold
    finds cuts, and against the last key frame, where a low one finds what has changed little by little. Unlike film, a
    screen rests most of the time, so the frame taken is the one after it has come to rest; a frame that looks like one
    of the last key frames (a blinking cursor) is not taken again.
    """

    def __init__(self) -> None:
        self._before: Luma | None = None
        self._still_since = 0.0
        self._pending: Why | None = None
        self._keys: deque[Luma] = deque(maxlen=_KNOWN)
        self._key_time = float("-inf")
        self._compared = False

    def feed(self, time: float, luma: Luma) -> FrameChange:
        """Take in the next frame.

        Args:
            time: in seconds. luma: shape (rows, columns), uint8, of at most `LONGEST` pixels a side.
        """
        before, self._before = self._before, luma
        if before is None or before.shape != luma.shape:
            self._keys.clear()
            self._still_since = time
            return self._take(time, luma, "first", moved=before is not None)
        moving = None if before is luma or np.array_equal(before, luma) else _active(before, luma)
        if moving is not None and int(moving.sum()) >= LEAST:
            self._still_since, self._compared = time, False
            if float(moving.mean()) >= CUT:
                self._pending = "cut"
            if time - self._key_time >= EVERY and float(_active(self._keys[-1], luma).mean()) >= MUCH:
                return self._take(time, luma, "going on", moved=True)
            return FrameChange(None, True)
        if not self._compared and time - self._still_since >= SETTLED:
            self._compared = True
            why, self._pending = self._pending, None
            if all(int(_active(key, luma).sum()) >= LEAST for key in self._keys):
                return self._take(time, luma, why or "settled", moved=False)
        return FrameChange(None, False)

    def _take(self, time: float, luma: Luma, why: Why, moved: bool) -> FrameChange:
        self._keys.append(luma)
        self._key_time = time
        return FrameChange(why, moved)


def small_luma(plane: Luma) -> Luma:
    """Every `n`th pixel of a luma plane, so that no side is longer than `LONGEST`; copied."""
    step = max(1, -(-max(plane.shape) // LONGEST))
    return np.ascontiguousarray(plane[::step, ::step])


def _active(one: Luma, other: Luma) -> Mask:
    """The blocks in which two frames differ."""
    apart = np.maximum(one, other) - np.minimum(one, other)
    return blocks(apart >= FAINTEST)
