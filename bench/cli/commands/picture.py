"""What `omnipilot show` does with a picture: print the elements that a source reads from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import typer

from omnipilot.agents.assembly.teams import PERCEPTIONS
from omnipilot.bench.report.page_media import perceived_kind
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError, Element, Elements, Image, Observation, Size
from omnipilot.grounders.sources import ElementSource, FoundElements

DEFAULT = "detact"


def picture_command(
    file: Path, task: str | None, perception: str | None, options: Sequence[str], as_json: bool
) -> None:
    """Print what a source of elements finds in a picture, a line for each element, and the seconds of its modules.

    Args:
        task: what is to be done there, in words, for sources that leave out what it does not need; None for everything.
        perception: name of the source; None for `DEFAULT`. options: of it, each written perception.KEY=VALUE.

    Raises:
        ConfigError: the file is no picture that can be read, or an option is wrong.
        MissingExtra: as from the source. ModelUnavailable: a model of the source did not answer.
    """
    if strange := [option for option in options if not option.startswith("perception.")]:
        raise ConfigError(f"of a picture, options are written perception.KEY=VALUE, not {strange[0]!r}")
    part = part_of(set_options(RunSettings(perception=perception or DEFAULT), options), "perception")
    source = cast(ElementSource, PERCEPTIONS.make(part))
    image = read_picture(file)
    found = source.find(Observation("screen", 0.0, image.size, screenshot=image), task or "")
    if as_json:
        typer.echo(json.dumps(found_json(found, image.size), ensure_ascii=False, indent=1))
    else:
        typer.echo("\n".join(found_lines(found, image.size)))


def read_picture(file: Path) -> Image:
    """A picture of a file.

    Raises:
        ConfigError: it cannot be read as one.
    """
    import numpy as np
    from PIL import Image as pil
    from PIL import UnidentifiedImageError

    try:
        with pil.open(file) as picture:
            return Image.from_array(np.asarray(picture.convert("RGB")))
    except (UnidentifiedImageError, OSError) as error:
        raise ConfigError(f"{file} cannot be read as a picture ({error}); give a screenshot as PNG or JPEG") from None


def found_lines(found: FoundElements, size: Size) -> list[str]:
    """A line on what was found and what it took, and one for each element, with the pixel of its middle."""
    count = len(_items(found))
    told = [f"{count} element{'s' * (count != 1)}", *(f"{name} {spent:.2f} s" for name, spent in found.seconds.items())]
    if found.usage.calls:
        told.append(f"calls of models: {found.usage.calls}, tokens: {found.usage.tokens_in + found.usage.tokens_out:,}")
    lines = [", ".join(told)]
    for one in _items(found):
        x, y = one.box.center.to_pixel(size)
        sure = "" if one.confidence is None else f", {one.confidence:.2f} sure"
        lines.append(f"{perceived_kind(one.role)} {one.name!r} at ({x}, {y}){sure}")
    return lines


def found_json(found: FoundElements, size: Size) -> dict[str, Any]:
    """The same as plain JSON values; boxes are left, top, right and bottom in pixels."""
    return {
        "size": [size.width, size.height],
        "seconds": {name: round(spent, 4) for name, spent in found.seconds.items()},
        "calls": found.usage.calls,
        "tokens": found.usage.tokens_in + found.usage.tokens_out,
        "elements": [
            {
                "kind": perceived_kind(one.role),
                "name": one.name,
                "at": list(one.box.center.to_pixel(size)),
                "box": [round(edge, 1) for edge in one.box.to_pixels(size)],
                "confidence": one.confidence,
                "source": one.source,
            }
            for one in _items(found)
        ],
    }


def _items(found: FoundElements) -> Sequence[Element]:
    return found.elements.items if isinstance(found.elements, Elements) else ()
