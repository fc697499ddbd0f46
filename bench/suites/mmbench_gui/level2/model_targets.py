"""A model as the one who words pointing targets, after MMBench-GUI's A.4; each wording has to lead to its element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from omnipilot.bench import StageModel, prompt_text
from omnipilot.bench.pointing import Shot, Target
from omnipilot.bench.suites.mmbench_gui.level2.suite import FILE
from omnipilot.bench.suites.mmbench_gui.level2.target_checks import target_mistake
from omnipilot.bench.suites.pointing.sample_screens import pixels, write_json
from omnipilot.envs import Absent, Box, Element, Image, Size
from omnipilot.grounders.marks import draw_marks
from omnipilot.memory import MalformedReply

PACKAGE = __name__.rpartition(".")[0]
EACH = 3
"""Wordings of each kind that a model writes (A.4)."""
PLATFORMS: Mapping[str, str] = {"phone": "os_android", "desktop": "os_linux", "browser": "os_web"}
"""As which of the benchmark's platforms ours are written."""
_MARK = re.compile(r"\b(marked|framed|outlined|highlighted)\b|\b(mark|number|frame|box) 1\b", re.I)
_TEXTS = {"type": "array", "items": {"type": "string"}}
_WORDINGS: Mapping[str, Any] = {
    "type": "object",
    "properties": {"basic": _TEXTS, "advanced": _TEXTS},
    "required": ["basic", "advanced"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class TargetWriter:
    """Has a model word targets, and another call say which elements each wording fits.

    Attributes:
        model: writes, shown the screen with the element marked and the element alone.
        checker: is shown the screen without the mark and its list of elements.
    """

    model: StageModel
    checker: StageModel

    def word(self, shot: Shot, target: Target) -> Target:
        """The target with the first basic and the first advanced wording that hold.

        Raises:
            ValueError: none of either kind holds; the message says why.
            BudgetSpent: the money is spent. ModelUnavailable: a model does not answer.
        """
        screenshot, elements = shot.observation.screenshot, shot.observation.elements
        assert not isinstance(screenshot, Absent) and not isinstance(elements, Absent) and isinstance(target.box, Box)
        written = f', "{target.name}" is written on it' if target.kind == "text" and target.name else ""
        told = f"It is a {target.kind} of the kind {target.role or 'not known'}{written}."
        question = (told, draw_marks(screenshot, {1: target.box}), screenshot.crop(target.box))
        try:
            said = self.model.ask_parts(prompt_text("wordings", PACKAGE), question, _WORDINGS, _wordings)
            wrong: dict[str, str] = {}
            left: list[tuple[str, str]] = []
            for style, text in said:
                one = replace(target, basic="", advanced="")
                one = replace(one, basic=text) if style == "basic" else replace(one, advanced=text)
                if _MARK.search(text):
                    wrong.setdefault(style, f"{text!r} speaks of the mark")
                elif mistake := target_mistake(shot, one):
                    wrong.setdefault(style, mistake)
                else:
                    left.append((style, text))
            here = [one for one in elements.items if one.name and "offscreen" not in one.states]
            fits = self._fits(screenshot, shot.observation.size, here, [text for _, text in left]) if left else []
        except MalformedReply as error:
            raise ValueError(str(error)) from None
        found: dict[str, str] = {}
        for (style, text), numbers in zip(left, fits, strict=True):
            if len(numbers) == 1 and here[numbers[0] - 1].box == target.box:
                found.setdefault(style, text)
            else:
                how_many = "another element" if len(numbers) == 1 else f"{len(numbers)} elements"
                wrong.setdefault(style, f"{text!r} fits {how_many}")
        for style in ("basic", "advanced"):
            if style not in found:
                raise ValueError(f"no {style} wording holds: {wrong.get(style, 'none was written')}")
        return replace(target, basic=found["basic"], advanced=found["advanced"])

    def _fits(
        self, screenshot: Image, size: Size, elements: Sequence[Element], texts: Sequence[str]
    ) -> list[list[int]]:
        """For each wording, the numbers of the elements that the checker says it fits."""
        lines = [f"Elements of the screen of {size.width}x{size.height} pixels:"]
        for number, one in enumerate(elements, 1):
            left, top, right, bottom = (round(side) for side in one.box.to_pixels(size))
            lines.append(f'{number}. {one.role} "{one.name}", at {left},{top} to {right},{bottom}')
        letters = [chr(ord("A") + at) for at in range(len(texts))]
        lines += ["", "Instructions:", *(f"{letter}. {text}" for letter, text in zip(letters, texts, strict=True))]
        each = {letter: {"type": "array", "items": {"type": "integer"}} for letter in letters}
        inner = {"type": "object", "properties": each, "required": letters, "additionalProperties": False}
        schema = {"type": "object", "properties": {"fits": inner}, "required": ["fits"], "additionalProperties": False}

        def read(answer: Mapping[str, Any]) -> list[list[int]]:
            found = [sorted({int(one) for one in answer["fits"][letter]}) for letter in letters]
            if strangers := [one for numbers in found for one in numbers if not 1 <= one <= len(elements)]:
                raise ValueError(f"there is no element {strangers[0]}")
            return found

        return self.checker.ask_parts(prompt_text("fits", PACKAGE), ("\n".join(lines), screenshot), schema, read)


def write_targets(
    out: Path, shots: Iterable[Shot], screens: int, each: int, writer: TargetWriter | None
) -> Iterator[str]:
    """Write `L2_annotations.json` with a basic and an advanced wording of each target, and tell what was dropped.

    The file is written after each screen, so that what was paid for is kept.

    Args:
        screens: 0 for all. each: most targets of a screen. writer: None for the wordings by rule.

    Raises:
        BudgetSpent: the money is spent. ModelUnavailable: a model does not answer.
    """
    records: list[dict[str, Any]] = []
    dropped: list[str] = []
    for shot in islice(shots, screens or None):
        image = shot.observation.screenshot
        if isinstance(image, Absent):
            continue
        platform = PLATFORMS[shot.platform]
        name = f"{'-'.join(shot.id.replace('/', '-').split())}.png"
        for target in [one for one in shot.targets if one.kind in ("icon", "text") and isinstance(one.box, Box)][:each]:
            try:
                worded = target if writer is None else writer.word(shot, target)
                if mistake := target_mistake(shot, worded):
                    raise ValueError(mistake)
                if not (worded.basic and worded.advanced):
                    raise ValueError("it has no advanced wording")
            except ValueError as error:
                dropped.append(f"{target.id}: {error}")
                continue
            for style in ("basic", "advanced"):
                records.append(
                    {
                        "index": len(records),
                        "image_path": name,
                        "instruction": worded.basic if style == "basic" else worded.advanced,
                        "bbox": list(pixels(worded, shot.observation.size)),
                        "image_size": [image.size.width, image.size.height],
                        "data_type": worded.kind,
                        "platform": platform,
                        "app_name": "-".join(shot.id.split("-")[3:-1]),
                        "grounding_type": style,
                    }
                )
            picture = out / "offline_images" / platform / name
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(image.png())
        write_json(out / FILE, records)
    yield f"{len(records) // 2} targets in {out}, each in a basic and an advanced wording; {len(dropped)} were dropped"
    yield from (f"  {line}" for line in dropped)


def _wordings(answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Style and text of each wording, at most `EACH` a style.

    Raises:
        KeyError, ValueError: they are none.
    """
    found: list[tuple[str, str]] = []
    for style in ("basic", "advanced"):
        texts = answer[style]
        if not isinstance(texts, list) or not all(isinstance(one, str) and one.strip() for one in texts):
            raise ValueError(f"{style} is a list of texts")
        found += [(style, " ".join(one.split())) for one in texts[:EACH]]
    return found
