"""Widget detectors with weights, as used by CRAB and OmniParser; loaded on first use.

GroundingDINO and Segment Anything are tested with tiny random models, OmniParser with an object that behaves as its
library documents. OmniParser has been run with its published weights by `tests/perf/marks_found.py`, and the others
with none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, Element, Image, Size
from omnipilot.envs.types import check_installed, require
from omnipilot.grounders.marks.detectors.regions import distinct

WITHOUT = "take marks from the shipped reader and detector, -o grounder.sources=ocr,detector"
_BEYOND = 1.0
"""Pixels by which rounding may move a box past the edge; boxes further out are dropped."""


class GroundingDino:
    """GroundingDINO through transformers, with the prompt and the thresholds of CRAB's Set-of-Marks.

    Args:
        model: hub id or folder of the weights.
        box_threshold, text_threshold: minimum confidence of a box, and of its word in the prompt.
        loaded: (processor, model) to use instead of loading them with transformers.

    Raises:
        MissingExtra: torch or transformers is not installed.
    """

    prompt: ClassVar[str] = "icon . logo ."

    def __init__(
        self,
        model: str = "IDEA-Research/grounding-dino-tiny",
        box_threshold: float = 0.02,
        text_threshold: float = 0.5,
        loaded: tuple[Any, Any] | None = None,
    ) -> None:
        if loaded is None:
            check_installed("local", "torch", "transformers", without=WITHOUT)
        self.model = model
        self.box_threshold = box_threshold
        self.text_threshold = text_threshold
        self._loaded = loaded

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:  # noqa: ARG002
        """Icons and logos, in the model's order."""
        processor, model = self._load()
        size = image.size
        inputs = processor(images=_pillow(image), text=self.prompt, return_tensors="pt").to(model.device)
        with _without_gradients():
            outputs = model(**inputs)
        (found,) = processor.post_process_grounded_object_detection(
            outputs,
            inputs["input_ids"],
            threshold=self.box_threshold,
            text_threshold=self.text_threshold,
            target_sizes=[(size.height, size.width)],
        )
        return _icons(found["boxes"].tolist(), size)

    def warm_up(self) -> None:
        """Load the model."""
        self._load()

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            torch, transformers = require("torch", "local"), require("transformers", "local")
            device = "cuda" if torch.cuda.is_available() else "cpu"
            model = transformers.AutoModelForZeroShotObjectDetection.from_pretrained(self.model).to(device).eval()
            self._loaded = transformers.AutoProcessor.from_pretrained(self.model), model
        return self._loaded


class SegmentAnything:
    """Segment Anything through transformers: the regions of a screen, as OmniACT's DetACT takes them.

    A grid of points is asked for what lies there; of the three segments of each point those are taken that the model
    trusts, each place once.

    Args:
        model: hub id or folder of the weights.
        side: points of a row of the grid, and of a column.
        trust: minimum intersection over union that the model predicts for a segment, in 0..1.
        batch: points that are asked for at a time.
        loaded: (processor, model) to use instead of loading them with transformers.

    Raises:
        MissingExtra: torch or transformers is not installed.
    """

    def __init__(
        self,
        model: str = "facebook/sam-vit-base",
        side: int = 32,
        trust: float = 0.88,
        batch: int = 64,
        loaded: tuple[Any, Any] | None = None,
    ) -> None:
        if loaded is None:
            check_installed("local", "torch", "transformers", without="leave the option segments of detact empty")
        self.model = model
        self.side = side
        self.trust = trust
        self.batch = batch
        self._loaded = loaded

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:  # noqa: ARG002
        """Regions with role "area" and source "detector", the most trusted first."""
        processor, model = self._load()
        size = image.size
        points = [
            [(column + 0.5) * size.width / self.side, (row + 0.5) * size.height / self.side]
            for row in range(self.side)
            for column in range(self.side)
        ]
        picture, found = _pillow(image), []
        with _without_gradients():
            seen = processor(images=picture, return_tensors="pt").to(model.device)
            embedded = model.get_image_embeddings(seen["pixel_values"])
            for start in range(0, len(points), self.batch):
                asked = [[[point] for point in points[start : start + self.batch]]]
                inputs = processor(images=picture, input_points=asked, return_tensors="pt").to(model.device)
                out = model(image_embeddings=embedded, input_points=inputs["input_points"], multimask_output=True)
                (masks,) = processor.image_processor.post_process_masks(
                    out.pred_masks.cpu(), inputs["original_sizes"].cpu(), inputs["reshaped_input_sizes"].cpu()
                )
                scores = out.iou_scores[0].cpu()
                for point, segment in (scores >= self.trust).nonzero().tolist():
                    if (rect := _bounds(masks[point, segment].numpy())) is not None:
                        found.append((float(scores[point, segment]), rect))
        found.sort(key=lambda one: (-one[0], one[1]))
        boxes = [Box.from_pixels(*rect, size) for _, rect in found]
        corners = [(box.left, box.top, box.right, box.bottom) for box in boxes]
        return [Element("area", "", boxes[at], source="detector") for at in distinct(np.array(corners).reshape(-1, 4))]

    def warm_up(self) -> None:
        """Load the model."""
        self._load()

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            torch, transformers = require("torch", "local"), require("transformers", "local")
            device = "cuda" if torch.cuda.is_available() else "cpu"
            model = transformers.SamModel.from_pretrained(self.model).to(device).eval()
            self._loaded = transformers.SamProcessor.from_pretrained(self.model), model
        return self._loaded


