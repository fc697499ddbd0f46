"""What was read from a screenshot, and moves that are programs of verbs, as the page and `show` tell them."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_visit import Visit
from run_writer import USAGE, Writer
from typer.testing import CliRunner

from omnipilot.bench import write_report
from omnipilot.bench.cli.app import app
from omnipilot.bench.journal.recorder import elements_to_text
from omnipilot.envs import Box, Element, Elements

HERE = "#0/mail%230.0"
READ = Elements(
    (
        Element("text", "Save", Box(0.1, 0.1, 0.3, 0.2), source="ocr", confidence=0.9),
        Element("icon", "bell", Box(0.5, 0.1, 0.6, 0.2), confidence=0.7),
        Element("color", "blue", Box(0.5, 0.5, 0.9, 0.6), confidence=0.5),
        Element("text", "<b>Open</b>", Box(0.1, 0.5, 0.3, 0.6), source="ocr"),
    )
)
ASKED = {"kind": "custom", "name": "write_note", "arguments": {"text": "milk"}}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A turn whose screen was read, and one with two moves, of which the first is a program of two verbs."""
    writer = Writer(tmp_path_factory.mktemp("read") / "run")
    key, look = "mail#0.0", writer.look("phone", 90, 0.0)
    writer.begin(key)
    kept = {"digest": writer.store.put_json(elements_to_text(READ)).digest, "count": 4, "truncated": False}
    writer.turn(
        key, 0, {"phone": look}, perceived={"phone": {"elements": kept, "seconds": {"texts": 0.25}, "usage": USAGE}}
    )
    writer.step(key, 0, 0)
    moves = [{"env": "phone", "intent": ASKED}, {"env": "phone", "intent": {"kind": "click", "at": "Save"}}]
    writer.turn(key, 1, {"phone": writer.look("phone", 120, 1.0)}, moves=moves)
    for part in range(2):
        proposed = {"kind": "click", "at": f"field {part}"}
        writer.step(key, 1 + part, 1, proposed=proposed, program={"env": "phone", "asked": ASKED, "part": part})
    writer.step(key, 3, 1)
    writer.end(key, "done", 0)
    writer.journal.close()
    return writer.folder


def test_show_tells_what_was_read_and_which_steps_are_one_move(run: Path) -> None:
    def shown(*more: str) -> str:
        return CliRunner().invoke(app, ["show", str(run), "mail", *more]).output

    assert "turn 1: 4 elements were read from the screenshot of phone, texts 0.25 s, 1 call of a model" in shown()
    assert "took 2 steps" in shown() and "bell" not in shown(), "the elements stand with their turn alone"
    first, second = shown("--turn", "1"), shown("--turn", "2")
    assert "icon    'bell' at (0.550, 0.150), 0.70 sure" in first and "colour  'blue'" in first
    assert "took" not in first and "'bell'" not in second
    (line,) = [one for one in second.splitlines() if "took 2 steps" in one]
    assert "write_note" in line and "field 0" in line and "field 1" in line and "Save" not in line


@pytest.mark.slow
@pytest.mark.web
def test_boxes_of_each_kind_are_shown_when_asked_for(visit: Visit, run: Path) -> None:
    page = visit.page
    visit.open(write_report([run]), f"{HERE}/0")
    lines = page.locator(".read-list li .name")
    assert lines.all_inner_texts() == ["Save", "bell", "blue", "<b>Open</b>"]
    assert page.locator(".perceived .chips button").all_inner_texts() == ["2 texts", "1 icon", "1 colour"]
    assert "texts 250 ms; 1 call" in page.locator(".perceived .took").inner_text()
    assert page.locator(".read:visible").count() == 0
    page.locator(".chips .of-text").click()
    assert page.locator(".read:visible").count() == page.locator(".read.of-text:visible").count() == 2
    frame, box = page.locator(".acting .frame").bounding_box(), page.locator(".read.of-text").first.bounding_box()
    assert box["x"] - frame["x"] == pytest.approx(0.1 * frame["width"], abs=2)
    assert box["height"] == pytest.approx(0.1 * frame["height"], abs=2)
    lines.nth(1).hover()
    assert page.locator(".read.of-icon.lit:visible").count() == 1
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#place:text('2 /')")
    assert page.locator(".read").count() == page.locator(".perceived").count() == 0
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".read.of-text:visible")
    page.locator(".chips .of-text").click()
    assert page.locator(".read.of-text:visible").count() == 0


@pytest.mark.slow
@pytest.mark.web
def test_the_steps_of_a_program_stand_below_the_move_that_they_are(visit: Visit, run: Path) -> None:
    page = visit.page
    visit.open(write_report([run]), f"{HERE}/2")
    rows = page.locator("#steps .step")
    assert rows.locator(".number").all_inner_texts() == ["1", "2–3", "2", "3", "4", ""]
    assert "write_note" in rows.nth(1).inner_text() and "2 steps" in rows.nth(1).inner_text()
    assert "part 2 of 2 of the planner's move" in page.locator(".headline .program").inner_text()
    assert page.locator(".moves li").count() == 2 and page.locator(".moves .never").count() == 0
    assert "write_note" in page.locator(".moves .now").inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".moves .now:text('Save')")
    assert page.locator(".headline .program").count() == 0
    rows.nth(1).click()
    page.wait_for_function("document.querySelectorAll('#steps .step').length === 4")
