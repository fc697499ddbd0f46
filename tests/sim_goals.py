"""Goals of the desktop's apps: played through the interface, and the wrong path that does not reach them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sim_hands import Hands, hands

from omnipilot.envs.actions import Scroll
from omnipilot.envs.sim.state import WorldState

Play: TypeAlias = Callable[[Hands, WorldState], None]
"""Does something on the desktop; is also given the state at the start."""


@dataclass(frozen=True)
class Goal:
    """Something a person wants: how it is played, when it is reached (state before, state now), and a wrong path."""

    name: str
    play: Play
    reached: Callable[[WorldState, WorldState], bool]
    wrong: Play | None = None

    def __str__(self) -> str:
        return self.name


def prove(goal: Goal, app: str) -> None:
    """The goal is not there at the start, its play reaches it, its wrong path does not."""
    for play, reached in ((goal.play, True), (goal.wrong, False)):
        if play is None:
            continue
        world, _, desktop = hands()
        desktop.open(app)
        start = world.state()
        assert not goal.reached(start, start), "it is already so at the start"
        play(desktop, start)
        assert goal.reached(start, world.state()) == reached


def reach(desktop: Hands, id: str, over: str) -> None:
    """Scroll down, with the mouse over what has the id `over`, until `id` is in sight."""
    at = desktop.at(over)
    for _ in range(60):
        if id in desktop.ids():
            return
        desktop.do(Scroll("down", amount=2, at=at))
    raise AssertionError(f"{id} never came into sight")
