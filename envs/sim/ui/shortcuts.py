"""Keyboard shortcuts of a screen; they work while its window is in front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Do


@dataclass(slots=True, eq=False)
class Shortcuts(Widget):
    """A child with keys such as "ctrl+s" and their actions."""

    child: Widget
    keys: Mapping[str, Do]

    def _measure(self, width: int) -> tuple[int, int]:
        return self.child.fit(width)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The child in the whole area."""
        p.shortcuts.update(self.keys)
        self.child.place(p, x, y, w, h)