class OmniParser:
    """The icon detector of OmniParser v2, with its thresholds; icons are not captioned.

    The detector runs with ultralytics, which is under the AGPL and whose weight files are pickles: load none that
    you do not trust.

    Args:
        weights: file of the weights; "" to download it from `microsoft/OmniParser-v2.0`.
        confidence: minimum confidence of a box. overlap: maximum overlap of two boxes; the less confident is dropped.
        loaded: a model to use instead of loading one with ultralytics.

    Raises:
        MissingExtra: ultralytics is not installed.
    """

    def __init__(
        self, weights: str = "", confidence: float = 0.05, overlap: float = 0.1, loaded: Any | None = None
    ) -> None:
        if loaded is None:
            check_installed("detect", "ultralytics", without=WITHOUT)
        self.weights = weights
        self.confidence = confidence
        self.overlap = overlap
        self._loaded = loaded

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:  # noqa: ARG002
        """Icons, in the model's order."""
        (found,) = self._load().predict(source=_pillow(image), conf=self.confidence, iou=self.overlap, verbose=False)
        return _icons(found.boxes.xyxy.tolist(), image.size)

    def warm_up(self) -> None:
        """Load the model."""
        self._load()

    def _load(self) -> Any:
        if self._loaded is None:
            weights = self.weights or require("huggingface_hub", "detect").hf_hub_download(
                "microsoft/OmniParser-v2.0", "icon_detect/model.pt"
            )
            self._loaded = require("ultralytics", "detect").YOLO(weights)
        return self._loaded


def _icons(boxes: Iterable[Sequence[float]], size: Size) -> list[Element]:
    """Elements for pixel boxes; boxes outside the image or without area are dropped, as in CRAB."""
    found = []
    for left, top, right, bottom in boxes:
        inside = min(left, top) >= -_BEYOND and right <= size.width + _BEYOND and bottom <= size.height + _BEYOND
        box = Box.clipped(left, top, right, bottom, size) if inside else None
        if box is not None:
            found.append(Element("icon", "", box, source="detector"))
    return found


def _bounds(mask: NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of a mask of shape (height, width); None for an empty one."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1) if len(rows) else None


def _pillow(image: Image) -> Any:
    from PIL import Image as pil

    return pil.frombytes("RGB", (image.size.width, image.size.height), image.rgb)


def _without_gradients() -> Any:
    """`torch.no_grad()`, or a null context if a substitute runs without torch."""
    from contextlib import nullcontext
    from importlib.util import find_spec

    return require("torch", "local").inference_mode() if find_spec("torch") else nullcontext()
