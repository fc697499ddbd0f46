"""Samples to train pointing on: a picture, the description of one element, and its place, in a family's own syntax."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.suites.pool.export.files import PictureFolder
from omnipilot.bench.suites.pool.export.playing import PlayedTask
from omnipilot.bench.suites.pool.export.sft import message_json
from omnipilot.bench.suites.pool.export.syntaxes import words_for
from omnipilot.envs import Absent, Box, Image, Size
from omnipilot.envs.types import resize_image
from omnipilot.grounders import Family, Grounding
from omnipilot.memory import Message

UGROUND = "uground-v1"
"""The family in whose syntax answers are written where none is named."""


@dataclass(frozen=True, slots=True)
class PointingSample:
    """A description and its place.

    Attributes:
        picture: path of the screen, as the device showed it. box: of the element, in pixels x1, y1, x2, y2.
        point: its centre, as shares of the sides, 0 to 1. messages: question and answer in the family's form.
    """

    picture: str
    description: str
    role: str
    env: str
    box: tuple[int, int, int, int]
    point: tuple[float, float]
    messages: list[dict[str, Any]]


def pointing_samples(
    played: PlayedTask, family: Family, pictures: PictureFolder, met: set[tuple[str, str]], left_out: Counter[str]
) -> Iterator[PointingSample]:
    """One sample for each element that a step of a task acts on, and that no earlier one was about.

    Args:
        met: pictures and descriptions so far; what is new is added.
        left_out: counts those that the family's own reader does not find in the element's box, by reason.
    """
    for step in played.steps:
        seen = step.seen[step.env]
        shot, elements = seen.screenshot, seen.elements
        if step.target is None or not isinstance(shot, Image) or isinstance(elements, Absent):
            continue
        description = words_for(step.target, elements)
        if (shot.digest, description) in met:
            continue
        met.add((shot.digest, description))
        sent = resize_image(shot, family.resize)
        answer = family.render(step.target.box.center, sent.size)
        if not _finds(family, answer, sent.size, shot.size, step.target.box):
            left_out[f"{family.name} does not read its own answer as a place in the element's box"] += 1
            continue
        asked = family.messages(sent, description)
        prefill = family.layout.prefill
        said = answer.removeprefix(prefill) if prefill else answer
        talk = [message for message in asked if message.role != "assistant"]
        center = step.target.box.center
        left, top, right, bottom = (round(edge) for edge in step.target.box.to_pixels(shot.size))
        yield PointingSample(
            pictures.add(shot),
            description,
            step.target.role,
            step.env,
            (left, top, right, bottom),
            (round(center.x, 6), round(center.y, 6)),
            [message_json(message, pictures) for message in (*talk, Message("assistant", (f"{prefill}{said}",)))],
        )


def _finds(family: Family, answer: str, sent: Size, screenshot: Size, box: Box) -> bool:
    """Whether the family's reader finds a place in the box."""
    found = family.parse(answer, sent, screenshot)
    return isinstance(found, Grounding) and box.contains(found.point)
