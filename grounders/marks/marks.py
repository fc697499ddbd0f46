"""Set-of-Marks: numbers for everything that can be acted on, drawn on the screenshot and listed as text.

The marks depend only on the observation: marking it again gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, TypeAlias, get_args

from omnipilot.envs import Absent, Box, ConfigError, Element, Image, Observation, Size
from omnipilot.grounders.marks.drawing import draw_marks
from omnipilot.grounders.marks.filter import choose_as_crab, choose_candidates
from omnipilot.memory import Usage
from omnipilot.memory.perception import OcrReader, shared_reader
from omnipilot.memory.quoting import plain, quote

SOURCES = ("elements", "ocr", "easyocr", "detector", "detact", "grounding-dino", "omniparser")
"""Sources of candidates; detact are icons named by a pack of pictures; EasyOCR and the last two are models, run with
torch, transformers and ultralytics."""
TEXTS = ("ocr", "easyocr")
"""Those of them that read text."""
Choice: TypeAlias = Literal["distinct", "crab"]
"""Which candidates are marked: `distinct` ones, as `filter` says, or those that CRAB's released code marks."""
DEFAULT = ("elements", "ocr", "detector")
_LONGEST = 80
"""Maximum characters of a name in the list."""


class Detector(Protocol):
    """Finds widgets in an image."""

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:
        """Widgets with source "detector"; letters in the boxes of known text are not mistaken for icons."""
        ...


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark.

    Attributes:
        number: number in the drawing and the list, from 1.
        element: the marked element.
    """

    number: int
    element: Element

    def __str__(self) -> str:
        """The entry in the list: `[7] button "Save"`, with a field's value and the states."""
        one = self.element
        name = f" {_quoted(one.name)}" if one.name else ""
        value = f" = {_quoted(one.value)}" if one.value and one.value != one.name else ""
        states = f" ({', '.join(map(plain, sorted(one.states)))})" if one.states else ""
        return f"[{self.number}] {plain(one.role)}{name}{value}{states}"


@dataclass(frozen=True)
class Marks:
    """The marks of one observation.

    Attributes:
        env, size: of the observation. screenshot: without marks; None if there was none.
        items: the marks in order of their numbers.
        usage: usage of finding them.
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
        """The list, one line per mark."""
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
    choice: Choice = "distinct",
) -> Marks:
    """Number everything on a screen that can be acted on.

    Args:
        sources: sources of candidates, from `SOURCES`; one whose modality is missing finds nothing.
        reader: OCR reader; None for the one that `sources` names, shared by the process.
        detectors: replace those that `sources` names.
        choice: which candidates are marked.

    Raises:
        ConfigError: a source is unknown.
        MissingExtra: a source needs a package that is not installed.
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
        text = reader_of(sources) if reader is None else reader
        if text is not None and any(source in TEXTS for source in sources):
            reading = text.read(picture)
            lines, usage = reading.elements.items, Usage(seconds=reading.seconds)
        for detector in detectors_of(sources) if detectors is None else detectors:
            widgets += detector.find(picture, [line.box for line in lines])
    choose = choose_as_crab if choice == "crab" else choose_candidates
    found = choose(tree, lines, widgets, observation.size)
    items = tuple(Mark(number, element) for number, element in enumerate(found, 1))
    return Marks(observation.env, observation.size, picture, items, usage)


def check_sources(sources: Collection[str]) -> None:
    """Reject an empty list of sources, and unknown sources.

    Raises:
        ConfigError: the message lists the available sources.
    """
    strangers = [source for source in sources if source not in SOURCES]
    if strangers or not sources:
        wrong = f"unknown source of marks {', '.join(map(repr, strangers))}" if strangers else "marks need a source"
        raise ConfigError(f"{wrong}; choose from {', '.join(SOURCES)}")
    if all(source in sources for source in TEXTS):
        raise ConfigError("ocr and easyocr read the same text: name one of them as a source of marks")


def check_choice(choice: str) -> None:
    """Reject an unknown choice of candidates.

    Raises:
        ConfigError: the message lists them.
    """
    if choice not in get_args(Choice):
        raise ConfigError(f"choice of marks must be {' or '.join(get_args(Choice))}, not {choice!r}")


def reader_of(sources: Collection[str]) -> OcrReader | None:
    """The reader of text that sources name, shared by the process; None where they name none.

    Raises:
        MissingExtra: the reader needs a package that is not installed.
    """
    if "easyocr" in sources:
        from omnipilot.memory.perception import shared_easy_reader

        return shared_easy_reader()
    return shared_reader() if "ocr" in sources else None


def detectors_of(sources: Collection[str], pack: str = "") -> list[Detector]:
    """New instances of the detectors that sources name.

    Args:
        pack: folder with the pictures of icons, of the source detact.

    Raises:
        ConfigError: there is no picture of an icon in the folder.
        MissingExtra: a detector needs a package that is not installed.
    """
    made: list[Detector] = []
    if "detector" in sources:
        from omnipilot.grounders.marks.detectors.edges import WidgetDetector

        made.append(WidgetDetector())
    if "detact" in sources:
        from omnipilot.grounders.marks.detectors.named_icons import NamedIcons

        # First, so that an icon keeps its name where another detector finds it too.
        made.insert(0, NamedIcons(pack))
    if "grounding-dino" in sources:
        from omnipilot.grounders.marks.detectors.models import GroundingDino

        made.append(GroundingDino())
    if "omniparser" in sources:
        from omnipilot.grounders.marks.detectors.models import OmniParser

        made.append(OmniParser())
    return made


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return quote(f"{line[: _LONGEST - 1]}…" if len(line) > _LONGEST else line)
