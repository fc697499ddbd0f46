"""The source of elements `mini-eyes`: a screen of the embedded world, read from its pixels alone."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, Element, Elements, Image, Modality, Observation
from omnipilot.envs.types import Size
from omnipilot.grounders.mini.eyes.kinds import id_of, role_of
from omnipilot.grounders.mini.eyes.lines import Rect, brightness, find_lines, ink_of
from omnipilot.grounders.mini.eyes.looks import find_in_looks
from omnipilot.grounders.mini.eyes.model_folder import MINI_EYES
from omnipilot.grounders.mini.eyes.network import EyesNetwork, SeenElement
from omnipilot.grounders.mini.eyes.pictures import drawn_larger, layout_picture, layout_size
from omnipilot.grounders.mini.eyes.templates import LineSlots, TextLine, fill_template
from omnipilot.grounders.sources.base import ElementSource, FoundElements

KEPT_SCREENS, KEPT_LINES = 64, 8192
"""Screens and lines that are remembered, so that what looks as before is not read again."""


class MiniEyes(ElementSource):
    """Tells the elements in front on a screen of the embedded phone or desktop: role, name, value, states and place.

    It knows the embedded world and nothing else. It sees the screenshot; the tree's elements are not read. Its elements
    have ids that no device knows, so planners name their places by points or in words.

    Args:
        folder: weights of your own, from `omnipilot train eyes`; "" for those that are shipped.

    Raises:
        ConfigError: there are no weights, or broken ones; the message names the file.
    """

    main_option = "folder"

    def __init__(self, folder: str = "") -> None:
        self._folder = MINI_EYES.folder(folder)
        MINI_EYES.check(self._folder)
        self._network: EyesNetwork | None = None
        self._screens: OrderedDict[str, Elements] = OrderedDict()
        self._lines: OrderedDict[bytes, str] = OrderedDict()
        self._larger: dict[tuple[str, Size], float] = {}
        self._lock = threading.Lock()

    @property
    def reads(self) -> frozenset[Modality]:
        """The screenshot."""
        return self.needs

    def identity(self) -> Mapping[str, str]:
        """The hash of its weights."""
        return {"weights": MINI_EYES.digest(self._folder)}

    def warm_up(self) -> None:
        """Load the weights."""
        if self._network is None:
            self._network = EyesNetwork(*MINI_EYES.read(self._folder))

    def find(self, seen: Observation, task: str = "") -> FoundElements:  # noqa: ARG002
        """The elements in front, in the order in which a tree lists them; nothing without a screenshot.

        Args:
            task: decides nothing.
        """
        if not isinstance(seen.screenshot, Image):
            return FoundElements(Elements(()))
        seconds: dict[str, float] = {}
        with self._lock:
            digest = seen.screenshot.digest
            known = self._screens.get(digest)
            if known is None:
                known = self._screens[digest] = Elements(tuple(self._read(seen.screenshot, seconds)))
                if len(self._screens) > KEPT_SCREENS:
                    self._screens.popitem(last=False)
            self._screens.move_to_end(digest)
        return FoundElements(known, seconds)

    def _read(self, image: Image, seconds: dict[str, float]) -> list[Element]:
        self.warm_up()
        assert self._network is not None
        began = time.perf_counter()
        larger = self._larger_on(image)
        shown = layout_picture(image, larger)
        pixels = shown.array()
        if larger == 1:
            found = self._network.find(pixels)
        else:
            found = find_in_looks(self._network, pixels, layout_size(image.size))
        found = self._network.order(found)
        seconds["elements"] = time.perf_counter() - began
        began = time.perf_counter()
        lines = self._read_lines(pixels)
        seconds["text"] = time.perf_counter() - began
        return self._elements(found, lines, shown)

    def _larger_on(self, image: Image) -> float:
        """How much larger things are drawn than on screens that were learnt: by this picture or, where it does not
        tell, by the last one of its device and size that did."""
        device, told = (image.env, image.size), drawn_larger(image)
        if told is not None:
            self._larger[device] = told
        return self._larger.get(device, 1.0)

    def _read_lines(self, pixels: NDArray[np.uint8]) -> list[TextLine]:
        """The lines of text on a screen, each with its box in pixels."""
        assert self._network is not None
        bright = brightness(pixels)
        rects = find_lines(bright)
        inks = [ink_of(bright, rect)[0] for rect in rects]
        keys = [ink.tobytes() for ink in inks]
        fresh = {key: ink for key, ink in zip(keys, inks, strict=True) if key not in self._lines}
        for key, text in zip(fresh, self._network.read(list(fresh.values())), strict=True):
            self._lines[key] = text
        found: list[tuple[str, Rect]] = [
            (self._lines[key].strip(), rect) for key, rect in zip(keys, rects, strict=True)
        ]
        while len(self._lines) > KEPT_LINES:
            self._lines.popitem(last=False)
        return [(text, rect) for text, rect in found if text]

    def _elements(self, found: list[SeenElement], lines: list[TextLine], shown: Image) -> list[Element]:
        assert self._network is not None
        form = self._network.form
        kinds = [form.kinds[one.kind] for one in found]
        slots = LineSlots(lines, kinds, [one.box for one in found])
        elements = []
        for number, (one, kind) in enumerate(zip(found, kinds, strict=True)):
            places = slots.of(number)
            elements.append(
                Element(
                    role_of(kind),
                    fill_template(form.names[one.name], places),
                    Box.from_pixels(*one.box, shown.size),
                    one.states,
                    id_of(kind, number),
                    "detector",
                    fill_template(form.values[one.value], places),
                    one.sure,
                )
            )
        return elements
