"""Demonstrations as they are played: moves, and waits for what they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from omnipilot.bench.suites.workshop.template import DemonstratedStep, Until
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Modality, Wait, World
from omnipilot.envs.types import Described, described_places
from omnipilot.grounders import ElementsGrounder, Grounding
from omnipilot.memory import Move, WaitUntil

BLIND = Wait(2.0)
"""What somebody does who cannot tell what is waited for."""
APPEAR = 20.0
"""Seconds in which an element that a move names has to appear."""


def demonstrate(
    world: World, steps: Sequence[DemonstratedStep], start: Any, patience: float = float("inf")
) -> Iterator[Move | WaitUntil]:
    """The moves of steps in a world; before one that names an element, a wait until that is on the screen.

    Args:
        start: the state of the world at the start of the task.
        patience: seconds of any one wait at most.
    """
    for step in steps:
        for move in step.moves:
            if isinstance(move, Until):
                what = f"{move.judge.name}"
                yield WaitUntil("", BLIND, what, _judged(world, move, start), min(patience, move.patience) + move.lasts)
                continue
            for place in described_places(move.intent):
                shown = _shown(world, move.env, place)
                yield WaitUntil("", BLIND, f"{move.env} shows {place}", shown, min(patience, APPEAR))
            yield move


def _judged(world: World, until: Until, start: Any) -> Callable[[], bool]:
    return lambda: until.judge(Case(world, start)).reached


def _shown(world: World, env: str, place: Described) -> Callable[[], bool]:
    def look() -> bool:
        seen = world.envs[env].observe({Modality.ELEMENTS}, world.now)
        return isinstance(ElementsGrounder().ground(seen, place), Grounding)

    return look
