"""The timeline, the map and what was recalled, as a person sees and plays them in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from long_past import EVIL, long_past
from report_visit import Visit, visiting
from run_writer import Writer

from omnipilot.bench import write_report

pytestmark = pytest.mark.web
HERE = "#0/mail%230.0"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A past of thirty turns."""
    return write_report([long_past(tmp_path_factory.mktemp("past") / "run", 30).folder])


def chosen_step(visit: Visit) -> str:
    return str(visit.page.locator("#steps [aria-selected=true] .number").inner_text())


def clock(visit: Visit) -> float:
    return float(visit.page.locator(".clock").inner_text().split()[0])


def lane(visit: Visit, name: str) -> Any:
    return visit.page.locator(f".track.lane-{name} .event")


@pytest.mark.slow
def test_steps_and_playhead_follow_one_another(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, f"{HERE}/2")
    assert not any("-timeline.js" in url for url in visit.asked), "only what is looked at is loaded"
    page.keyboard.press("t")
    page.wait_for_selector(".track .event")
    assert clock(visit) == 4.0
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".clock:text('6.00 s /')")
    assert page.locator(".devices .screen.acting").get_attribute("data-env") == "phone"
    page.locator("#steps .row").nth(6).click()
    page.wait_for_selector(".clock:text('12.00 s /')")
    lane(visit, "check").first.click()
    page.wait_for_selector("#steps [aria-selected=true] .number:text('4')")
    assert "app: Notes" in page.locator(".event-details").inner_text()
    assert lane(visit, "check").first.evaluate("e => e.classList.contains('good') && e.classList.contains('chosen')")
    page.get_by_text("Open the step").click()
    page.wait_for_selector("#place:text('4 / 9')")


@pytest.mark.slow
def test_it_plays_screens_and_sounds_with_the_clock(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, f"{HERE}/0/time")
    page.wait_for_selector(".track .event")
    assert not any(url.endswith(".wav") for url in visit.asked)
    shown = page.locator(".devices [data-env=phone] img")
    first = shown.get_attribute("src")
    page.locator("select[aria-label=Speed]").select_option("4")
    page.locator("#stage").evaluate("e => { e.tabIndex = -1; e.focus(); }")
    page.keyboard.press(" ")
    page.wait_for_selector("button[aria-label='Pause (Space)']")
    page.wait_for_function("() => Number(document.querySelector('.clock').textContent.split(' ')[0]) > 3")
    page.keyboard.press(" ")
    page.wait_for_selector("button[aria-label='Play (Space)']")
    at = clock(visit)
    page.wait_for_selector(f"#steps [aria-selected=true] .number:text('{int(at // 2) + 1}')")
    assert shown.get_attribute("src") != first
    assert any(url.endswith(".wav") for url in visit.asked), "the sound on the way was played"
    page.keyboard.press("]")
    assert page.locator("select[aria-label=Speed]").input_value() == "8"
    page.keyboard.press(" ")
    page.wait_for_selector("button[aria-label='Play (Space)']", timeout=15_000)
    assert clock(visit) == 16.0, "it stops at the end"
    assert page.locator("#steps [aria-selected=true]").inner_text().endswith("The end")


@pytest.mark.slow
def test_the_past_lies_before_and_can_be_looked_at(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, f"{HERE}/0/time")
    page.wait_for_selector(".track .event")
    assert page.locator(".prologue").inner_text() == "30 turns of the past before it"
    page.keyboard.press("0")
    page.wait_for_function("() => document.querySelector('.past').offsetWidth < 40")
    page.keyboard.press("f")
    page.wait_for_function("() => document.querySelector('.past').offsetWidth > 500")
    names = page.locator(".names .name").all_inner_texts()
    assert [name.split("\n")[-1] for name in names[:6]] == ["Screens", "Sound", "Heard", "Read", "Place", "Actions"]
    before = page.locator(".strip .window").bounding_box()["width"]
    for _ in range(4):
        page.keyboard.press("+")
    page.wait_for_function("w => document.querySelector('.strip .window').offsetWidth < w / 3", arg=before)
    page.locator(".area").hover()
    page.keyboard.down("Control")
    for _ in range(4):
        page.mouse.wheel(0, 100)
    page.keyboard.up("Control")
    page.wait_for_function("w => document.querySelector('.strip .window').offsetWidth > w / 6", arg=before)


