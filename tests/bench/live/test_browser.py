"""Runs that go on are followed and controlled in a real Chromium, by clicks and keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from going_run import events, going_run, until
from report_visit import launched_browser as launched_browser
from toy_suite import held, toy_spec

from omnipilot.bench.journal import load_run
from omnipilot.bench.journal.control import CANCELLED, FILE
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, PersonActed, TurnTaken, event_to_json
from omnipilot.bench.journal.journal import to_line
from omnipilot.bench.live import LivePage
from omnipilot.bench.run import run

pytestmark = pytest.mark.web
HOSTILE = "<img src=x onerror=\"window.hacked='yes'\"><script>window.hacked='yes'</script>"


@contextmanager
def visiting(browser: Any, url: str, width: int = 1440, height: int = 900) -> Iterator[Any]:
    """A page of the browser; nothing was complained about in the end, and no other place asked."""
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(url)
    yield page
    context.close()
    assert complaints == []
    assert [one for one in asked if not one.startswith((url.split("/run/")[0], "data:"))] == []


def acts(out: Path) -> list[tuple[str, str, str]]:
    """What persons did, with the episode and why it was refused."""
    return [(one.action, one.key, one.refused) for one in events(out, PersonActed)]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_going_run_is_paused_goes_on_and_its_episodes_are_cancelled_raised_and_played_again(
    launched_browser: Any, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    holds = [held(tmp_path, "far", instance) for instance in range(3)]
    with (
        going_run(out, "far,unsolved,guard", instances=4, delay=0.5),
        LivePage(tmp_path) as live,
        visiting(launched_browser, live.url) as page,
    ):
        # From the list to the run.
        until(lambda: events(out, TurnTaken))
        page.wait_for_selector(".run[data-state=going]")
        page.click(".run a")
        page.wait_for_selector("#live[data-state=going]")
        # By keys: the workers, and a raised limit, with which the first episode is solved after its fifth turn.
        page.keyboard.press("l")
        row = page.locator(".worker", has_text="far#0.0")
        row.wait_for()
        assert "of 5" in row.inner_text()
        row.locator("input").fill("12")
        row.locator("input").press("Enter")
        until((out / FILE).exists)
        holds[0].unlink()
        until(lambda: ("raise", "far#0.0", "") in acts(out))
        page.wait_for_function("() => document.querySelector('.acts').textContent.includes('from 5 to 12')")
        until(lambda: events(out, EpisodeEnded))
        # The next is cancelled, which is asked for twice.
        row = page.locator(".worker", has_text="far#1.0")
        row.get_by_text("Cancel").click()
        row.get_by_text("Really cancel?").click()
        until(lambda: ("cancel", "far#1.0", "") in acts(out))
        void = page.locator(".voids .worker", has_text="far#1.0")
        void.wait_for()
        assert CANCELLED in void.inner_text()
        void.get_by_text("Play again").click()
        until(lambda: ("requeue", "far#1.0", "") in acts(out))
        # Paused: what a worker has is played to its end, and nothing begins until it goes on.
        until(lambda: len(events(out, EpisodeStarted)) == 3)
        page.click("#pause")
        page.wait_for_selector("#live[data-state=paused]")
        holds[2].unlink()
        until(lambda: len(events(out, EpisodeStarted)) == len(events(out, EpisodeEnded)))
        begun = len(events(out, EpisodeStarted))
        page.wait_for_timeout(1500)
        assert len(events(out, EpisodeStarted)) == begun
        page.wait_for_selector(".state:text-is('paused')")
        page.focus("#pause")
        page.keyboard.press("Enter")
        until(lambda: len(events(out, EpisodeStarted)) > begun)
        page.wait_for_selector("#live[data-state=going]")
        page.wait_for_function("() => document.querySelector('.conclusion').textContent.includes('person interfered')")
        assert "raised the turn limit of far#0.0 from 5 to 12" in page.inner_text(".footnotes >> nth=0")
    found = load_run(out)
    ended = {one.key: one for one in found.episodes}
    assert ended["far#0.0"].success and ended["far#0.0"].turn_limit == 12
    assert {one.who for one in found.acts} != {""}  # type: ignore[attr-defined]


@pytest.mark.slow
def test_the_reader_stays_where_they_are_while_the_run_goes_on(launched_browser: Any, tmp_path: Path) -> None:
    out = tmp_path / "run"
    holds = [held(tmp_path, task, 2) for task in ("count", "far")]
    with (
        going_run(out, "count,far,unsolved", instances=3, delay=0.1),
        LivePage(tmp_path) as live,
        visiting(launched_browser, live.opened) as page,
    ):
        until(lambda: events(out, EpisodeEnded))
        page.wait_for_selector(".mark.solved")
        page.click("#episodes .row >> nth=0")
        page.wait_for_selector("header.episode")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => location.hash.split('/').length === 3")
        where = page.evaluate("location.hash")
        page.evaluate("document.querySelector('#stage').dataset.mine = 'yes'")
        page.wait_for_function("() => document.querySelectorAll('#episodes .row').length === 3")
        holds[0].unlink()
        page.wait_for_function("() => document.querySelectorAll('#episodes .row').length === 6")
        assert page.evaluate("location.hash") == where
        # Not even drawn again.
        assert page.evaluate("document.querySelector('#stage').dataset.mine") == "yes"
        assert page.locator("#episodes .row[aria-selected=true]").get_attribute("data-row") == "0"
        # Tasks that begin later can be chosen.
        page.wait_for_selector("#task:visible")
        # The episode that is being played grows where it is looked at.
        page.locator("#episodes .row", has=page.locator(".mark.going"), has_text="#2.0").click()
        page.wait_for_selector("header.episode .mark.going")
        count = page.locator("#steps .row").count()
        page.keyboard.press("i")
        page.wait_for_selector(".inspector")
        holds[1].unlink()
        page.wait_for_function("n => document.querySelectorAll('#steps .row').length > n", arg=count)
        page.wait_for_selector(".inspector")


@pytest.mark.slow
def test_hostile_text_is_text(launched_browser: Any, tmp_path: Path) -> None:
    out = tmp_path / HOSTILE.replace("/", "|")
    run(toy_spec("lost"), out)
    lines = [json.loads(line) for line in (out / "journal.jsonl").read_text().splitlines()]
    for line in lines:
        if line["event"] == "episode_ended":
            line["detail"] = HOSTILE
        if "key" in line:
            line["key"] = line["key"].replace("lost", HOSTILE)
        if line["event"] == "episode_started":
            line["task"] = line["instruction"] = HOSTILE
    act = PersonActed("1", "raise", HOSTILE, 1, HOSTILE, 1.0, 2.0, HOSTILE, 1, 2, HOSTILE)
    (out / "journal.jsonl").write_bytes(b"".join(map(to_line, [*lines, event_to_json(act)])))
    with LivePage(tmp_path) as live, visiting(launched_browser, live.url) as page:
        page.wait_for_selector(".run a")
        assert HOSTILE.replace("/", "|") in page.inner_text(".run a")
        page.click(".run a")
        page.wait_for_selector("#live .worker", state="attached")
        page.keyboard.press("l")
        assert HOSTILE in page.inner_text(".voids .words") and HOSTILE in page.inner_text(".acts")
        page.locator("#episodes .row").first.click()
        page.wait_for_selector("header.episode")
        page.wait_for_timeout(500)
        assert page.evaluate("window.hacked") is None


def test_a_phone_shows_all_of_it(launched_browser: Any, tmp_path: Path) -> None:
    run(toy_spec("lost", "count"), tmp_path / "run")
    with LivePage(tmp_path) as live, visiting(launched_browser, live.opened, 390, 844) as page:
        page.wait_for_selector("#live")
        page.click("#more")
        page.locator(".voids").get_by_text("Play again").click()
        page.wait_for_function("() => document.querySelector('.told').textContent.includes('for the next start')")
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_it_is_said_when_the_viewer_is_gone(launched_browser: Any, tmp_path: Path) -> None:
    run(toy_spec("count"), tmp_path / "run")
    context = launched_browser.new_context()
    page = context.new_page()
    with LivePage(tmp_path) as live:
        page.goto(live.opened)
        page.wait_for_selector("#live")
    page.wait_for_function("() => document.querySelector('.told').textContent.includes('not followed any more')")
    context.close()
