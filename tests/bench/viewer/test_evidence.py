"""The page as evidence: a step at one glance, elements, groups, two runs beside each other, costs, keys and paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evidence_runs import EVIL, PART, QUESTIONS, write_pair
from report_visit import Visit, visiting
from run_writer import Writer

from omnipilot.bench import write_report
from omnipilot.bench.journal.recorder import elements_to_text
from omnipilot.bench.tables import Table
from omnipilot.envs import Box, Element, Elements

pytestmark = pytest.mark.web
HERE = "#0/mail%230.0"
LINES = ["seen", "heard", "recalled", "thought", "asked", "pointed", "executed", "judged"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    table = Table(("suite", "planner", "solved", "SR %"), (("duet", "left", "1/2", "50.0"),), (), 2)
    conclusion = ("left solved 1 of 2 episodes: 50.0\u00a0%, 95\u00a0% interval 9.5 to 90.5.",)
    return write_report(write_pair(folder), None, table, conclusion=conclusion)


@pytest.fixture
def screen(launched_browser: Any) -> Iterator[Visit]:
    """A visit at 1440×900."""
    with visiting(launched_browser, 1440, 900) as visit:
        yield visit


def line(visit: Visit, name: str) -> str:
    return str(visit.page.locator(f".glance [data-line={name}] dd").first.inner_text())


@pytest.mark.slow
@pytest.mark.parametrize("key", ["mail", "note"])
def test_a_step_is_seen_whole_without_scrolling(screen: Visit, report: Path, key: str) -> None:
    """Below a short instruction, and below one that is as long as the header shows."""
    screen.open(report, f"#0/{key}%230.0/0")
    screen.settled(1)
    page = screen.page
    assert page.locator(".glance [data-line]").evaluate_all("all => all.map(one => one.dataset.line)") == LINES
    boxes = [one.bounding_box() for one in page.locator(".glance [data-line], .stage .frame").all()]
    assert len(boxes) == len(LINES) + 1
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 900 for box in boxes)
    assert page.locator(".stage .frame").bounding_box()["height"] > 350
    assert page.evaluate("document.getElementById('stage').scrollTop") == 0
    assert line(screen, "seen") == "Mail, 3 elements"
    assert line(screen, "heard").startswith("“say 0 </script>")
    assert line(screen, "recalled") == "planner: 1 text"
    assert line(screen, "executed") == "Click (0.250, 0.750) ✓ done"
    assert line(screen, "judged").startswith("1 of 2 sub-goals reached; now opened reached")


@pytest.mark.slow
def test_a_line_that_is_too_long_opens_at_a_click(screen: Visit, report: Path) -> None:
    screen.open(report, f"{HERE}/0")
    row = screen.page.locator(".glance [data-line=judged]")
    low = row.bounding_box()["height"]
    row.click()
    assert row.bounding_box()["height"] > low


@pytest.mark.slow
def test_elements_are_inspected_over_the_picture(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report, f"{HERE}/0")
    screen.settled(1)
    assert not any(url.endswith("-elements.js") for url in screen.asked), "elements load when they are asked for"
    page.locator(".inspect").click()
    page.wait_for_selector(".inspector .element-row")
    assert page.locator(".frame .element").count() == 3
    assert page.locator(".element.aimed").count() == 1
    facts = page.locator(".inspector .facts")
    assert "pointed at" in facts.inner_text() and "save" in facts.inner_text(), "what was pointed at is chosen"
    frame = page.locator(".frame").bounding_box()
    page.mouse.move(frame["x"] + 0.5 * frame["width"], frame["y"] + 0.15 * frame["height"])
    page.wait_for_selector(".facts dd:text-is('textbox')")
    told = dict(zip(*(facts.locator(tag).all_inner_texts() for tag in ("dt", "dd")), strict=True))
    assert (told["name"], told["value"], told["states"]) == (EVIL, "ada@x.org", "focused, required")
    assert told["box"] == "0.100, 0.100 – 0.900, 0.200"
    # A click keeps it; another place that is pointed at is told meanwhile.
    page.mouse.click(frame["x"] + 0.5 * frame["width"], frame["y"] + 0.15 * frame["height"])
    page.mouse.move(frame["x"] + 0.5 * frame["width"], frame["y"] + 0.5 * frame["height"])
    page.wait_for_selector(".facts dd:text-is('group')")
    page.mouse.move(5, 5)
    page.wait_for_selector(".facts dd:text-is('textbox')")
    assert not page.locator("#zoom[open]").count(), "a click chooses and does not enlarge"
    # It stays from step to step, and goes by its key.
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#place:text('2 / 5')")
    assert page.locator(".frame .element").count() == 3
    page.keyboard.press("i")
    page.wait_for_selector(".inspector", state="detached")
    assert not page.locator(".frame .element").count()
    page.keyboard.press("End")
    page.wait_for_selector(".executed:text('The end')")
    page.keyboard.press("i")
    assert "without elements" in page.locator(".inspector").inner_text()


@pytest.mark.slow
def test_the_element_that_was_hit_is_the_one_that_the_record_names(screen: Visit, tmp_path: Path) -> None:
    """A button with its text on top: the smallest element at the point is not the one that was hit."""
    run = Writer(tmp_path / "x")
    button = Element("button", "Save", Box(0.2, 0.6, 0.5, 0.8), id="save")
    listed = Elements((button, Element("text", "Save", Box(0.22, 0.72, 0.3, 0.78), id="words")))
    kept = {"digest": run.store.put_json(elements_to_text(listed)).digest, "count": 2, "truncated": False}
    run.begin("mail#0.0")
    run.turn("mail#0.0", 0, {"phone": run.look("phone", 1, 0.0, elements=kept)})
    hit = {"id": "save", "role": "button", "name": "Save", "box": [0.2, 0.6, 0.5, 0.8]}
    told = [{"target": "Save", "right": True, "asked": hit, "hit": hit, "why": ""}]
    run.step("mail#0.0", 0, 0, pointing=told, pointed=[{"target": "Save", "x": 0.25, "y": 0.75, "box": None}])
    run.end("mail#0.0", "turns", 0)
    run.journal.close()
    screen.open(write_report([tmp_path / "x"]), f"{HERE}/0")
    screen.settled(1)
    screen.page.keyboard.press("i")
    screen.page.wait_for_selector(".element-row")
    aimed = screen.page.locator(".element-row", has=screen.page.locator(".badge"))
    assert aimed.locator(".kind").all_inner_texts() == ["button"]


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 360])
def test_a_phone_shows_all_that_is_new_within_its_width(launched_browser: Any, report: Path, width: int) -> None:
    with visiting(launched_browser, width, 844) as visit:
        for where, ready, key in (
            ("#?by=app", ".groups td", ""),
            (f"{HERE}/0/beside", ".pair", ""),
            (f"{HERE}/0", ".element-row", "i"),
            (f"{HERE}/end", ".spent", ""),
        ):
            visit.open(report, where)
            visit.page.wait_for_selector(".overview" if where.startswith("#?") else "#stage > *")
            if key:
                visit.settled(1)
                visit.page.keyboard.press(key)
            visit.page.wait_for_selector(ready)
            wide = "[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, svg, .frame') &&"
            wide += " e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.outerHTML.slice(0, 80))"
            assert visit.page.evaluate(wide) == [], where
        visit.page.locator("#keys").click()
        box = visit.page.locator("#help").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width


@pytest.mark.slow
def test_two_runs_stand_beside_each_other_with_the_first_difference(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report, f"{HERE}/0")
    page.keyboard.press("b")
    page.wait_for_selector(".pair")
    assert page.locator(".column-of > header b").all_inner_texts() == ["left #0.0", "right #0.0"]
    assert page.locator(".first-difference").inner_text() == f"≠ first difference: step {PART + 1}"
    firsts = {one.get_attribute("data-first"): one.inner_text() for one in page.locator(".firsts button").all()}
    assert firsts["executed"].endswith(f" {PART + 1}") and firsts["thought"].endswith(" 1") and "seen" not in firsts
    marked = page.locator(".column-of").first.locator(".glance .differs")
    assert marked.evaluate_all("all => all.map(one => one.dataset.line)") == ["thought"]
    page.locator(".first-difference").click()
    page.wait_for_selector(f"#steps .row[aria-selected=true] .number:text-is('{PART + 1}')")
    assert set(marked.evaluate_all("all => all.map(one => one.dataset.line)")) == {"thought", "pointed", "executed"}
    assert page.locator("#steps .parting").count() == 1
    assert page.locator("#steps .row", has=page.locator(".parting")).get_attribute("aria-selected") == "true"
    page.keyboard.press("Home")
    page.wait_for_selector("#steps .row[aria-selected=true] .number:text-is('1')")
    page.keyboard.press("d")
    page.wait_for_selector(".first-difference[aria-pressed=true]")


@pytest.mark.slow
def test_a_comparison_has_an_address(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report, f"{HERE}/{PART}/beside~1~mail%230.0")
    page.wait_for_selector(".first-difference[aria-pressed=true]")
    assert page.locator(".parting select").input_value() == "1~mail#0.0"
    page.go_back()
    screen.open(report, f"{HERE}/1/beside")
    page.wait_for_selector(".pair")
    page.locator(".parting select").select_option("1~mail#0.0")
    page.wait_for_function("() => location.hash.endsWith('/1/beside~1~mail%230.0')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => location.hash.endsWith('/{PART}/beside~1~mail%230.0')")
    page.reload()
    page.wait_for_selector(".first-difference[aria-pressed=true]")


@pytest.mark.slow
def test_an_episode_alone_of_its_task_has_nothing_beside_it(screen: Visit, tmp_path: Path) -> None:
    [run, _] = write_pair(tmp_path)
    screen.open(write_report([run]), f"{HERE}/0/beside")
    screen.page.wait_for_selector(".empty")
    assert "omnipilot report RUN OTHER" in screen.page.locator(".empty").inner_text()
    assert not screen.page.locator("[data-view=beside]").is_visible()


@pytest.mark.slow
def test_episodes_are_grouped_by_any_tag(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report)
    rows = page.locator("#episodes .row")
    assert rows.count() == 4
    page.locator("[data-by=level]").click()
    page.wait_for_function("() => location.hash.endsWith('?by=level')")
    groups = page.locator("#episodes .group b")
    assert groups.all_inner_texts() == ["1", "1/2", "2", "0/2"]
    assert rows.count() == 4 + 2
    cells = page.locator(".groups tbody tr").first.locator("td").all_inner_texts()
    assert cells[:4] == ["1", "1/2", "50.0 [9.5, 90.5]", "4.0"]
    # A group folds, and its episodes cannot be stepped to any more.
    page.locator("#episodes .group").first.click()
    assert rows.count() == 2 + 2
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("header.episode b:text('note')")
    # A tag with several values puts an episode into the group of each.
    page.locator("#by").select_option("app")
    assert groups.all_inner_texts()[::2] == ["clock", "mail", "notes"]
    assert rows.count() == 3 + 2 + 2 + 2
    page.reload()
    page.wait_for_selector("#episodes .group")
    assert page.locator("#by").input_value() == "app"


@pytest.mark.slow
def test_an_episode_that_was_cut_off_counts_in_no_rate(screen: Visit, tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    for key, reason in (("mail#0.0", "success"), ("mail#1.0", ""), ("note#0.0", "")):
        run.begin(key)
        run.turn(key, 0, {})
        if reason:
            run.end(key, reason, 4)
    run.journal.close()
    screen.open(write_report([tmp_path / "x"]), "#?by=task")
    screen.page.wait_for_selector(".groups td")
    rows = [row.locator("td").all_inner_texts()[:3] for row in screen.page.locator(".groups tbody tr").all()]
    assert rows == [["mail", "1/1", "100.0 [—]"], ["note", "0/0", "—"]]


@pytest.mark.slow
def test_what_the_list_is_narrowed_to_adds_up_and_is_in_the_address(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report)
    rows = page.locator("#episodes .row")
    page.locator("#facet").select_option("level\n1")
    assert rows.count() == 2
    page.locator("#facet").select_option("ended by\nSolved")
    assert rows.count() == 1
    page.wait_for_function("() => location.hash.endsWith('?is=level%3A1&is=ended+by%3ASolved')")
    page.reload()
    page.wait_for_selector("#only button")
    assert rows.count() == 1
    page.locator("#only button").first.click()
    assert page.locator("#only button").all_inner_texts() == ["ended by: Solved ×"]
    page.locator("#only button").first.click()
    assert rows.count() == 4
    page.locator("[data-by=level]").click()
    page.locator(".groups .share").nth(1).click()
    page.wait_for_selector("header.episode b:text('note')")
    assert page.locator("#only button").all_inner_texts() == ["level: 2 ×"]


@pytest.mark.slow
def test_costs_are_told_by_part(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report)
    first = page.locator("[aria-label=Cost] tbody tr").first.locator("th, td").all_inner_texts()
    assert first == ["left", "planner", "8", "11,200 + 480", "$0.0168", "1.6 s"]
    parts = page.locator("[aria-label=Cost] tbody tr th:last-of-type").all_inner_texts()
    assert parts == ["planner", "grounder", "environment", "judges"] * 2
    screen.open(report, f"{HERE}/end")
    page.wait_for_selector(".spent")
    row = page.locator(".spent tbody tr").nth(1).locator("th, td").all_inner_texts()
    assert row == ["grounder", "4", "5,600 + 240", "$0.0084", "5.2 s"]


def test_a_price_that_is_not_known_is_not_added_up(screen: Visit, tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    for number, cost in enumerate((0.5, None)):
        key = f"mail#{number}.0"
        run.begin(key)
        run.turn(key, 0, {}, usage={"calls": 1, "tokens_in": 5, "tokens_out": 5, "cost": cost, "seconds": 1.0})
        run.end(key, "turns", 0)
    run.journal.close()
    screen.open(write_report([tmp_path / "x"]))
    assert screen.page.locator("[aria-label=Cost] tbody td").all_inner_texts() == ["2", "10 + 10", "unknown", "400 ms"]


@pytest.mark.slow
def test_the_help_lists_the_keys(screen: Visit, report: Path) -> None:
    page = screen.page
    screen.open(report, f"{HERE}/0")
    page.keyboard.press("?")
    page.wait_for_selector("#help[open]")
    assert page.locator("#help kbd").count() > 20
    page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    page.wait_for_selector("#help", state="hidden")
    assert page.locator("#place").inner_text() == "1 / 5", "no step is taken behind it"
    page.locator("#keys").click()
    page.wait_for_selector("#help[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#help", state="hidden")
    assert page.locator("#place").count(), "Esc closes the help alone"


@pytest.mark.slow
def test_on_paper_stands_all_and_no_button(screen: Visit, report: Path) -> None:
    page = screen.page
    for where in ("", f"{HERE}/0"):
        screen.open(report, where)
        page.emulate_media(media="print")
        assert not page.locator("#side").is_visible() and not page.locator("#keys").is_visible()
        cut = "[...document.querySelectorAll('body, #main, #stage, .overview, .card')]"
        cut += ".filter(e => e.scrollHeight > e.clientHeight + 2 && getComputedStyle(e).overflowY !== 'visible')"
        assert page.evaluate(f"{cut}.map(e => e.outerHTML.slice(0, 60))") == []
        page.emulate_media(media="screen")


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", ["?by=note", f"{HERE}/0", f"{HERE}/0/beside", "#0/note%230.0/end", "#0/note%230.0/0/messages"]
)
def test_text_of_a_run_is_only_ever_text(screen: Visit, report: Path, where: str) -> None:
    page = screen.page
    screen.open(report, where if where.startswith("#") else f"#{where}")
    if "#" in where and not where.endswith("messages"):
        page.wait_for_selector(".glance")
    if where.endswith("/0"):
        page.keyboard.press("i")
        page.wait_for_selector(".element-row")
    assert page.locator(f"text={EVIL[:30]}").count()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_users_ask_is_answered_within_three_clicks(screen: Visit, report: Path, question: str) -> None:
    clicks, where, words = QUESTIONS[question]
    assert len(clicks) <= 3
    screen.open(report)
    for click in clicks:
        screen.page.locator(click).click()
    answer = screen.page.locator(where)
    answer.wait_for()
    screen.page.wait_for_function("([words]) => document.querySelector('main').innerText.includes(words)", arg=[words])
    assert words in answer.inner_text()
