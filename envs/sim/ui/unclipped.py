"""A painter for whom nothing is out of sight: it finds what a faulty element tree might list besides the screen."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.envs.sim.render.display_list import Rect
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.types.geometry import Box
from omnipilot.envs.types.observation import Element

FAR = 1_000_000


@dataclass(slots=True)
class Unclipped(Painter):
    """Places everything that widgets hold; its display list is not for painting."""

    def __post_init__(self) -> None:
        self.clips.append((-FAR, -FAR, FAR, FAR))

    def seen(self, x: int, y: int, w: int, h: int) -> Rect | None:
        """The whole rectangle."""
        return (x, y, x + w, y + h) if w > 0 and h > 0 else None

    def push_clip(self, x: int, y: int, w: int, h: int) -> bool:
        """Nothing is clipped; False where the rectangle is empty."""
        if self.seen(x, y, w, h) is None:
            return False
        self.clips.append(self.clips[-1])
        return True

    def everything(self) -> list[Element]:
        """All elements, their boxes cut to the screen; what lies beyond it has a box on its edge."""
        w, h = self.device.size.width, self.device.size.height

        def cut(rect: Rect) -> Box:
            left, top, right, bottom = (
                min(max(edge, 0), most) / most for edge, most in zip(rect, (w, h, w, h), strict=True)
            )
            return Box(left, top, right, bottom)

        return [Element(role, name, cut(r), states, id, "tree", value) for role, name, r, states, id, value in self.raw]
