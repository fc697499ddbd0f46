"""A page of MiniWoB is explored by starting it over with the same seed and playing the path again, until it ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from omnipilot.bench.suites.miniwob import Miniwob
from omnipilot.bench.suites.pool.explore.search import SearchBudget, explore
from omnipilot.bench.suites.pool.explore.web import WebExplorable
from omnipilot.bench.suites.pool.records import Operation
from omnipilot.envs import Thinking

pytestmark = [pytest.mark.web, pytest.mark.needs("omnipilot[web]")]
PAGE, SEED = "click-checkboxes", 3
SUBMIT = Operation("click", "browser", "button/Submit")


@pytest.fixture(scope="module")
def page(chromium_path: str) -> Iterator[WebExplorable]:
    assert chromium_path
    world = Miniwob().world(Thinking())
    world.start(PAGE, SEED)
    yield WebExplorable(world, PAGE)
    world.close()


@pytest.mark.slow
def test_a_page_that_has_ended_is_left_by_starting_it_over(page: WebExplorable) -> None:
    page.start(f"browser/{PAGE}", SEED)
    start = page.mark()
    (box, *_) = [one for one in page.operations() if one.control.startswith("checkbox/")]
    assert page.do(box)
    ticked, there = page.mark(), page.situation()
    assert page.effect(start, ticked) == {"~checkbox.checked"}
    assert page.do(SUBMIT)
    assert page.effect(ticked, page.mark()) == {"~page.ended"}
    assert not page.operations()
    assert not page.do(SUBMIT)
    page.back(ticked)
    assert page.situation() == there
    assert SUBMIT in page.operations()


@pytest.mark.slow
def test_the_search_stays_within_one_episode_and_its_paths_can_be_played_again(page: WebExplorable) -> None:
    found = explore(page, f"browser/{PAGE}", SearchBudget(transitions=25, seconds=60), SEED)
    assert {change for edge in found.edges for change in edge.effect} == {"~checkbox.checked", "~page.ended"}
    edges = {edge.id: edge for edge in found.edges}
    deep = next(edge for edge in found.edges if edge.via)
    page.start(f"browser/{PAGE}", SEED)
    for operation in (*edges[deep.via].operations, *deep.operations):
        assert page.do(operation)
    assert page.situation().id == deep.after
