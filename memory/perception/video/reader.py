"""The reader `motion`: what moved, stopped, blinked or changed in a video, as events with times and places."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.envs import Box, Image, VideoClip
from omnipilot.memory.perception.video.regions import Film, Mask, film, regions, scenes
from omnipilot.memory.perception.video.track import Edges, Region, path, region, states

Kind: TypeAlias = Literal["moved", "stopped", "blinked", "changed", "cut"]

REST = 0.4
"""Minimum seconds in one place that count as a rest."""
_APART, _TOGETHER = 0, 3
"""Blocks by which activity is dilated, to separate regions and to follow objects that move in jumps."""
MOST_KEYFRAMES = 12


@dataclass(frozen=True, slots=True)
class MotionEvent:
    """One motion event in a video.

    Attributes:
        kind: `moved` from `came` to `went`, within `box` on its way; `stopped` at `box` after moving; `blinked`:
            changed its usual appearance and returned to it; `changed`: took on other appearances in its place (a
            counter or text, which the reader `ocr` can read); `cut`: the whole scene was replaced.
        start, end: seconds on the world's clock; for a stop, those of the rest.
        times: number of blinks or changes.
    """

    kind: Kind
    start: float
    end: float
    box: Box
    times: int = 1
    came: Box | None = None
    went: Box | None = None


@dataclass(frozen=True, slots=True)
class MotionReading:
    """The result for a clip: events in order of their start, key frames, and wall seconds."""

    events: tuple[MotionEvent, ...]
    keyframes: tuple[Image, ...]
    seconds: float


def read_motion(clip: VideoClip) -> MotionReading:
    """Find the motion events in a clip.

    It detects what lasts at least two frames. Objects that move through one another count as one, and an object that
    jumps further per frame than its own size and 7 % of the screen's longer side appears to blink.
    """
    began = time.perf_counter()
    shown = film(clip)
    found: list[MotionEvent] = []
    for first, last in scenes(shown):
        if first:
            at = shown.times[first]
            found.append(MotionEvent("cut", at, at, Box(0, 0, 1, 1)))
        for part in regions(shown.active[first + 1 : last], _TOGETHER):
            found += _events(shown, part, first, last, clip.end)
    found.sort(key=lambda event: (event.start, event.box.left, event.box.top))
    return MotionReading(tuple(found), _keyframes(clip, found), time.perf_counter() - began)


def _events(film: Film, part: Mask, first: int, last: int, end: float) -> Iterator[MotionEvent]:
    whole = region(film, part, first, last)
    if whole is None:
        return
    places = path(whole)
    if places is not None:
        yield from _journey(film, places, first, end)
        return
    for piece in regions(film.active[first + 1 : last] & part, _APART):
        alone = region(film, piece, first, last)
        if alone is not None:
            yield _in_place(film, alone)


def _journey(film: Film, places: list[Edges], first: int, end: float) -> Iterator[MotionEvent]:
    """Moves and the stops between them."""
    times = [*film.times[first : first + len(places)]]
    until = film.times[first + len(places)] if first + len(places) < len(film.times) else end
    rests = [
        (start, stop)
        for start, stop in _stays(places)
        if (times[stop] if stop < len(times) else until) - times[start] >= REST - 1e-6
    ]
    at = 0
    for start, stop in [*rests, (len(places) - 1, len(places))]:
        if start > at:
            way = places[at : start + 1]
            over = film.box(
                min(edges[0] for edges in way),
                min(edges[1] for edges in way),
                max(edges[2] for edges in way),
                max(edges[3] for edges in way),
            )
            came, went = film.box(*places[at]), film.box(*places[start])
            yield MotionEvent("moved", times[at], times[start], over, 1, came, went)
            if (start, stop) in rests:
                yield MotionEvent("stopped", times[start], times[stop] if stop < len(times) else until, went)
        at = stop - 1


def _stays(places: list[Edges]) -> Iterator[tuple[int, int]]:
    """Intervals in one place, as half-open frame ranges."""
    start = 0
    for i in range(1, len(places) + 1):
        if i == len(places) or max(abs(a - b) for a, b in zip(places[i], places[start], strict=True)) > 1.5:
            yield start, i
            start = i


def _in_place(film: Film, region: Region) -> MotionEvent:
    numbers = states(region)
    times = film.times[region.first :]
    box = film.box(*region.edges)
    turns = [i for i in range(1, len(numbers)) if numbers[i] != numbers[i - 1]]
    if len(set(numbers)) == 2 and len(turns) >= 2:
        left = sum(1 for i in turns if numbers[i]) + (numbers[0] != 0)
        return MotionEvent("blinked", times[turns[0]], times[turns[-1]], box, left)
    changes = [i for i, changed in enumerate(region.changes) if changed]
    return MotionEvent("changed", times[changes[0]], times[changes[-1]], box, len(changes))


def _keyframes(clip: VideoClip, events: list[MotionEvent]) -> tuple[Image, ...]:
    """The first and last frame, and those at which events start and end."""
    wanted = sorted({clip.start, clip.end, *(event.start for event in events), *(event.end for event in events)})
    chosen: list[int] = []
    for moment in wanted:
        shown = max(i for i, frame in enumerate(clip.frames) if frame.start <= moment + 1e-9)
        if not chosen or clip.frames[shown].digest != clip.frames[chosen[-1]].digest:
            chosen.append(shown)
    if len(chosen) > MOST_KEYFRAMES:
        last = len(chosen) - 1
        chosen = [chosen[round(i * last / (MOST_KEYFRAMES - 1))] for i in range(MOST_KEYFRAMES)]
    return tuple(clip.frames[i] for i in chosen)
