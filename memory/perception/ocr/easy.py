"""Text read by EasyOCR, as CRAB reads it for its marks: boxes, words and confidence are EasyOCR's own.

It brings torch, and loads its weights from its authors' server when it first reads. It was tried here with an object
that behaves as its documentation says, and with no weights.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from omnipilot.envs import Box, Element, Elements, Image, Size
from omnipilot.envs.types import check_installed, require
from omnipilot.memory.perception.ocr.reader import OcrReader, OcrReading

WITHOUT = "read text with the shipped reader, such as -o grounder.sources=ocr,detector"


class EasyOcrReader(OcrReader):
    """Reads the text of screenshots with EasyOCR; thread-safe. A repeated screenshot costs nothing.

    Args:
        languages: EasyOCR's codes of the languages to read.
        text_threshold: minimum confidence, 0..1, that a region is text; CRAB's is 0.9.
        keep: number of cached screenshots.
        loaded: an object with EasyOCR's method `readtext`, instead of loading its models.

    Raises:
        MissingExtra: EasyOCR is not installed.
    """

    def __init__(
        self,
        languages: Sequence[str] = ("en",),
        text_threshold: float = 0.9,
        keep: int = 256,
        loaded: Any | None = None,
    ) -> None:
        if loaded is None:
            check_installed("easyocr", "easyocr", without=WITHOUT)
        self.languages = tuple(languages)
        self.text_threshold = text_threshold
        self._loaded = loaded
        self._lock = threading.Lock()
        self._known = lru_cache(maxsize=keep)(self._read)

    def read(self, image: Image) -> OcrReading:
        """The text of a screenshot: one element for each of EasyOCR's results, in its order."""
        began = time.perf_counter()
        with self._lock:
            hits = self._known.cache_info().hits
            elements = self._known(image)
            known = self._known.cache_info().hits > hits
        fresh = 0 if known else len(elements)
        return OcrReading(elements, time.perf_counter() - began, len(elements), fresh, known)

    def warm_up(self) -> None:
        """Load EasyOCR's models."""
        with self._lock:
            self._model()

    def _read(self, image: Image) -> Elements:
        found = self._model().readtext(image.array(), text_threshold=self.text_threshold)
        items = []
        for (top_left, _, bottom_right, _), text, _ in found:
            if text.strip() and _is_on(top_left, bottom_right, image.size):
                (left, top), (right, bottom) = top_left, bottom_right
                box = Box.from_pixels(float(left), float(top), float(right), float(bottom), image.size)
                items.append(Element("text", text, box, source="ocr"))
        return Elements(tuple(items))

    def _model(self) -> Any:
        if self._loaded is None:
            self._loaded = require("easyocr", "easyocr").Reader(list(self.languages), verbose=False)
        return self._loaded


def _is_on(low: Sequence[float], high: Sequence[float], size: Size) -> bool:
    """Whether corners are those of a box on the screen: CRAB drops what reaches beyond it, and what is upside down."""
    return 0 <= low[0] < high[0] <= size.width and 0 <= low[1] < high[1] <= size.height


@lru_cache(maxsize=1)
def shared_easy_reader() -> EasyOcrReader:
    """The process-wide reader, whose models are loaded only once.

    Raises:
        MissingExtra: EasyOCR is not installed.
    """
    return EasyOcrReader()
