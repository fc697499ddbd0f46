"""Searching again for a place that was not found: on enlarged parts of the screen, and by its text."""

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
"""Tiles per side of the screen; they overlap by a quarter of a tile."""
ENLARGE = 2
NEAR = 0.03
"""Two answers closer than this share of the screen's sides are the same place."""


def search_again(
    proposal: Proposal, view: Observation, grounder: Grounder, skills: Collection[str], reader: OcrReader | None
) -> tuple[str, Proposal] | None:
    """Ground a proposal with the first skill that finds all of its places; returns that skill's name too, or None.

    Args:
        view: the observation, limited to what the grounder may see.
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
            # An id means the same at every size, and pixels have no ids.
            raise NotFound(f"#{target.id}")
        found = self._search_tiles(target) if self.skill == "zoom" else self._read(target)
        if found is None:
            raise NotFound(target)
        by = f"{self.skill} of {type(self.grounder).__name__}" if self.skill == "zoom" else "read"
        self.pointed.append(Pointed(target, found, None, by))
        return found

    def _read(self, target: str) -> Point | None:
        found = OcrGrounder(self.reader).ground(self.view, target)
        self.usage += found.usage
        return found.point if isinstance(found, Grounding) else None

    def _search_tiles(self, target: str) -> Point | None:
        """The place on which all tiles that show it agree; None if no tile shows it or they disagree."""
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
    """Overlapping tiles that cover the screen, in reading order."""
    wide, high = -(-width * 5 // (4 * TILES)), -(-height * 5 // (4 * TILES))
    lefts = [round(column * (width - wide) / (TILES - 1)) for column in range(TILES)]
    tops = [round(row * (height - high) / (TILES - 1)) for row in range(TILES)]
    return [(left, top, left + wide, top + high) for top in tops for left in lefts]
