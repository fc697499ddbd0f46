"""What a film shows that the screenshots at its two ends do not, and whether it is idle motion: for gate and memory."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, VideoClip
from omnipilot.memory.perception.video.reader import MotionEvent
from omnipilot.memory.perception.video.regions import BLOCK, CUT, Film, Mask, blocks, film, regions

Why: TypeAlias = Literal["motion", "caret", "clock", "spinner", "noise"]
IDLE: frozenset[Why] = frozenset({"caret", "clock", "spinner", "noise"})

CARET = 0.0008
"""Largest share of the screen that a caret takes."""
TICK = 0.012
"""Largest share of the screen that the digits of a clock or a player take."""
SPINNER = 0.02
"""Largest share of the screen that a spinner takes."""
_SECOND = 0.12
"""By how many seconds the ticks of a clock may miss a whole second."""
_TOGETHER = 3
_COARSE = 24
"""Cells along each side of a coarse picture."""
_APART = 2
"""Cells between neighbours: further apart than what one block of noise covers."""
_RELATED = 0.25
"""Correlation below which two pictures, or the cells of one and their neighbours, are not alike."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Part of the screen that took on an appearance in between, which neither end of the film shows.

    Attributes:
        kind: `motion`, or a kind of idle motion. times: number of changes. start, end: of them, on the world's clock.
    """

    kind: Why
    start: float
    end: float
    box: Box
    times: int


def movements(clip: VideoClip) -> list[Movement]:
    """What moved in a clip, without what its first and last frames tell.

    A place that changed once looks before as in the first frame and afterwards as in the last, as pages that open,
    text that is typed and bars that fill do; so only places count that changed at least twice. They are idle where they
    look like a caret (tiny, of two appearances), a clock (small, changing on whole seconds), a spinner (small, its
    appearances recurring in the same order), or noise (pictures without likeness).
    """
    if len({frame.digest for frame in clip.frames}) < 2:
        return []
    shown = film(clip)
    if _unrelated(shown):
        return [Movement("noise", clip.start, clip.end, Box(0, 0, 1, 1), len(shown.times) - 1)]
    restless = _restless(shown)
    found: list[Movement] = []
    for part in regions(shown.active & restless, _TOGETHER):
        changes = [index for index in range(1, len(shown.times)) if bool((shown.active[index] & part).any())]
        if len(changes) < 2:
            continue
        rows, columns = np.nonzero(part.any(axis=1))[0], np.nonzero(part.any(axis=0))[0]
        left, top, right, bottom = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
        box = shown.box(*(float(BLOCK * edge) for edge in (left, top, right, bottom)))
        times = [shown.times[index] for index in changes]
        kind = _kind(shown, part, box, changes, times)
        found.append(Movement(kind, times[0], times[-1], box, len(changes)))
    return sorted(found, key=lambda one: (one.start, one.box.left, one.box.top))


def idle(clip: VideoClip, events: Sequence[MotionEvent]) -> str:
    """Why a film shows nothing that matters: `ends`, what its first and last pictures tell; or what alone moves in it,
    as `movements` tells it: a caret, a clock, a spinner, noise. "" if it may matter.

    Args:
        events: the film's.
    """
    more = [event for event in events if event.kind not in ("changed", "cut") or event.times > 1]
    if sum(event.kind == "cut" for event in events) > 1:
        return ""
    if not more:
        return "ends"
    # What is larger is none of these but noise, which is rare; and to look again takes as long as to read it.
    if any(event.box.area > SPINNER for event in more):
        return ""
    found = [one.kind for one in movements(clip)]
    return next(iter(found), "ends") if all(kind in IDLE for kind in found) else ""


def _restless(shown: Film) -> Mask:
    """The blocks whose pixels changed at least twice."""
    changes = np.zeros(shown.looks.shape[1:3], np.int32)
    for before, after in itertools.pairwise(map(shown.frame, range(len(shown.times)))):
        changes += np.abs(after - before).max(axis=2) > shown.level
    return blocks(changes >= 2)


def _kind(shown: Film, part: Mask, box: Box, changes: Sequence[int], times: Sequence[float]) -> Why:
    looks = _appearances(shown, part, [changes[0] - 1, *changes])
    if box.area <= CARET and len(set(looks)) <= 2:
        return "caret"
    gaps = [after - before for before, after in itertools.pairwise(times)]
    if box.area <= TICK and len(set(looks)) > 2 and all(abs(gap - round(gap)) <= _SECOND and gap > 0.5 for gap in gaps):
        return "clock"
    if box.area <= SPINNER and _recurs(looks):
        return "spinner"
    return "motion"


def _appearances(shown: Film, part: Mask, at: Sequence[int]) -> list[int]:
    """A number for each frame: the same one for the same appearance of a part."""
    mask = np.repeat(np.repeat(part, BLOCK, axis=0), BLOCK, axis=1)[: shown.looks.shape[1], : shown.looks.shape[2]]
    known: list[NDArray[np.int16]] = []
    found = []
    for index in at:
        look = shown.frame(index)[mask]
        for number, other in enumerate(known):
            if float(np.mean(np.abs(look - other).max(axis=1) > shown.level)) < 0.02:
                found.append(number)
                break
        else:
            found.append(len(known))
            known.append(look)
    return found


def _recurs(looks: Sequence[int]) -> bool:
    """Whether at least three appearances come round in the same order, by two appearances at least; what stood there
    before and stands there afterwards left aside."""
    return any(_turns(looks[first:last]) for first in (0, 1) for last in (len(looks), len(looks) - 1))


def _turns(looks: Sequence[int]) -> bool:
    period = next((at for at in range(1, len(looks)) if looks[at] == looks[0]), 0)
    if period < 3 or len(set(looks)) < 3 or len(looks) < period + 2:
        return False
    return all(looks[at] == looks[at - period] for at in range(period, len(looks)))


def _unrelated(shown: Film) -> bool:
    """Whether nearly each change replaces the whole picture by one that is not like it, and whose own parts are not
    like their neighbours: noise, and no moving camera and no page that opens."""
    changed = [index for index in range(1, len(shown.times)) if shown.active[index].any()]
    turned = [index for index in changed if shown.active[index].mean() >= CUT]
    if not turned or len(turned) < 0.7 * len(changed):
        return False
    coarse = {index: _coarse(shown.frame(index)) for at in turned for index in (at - 1, at)}
    alike = [float((coarse[index - 1] * coarse[index]).mean()) for index in turned]
    smooth = [float((coarse[index][:, _APART:] * coarse[index][:, :-_APART]).mean()) for index in turned]
    return float(np.median(alike)) < _RELATED and float(np.median(smooth)) < _RELATED


def _coarse(pixels: NDArray[np.int16]) -> NDArray[np.float64]:
    """A picture in 24 by 24 grey cells, of mean 0 and deviation 1."""
    grey = pixels.mean(axis=2)
    rows = np.array_split(grey, min(_COARSE, grey.shape[0]), axis=0)
    cells = np.array(
        [[cell.mean() for cell in np.array_split(row, min(_COARSE, row.shape[1]), axis=1)] for row in rows]
    )
    spread = cells.std()
    return np.asarray((cells - cells.mean()) / (spread if spread > 0 else 1.0))
