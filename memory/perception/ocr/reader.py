"""The reader `ocr`: the text of a screenshot as elements, with its cost.

Text is first detected on a downscaled image, then recognised line by line at full size. Both results are cached by
content across screenshots: a line that looks the same is read once, and a repeated screenshot costs nothing.
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
"""Longer side in pixels for text detection, unless that is less than half the original."""
MARGIN = 2
"""Pixels of background kept around a line for recognition."""
SURE, SURE_ALONE = 0.6, 0.96
"""Minimum confidence of a line, and of a single character (icons look like one), to count as text."""
_ICON = re.compile(r"^(?:[^\x00-\x7f]|\+)\s+(?=[A-Za-z])")
"""What an icon in front of text is read as."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class OcrReading:
    """The result of reading a screenshot.

    Attributes:
        elements: one per line, with role "text" and source "ocr", in reading order.
        seconds: wall time.
        found: number of lines found. recognised: number of lines that were not cached.
        known: whether the whole screenshot was cached.
    """

    elements: Elements
    seconds: float
    found: int
    recognised: int
    known: bool = False


class OcrReader:
    """Reads the text of screenshots; thread-safe.

    Its cache only saves work: results do not depend on what was read before.

    Args:
        engine: detection and recognition; None for RapidOCR.
        keep: number of cached lines; one screenshot is cached per sixteen lines.

    Raises:
        MissingExtra: no engine is given and RapidOCR is not installed.
    """

    def __init__(self, engine: Engine | None = None, keep: int = 4096) -> None:
        self.engine: Engine = RapidEngine() if engine is None else engine
        self._lines: _Recent[tuple[str, float]] = _Recent(keep)
        self._screens: _Recent[Elements] = _Recent(max(1, keep // 16))
        self._lock = threading.Lock()

    def read(self, image: Image) -> OcrReading:
        """The text of a screenshot, with boxes tight around the letters."""
        began = time.perf_counter()
        with self._lock:
            known = self._screens.get(image.digest)
            if known is not None:
                return OcrReading(known, time.perf_counter() - began, len(known), 0, known=True)
            pixels = image.array()
            rects = lines(pixels, self._detect(pixels))
            read = [self._recognise(pixels, rect) for rect in rects]
            items = [
                Element("text", text, Box.from_pixels(*rect, image.size), source="ocr", confidence=sure)
                for rect, (text, sure, _) in zip(rects, read, strict=True)
                if sure >= (SURE if len(text) > 1 else SURE_ALONE)
            ]
            elements = Elements(tuple(items))
            self._screens.put(image.digest, elements)
        fresh = sum(new for _, _, new in read)
        return OcrReading(elements, time.perf_counter() - began, len(rects), fresh)

    def warm_up(self) -> None:
        """Load the engine's models."""
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
        """Text, confidence, and whether it had to be read."""
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
    """The process-wide reader, whose models are loaded only once.

    Raises:
        MissingExtra: RapidOCR is not installed.
    """
    return OcrReader()


class _Recent(Generic[_Value]):
    """An LRU cache."""

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
