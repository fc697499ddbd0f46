"""Goals on the simulated desktop: what somebody wants, how it is done through the screen, how the state tells."""

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
    """A goal on the desktop.

    Attributes:
        play: does it with clicks and keys.
        reached: tells from the states at the start and now.
        wrong: does something near it, which must not count.
    """

    name: str
    play: Play
    reached: Callable[[WorldState, WorldState], bool]
    wrong: Play | None = None

    def __str__(self) -> str:
        return self.name


def prove(goal: Goal, app: str, *instances: int) -> None:
    """The goal is not reached at the start, nor by the wrong way, and is reached by the right one."""
    for instance in instances or (3, 8):
        if goal.wrong is not None:
            world, _, desktop = hands(instance)
            start = world.state()
            desktop.open(app)
            goal.wrong(desktop, start)
            assert not goal.reached(start, world.state()), f"{goal.name}: the wrong way counts, instance {instance}"
        world, _, desktop = hands(instance)
        start = world.state()
        desktop.open(app)
        assert not goal.reached(start, world.state()), f"{goal.name}: reached before, instance {instance}"
        goal.play(desktop, start)
        assert goal.reached(start, world.state()), f"{goal.name}: not reached, instance {instance}"


def reach(desktop: Hands, id: str, over: str) -> None:
    """Scroll down, with the mouse over what has the id `over`, until `id` is in sight."""
    at = desktop.at(over)
    for _ in range(60):
        if id in desktop.ids():
            return
        desktop.do(Scroll("down", amount=2, at=at))
    raise AssertionError(f"{id} never came into sight")
