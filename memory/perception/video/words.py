"""What moved in a film, in lines of words: what blinked and how often, what stood still where, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from omnipilot.envs import Box, Image, VideoClip
from omnipilot.memory.perception.video.movements import CARET
from omnipilot.memory.perception.video.reader import MotionEvent, read_motion
from omnipilot.memory.perception.video.watching import labels, place, texts

FEWEST = 4
"""Changes of the picture below which nothing is told: a page that opened is no film."""
ALWAYS = 0.95
"""Share of all changes from which on a place changes with every picture."""
LASTS = 0.5
"""Seconds that a picture has to stand for its number to count as one that was stopped at."""
MOST_NUMBERS = 8
"""Pictures at most in which a number is looked for."""
_AROUND = (0.12, 0.16)
"""How far around what moved its letters are looked for, as shares of the screen's width and height."""


def motion_lines(clip: VideoClip, ocr: bool = True) -> list[str]:
    """What moved in a clip, a fact a line; empty if nothing did that matters.

    Places are named by the single letters or digits that stand beside them in the picture:

        blinked: "C" 5 times
        stopped: "B" for 2 s, 3 s in
        stopped: "A" from 6 s in
        changed in this order: "CAB"
        number: up to "27"

    Args:
        ocr: whether letters and numbers are read; without it, places have no names, and there are no numbers.

    Raises:
        MissingExtra: text is to be read, and RapidOCR is not installed.
    """
    changes = sum(before.digest != after.digest for before, after in pairwise(clip.frames))
    if changes < FEWEST:
        return []
    events = [one for one in read_motion(clip).events if _tells(one, changes)]
    if not events:
        return []
    names = _names(clip.frames[0], events) if ocr else {}
    told = [*_blinks(events, names), *_stops(clip, events, names), *_order(events, names)]
    return [*told, *(_numbers(clip, events) if ocr else ())]


def _tells(event: MotionEvent, changes: int) -> bool:
    """Whether an event tells of more than the screens before and after: not a caret, not what changed once, and not
    what changes with every picture, as the bar of a player does.

    Args:
        changes: of the whole picture.
    """
    if event.kind == "cut" or event.box.area <= CARET:
        return False
    return event.kind != "changed" or 1 < event.times < ALWAYS * changes


def _names(frame: Image, events: Sequence[MotionEvent]) -> dict[MotionEvent, str]:
    """What stands beside each event, "" for nothing."""
    boxes = [one.box for one in events]
    wide, high = _AROUND
    area = Box(
        max(0.0, min(box.left for box in boxes) - wide),
        max(0.0, min(box.top for box in boxes) - high),
        min(1.0, max(box.right for box in boxes) + wide),
        min(1.0, max(box.bottom for box in boxes) + high),
    )
    found = labels(frame.crop(area).at(frame.env, frame.start))
    return {one: place(_inside(one.box, area), found).name for one in events}


def _inside(box: Box, area: Box) -> Box:
    """A box as a share of an area."""
    wide, high = area.right - area.left, area.bottom - area.top
    return Box(
        max(0.0, (box.left - area.left) / wide),
        max(0.0, (box.top - area.top) / high),
        min(1.0, (box.right - area.left) / wide),
        min(1.0, (box.bottom - area.top) / high),
    )


def _blinks(events: Sequence[MotionEvent], names: dict[MotionEvent, str]) -> list[str]:
    return [
        f"blinked: {_quoted(names.get(one, ''))}{one.times} times".replace(" 1 times", " once")
        for one in events
        if one.kind == "blinked"
    ]


def _stops(clip: VideoClip, events: Sequence[MotionEvent], names: dict[MotionEvent, str]) -> list[str]:
    lines = []
    for one in events:
        if one.kind == "stopped":
            where, after = _quoted(names.get(one, "")), f"{one.start - clip.start:.0f} s in"
            stays = one.end >= clip.end - 1e-6
            lines.append(f"stopped: {where}{f'from {after}' if stays else f'for {one.end - one.start:.0f} s, {after}'}")
    return lines


def _order(events: Sequence[MotionEvent], names: dict[MotionEvent, str]) -> list[str]:
    """Places in the order in which something changed there first, if there are several that have names."""
    if sum(one.kind in ("changed", "blinked") for one in events) < 2:
        return []
    order = list(dict.fromkeys(names.get(one, "") for one in sorted(events, key=lambda one: one.start)))
    return [f'changed in this order: "{"".join(order)}"'] if len(order) > 1 and all(order) else []


def _numbers(clip: VideoClip, events: Sequence[MotionEvent]) -> list[str]:
    """The highest number at which what changed again and again stood still for a while."""
    boxes = [one.box for one in events if one.kind == "changed" and one.times >= FEWEST]
    if not boxes:
        return []
    found = []
    for box in boxes:
        for picture in _standing(
            [frame.crop(_padded(box)).at(frame.env, frame.start) for frame in clip.frames], clip.end
        ):
            found += [int(one.name) for one in texts(picture) if one.name.strip().isdecimal()]
    return [f'number: up to "{max(found)}"'] if found else []


def _standing(pictures: Sequence[Image], end: float) -> list[Image]:
    """Of a film's pictures those that stood for a while, at most so many, those that stood longest first."""
    firsts = [pictures[0], *(after for before, after in pairwise(pictures) if before.digest != after.digest)]
    ends = [*(one.start for one in firsts[1:]), end]
    lasted = [(until - one.start, one) for one, until in zip(firsts, ends, strict=True)]
    longest = [one for seconds, one in sorted(lasted, key=lambda pair: -pair[0]) if seconds >= LASTS]
    return longest[:MOST_NUMBERS]


def _padded(box: Box) -> Box:
    """A box with room around it, which reading needs."""
    wide, high = 0.5 * (box.right - box.left), 0.5 * (box.bottom - box.top)
    return Box(
        max(0.0, box.left - wide), max(0.0, box.top - high), min(1.0, box.right + wide), min(1.0, box.bottom + high)
    )


def _quoted(name: str) -> str:
    return f'"{name}" ' if name else ""
