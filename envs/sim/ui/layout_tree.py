"""The pieces of a screen, combined lazily."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import inf

from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.state.display import DeviceScreen
from omnipilot.envs.sim.ui.scene import Control, Do, Raw, ScenePiece, Scroller
from omnipilot.envs.types.geometry import Box
from omnipilot.envs.types.observation import Element, Elements


class LayoutTree:
    """The pieces of a screen from back to front; combined results are computed on first use."""

    def __init__(self, screen: DeviceScreen, pieces: tuple[ScenePiece, ...]) -> None:
        self.screen = screen
        self.pieces = pieces

    @cached_property
    def ops(self) -> tuple[Op, ...]:
        return tuple(op for piece in self.pieces for op in piece.ops)

    @cached_property
    def raw(self) -> list[Raw]:
        raw: list[Raw] = []
        covers: list[tuple[int, Rect]] = []
        for piece in self.pieces:
            covers += [(count + len(raw), rect) for count, rect in piece.covers]
            raw += piece.raw
        hidden: set[int] = set()
        for count, (left, top, right, bottom) in covers:
            for i in range(count):
                r = raw[i][2]
                if left <= (r[0] + r[2]) // 2 < right and top <= (r[1] + r[3]) // 2 < bottom:
                    hidden.add(i)
        return [item for i, item in enumerate(raw) if i not in hidden] if hidden else raw

    @cached_property
    def elements(self) -> Elements:
        w, h = self.screen.layout.width, self.screen.layout.height
        return Elements(
            tuple(
                Element(
                    role, name, Box(r[0] / w, r[1] / h, r[2] / w, r[3] / h), states, id, "tree", value, origin=origin
                )
                for role, name, r, states, id, value, origin in self.raw
            )
        )

    @cached_property
    def controls(self) -> list[Control]:
        return [control for piece in self.pieces for control in piece.controls]

    @cached_property
    def scrollers(self) -> list[Scroller]:
        found: list[Scroller] = []
        behind = 0
        for piece in self.pieces:
            found += [replace(scroller, depth=scroller.depth + behind) for scroller in piece.scrollers]
            behind += len(piece.controls)
        return found

    @cached_property
    def shortcuts(self) -> dict[str, Do]:
        found: dict[str, Do] = {}
        for piece in self.pieces:
            if piece.fresh:
                found.clear()
            found.update(piece.shortcuts)
        return found

    @cached_property
    def modal(self) -> int:
        found = behind = 0
        for piece in self.pieces:
            if piece.modal is not None:
                found = behind + piece.modal
            behind += len(piece.controls)
        return found

    @cached_property
    def until(self) -> float:
        return min((piece.until for piece in self.pieces), default=inf)
