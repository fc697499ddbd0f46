"""A planner that samples its moves at random: the floor of a benchmark's scores."""

from __future__ import annotations

import random
from collections.abc import Callable

from omnipilot.envs import (
    Absent,
    Click,
    ConfigError,
    Done,
    Drag,
    Element,
    Intent,
    LongPress,
    Modality,
    Observation,
    Point,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
)
from omnipilot.envs import MouseMove as PointerMove
from omnipilot.envs.types.actions import Ref
from omnipilot.memory import Move
from omnipilot.planners.base import Brief, Decision, Planner, Request, Verbs

_KEYS = ("enter", "tab", "esc", "backspace", "up", "down", "left", "right", "space")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class RandomPlanner(Planner):
    """Samples an environment, one of its verbs, and a place among the visible elements (or anywhere).

    Equal seeds and equal observations give equal moves.

    Args:
        turns: number of turns after which it ends the episode as done.
    """

    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    takes_notes: bool = False

    def __init__(self, turns: int = 15) -> None:
        if turns < 1:
            raise ConfigError(f"planner 'random': turns must be at least 1, not {turns}")
        self.turns = turns
        self._dice = random.Random(0)

    def begin(self, brief: Brief) -> None:
        """Seed the random generator with the brief's seed."""
        self._dice = random.Random(brief.seed)

    def plan(self, request: Request) -> Decision:
        """One random move."""
        envs = {
            name: request.brief.envs[name]
            for name in request.observations
            if name in request.brief.envs and request.brief.envs[name].kinds & DRAWN
        }
        if request.turn >= self.turns or not envs:
            return Decision((Move("", Done("success" if envs else "infeasible")),), thought="Enough.")
        env = self._dice.choice(sorted(envs))
        intent = self._draw(envs[env], request.observations[env])
        return Decision((Move(env, intent),), thought="Drawn by lot.")

    def _draw(self, verbs: Verbs, observation: Observation) -> Intent:
        kind = self._dice.choice(sorted(verbs.kinds & DRAWN))
        return draw(kind, self._dice, lambda: self._place(observation))

    def _place(self, observation: Observation) -> Point | Ref:
        seen: list[Element] = [] if isinstance(observation.elements, Absent) else list(observation.elements)
        if not seen or self._dice.random() < 0.1:
            return Point(self._dice.random(), self._dice.random())
        element = self._dice.choice(seen)
        return element.box.center if element.id is None else Ref(element.id)


DRAWN = frozenset({"click", "long_press", "move", "drag", "swipe", "scroll", "type", "press", "system"})
"""The verbs it can sample: those that need no names, such as of apps."""


def draw(kind: str, dice: random.Random, place: Callable[[], Point | Ref]) -> Intent:
    """A verb of a kind in `DRAWN`, with random arguments."""
    match kind:
        case "click":
            return Click(place())
        case "long_press":
            return LongPress(place())
        case "move":
            return PointerMove(place())
        case "drag":
            return Drag(place(), place())
        case "swipe":
            return Swipe(dice.choice(("up", "down", "left", "right")))
        case "scroll":
            return Scroll(dice.choice(("up", "down")), place())
        case "type":
            return TypeText("".join(dice.choice(_LETTERS) for _ in range(dice.randint(3, 8))), place())
        case "press":
            return Press((dice.choice(_KEYS),))
        case "system":
            return System(dice.choice(("back", "home")))
    raise AssertionError(f"{kind!r} is not in DRAWN")
