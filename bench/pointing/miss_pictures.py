"""Pictures of misses: the screen, the target's box, and where the grounder pointed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.pointing.evaluation import Pointing, PointingAnswer, unreadable
from omnipilot.bench.pointing.place import Nowhere, Place
from omnipilot.envs import Absent, Box, Image, Size

_WANTED, _POINTED, _PLATE = (0, 150, 70), (225, 30, 50), (20, 24, 32)


def draw_misses(suite: Pointing, answers: Sequence[PointingAnswer], folder: Path, most: int) -> Iterator[Path]:
    """Write up to `most` PNGs of missed instructions; yields their paths.

    The target's box is green, the point a red cross hair; the instruction and the answer stand below the screen.
    """
    missed = [answer for answer in answers if not answer.hit][:most]
    wanted = {answer.target for answer in missed}
    folder.mkdir(parents=True, exist_ok=True)
    for shot in suite.shots():
        if not wanted:
            return
        here = {target.id for target in shot.targets} & wanted
        wanted -= here
        image = shot.observation.screenshot
        for answer in missed:
            if answer.target in here and not isinstance(image, Absent) and not unreadable(shot.observation):
                path = folder / f"{answer.target.replace('/', '-')}-{answer.style}.png"
                path.write_bytes(_draw(image, answer))
                yield path


def _draw(image: Image, answer: PointingAnswer) -> bytes:
    import io

    from PIL import Image as Pictures
    from PIL import ImageDraw, ImageFont

    scale = max(1.0, 480 / image.size.width)
    size = Size(round(image.size.width * scale), round(image.size.height * scale))
    unit = max(2, size.width // 400)
    letter = max(14, 5 * unit)
    font = ImageFont.load_default(size=letter)
    lines = [
        f"{answer.text} (it is not there)" if isinstance(answer.box, Nowhere) else answer.text,
        f"abstained: {answer.reason}. {answer.detail}" if answer.point is None else "pointed at the cross",
    ]
    wrapped = [piece for line in lines for piece in _wrap(line, int(size.width / (letter * 0.52)))]
    step = round(letter * 1.4)
    sheet = Pictures.new("RGB", (size.width, size.height + step * len(wrapped) + step // 2), _PLATE)
    sheet.paste(Pictures.fromarray(image.array()).resize((size.width, size.height)))
    pen = ImageDraw.Draw(sheet)
    _outline(pen, answer.box, size, unit + 1)
    if answer.point is not None:
        x, y = answer.point.to_pixels(size)
        for arm in ((x - 8 * unit, y, x + 8 * unit, y), (x, y - 8 * unit, x, y + 8 * unit)):
            pen.line(arm, fill=(255, 255, 255), width=unit + 4)
            pen.line(arm, fill=_POINTED, width=unit + 1)
    for number, line in enumerate(wrapped):
        pen.text((step // 2, size.height + step // 4 + number * step), line, fill=(235, 238, 243), font=font)
    file = io.BytesIO()
    sheet.save(file, "PNG", compress_level=6)
    return file.getvalue()


def _outline(pen: Any, place: Place, size: Size, width: int) -> None:
    if isinstance(place, Box):
        pen.rectangle(_pixels(place, size), outline=_WANTED, width=width)
    elif not isinstance(place, Nowhere):
        corners = [corner.to_pixels(size) for corner in place.corners]
        pen.line([*corners, corners[0]], fill=_WANTED, width=width)


def _wrap(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, max(20, width))


def _pixels(box: Box, size: Size) -> tuple[float, float, float, float]:
    return box.left * size.width, box.top * size.height, box.right * size.width - 1, box.bottom * size.height - 1
