"""Looking for a place again that was not found: on enlarged parts of the screen, and by the text that can be read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from omnipilot.agents.base import Proposal
from omnipilot.envs import Absent, ActionRejected, NotFound, Observation, Point, Ref, resolve
from omnipilot.envs.types.actions import Described
from omnipilot.grounders import Abstention, Grounder, Grounding, OcrGrounder
from omnipilot.grounders.combine.zoom import crop_observation, point_back
from omnipilot.memory import Pointed, Usage
from omnipilot.memory.perception import OcrReader

TILES = 2
"""Parts of the screen a side; they overlap by a quarter of a part."""
ENLARGE = 2
NEAR = 0.03
"""Share of the screen's sides within which two answers are the same place."""


def found_otherwise(
    proposal: Proposal, view: Observation, grounder: Grounder, skills: Collection[str], reader: OcrReader | None
) -> tuple[str, Proposal] | None:
    """The proposal grounded with the first skill that finds all of its places, and that skill's name; None for none.

    Args:
        view: of what the grounder may see.
    """
    spent = Usage()
    for name in ("zoom", "read"):
        if name not in skills or isinstance(view.screenshot, Absent):
            continue
        finder = _Finder(name, view, grounder, reader)
        try:
            action = resolve(proposal.move.intent, finder)
        except (NotFound, ActionRejected):
            spent += finder.usage
            continue
        usage = proposal.usage + spent + finder.usage
        return name, replace(proposal, action=action, problem=None, pointed=tuple(finder.pointed), usage=usage)
    return None


class _Finder:
    def __init__(self, skill: str, view: Observation, grounder: Grounder, reader: OcrReader | None) -> None:
        self.skill, self.view, self.grounder, self.reader = skill, view, grounder, reader
        self.usage = Usage()
        self.pointed: list[Pointed] = []

    def __call__(self, target: Described) -> Point:
        if isinstance(target, Ref):
            # An id means the same at every size, and nothing on a picture has one.
            raise NotFound(f"#{target.id}")
        found = self._zoomed(target) if self.skill == "zoom" else self._read(target)
        if found is None:
            raise NotFound(target)
        by = f"{self.skill} of {type(self.grounder).__name__}" if self.skill == "zoom" else "read"
        self.pointed.append(Pointed(target, found, None, by))
        return found

    def _read(self, target: str) -> Point | None:
        found = OcrGrounder(self.reader).ground(self.view, target)
        self.usage += found.usage
        return found.point if isinstance(found, Grounding) else None

    def _zoomed(self, target: str) -> Point | None:
        """Where all parts that show it agree it is; None where none does, or they do not agree."""
        picture = self.view.screenshot
        assert not isinstance(picture, Absent)
        points: list[Point] = []
        for rect in _tiles(picture.size.width, picture.size.height):
            found = self.grounder.ground(crop_observation(self.view, picture, rect, ENLARGE), target)
            self.usage += found.usage
            if not isinstance(found, Abstention):
                points.append(point_back(found.point, rect, picture.size))
        same = all(abs(p.x - points[0].x) <= NEAR and abs(p.y - points[0].y) <= NEAR for p in points)
        return points[0] if points and same else None


def _tiles(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Overlapping parts that cover the screen, in reading order."""
    wide, high = -(-width * 5 // (4 * TILES)), -(-height * 5 // (4 * TILES))
    lefts = [round(column * (width - wide) / (TILES - 1)) for column in range(TILES)]
    tops = [round(row * (height - high) / (TILES - 1)) for row in range(TILES)]
    return [(left, top, left + wide, top + high) for top in tops for left in lefts]
