"""A small site of a form and a list is explored by what is visible, by starting over and playing the path again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from omnipilot.bench.suites.pool.explore.search import SearchBudget, explore
from omnipilot.bench.suites.pool.explore.web import WebExplorable
from omnipilot.bench.suites.pool.records import Operation
from omnipilot.envs import ConfigError
from omnipilot.envs.web import BrowserWorld, Chromium

pytestmark = pytest.mark.web
SITE = Path(__file__).with_name("shopping_list.html")


@pytest.fixture(scope="module")
def site(chromium: Chromium) -> Iterator[WebExplorable]:
    world = BrowserWorld(url=SITE.as_uri(), chromium=chromium)
    yield WebExplorable(world, "list")
    world.close()


@pytest.mark.slow
def test_a_list_is_seen_in_the_abstract_and_its_changes_are_told(site: WebExplorable) -> None:
    site.start("browser/list")
    start, before = site.mark(), site.situation()
    assert "button button/Remove/<number>" in before.controls
    assert "button/Add" not in before.enabled
    assert site.do(Operation("type", "browser", "textbox/Item", "Plums"))
    assert site.changes(start, site.mark()) == []
    assert site.situation().drafts == ("textbox/Item",)
    assert "button/Add" in site.situation().enabled
    assert site.do(Operation("click", "browser", "button/Add"))
    assert "+texts" in site.effect(start, site.mark())
    added = site.mark()
    site.back(start)
    assert site.situation().id == before.id
    site.back(added)
    assert "+texts" in site.effect(start, site.mark())


@pytest.mark.slow
def test_what_is_not_there_is_refused(site: WebExplorable) -> None:
    site.start("browser/list")
    assert not site.do(Operation("click", "browser", "button/Nowhere"))
    with pytest.raises(ConfigError, match="browser/list"):
        site.start("browser/other")


@pytest.mark.slow
def test_the_search_that_explores_phones_explores_pages(site: WebExplorable) -> None:
    exploration = explore(site, "browser/list", SearchBudget(transitions=60, seconds=60))
    effects = {change for edge in exploration.edges for change in edge.effect}
    assert {"+texts", "-texts", "~checkbox.checked", "~page.title"} <= effects
    (added, *_) = [edge for edge in exploration.edges if "+texts" in edge.effect]
    assert added.macro in ("fill", "choose")
    assert [operation.control for operation in added.operations] == ["textbox/Item", "button/Add"]
