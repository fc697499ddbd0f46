"""The eyes that come with the package: they see nearly all of a screen of the embedded world, and read it."""

from __future__ import annotations

import pytest

from omnipilot.envs import Absent, Modality, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.grounders.mini.eyes.source import MiniEyes
from omnipilot.planners.mini.screens import front_elements

SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
SCREENS = (("phone", "Clock"), ("phone", "Messages"), ("phone", "Settings"), ("desktop", "Files"), ("desktop", "Mail"))


@pytest.mark.slow
def test_they_see_screens_that_nothing_was_trained_on() -> None:
    eyes = MiniEyes()
    there = found = 0
    for device, app in SCREENS:
        world = SimWorld()
        world.envs[device].act(OpenApp(app))
        seen = world.envs[device].observe(SEEN, world.now)
        assert not isinstance(seen.elements, Absent)
        told = {(one.role, one.name) for one in eyes.find(seen.only({Modality.SCREENSHOT})).elements}
        true = {(one.role, one.name) for one in front_elements(list(seen.elements)) if one.name}
        there, found = there + len(true), found + len(true & told)
    assert there > 80 and found >= 0.9 * there, (found, there)
