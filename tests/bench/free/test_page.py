"""Any web page, with a judged result: a form on this machine, a planner of one's own, checks of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from web_pages import Site, serve

from omnipilot.bench.free.checks import read_check
from omnipilot.bench.free.readings import judge_check
from omnipilot.bench.run import run
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.tasks import Case
from omnipilot.envs.composite import CompositeWorld, open_world

pytestmark = pytest.mark.web

FORM = """<!doctype html><title>Newsletter</title><h1>Newsletter</h1>
<form action="/thanks"><label>Name <input name=who></label> <button>Subscribe</button></form>"""
THANKS = """<!doctype html><title>Done</title><p>Thank you, <b>Ann</b>.</p>
<label><input type=checkbox checked> News</label><label>Code <input value=A17></label>
<script>localStorage.cart = '3 apples'; sessionStorage.seen = 'yes'</script>"""
SUBSCRIBES = """
from omnipilot.envs import Click, Done, TypeText
from omnipilot.memory import Move
from omnipilot.planners import Decision, Planner


class Subscribes(Planner):
    def begin(self, brief):
        pass

    def plan(self, request):
        steps = (TypeText("Ann", "Name"), Click("Subscribe"), Done())
        return Decision((Move("page" if request.turn < 2 else "", steps[request.turn]),))
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve() as served:
        served.pages = {"/": FORM, "/thanks": ({"Set-Cookie": "session=s17; HttpOnly"}, THANKS.encode())}
        yield served


@pytest.fixture(scope="module")
def thanked(site: Site) -> Iterator[CompositeWorld]:
    """A world whose page is the one that says thank you."""
    with ExitStack() as stack:
        page = {"kind": "browser", "url": site.url("/thanks"), "size": "500x400"}
        world = open_world({"devices": {"page": page}})
        stack.callback(world.close)
        world.reset(0)
        yield world


@pytest.mark.slow
def test_a_planner_of_ones_own_on_a_page_of_ones_own_is_judged(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "subscribes.py").write_text(SUBSCRIBES)
    monkeypatch.syspath_prepend(str(tmp_path))
    checks = ["url contains /thanks", 'text contains "Thank you, Ann"', "not text contains Error"]
    for planner, solved in (("subscribes:Subscribes", True), ("noop", False)):
        flags = RunSettings(url=site.url(), task="Subscribe as Ann.", check=checks, planner=planner, jobs=0)
        spec = spec_from(resolve_settings(None, flags))
        assert spec.suite.name == "page"
        (episode,) = run(spec, tmp_path / planner.partition(":")[0]).episodes
        assert (episode.success, episode.completed, episode.total) == (solved, 3 if solved else 1, 3), episode


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ("url contains /thanks", True),
        ("url matches ^http://127.0.0.1:\\d+/thanks$", True),
        ("url is /thanks", False),
        ('text contains "thank you, ann."', True),
        ("text contains A17", False),
        ("element checkbox exists", True),
        ('element textbox"Code" is A17', True),
        ('element textbox"Code" contains a', True),
        ('not element button"Subscribe" exists', True),
        ("storage local cart contains apple", True),
        ("storage session seen is yes", True),
        ("storage cookie session is s17", True),
        ("storage cookie other exists", False),
        ("js localStorage.length === 1 // and no more", True),
        ("js Promise.resolve(false)", False),
        ("not js 1 > 2", True),
        ("js nothing.at.all", False),
        ("not js nothing.at.all", False),
        ("file downloads/x.txt exists", False),
    ],
)
def test_every_kind_of_check_reads_the_page(thanked: CompositeWorld, check: str, holds: bool) -> None:
    verdict = judge_check(read_check(check, ["page"]), Case(thanked))
    assert verdict.reached is holds, verdict.reason
    assert verdict.reason


def test_below_a_dialog_a_page_answers_nothing_and_no_negation_makes_that_right(
    thanked: CompositeWorld,
) -> None:
    thanked.ask("page", lambda world: world.browser.tab.page.evaluate("() => { setTimeout(() => alert('Wait'), 0) }"))
    thanked.wait(0.2)
    for check in ("text contains Thank", "not text contains Error"):
        verdict = judge_check(read_check(check, ["page"]), Case(thanked))
        assert not verdict.reached and "dialog" in verdict.reason
    assert judge_check(read_check("url contains /thanks", ["page"]), Case(thanked)).reached


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "told"), [("/gone", "answers 410 Gone; check the address"), ("/none", "answers with an error and no page")]
)
def test_a_page_that_is_not_there_is_void_and_says_what_was_answered(
    site: Site, tmp_path: Path, path: str, told: str
) -> None:
    site.pages["/gone"] = 410
    flags = RunSettings(url=site.url(path), task="x", check=["text contains Thank"], planner="noop", jobs=0)
    (episode,) = run(spec_from(resolve_settings(None, flags)), tmp_path / "r").episodes
    assert episode.void and f"{site.url(path)} does not open: its server {told}" in episode.detail