@pytest.mark.slow
def test_events_are_found_filtered_and_walked_through(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, f"{HERE}/0/time")
    page.wait_for_selector(".track .event")
    page.keyboard.press("/")
    page.keyboard.type("number 17")
    page.wait_for_selector(".found-count:text('1 of ')")
    assert page.locator(".list .said").all_inner_texts() == ["number 17"]
    page.locator(".list .row").click()
    page.wait_for_selector(".clock:text('-51.00 s /')")
    assert "turn -17, before the episode" in page.locator(".event-details").inner_text()
    page.locator(".finding input").fill("code-1")
    page.wait_for_selector(".found-count:text('2 of ')")
    page.locator(".list").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator(".list [aria-selected=true]").count() == 1
    assert "2 sightings" in page.locator(".event-details").inner_text()
    box, frame = (page.locator(f".event-details {one}").bounding_box() for one in (".found", ".frame"))
    assert box["x"] == pytest.approx(frame["x"] + 0.1 * frame["width"], abs=1)
    page.locator(".finding input").fill("")
    assert page.locator(".track.lane-audio").count() == 1
    page.locator(".chips [data-key=audio]").click()
    assert page.locator(".track.lane-audio").count() == 0
    assert page.locator(".chips [data-key=audio]").get_attribute("aria-pressed") == "false"
    page.locator(".chips [data-key='env desktop']").click()
    assert "desktop" not in page.locator(".names").inner_text()


@pytest.mark.slow
def test_what_was_recalled_leads_to_the_timeline(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, f"{HERE}/4")
    page.wait_for_selector(".recall")
    assert page.locator(".recall summary").all_inner_texts() == [
        "planner was given 1 text and 1 sound from memory",
        "critic was given 1 picture from memory",
    ]
    first = page.locator(".part").first
    assert list(filter(None, first.inner_text().split("\n"))) == [
        *("transcript", "phone", "-9.00 s, 7 turns ago"),
        *("number 3", "because: words of the task"),
    ]
    assert page.locator(".part audio").count() == page.locator(".part img.given").count() == 1
    first.locator(".jump").click()
    page.wait_for_selector(".event-details:has-text('number 3')")
    assert clock(visit) == -9.0
    assert "turn 5 to planner: words of the task" in page.locator(".given-to").inner_text()
    page.go_back()
    page.wait_for_selector("#place:text('5 / 9')")


LATE = """async () => {
  const wait = (time) => new Promise((go) => setTimeout(go, time));
  document.querySelector(".part .jump").click();
  while (!document.querySelector(".event-details")) await wait(1);
  window.late = true;
  history.back();
  while (!location.hash.endsWith("/4")) await wait(1);
  await wait(400);
  dispatchEvent(new HashChangeEvent("hashchange"));
}"""
"""Goes to the timeline and back, and tells of the new address only after the page has had time to write its own."""


@pytest.mark.slow
def test_who_goes_back_at_once_is_not_overruled(visit: Visit, report: Path) -> None:
    page = visit.page
    page.add_init_script(
        "addEventListener('hashchange', (e) => { if (window.late && e.isTrusted) e.stopImmediatePropagation(); })"
    )
    visit.open(report, f"{HERE}/4")
    page.wait_for_selector(".part .jump")
    page.evaluate(LATE)
    page.wait_for_selector("#place:text('5 / 9')")


