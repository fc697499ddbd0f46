"""The reader `ocr`: the text of a screenshot as elements, with what reading it cost.

Text is first found, on a picture that is made smaller, then read line by line at full size. Both are remembered by
content, over all screenshots: a line that looks the same is read once, a screenshot that was read before costs nothing.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np

from omnipilot.envs import Box, Element, Elements, Image
from omnipilot.memory.perception.ocr.engine import Area, Engine, Pixels, RapidEngine
from omnipilot.memory.perception.ocr.lines import Rect, lines
from omnipilot.memory.warm_up import warm_up

SIDE = 640
"""Pixels of the longer side at which text is looked for, where that is at least half of what there is."""
MARGIN = 2
"""Pixels of background around a line that is read."""
SURE, SURE_ALONE = 0.6, 0.96
"""How sure the recogniser must be of a line for it to count as text, and of a single character: icons look like one."""
_ICON = re.compile(r"^(?:[^\x00-\x7f]|\+)\s+(?=[A-Za-z])")
"""What is read of an icon that stands before words."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read.

    Attributes:
        elements: one of role "text" and source "ocr" a line, in reading order.
        seconds: on the wall.
        found: lines that were looked at. recognised: those among them that were not known from before.
        known: the whole screenshot was.
    """

    elements: Elements
    seconds: float
    found: int
    recognised: int
    known: bool = False


class OcrReader:
    """Reads screenshots; one reader may serve several threads.

    What it remembers only saves work: a screenshot is read the same whatever was read before.

    Args:
        engine: what finds and reads; RapidOCR where none is given.
        keep: lines that are remembered; of screenshots, one for each sixteen of these.

    Raises:
        MissingExtra: no engine is given and RapidOCR is not installed.
    """

    def __init__(self, engine: Engine | None = None, keep: int = 4096) -> None:
        self.engine: Engine = RapidEngine() if engine is None else engine
        self._lines: _Recent[tuple[str, float]] = _Recent(keep)
        self._screens: _Recent[Elements] = _Recent(max(1, keep // 16))
        self._lock = threading.Lock()

    def read(self, image: Image) -> Reading:
        """The text of a screenshot. Boxes are tight around the letters."""
        began = time.perf_counter()
        with self._lock:
            known = self._screens.get(image.digest)
            if known is not None:
                return Reading(known, time.perf_counter() - began, len(known), 0, known=True)
            pixels = image.array()
            rects = lines(pixels, self._detect(pixels))
            read = [self._recognise(pixels, rect) for rect in rects]
            items = [
                Element("text", text, Box.from_pixels(*rect, image.size), source="ocr")
                for rect, (text, sure, _) in zip(rects, read, strict=True)
                if sure >= (SURE if len(text) > 1 else SURE_ALONE)
            ]
            elements = Elements(tuple(items))
            self._screens.put(image.digest, elements)
        fresh = sum(new for _, _, new in read)
        return Reading(elements, time.perf_counter() - began, len(rects), fresh)

    def warm_up(self) -> None:
        """Load what the engine would load when it first reads."""
        warm_up(self.engine)

    def _detect(self, pixels: Pixels) -> list[Area]:
        from PIL import Image as pil

        height, width, _ = pixels.shape
        scale = min(1.0, max(0.5, SIDE / max(height, width)))
        small = pixels
        if scale < 1:
            size = (max(1, round(width * scale)), max(1, round(height * scale)))
            small = np.asarray(pil.fromarray(pixels).resize(size, pil.Resampling.BOX))
        across, down = width / small.shape[1], height / small.shape[0]
        return [(a * across, b * down, c * across, d * down) for a, b, c, d in self.engine.detect(small)]

    def _recognise(self, pixels: Pixels, rect: Rect) -> tuple[str, float, bool]:
        """Text, how sure, and whether it had to be read."""
        left, top, right, bottom = rect
        crop = np.ascontiguousarray(
            pixels[max(0, top - MARGIN) : bottom + MARGIN, max(0, left - MARGIN) : right + MARGIN]
        )
        key = hashlib.sha256(f"{crop.shape} ".encode() + crop.tobytes()).hexdigest()
        known = self._lines.get(key)
        if known is None:
            text, sure = self.engine.recognise(crop)
            known = _ICON.sub("", text), sure
            self._lines.put(key, known)
            return *known, True
        return *known, False


@lru_cache(maxsize=1)
def shared_reader() -> OcrReader:
    """The reader of this process: its models are loaded once, whoever needs them.

    Raises:
        MissingExtra: RapidOCR is not installed.
    """
    return OcrReader()


class _Recent(Generic[_Value]):
    """The values used last, by key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[str, _Value] = OrderedDict()

    def get(self, key: str) -> _Value | None:
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: str, value: _Value) -> None:
        self._values[key] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)
