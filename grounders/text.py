"""The grounder `ocr`: finds the described place by the text in the screenshot."""

from __future__ import annotations

import re
from dataclasses import replace

from omnipilot.envs import Absent, Box, Element, Modality, Observation
from omnipilot.envs.types import Description, describe, fold, matches
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.memory import Usage
from omnipilot.memory.perception import OcrReader, shared_reader
from omnipilot.memory.warm_up import warm_up

_LISTED = 6
_PART = 0.3
"""Minimum share of a line that the wanted text makes up: less is a word in a sentence, not a label."""
_ALIKE = str.maketrans("0OoIl|1ı5$", "oooiiiiiss")
"""Characters that OCR confuses with each other."""


class OcrGrounder(Grounder):
    """Finds a described text line with OCR and points at its centre, or at the centre of the named part.

    Words for kinds of elements ("button") are ignored, because OCR does not know kinds. If the text occurs more than
    once it abstains and names the places; it also abstains for anything without text, such as icons.

    Args:
        reader: OCR reader; None for the one shared by the process.

    Raises:
        MissingExtra: no reader is given and RapidOCR is not installed.
    """

    needs: frozenset[Modality] = frozenset({Modality.SCREENSHOT})
    reads: frozenset[Modality] = needs

    def __init__(self, reader: OcrReader | None = None) -> None:
        self.reader = reader or shared_reader()

    def warm_up(self) -> None:
        """Load the reader's models."""
        warm_up(self.reader)

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place; `usage.seconds` is the time for OCR."""
        picture = observation.screenshot
        if isinstance(picture, Absent):
            why = f"{picture.reason}{': ' if picture.detail else ''}{picture.detail}"
            return Abstention("no_view", f"there is no screenshot of {observation.env} ({why})")
        if isinstance(target, Ref):
            return Abstention("not_found", f"on a picture nothing has an id such as {target.id!r}; say what is written")
        reading = self.reader.read(picture)
        usage = Usage(seconds=reading.seconds)
        lines = list(reading.elements)
        asked = replace(describe(target), roles=frozenset())
        found = _answers(asked, lines)
        if len(found) == 1:
            box = _part(asked, found[0])
            return Grounding(box.center, box, usage=usage)
        if found:
            listed = "; ".join(map(_text_at, found[:_LISTED]))
            advice = "say which (first, second, …)"
            return Abstention("ambiguous", f"{len(found)} lines read so: {listed}; {advice}", usage)
        read = ", ".join(repr(line.name[:40]) for line in lines[:_LISTED])
        hint = f"no text reads so; there are {read}, …" if read else "there is no text on the picture"
        return Abstention("not_found", f"{hint}; what has no text cannot be found by reading", usage)


def _answers(asked: Description, lines: list[Element]) -> list[Element]:
    """The matching lines: those equal to the description, else those of which it is a good part."""
    wanted = [name for name in dict.fromkeys((asked.name, asked.phrase)) if name]
    for same in (fold, _squeezed):
        for name in wanted:
            if equal := [line for line in lines if same(line.name) == same(name)]:
                same_name = replace(asked, phrase=equal[0].name, name=equal[0].name)
                return matches(same_name, equal)
    parts = [line for line in lines if any(_span(name, line.name) for name in wanted)]
    return matches(asked, parts)


def _squeezed(text: str) -> str:
    """Text without what OCR gets wrong: spaces, punctuation, and characters that look alike."""
    return re.sub(r"\W", "", text).translate(_ALIKE).casefold() or text


def _span(name: str, line: str) -> tuple[int, int] | None:
    """The position of a name in a line as a whole word, if it is a good part of the line."""
    found = re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", line.casefold())
    return found.span() if found and len(name) >= _PART * len(line) else None


def _part(asked: Description, line: Element) -> Box:
    """The box of the named part of a line, assuming that all letters are equally wide."""
    span = next((span for name in (asked.phrase, asked.name) if name and (span := _span(name, line.name))), None)
    if span is None:
        return line.box
    wide = (line.box.right - line.box.left) / len(line.name)
    return replace(line.box, left=line.box.left + span[0] * wide, right=line.box.left + span[1] * wide)


def _text_at(line: Element) -> str:
    x, y = line.box.center.to_permille()
    return f"{line.name[:60]!r} at ({x:.0f}, {y:.0f})‰"
