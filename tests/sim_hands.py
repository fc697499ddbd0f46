"""Hands for the tests of the simulated world: do things by the ids of elements, as an agent with perfect eyes would."""

from __future__ import annotations

from typing import Any

from omnipilot.envs.actions import Action, Click, OpenApp, TypeText
from omnipilot.envs.geometry import Point
from omnipilot.envs.observation import ALL_MODALITIES, Element, Observation
from omnipilot.envs.sim.env import SimEnv
from omnipilot.envs.sim.world import SimWorld


class Hands:
    """One device of a world."""

    def __init__(self, world: SimWorld, name: str) -> None:
        self.world = world
        self.env: SimEnv = world.envs[name]

    def find(self, id: str) -> Element:
        found = self.env.ui_tree().by_id(id)
        assert found is not None, f"no {id} among {self.ids()}"
        return found

    def ids(self) -> list[str]:
        return [element.id for element in self.env.ui_tree() if element.id]

    def at(self, id: str) -> Point:
        return self.find(id).box.center

    def do(self, *actions: Action) -> None:
        for action in actions:
            self.env.act(action)

    def tap(self, *ids: str, **how: Any) -> None:
        for id in ids:
            self.env.act(Click(self.at(id), **how))

    def type(self, id: str, text: str, **how: Any) -> None:
        self.env.act(TypeText(text, at=self.at(id), **how))

    def open(self, app: str) -> None:
        self.env.act(OpenApp(app))

    def look(self, since: float = 0.0) -> Observation:
        return self.env.observe(ALL_MODALITIES, since)


def hands(instance: int = 3) -> tuple[SimWorld, Hands, Hands]:
    """A fresh world with its phone and its desktop."""
    world = SimWorld()
    world.reset(instance)
    return world, Hands(world, "phone"), Hands(world, "desktop")
