"""What a video showed: how often something blinked, where it rested, in what order, and which numbers appeared.

Movement is found in the frames; what the places are called is read off the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.envs import Box, Element, Image, VideoClip
from omnipilot.memory.perception import MotionEvent, read_motion

_MOST_READ = 60
"""Frames at most in which a number is looked for."""


@dataclass(frozen=True, slots=True)
class EventPlace:
    """A place of an event: the name next to it ("" for none), and its rank among places of its kind."""

    name: str
    box: Box


@dataclass(frozen=True, slots=True)
class Seen:
    """The events in one picture.

    Attributes:
        start: when the film began, on the world's clock.
        blinks: by place, in order of the first time, how often.
        rests: where something that had moved stood still, from when to when on the world's clock.
        order: places in the order in which something happened there first.
        numbers: those that came by, each once.
    """

    start: float
    blinks: tuple[tuple[EventPlace, int], ...]
    rests: tuple[tuple[EventPlace, float, float], ...]
    order: tuple[EventPlace, ...]
    numbers: tuple[int, ...]


def watch_clip(clip: VideoClip, within: Box | None = None, counting: bool = True, ocr: bool = True) -> Seen:
    """The events in a clip, in part or all of the screen; `counting` also reads the numbers that appear.

    Args:
        ocr: whether text is read; without it places have no names, and there are no numbers.

    Raises:
        MissingExtra: text is to be read, and RapidOCR is not installed.
    """
    frames = clip.frames if within is None else [_cropped(frame, within) for frame in clip.frames]
    film = VideoClip(frames, clip.end, clip.env)
    events = [event for event in read_motion(film).events if event.kind != "cut"]
    names = labels(frames[0]) if ocr else []
    blinks = [(place(event.box, names), event.times) for event in events if event.kind in ("blinked", "changed")]
    rests = [(place(event.box, names), event.start, event.end) for event in events if event.kind == "stopped"]
    first: dict[str, EventPlace] = {}
    for event in events:
        where = place(event.box, names)
        first.setdefault(where.name or str(where.box), where)
    numbers = _numbers(frames, events) if counting and ocr else ()
    return Seen(clip.start, tuple(blinks), tuple(rests), tuple(first.values()), numbers)


def waits(seen: Seen, going_on: bool) -> tuple[EventPlace, float, float] | None:
    """The longest rest; if the thing was `going_on`, the last rest is excluded unless it is the only one."""
    rests = seen.rests[:-1] if going_on and len(seen.rests) > 1 else seen.rests
    return max(rests, key=lambda rest: rest[2] - rest[1], default=None)


def place(box: Box, names: Sequence[Element]) -> EventPlace:
    """The place of a box, named after the closest label along the row or column of labels."""
    if not names:
        return EventPlace("", box)
    lefts, tops = [n.box.center.x for n in names], [n.box.center.y for n in names]
    across = max(lefts) - min(lefts) >= max(tops) - min(tops)
    middle = box.center

    def far(label: Element) -> float:
        there = label.box.center
        return abs(there.x - middle.x) if across else abs(there.y - middle.y)

    return EventPlace(min(names, key=far).name, box)


def labels(frame: Image) -> list[Element]:
    """Single letters and digits in a picture that form a row or column."""
    single = [text for text in texts(frame) if len(text.name) == 1 and text.name.isalnum()]
    return _completed(single) if len({text.name for text in single}) == len(single) else single


def _completed(found: list[Element]) -> list[Element]:
    """Complete a lettered row with the missing letters, at equal distances."""
    letters = sorted((e for e in found if e.name.isupper()), key=lambda e: e.name)
    if len(letters) < 2:
        return found
    first, last = letters[0], letters[-1]
    steps = ord(last.name) - ord(first.name)
    across = (last.box.center.x - first.box.center.x) / steps
    down = (last.box.center.y - first.box.center.y) / steps
    made = []
    for code in range(ord("A"), ord("Z") + 1):
        away = code - ord(first.name)
        left, top = first.box.left + away * across, first.box.top + away * down
        right, bottom = first.box.right + away * across, first.box.bottom + away * down
        if 0 <= left < right <= 1 and 0 <= top < bottom <= 1:
            made.append(Element("text", chr(code), Box(left, top, right, bottom), source="ocr"))
    return made


def _numbers(frames: Sequence[Image], events: Sequence[MotionEvent]) -> tuple[int, ...]:
    changing = [event.box for event in events if event.kind == "changed"]
    if not changing:
        return ()
    found: dict[int, None] = {}
    distinct = list({frame.digest: frame for frame in frames}.values())[:_MOST_READ]
    for frame in distinct:
        for text in texts(_cropped(frame, _around(changing))):
            if text.name.strip().isdigit():
                found[int(text.name)] = None
    return tuple(found)


def _around(boxes: Sequence[Box]) -> Box:
    """A padded box around all boxes, since padding improves text recognition."""
    left, top = min(b.left for b in boxes), min(b.top for b in boxes)
    right, bottom = max(b.right for b in boxes), max(b.bottom for b in boxes)
    wide, high = (right - left) * 0.5, (bottom - top) * 0.5
    return Box(max(0.0, left - wide), max(0.0, top - high), min(1.0, right + wide), min(1.0, bottom + high))


def _cropped(frame: Image, box: Box) -> Image:
    return frame.crop(box).at(frame.env, frame.start)


def texts(frame: Image) -> list[Element]:
    from omnipilot.memory.perception import shared_reader

    return list(shared_reader().read(frame).elements)
