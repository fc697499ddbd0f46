"""The gold planner: knows the solution, and says each place of it in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from omnipilot.envs import Absent, Elements, Point
from omnipilot.envs.types import describe_element, place_fields
from omnipilot.envs.types.actions import Place, Ref
from omnipilot.memory import Move
from omnipilot.planners.base import Decision
from omnipilot.planners.baselines.oracle import OraclePlanner


class GoldPlanner(OraclePlanner):
    """Speaks the task's demonstration: like `oracle`, but describes each place in words, for a grounder to find.

    The words are made from the true elements at that moment, such as 'the second "Save" button', and mean one element
    alone. A place for which there are no such words is named as in the demonstration; the thought says so.
    """

    part = "planner 'gold'"

    def _say(self, moves: Sequence[Move], thought: str) -> Decision:
        told: list[str] = []
        spoken = tuple(self._spoken(move, told) for move in moves)
        unsaid = f" No words mean {', '.join(dict.fromkeys(told))} alone." if told else ""
        return Decision(spoken, thought=thought + unsaid)

    def _spoken(self, move: Move, told: list[str]) -> Move:
        """The move with its places in words; `told` receives those that cannot be said."""
        fields = place_fields(move.intent)
        elements = self._truth.elements(move.env) if fields else Absent("unasked")
        changes: dict[str, Any] = {}
        for name in fields:
            value = getattr(move.intent, name)
            if isinstance(value, tuple):
                changes[name] = tuple(_words_for(place, elements, told) for place in value)
            elif value is not None:
                changes[name] = _words_for(value, elements, told)
        return replace(move, intent=replace(move.intent, **changes)) if changes else move


def _words_for(place: Place, elements: Elements | Absent, told: list[str]) -> Place:
    """Words that mean a place of a demonstration; the place itself if there are none."""
    if isinstance(place, str) and not place.startswith("#"):
        return place
    if isinstance(place, Point):
        told.append(f"the point ({place.x:.3f}, {place.y:.3f})")
        return place
    id = place.id if isinstance(place, Ref) else place[1:].strip()
    meant = None if isinstance(elements, Absent) else elements.by_id(id)
    words = None if meant is None or isinstance(elements, Absent) else describe_element(elements, meant)
    if words is None:
        told.append(f"#{id}")
        return place
    return words