@pytest.mark.slow
def test_the_map_shows_pages_and_ways(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, f"{HERE}/0")
    page.wait_for_selector("#place")
    page.keyboard.press("g")
    page.wait_for_selector(".ways .way", state="attached")
    clocks = page.locator(".place", has_text="Clock").first
    clocks.click()
    assert clocks.get_attribute("aria-pressed") == "true"
    told = page.locator(".map-told").inner_text()
    assert "8 visits" in told and "Open app “Notes” to Notes" in told
    page.locator(".map-told .seen .jump").last.click()
    page.wait_for_selector(".event-details:has-text('Clock')")
    page.keyboard.press("t")
    page.wait_for_selector("#place")


@pytest.mark.slow
def test_text_of_a_run_is_only_ever_text(visit: Visit, report: Path) -> None:
    visit.open(report, f"{HERE}/0/time")
    visit.page.wait_for_selector(".track .event")
    for name in ("text", "gate"):
        lane(visit, name).last.click()
        assert EVIL in visit.page.locator(".event-details").inner_text()
    assert visit.page.evaluate("window.hacked") is None
    assert visit.page.locator("img[src='x']").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("width", [1900, 1000, 420])
def test_it_fits_and_stands_still(launched_browser: Any, report: Path, width: int) -> None:
    with visiting(launched_browser, width, 900, color_scheme="dark", has_touch=width < 500) as visit:
        page = visit.page
        visit.open(report, f"{HERE}/2/time")
        page.wait_for_selector(".track .event")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("(b => b.scrollWidth <= b.clientWidth)(document.querySelector('#stage'))")
        before = page.locator(".lanes").bounding_box()
        for _ in range(3):
            page.keyboard.press(".")
        assert page.locator(".lanes").bounding_box()["height"] == before["height"]
        assert page.locator(".lanes").bounding_box()["width"] == before["width"]


@pytest.mark.slow
def test_an_attempt_that_was_cut_off_has_a_timeline(visit: Visit, tmp_path: Path) -> None:
    run = Writer(tmp_path / "run")
    run.begin("mail#0.0")
    run.turn("mail#0.0", 0, {"phone": run.look("phone", 1, 1.0)})
    run.journal.close()
    visit.open(write_report([run.folder]), f"{HERE}/turn0/time")
    visit.page.wait_for_selector(".track .event")
    assert visit.page.locator(".names .name span").all_inner_texts() == ["Screens", "Thoughts"]
    assert clock(visit) == 1.0
    visit.page.keyboard.press("g")
    visit.page.wait_for_selector(".empty:text('There is no map')")


@pytest.mark.slow
def test_a_missing_timeline_is_said(visit: Visit, tmp_path: Path) -> None:
    page = write_report([long_past(tmp_path / "run", 0).folder])
    (page.with_suffix("") / "0-timeline.js").unlink()
    visit.open(page, f"{HERE}/1/time")
    visit.page.wait_for_selector(".empty:text('must lie beside this page')")
    visit.page.keyboard.press("t")
    visit.page.wait_for_selector("#place:text('2 / 9')")
    assert all("ERR_FILE_NOT_FOUND" in said for said in visit.complaints)
    visit.complaints.clear()


@pytest.mark.slow
def test_a_thousand_turns_of_the_past_are_drawn_as_far_as_they_are_in_sight(visit: Visit, tmp_path: Path) -> None:
    page = write_report([long_past(tmp_path / "run", 1000).folder])
    visit.open(page, f"{HERE}/0/time")
    visit.page.wait_for_selector(".track .event")
    assert int(visit.page.locator(".found-count").inner_text().split()[0].replace(",", "")) > 4_000
    visit.page.keyboard.press("f")
    visit.page.wait_for_function("() => document.querySelector('.past').offsetWidth > 500")
    assert visit.page.locator(".track .event").count() < 600
    assert visit.page.locator(".list .row").count() < 60
    counts = visit.page.locator(".track.lane-screen .count").all_inner_texts()
    assert sum(map(int, counts)) > 900, "many under one mark"
