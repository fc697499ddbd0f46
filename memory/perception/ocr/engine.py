"""The two models of the reader `ocr`, text detection and line recognition: RapidOCR on the CPU."""

from __future__ import annotations

import threading
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types import require

Pixels = NDArray[np.uint8]
"""Shape (height, width, 3), RGB."""
Area = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""

_HEIGHT = 48
_STRETCH = 1.3
"""Horizontal stretching of lines before recognition, which drops fewer narrow letters."""


class Engine(Protocol):
    """The OCR engine that the reader uses."""

    @property
    def name(self) -> str:
        """Name and version, for the record of a run."""
        ...

    def detect(self, pixels: Pixels) -> list[Area]:
        """Approximate boxes of text, in any order."""
        ...

    def recognise(self, pixels: Pixels) -> tuple[str, float]:
        """The text of one line and its confidence, 0..1; must not depend on earlier calls."""
        ...


class RapidEngine:
    """RapidOCR with its bundled models (Chinese and Latin letters, digits, punctuation); works offline.

    Args:
        threads: threads per model; 0 for one per core.

    Raises:
        MissingExtra: rapidocr or onnxruntime is not installed.
    """

    def __init__(self, threads: int = 1) -> None:
        self._rapid = require("rapidocr", "ocr")
        require("onnxruntime", "ocr")
        self._threads = threads or -1
        self._models: dict[str, Any] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Package and version."""
        from importlib.metadata import version

        return f"rapidocr {version('rapidocr')}, onnxruntime {version('onnxruntime')}"

    def detect(self, pixels: Pixels) -> list[Area]:
        """Boxes of text; reliable for capital letters at least 7 pixels high."""
        with self._lock:
            found = self._model("detect")(_bgr(pixels)).boxes
        if found is None:
            return []
        corners = np.asarray(found, float)
        return [(*low, *high) for low, high in zip(corners.min(axis=1), corners.max(axis=1), strict=True)]

    def recognise(self, pixels: Pixels) -> tuple[str, float]:
        """Read a single line: in a batch, the text would depend on the widest other line."""
        from PIL import Image

        height, width, _ = pixels.shape
        wide = max(8, round(width * _STRETCH * _HEIGHT / height))
        line = Image.fromarray(pixels).resize((wide, _HEIGHT), Image.Resampling.BICUBIC)
        with self._lock:
            read = self._model("recognise").recognize_txt([_bgr(np.asarray(line))])
        return str(read.txts[0]).strip(), float(read.scores[0])

    def warm_up(self) -> None:
        """Load both models and run each once, because the first run is slower."""
        blank = np.full((_HEIGHT, 2 * _HEIGHT, 3), 255, np.uint8)
        self.detect(blank)
        self.recognise(blank)

    def _model(self, task: str) -> Any:
        # One instance per task: options that a call of RapidOCR turns off stay off in later calls.
        if task not in self._models:
            self._models[task] = self._rapid.RapidOCR(
                params={
                    "Global.log_level": "error",
                    "Global.use_det": task == "detect",
                    "Global.use_cls": False,
                    "Global.use_rec": task == "recognise",
                    # The reader has already scaled the image.
                    "Global.max_side_len": 100_000,
                    "Global.use_vertical_padding": False,
                    "Det.limit_side_len": 100_000,
                    "Det.limit_type": "max",
                    # Do not pad short lines to the width of long ones.
                    "Rec.rec_img_shape": [3, _HEIGHT, _HEIGHT],
                    "EngineConfig.onnxruntime.intra_op_num_threads": self._threads,
                    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                }
            )
        return self._models[task]


def _bgr(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(pixels[:, :, ::-1])
