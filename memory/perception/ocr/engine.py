"""The two models of the reader `ocr`: one finds where text is, one reads a line of it. RapidOCR, on the processor."""

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
"""Letters drawn wider than they are: narrow ones are dropped less often."""


class Engine(Protocol):
    """What the reader needs of a recogniser of text."""

    @property
    def name(self) -> str:
        """What it is, with its version, for the record of a run."""
        ...

    def detect(self, pixels: Pixels) -> list[Area]:
        """Where there is text, roughly; in any order."""
        ...

    def recognise(self, pixels: Pixels) -> tuple[str, float]:
        """The text of one line and how sure it is, 0..1; must not depend on what was read before."""
        ...


class RapidEngine:
    """RapidOCR with the models that its package carries (Chinese and Latin letters, digits, signs); works offline.

    Args:
        threads: of each model; 0 for one a core.

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
        """Where there is text. Fine for letters of 7 pixels and more, counted from the baseline to a capital's top."""
        with self._lock:
            found = self._model("detect")(_bgr(pixels)).boxes
        if found is None:
            return []
        corners = np.asarray(found, float)
        return [(*low, *high) for low, high in zip(corners.min(axis=1), corners.max(axis=1), strict=True)]

    def recognise(self, pixels: Pixels) -> tuple[str, float]:
        """One line alone: in a batch its text would depend on the widest line beside it."""
        from PIL import Image

        height, width, _ = pixels.shape
        wide = max(8, round(width * _STRETCH * _HEIGHT / height))
        line = Image.fromarray(pixels).resize((wide, _HEIGHT), Image.Resampling.BICUBIC)
        with self._lock:
            read = self._model("recognise").recognize_txt([_bgr(np.asarray(line))])
        return str(read.txts[0]).strip(), float(read.scores[0])

    def warm_up(self) -> None:
        """Load both models, and use each once: the first use is slower than the next."""
        blank = np.full((_HEIGHT, 2 * _HEIGHT, 3), 255, np.uint8)
        self.detect(blank)
        self.recognise(blank)

    def _model(self, task: str) -> Any:
        # One instance a task: what a call of RapidOCR switches off stays off in the next one.
        if task not in self._models:
            self._models[task] = self._rapid.RapidOCR(
                params={
                    "Global.log_level": "error",
                    "Global.use_det": task == "detect",
                    "Global.use_cls": False,
                    "Global.use_rec": task == "recognise",
                    # The reader has scaled the picture already.
                    "Global.max_side_len": 100_000,
                    "Global.use_vertical_padding": False,
                    "Det.limit_side_len": 100_000,
                    "Det.limit_type": "max",
                    # Short lines are not padded to the width of long ones.
                    "Rec.rec_img_shape": [3, _HEIGHT, _HEIGHT],
                    "EngineConfig.onnxruntime.intra_op_num_threads": self._threads,
                    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                }
            )
        return self._models[task]


def _bgr(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(pixels[:, :, ::-1])
