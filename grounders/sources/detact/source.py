"""DetACT as a source of elements: from a screenshot to the texts, icons and colours that a task needs."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar

from omnipilot.envs import ConfigError, Element, Elements, Image, Modality, Observation
from omnipilot.grounders.marks.detectors.models import SegmentAnything
from omnipilot.grounders.marks.detectors.named_icons import NamedIcons
from omnipilot.grounders.marks.detectors.regions import add_icons_in_text, choose_regions, whole_pixels
from omnipilot.grounders.sources.base import ElementSource, FoundElements
from omnipilot.grounders.sources.detact.colors import MODES, region_color
from omnipilot.grounders.sources.detact.lexical import choose_by_words
from omnipilot.grounders.sources.detact.model_filter import choose_by_model, filter_prompt
from omnipilot.memory import Usage
from omnipilot.memory.models import ModelOptions
from omnipilot.memory.perception import OcrReader, shared_reader
from omnipilot.memory.warm_up import warm_up

FILTERS = ("lexical", "none", "model")
_KEPT = 64
"""Screens whose elements are remembered."""


@dataclass(eq=False)
class DetAct(ModelOptions, ElementSource):
    """Reads texts, icons and colours from a screenshot, and tells those that the task speaks of.

    Texts come with role "text" and source "ocr", icons with role "image" and their function as name, colours with role
    "color" and the colour as name, both with source "detector". All have a confidence: that of the OCR, the similarity
    to the template, the share of a region that has its colour. They are told in this order, and within a kind in
    reading order; by the lexical filter, best first. What it found on a screen is remembered by its pixels.

    Attributes:
        model, url: and other options of its endpoint, of the filter "model".
        ocr: reader of text; None for the one shared by the process.
        pack: folder with pictures of icons, named by what they do; "" to find no icons.
        segments: hub id or folder of a Segment Anything model that finds the regions, as in the paper; "" for the
            widget detector, which needs no weights.
        strict: compare icons as in the paper only, without their inverse and what is left of them when cropped.
        mode: of colours, mean or dominant.
        texts, icons, colors: what is read.
        filter: lexical, none, or model; where the model's reply names no element, it is lexical.
        keep: most elements that a filter leaves.

    Raises:
        ConfigError: an option has a value that it cannot have.
        MissingExtra: RapidOCR or OpenCV is not installed (for `segments`, torch or transformers), and something is to
            be read that needs it.
    """

    model: str = ""
    ocr: OcrReader | None = None
    pack: str = ""
    segments: str = ""
    strict: bool = False
    mode: str = "mean"
    texts: bool = True
    icons: bool = True
    colors: bool = True
    filter: str = "lexical"
    keep: int = 20

    whereabouts: ClassVar[frozenset[str]] = ModelOptions.whereabouts | {"pack"}

    def __post_init__(self) -> None:
        for option, value, known in (("mode", self.mode, MODES), ("filter", self.filter, FILTERS)):
            if value not in known:
                raise ConfigError(f"detact: {option} is {' or '.join(known)}, not {value!r}")
        if self.keep < 1:
            raise ConfigError(f"detact: keep must be at least 1, not {self.keep}")
        if self.ocr is None:
            self.ocr = shared_reader()
        self._named = NamedIcons(self.pack, self.strict) if self.icons and self.pack else None
        if self.icons or self.colors:
            from omnipilot.grounders.marks.detectors.edges import WidgetDetector

            self._detector = WidgetDetector()
        self.segmenter = SegmentAnything(self.segments) if self.segments and (self.icons or self.colors) else None
        if self.filter == "model" and not self.model:
            raise ConfigError("detact: filter=model needs the option model, such as openai/gpt-4o")
        self._client = self.connect() if self.filter == "model" else None
        self._known: OrderedDict[str, tuple[Element, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the pictures of the pack, and the prompt of the filter."""
        icons = {} if self._named is None else {"icons": self._named.pack.digest}
        return icons if self._client is None else {**icons, "prompt": filter_prompt().digest}

    @property
    def reads(self) -> frozenset[Modality]:
        """The screenshot."""
        return frozenset((Modality.SCREENSHOT,))

    def warm_up(self) -> None:
        """Load the reader's models, and connect to that of the filter."""
        warm_up(self.ocr, self.segmenter, self._client)

    def find(self, seen: Observation, task: str = "") -> FoundElements:
        """What is on a screen; nothing without a screenshot.

        Raises:
            ModelUnavailable: the model of the filter did not answer.
        """
        if not isinstance(seen.screenshot, Image):
            return FoundElements(Elements(()))
        seconds: dict[str, float] = {}
        found = self.read(seen.screenshot, seconds)
        usage = Usage()
        if task and self.filter != "none":
            with _timed(seconds, "filter"):
                chosen = None
                if self._client is not None:
                    chosen, usage = choose_by_model(self._client, found, task, self.keep, seen.screenshot.size)
                found = tuple(chosen or choose_by_words(found, task, self.keep))
        return FoundElements(Elements(found), seconds, usage)

    def read(self, image: Image, seconds: dict[str, float] | None = None) -> tuple[Element, ...]:
        """All texts, icons and colours of a picture, without a filter.

        Args:
            seconds: takes what each module took; nothing is added for a picture that is remembered.
        """
        with self._lock:
            known = self._known.get(image.digest)
            if known is None:
                known = self._known[image.digest] = self._read(image, {} if seconds is None else seconds)
                if len(self._known) > _KEPT:
                    self._known.popitem(last=False)
            self._known.move_to_end(image.digest)
        return known

    def _read(self, image: Image, seconds: dict[str, float]) -> tuple[Element, ...]:
        lines: tuple[Element, ...] = ()
        # Without texts their places are still needed, to tell letters from icons.
        assert self.ocr is not None
        with _timed(seconds, "texts"):
            lines = self.ocr.read(image).elements.items
        told = list(lines) if self.texts else []
        if self.icons or self.colors:
            with _timed(seconds, "regions"):
                finder = self.segmenter or self._detector
                found = finder.find(image, [one.box for one in lines])
                regions = choose_regions(found, lines, image.size)
            if self._named is not None:
                with _timed(seconds, "icons"):
                    told += self._named.name_icons(image, regions, lines)
            if self.colors:
                with _timed(seconds, "colors"):
                    areas = self._areas(image, regions, found, lines) if self.segmenter is None else regions
                    told += _colors(image, areas, self.mode)
        return tuple(told)

    def _areas(
        self, image: Image, regions: list[Element], found: list[Element], lines: Sequence[Element]
    ) -> list[Element]:
        """The regions, flat areas of any size, and tiles with an icon that OCR read as a letter."""
        every = choose_regions([*regions, *self._detector.find_areas(image)], lines, image.size)
        return add_icons_in_text(every, [one for one in found if one.role == "button"], lines, image.size)


def _colors(image: Image, regions: list[Element], mode: str) -> Iterator[Element]:
    pixels = image.array()
    for region in regions:
        left, top, right, bottom = whole_pixels(region, image.size)
        name, share = region_color(pixels[top:bottom, left:right], mode)
        yield replace(region, role="color", name=name, confidence=share)


@contextmanager
def _timed(seconds: dict[str, float], module: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    seconds[module] = time.perf_counter() - began
