"""The suite `cube` with the real cube-standard and two cubes of its authors (`make outside`)."""

from __future__ import annotations

import re

import pytest
from system_needs import outside_python

from omnipilot.bench.suites.cube import Cube, CubeWorld
from omnipilot.envs import Custom, Modality, Thinking
from omnipilot.envs.web import find_chromium

pytestmark = [pytest.mark.outside("cube"), pytest.mark.slow]


@pytest.mark.parametrize("right", [True, False])
def test_the_debug_tasks_of_a_cube_are_solved(right: bool) -> None:
    suite = Cube("arithmetic-cube", str(outside_python("cube")), debug=True)
    world = suite.world(Thinking())
    try:
        for info in suite.tasks():
            asked = suite.instantiate(info.id, 0).setup(world)
            first, sign, second = re.fullmatch(r"What is (\d+) ([-+*]) (\d+)\?", asked).groups()
            answer = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[sign](int(first), int(second))
            world.cube.act(Custom("submit_answer", {"answer": answer + (not right)}))
            assert world.ended() and world.state().reward == float(right)
    finally:
        world.close()


@pytest.mark.web
@pytest.mark.timeout(300)
def test_a_page_of_the_miniwob_cube_is_solved() -> None:
    tool = {
        "_type": "cube_browser_tool.playwright_tool.PlaywrightConfig",
        "browser": {
            "_type": "cube_browser_playwright.playwright_session.PlaywrightSessionConfig",
            "pw_extra_kwargs": {"executable_path": str(find_chromium())},
        },
    }
    suite = Cube("miniwob-cube", str(outside_python("cube")), {"tool_config": tool}, debug=True)
    assert "click-button" in {info.id for info in suite.tasks()}
    world = suite.world(Thinking())
    assert isinstance(world, CubeWorld)
    try:
        asked = suite.instantiate("click-button", 0).setup(world)
        name = re.search(r'Click on the "(.+?)" button', asked)[1]
        seen = world.cube.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
        assert str(seen.size) == "332x214" == str(seen.screenshot.size) and len(seen.elements) > 1
        world.cube.act(Custom("browser_click", {"selector": f"button:has-text('{name}')"}))
        assert world.ended() and world.state().reward == 1.0
    finally:
        world.close()
