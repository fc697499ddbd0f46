"""Screens that the small grounder is trained on: pictures as it is sent them, with instructions and places.

They are made by what makes the screens of the suite `pointing`, from seeds that the suite is never measured with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from omnipilot.bench.pointing.evaluation import STYLES, Shot
from omnipilot.bench.suites.pointing.sim_screens import LOOKS, sim_shots
from omnipilot.bench.training.data import read_stored_screens, write_lines
from omnipilot.bench.training.demonstrations import check_number
from omnipilot.envs import Absent, Box
from omnipilot.envs.types import resize_image
from omnipilot.grounders.families import get

SUITE = "pointing"
FAMILY = get("mini-grounder")
"""How the model is asked and read."""


@dataclass(frozen=True, slots=True)
class TrainingScreen:
    """A screen and what is asked about it.

    Attributes:
        picture: file name of the picture, in the folder of its file.
        instance: the seed of the suite.
        size: width and height of the picture, in pixels.
        asked: instructions, each with the edges of what it means: left, top, right, bottom in 0..1.
    """

    id: str
    instance: int
    picture: str
    size: tuple[int, int]
    asked: tuple[tuple[str, tuple[float, float, float, float]], ...]


def write_screens(folder: Path, instances: Sequence[int], looks: Sequence[Any] = LOOKS) -> None:
    """Write the screens of some instances, a file and a folder of pictures each; files that are there are kept.

    Raises:
        ConfigError: an instance is kept for measuring.
    """
    for instance in instances:
        check_number(instance, SUITE)
        path = folder / f"{instance:05d}.jsonl"
        if path.exists():
            continue
        pictures = folder / path.stem
        pictures.mkdir(parents=True, exist_ok=True)
        write_lines(path, [_screen(shot, instance, pictures) for shot in sim_shots(instance, looks) if shot.targets])


def _screen(shot: Shot, instance: int, pictures: Path) -> TrainingScreen:
    seen = shot.observation.screenshot
    assert not isinstance(seen, Absent)
    sent = resize_image(seen, FAMILY.resize)
    (pictures / f"{shot.id}.png").write_bytes(sent.png())
    asked = [
        (text, (box.left, box.top, box.right, box.bottom))
        for target in shot.targets
        for text in (target.instruction(style) for style in STYLES)
        if text and isinstance(box := target.box, Box)
    ]
    return TrainingScreen(
        shot.id, instance, f"{pictures.name}/{shot.id}.png", (sent.size.width, sent.size.height), tuple(asked)
    )


read_screens = partial(read_stored_screens, make=TrainingScreen, suite=SUITE, cure="omnipilot train grounder")
"""The screens of some files, each with the path of its picture."""
