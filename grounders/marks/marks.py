"""Set-of-Marks: what can be acted on gets a number, drawn on the picture and listed in words, the same in both.

The marks of an observation are a function of it alone: marked again, it has the same numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from omnipilot.envs import Absent, Box, ConfigError, Element, Image, Observation, Size
from omnipilot.grounders.marks.drawing import draw_marks
from omnipilot.grounders.marks.filter import choose_candidates
from omnipilot.memory import Usage
from omnipilot.memory.perception import OcrReader, shared_reader

SOURCES = ("elements", "ocr", "detector", "grounding-dino", "omniparser")
"""Where candidates may come from; the last two are models, run with transformers and ultralytics."""
DEFAULT = ("elements", "ocr", "detector")
_LONGEST = 80
"""Letters of a name in the list."""


class Detector(Protocol):
    """Finds widgets on a picture."""

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:
        """Widgets of source "detector"; where text is known to be, letters are not taken for icons."""
        ...


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked thing.

    Attributes:
        number: drawn and listed, from 1.
        element: role, name, box, states and source of what is marked.
    """

    number: int
    element: Element

    def __str__(self) -> str:
        """As it is listed: `[7] button "Save"`, with what a field holds and its states."""
        one = self.element
        name = f" {_quoted(one.name)}" if one.name else ""
        value = f" = {_quoted(one.value)}" if one.value and one.value != one.name else ""
        states = f" ({', '.join(sorted(one.states))})" if one.states else ""
        return f"[{self.number}] {one.role}{name}{value}{states}"


@dataclass(frozen=True)
class Marks:
    """The marks of one observation.

    Attributes:
        env, size: of the observation. screenshot: unmarked; None where there was none to see.
        items: in order of their numbers.
        usage: what finding them cost.
    """

    env: str
    size: Size
    screenshot: Image | None
    items: tuple[Mark, ...]
    usage: Usage

    @cached_property
    def image(self) -> Image | None:
        """The screenshot with every mark drawn; None without a screenshot."""
        if self.screenshot is None:
            return None
        return draw_marks(self.screenshot, {mark.number: mark.element.box for mark in self.items})

    def text(self) -> str:
        """The list, a line a mark."""
        return "\n".join(map(str, self.items))

    def by_number(self, number: int) -> Mark | None:
        """The mark with this number, or None."""
        return self.items[number - 1] if 1 <= number <= len(self.items) else None


def mark(
    observation: Observation,
    sources: Collection[str] = DEFAULT,
    *,
    reader: OcrReader | None = None,
    detectors: Sequence[Detector] | None = None,
) -> Marks:
    """Number everything on a screen that can be acted on.

    Args:
        sources: of candidates, among `SOURCES`; one whose modality the observation lacks finds nothing.
        reader: of text; the process's own where none is given.
        detectors: in place of those that `sources` names.

    Raises:
        ConfigError: no such source.
        MissingExtra: a source needs what is not installed.
    """
    check_sources(sources)
    picture = None if isinstance(observation.screenshot, Absent) else observation.screenshot
    tree: Sequence[Element] = ()
    if "elements" in sources and not isinstance(observation.elements, Absent):
        tree = observation.elements.items
    lines: Sequence[Element] = ()
    widgets: list[Element] = []
    usage = Usage()
    if picture is not None:
        if "ocr" in sources:
            reading = (reader or shared_reader()).read(picture)
            lines, usage = reading.elements.items, Usage(seconds=reading.seconds)
        for detector in detectors_of(sources) if detectors is None else detectors:
            widgets += detector.find(picture, [line.box for line in lines])
    found = choose_candidates(tree, lines, widgets, observation.size)
    items = tuple(Mark(number, element) for number, element in enumerate(found, 1))
    return Marks(observation.env, observation.size, picture, items, usage)


def check_sources(sources: Collection[str]) -> None:
    """Refuse an empty list of sources, and an unknown one.

    Raises:
        ConfigError: with the sources there are.
    """
    strangers = [source for source in sources if source not in SOURCES]
    if strangers or not sources:
        wrong = ", ".join(map(repr, strangers)) or "none at all"
        raise ConfigError(f"marks come from {', '.join(SOURCES)}; not from {wrong}")


def detectors_of(sources: Collection[str]) -> list[Detector]:
    """The detectors that sources name, made anew.

    Raises:
        MissingExtra: one needs what is not installed.
    """
    made: list[Detector] = []
    if "detector" in sources:
        from omnipilot.grounders.marks.detectors.edges import WidgetDetector

        made.append(WidgetDetector())
    if "grounding-dino" in sources:
        from omnipilot.grounders.marks.detectors.models import GroundingDino

        made.append(GroundingDino())
    if "omniparser" in sources:
        from omnipilot.grounders.marks.detectors.models import OmniParser

        made.append(OmniParser())
    return made


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f'"{line[: _LONGEST - 1]}…"' if len(line) > _LONGEST else f'"{line}"'
