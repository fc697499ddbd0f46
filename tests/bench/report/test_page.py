"""The report: what is written, and what a person sees of it in a real Chromium, from the disk."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from evidence_runs import write_pair
from report_index import index_of
from report_visit import Visit, visiting
from run_writer import SIZES, Writer, picture

from omnipilot.bench import write_report
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import StepTaken
from omnipilot.bench.report.action_words import action, ending
from omnipilot.bench.report.page import Section
from omnipilot.bench.report.page_about import about_run
from omnipilot.bench.report.page_data import is_only_grounded, overlay_of
from omnipilot.bench.report.page_media import peaks
from omnipilot.bench.tables import Table
from omnipilot.envs import AudioClip, ConfigError, VideoClip
from omnipilot.envs.types import VERBS
from omnipilot.envs.types.media import SAMPLE_RATE

EVIL = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>\u2028 %INDEX% “ok”"
TABLE = Table(("suite", "planner", "solved", "SR %"), (("duet", "rules", "1/3", "33.3"),), ("void counts as zero",), 2)


def changed(node: str, progress: float, reason: str = "") -> dict[str, Any]:
    return {"node": node, "progress": progress, "reason": reason, "completed": progress == 1}


def fill(folder: Path, planner: str = "rules") -> Writer:
    """Four episodes: one solved with everything in it, one failed, one void, one cut off."""
    run = Writer(folder, planner=planner)
    ring = np.zeros(SAMPLE_RATE, np.int16)
    ring[4000:8000] = 12_000
    ring_digest = run.store.put(AudioClip.from_array(ring, "phone", 1.0)).digest
    quiet_digest = run.store.put(AudioClip.from_array(np.zeros(SAMPLE_RATE, np.int16))).digest
    frames = [picture("desktop", 100 + i, 1 + i / 4) for i in range(4)]
    clip = run.store.put(VideoClip(frames, 2.0, "desktop")).digest

    key = "mail#0.0"
    run.begin(key, "Mail the code.")
    moves = [{"env": "phone", "intent": {"kind": "click", "at": "Save"}}]
    moves.append({"env": "desktop", "intent": {"kind": "click", "at": "Mail"}})
    absent = {"absent": {"video": "unasked", "elements": "failed: no tree", "context": "ablated"}}
    run.turn(key, 0, {"phone": run.look("phone", 1, 0, **absent), "desktop": run.look("desktop", 2, 0)}, moves=moves)
    found = {"target": "Save", "x": 0.25, "y": 0.75, "grounder": "elements"}
    found["box"] = {"left": 0.2, "top": 0.7, "right": 0.3, "bottom": 0.8}
    run.step(key, 0, 0, pointed=[found], changes=[changed("opened", 1, "it is open"), changed("heard", 0.5)])
    fresh = run.look("desktop", 3, 0.5)
    click = {"kind": "click", "at": {"x": 0.9, "y": 0.1}}
    run.step(key, 1, 0, env="desktop", proposed={"kind": "click", "at": "Mail"}, executed=click, look=fresh)
    heard = {"audio": {"digest": ring_digest, "start": 1.0, "end": 2.0}, "context": {"app": "Clock", "title": "Alarms"}}
    seen = {"audio": {"digest": quiet_digest, "start": 1.0, "end": 2.0}, "context": {"url": "http://x/"}}
    seen["video"] = {"digest": clip, "start": 1.0, "end": 2.0}
    run.turn(key, 1, {"phone": run.look("phone", 4, 2, **heard), "desktop": run.look("desktop", 5, 2, **seen)})
    refused = {"proposed": {"kind": "open_app", "app": "Radio"}, "executed": None, "counts": False}
    run.step(key, 2, 1, result="rejected", message="there is no Radio; there is Clock", **refused)
    drag = {"kind": "drag", "start": {"x": 0.2, "y": 0.2}, "end": {"x": 0.6, "y": 0.8}}
    done = [changed("heard", 1), changed("sent", 1, "Ada has it")]
    run.step(key, 3, 1, env="desktop", proposed=drag, executed=drag, changes=done, completed=3)
    last = {"phone": run.look("phone", 6, 3), "desktop": run.look("desktop", 7, 3)}
    run.end(key, "success", 4, changes=[changed("nothing else", 1)], observations=last, steps=4)

    run.begin("note#0.0", EVIL)
    run.turn("note#0.0", 0, {"phone": run.look("phone", 8, 0)}, thought=EVIL, notes=[EVIL])
    run.step("note#0.0", 0, 0, proposed={"kind": "type", "text": EVIL}, executed={"kind": "type", "text": EVIL})
    run.turn("note#0.0", 1, {"phone": run.look("phone", 9, 1)})
    run.step("note#0.0", 1, 1, result="malformed", message=EVIL, proposed=None, executed=None, env="", counts=False)
    run.end("note#0.0", "done", 1, status="success", detail=EVIL)

    run.begin("ring#0.0")
    run.turn("ring#0.0", 0, {"phone": run.look("phone", 10, 0)})
    run.end("ring#0.0", "void", 0, detail="the phone is gone")

    run.begin("torn#0.0")
    run.turn("torn#0.0", 0, {"phone": run.look("phone", 11, 0)})
    run.step("torn#0.0", 0, 0, completed=1)
    run.journal.close()
    return run


def data_of(page: Path, number: int) -> Any:
    text = (page.with_suffix("") / f"{number}.js").read_text("ascii")
    return json.loads(text.removeprefix(f"omnipilotEpisode({number},").removesuffix(");\n"))


def test_every_verb_has_words() -> None:
    for kind in set(VERBS) - {"custom"}:
        assert kind not in action({"kind": kind, "keys": ["ctrl", "a"], "at": "Save", "end": "there"}), kind
    assert action({"kind": "warp", "factor": 9}) == "warp(factor=9)"
    assert action(None) == ""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"kind": "click", "at": "Save", "count": 2, "modifiers": ["ctrl"]}, "Ctrl+double-click “Save”"),
        ({"kind": "click", "at": {"id": "b7"}, "button": "right"}, "Right-click [b7]"),
        ({"kind": "click"}, "Click at the cursor"),
        ({"kind": "type", "text": "hi", "at": "To", "submit": True}, "Type “hi” into “To”, then Enter"),
        ({"kind": "drag", "end": {"x": 0.5, "y": 1.0}}, "Drag from the cursor to (0.500, 1.000)"),
        ({"kind": "scroll", "direction": "down", "amount": 1.0}, "Scroll down 1 notch"),
        ({"kind": "press", "keys": ["ctrl", "s"], "repeat": 3}, "Press ctrl+s × 3"),
        ({"kind": "custom", "name": "shake", "arguments": {"times": 2}}, "shake(times=2)"),
    ],
)
def test_actions_in_words(data: dict[str, Any], words: str) -> None:
    assert action(data) == words


def test_endings_in_words() -> None:
    assert ending("success", "", True) == "Solved"
    assert ending("done", "success", False).startswith("False completion")
    assert ending("turns", "", False) == "Turn limit reached"


def test_a_sound_becomes_peaks() -> None:
    assert peaks(AudioClip.from_array(np.zeros(100, np.int16))) == ""
    assert peaks(AudioClip.from_array(np.array([0, 1, 0, -32768], np.int16)), bars=4) == "010f"
    assert len(peaks(AudioClip.from_array(np.full(100_000, 5, np.int16)))) == 48


def test_what_a_critic_changed_is_not_called_grounding() -> None:
    assert is_only_grounded({"kind": "click", "at": "Save"}, {"kind": "click", "at": {"x": 0.5, "y": 0.5}})
    assert not is_only_grounded({"kind": "click", "at": "Save"}, {"kind": "press", "keys": ["Enter"]})
    # Anchors are filled in as the action is carried out, and nothing else is put in their place.
    named = {"kind": "type", "text": "It is {@code-1}."}
    assert is_only_grounded(named, {"kind": "type", "text": "It is 4711."})
    assert not is_only_grounded(named, {"kind": "type", "text": "No."})
    at = {"kind": "click", "at": {"x": 0.1, "y": 0.5}}
    assert not is_only_grounded(at, {"kind": "click", "at": {"x": 0.9, "y": 0.5}})


def test_both_places_are_drawn_where_they_differ() -> None:
    values: dict[str, Any] = dict.fromkeys(("env", "result", "message"), "")
    values |= {"proposed": {"kind": "click", "at": {"x": 0.1, "y": 0.5}}, "counts": True, "look": None}
    values |= {"executed": {"kind": "click", "at": {"x": 0.9, "y": 0.5}}, "pointed": [], "start": 0, "end": 0}
    step = StepTaken("k", 1, 0, 0, usage={}, changes=[], completed=0, seconds={}, **values)
    assert overlay_of(step)["points"] == [[0.9, 0.5]]
    assert overlay_of(step)["meant"] == [[0.1, 0.5]]


def verdict(right: bool | None, target: str = "Save", hit: str = "Cancel", why: str = "") -> dict[str, Any]:
    box = {"left": 0.4, "top": 0.5, "right": 0.6, "bottom": 0.55}
    asked = None if right is None else {"id": "e1", "role": "button", "name": target, "box": box}
    return {
        "target": target,
        "right": right,
        "asked": asked,
        "hit": {"id": "e2", "role": "button", "name": hit, "box": box} if hit else None,
        "why": why,
    }


def pointed_at(x: float, y: float) -> list[dict[str, Any]]:
    return [{"target": "Save", "x": x, "y": y, "box": None, "grounder": "some"}]


def fill_pointing(folder: Path) -> Path:
    """An episode that points right, wrong, not at all, and where it cannot be told; and one without verdicts."""
    writer = Writer(folder)
    looks = {env: writer.look(env, 90, 0.0) for env in ("phone", "desktop")}
    steps = [
        ({"x": 0.5, "y": 0.52}, [verdict(True, hit="Save")]),
        ({"x": 0.1, "y": 0.1}, [verdict(False)]),
        (None, [verdict(False, hit="", why="it was not found")]),
        ({"x": 0.9, "y": 0.9}, [verdict(None, "the icon by Alice", why="no element on the screen is called that")]),
    ]
    for key, told in (("mail#0.0", True), ("note#0.0", False)):
        writer.begin(key)
        for number, (at, verdicts) in enumerate(steps):
            writer.turn(key, number, looks)
            made = {"executed": at and {"kind": "click", "at": at}, "pointed": pointed_at(**at) if at else []}
            made |= {"result": "done" if at else "not_found", "pointing": verdicts if told else []}
            writer.step(key, number, number, **made)
        writer.end(key, "turns", 0, steps=4)
    return folder


def test_what_was_asked_for_and_hit_is_told_with_each_step(tmp_path: Path) -> None:
    page = write_report([fill_pointing(tmp_path / "x")])
    told, untold = index_of(page)["episodes"]
    assert (told["told"], told["right"], told["miss"]) == (3, 1, "1")
    assert not {"told", "right", "miss"} & untold.keys()
    data = data_of(page, told["file"])
    assert ["pointed right", "1/3"] in data["numbers"]
    assert [step["drawn"]["judged"] for step in data["steps"]] == [
        [{"right": True, "box": [0.4, 0.5, 0.6, 0.55], "point": [0.5, 0.52]}],
        [{"right": False, "box": [0.4, 0.5, 0.6, 0.55], "point": [0.1, 0.1]}],
        [{"right": False, "box": [0.4, 0.5, 0.6, 0.55], "point": None}],
        [],
    ]
    other = data_of(page, untold["file"])
    assert [step["drawn"]["judged"] for step in other["steps"]] == [[]] * 4
    assert "pointed right" not in dict(other["numbers"])


def test_data_of_episodes(tmp_path: Path) -> None:
    fill(tmp_path / "runs" / "a b#%")
    page = write_report([tmp_path / "runs" / "a b#%"], None, TABLE)
    assert page == tmp_path / "runs" / "a b#%" / "report.html"
    index = index_of(page)
    marks = {e["key"]: e["mark"] for e in index["episodes"]}
    assert marks == {"mail#0.0": "solved", "note#0.0": "failed", "ring#0.0": "void", "torn#0.0": "cut"}
    assert index["runs"][0]["media"] == "media/"
    mail = data_of(page, index["episodes"][0]["file"])
    assert [step["grounded"] for step in mail["steps"]] == [True, True, False, True]
    assert [time for time, _ in mail["turns"][1]["looks"]["desktop"]["video"]["frames"]] == [1.0, 1.25, 1.5, 1.75]
    assert mail["turns"][1]["looks"]["desktop"]["audio"]["wave"] == ""
    assert set(mail["turns"][1]["looks"]["phone"]["audio"]["wave"]) == {"0", "a"}
    assert data_of(page, index["episodes"][1]["file"])["instruction"] == EVIL


def test_what_each_part_took_and_each_element_once(tmp_path: Path) -> None:
    page = write_report(write_pair(tmp_path), keys=["mail#0.0"])
    episodes = index_of(page)["episodes"]
    assert [one["key"] for one in episodes] == ["mail#0.0"] * 2
    assert episodes[0]["spent"] == {
        "planner": [4, 5600, 240, 0.0084, 0.8],
        "grounder": [4, 5600, 240, 0.0084, 5.2],
        "environment": [0, 0, 0, 0.0, 0.04],
        "judges": [0, 0, 0, 0.0, 0.0004],
    }
    assert episodes[0]["facets"]["environment"] == ["phone"]
    text = (page.with_suffix("") / "0-elements.js").read_text("ascii")
    data = json.loads(text.removeprefix("omnipilotElements(0,").removesuffix(");\n"))
    [[_, places]] = data["screens"]
    assert [data["items"][place]["id"] for place in places] == ["form", "to", "save"]
    assert data["items"][places[2]]["box"] == [0.2, 0.7, 0.3, 0.8]


def test_no_text_of_a_run_can_end_the_script(tmp_path: Path) -> None:
    fill(tmp_path / "x")
    page = write_report([tmp_path / "x"])
    text = page.read_text("utf-8")
    assert text.count("</script>") == 2
    assert "\u2028" not in text
    for file in page.with_suffix("").glob("*.js"):
        assert "<" not in file.read_text("ascii")


def test_the_last_complete_attempt_counts(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    for attempt, reason in ((1, "void"), (2, "turns"), (3, None)):
        run.begin("mail#0.0", f"attempt {attempt}", attempt)
        run.turn("mail#0.0", 0, {}, attempt)
        if reason:
            run.end("mail#0.0", reason, 1, attempt)
    run.journal.close()
    page = write_report([tmp_path / "x"])
    [entry] = index_of(page)["episodes"]
    assert (entry["mark"], entry["text"]) == ("failed", "attempt 2")
    assert data_of(page, entry["file"])["attempt"] == 2


def test_an_episode_that_nobody_judged_is_no_failed_one(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    run.begin("mail#0.0", "as I like it", 1)
    run.turn("mail#0.0", 0, {}, 1)
    run.end("mail#0.0", "unjudged", 1, 1)
    run.journal.close()
    [entry] = index_of(write_report([tmp_path / "x"]))["episodes"]
    assert entry["mark"] == "unjudged"


def test_a_shorter_report_leaves_nothing_of_the_longer_one(tmp_path: Path) -> None:
    fill(tmp_path / "long")
    Writer(tmp_path / "short").journal.close()
    out = tmp_path / "r.html"
    write_report([tmp_path / "long"], out)
    assert len(list((tmp_path / "r").iterdir())) == 8, "a script and a timeline an episode"
    write_report([tmp_path / "short"], out)
    assert list((tmp_path / "r").iterdir()) == []


def test_several_runs_share_a_page(tmp_path: Path) -> None:
    for name, planner in (("one", "rules"), ("two", "noop"), ("three", "noop")):
        fill(tmp_path / "runs" / name, planner)
    page = write_report([tmp_path / "runs" / name for name in ("one", "two", "three")])
    assert page == tmp_path / "runs" / "report.html"
    index = index_of(page)
    assert [run["label"] for run in index["runs"]] == ["rules", "two · noop", "three · noop"]
    assert [run["media"] for run in index["runs"]] == ["one/media/", "two/media/", "three/media/"]
    assert len(index["episodes"]) == 12
    elsewhere = index_of(write_report([tmp_path / "runs" / "one"], tmp_path / "shared" / "page.html"))
    assert elsewhere["runs"][0]["media"] == "../runs/one/media/"


def test_what_cannot_be_a_report_is_refused(tmp_path: Path) -> None:
    fill(tmp_path / "x")
    with pytest.raises(ConfigError, match="at least one"):
        write_report([])
    with pytest.raises(ConfigError, match="no run in"):
        write_report([tmp_path / "nowhere"])
    with pytest.raises(ConfigError, match=r"x\.html"):
        write_report([tmp_path / "x"], tmp_path / "x")
    with pytest.raises(ConfigError, match="run's directory"):
        write_report([tmp_path / "x"], tmp_path / "x.html")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported") / "a run#1 100%"
    fill(folder)
    return write_report([folder], None, TABLE)


@pytest.mark.slow
@pytest.mark.web
def test_the_table_is_there_and_nothing_else_is_loaded(visit: Visit, report: Path) -> None:
    visit.open(report)
    cells = visit.page.locator("main table").first.locator("td").all_inner_texts()
    assert cells == ["duet", "rules", "1/3", "33.3"]
    assert visit.page.get_by_text("void counts as zero").is_visible()
    assert visit.page.get_by_text("Terms: omnipilot list terms").is_visible()
    assert visit.page.locator("main th abbr", has_text="SR %").get_attribute("title").startswith("success rate")
    assert visit.page.locator("#score").inner_text().startswith("1 of 4 episodes solved")
    assert [url for url in visit.asked if not url.startswith("data:")] == [report.as_uri()]


@pytest.mark.slow
@pytest.mark.web
def test_an_episode_is_stepped_through(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report)
    page.locator("#episodes .row").first.click()
    visit.settled(2)
    assert page.locator("h1").inner_text() == "Mail the code."
    assert page.locator(".outcome").inner_text() == "Solved"
    assert page.locator(".executed").inner_text().startswith("phone\nClick “Save”")
    assert page.locator(".grounded").inner_text() == "executed: Click (0.250, 0.750)"
    assert page.locator(".thought").inner_text() == "thought 0"
    assert len(visit.pictures()) == 2
    assert not any(url.endswith(".wav") for url in visit.asked)

    page.locator("#next").click()
    page.wait_for_selector("#place:text('2 / 5')")
    visit.settled(2)
    assert page.locator(".screen.acting").get_attribute("data-env") == "desktop"
    assert "new screenshot" in page.locator(".acting figcaption").inner_text()
    assert len(visit.pictures()) == 3, "the phone's picture is the turn's, the desktop's is the fresh look"

    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".message.invalid")
    assert page.locator(".message.invalid").inner_text() == "there is no Radio; there is Clock"
    assert page.locator(".result").inner_text() == "✕ rejected"

    page.keyboard.press("End")
    page.wait_for_selector("#place:text('5 / 5')")
    visit.settled(2)
    assert page.locator(".executed").inner_text() == "The end: Solved"
    assert len(visit.pictures()) == 7
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#place:text('4 / 5')")

    page.keyboard.press("ArrowDown")
    page.wait_for_selector("header.episode b:text('note')")
    page.keyboard.press("Escape")
    page.wait_for_selector(".overview")


@pytest.mark.slow
@pytest.mark.web
def test_a_late_word_of_the_address_does_not_turn_back(visit: Visit, report: Path) -> None:
    """A key is pressed after the page wrote its address and before the browser tells that it did."""
    visit.open(report)
    visit.page.locator("#episodes .row").first.click()
    visit.settled(2)
    visit.page.evaluate(
        """async () => {
            const right = {key: "ArrowRight", bubbles: true};
            const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", right));
            const later = window.setTimeout;
            const told = new Promise(done => addEventListener("hashchange", done, {once: true}));
            let due = null;
            window.setTimeout = (call, wait, ...given) => { due = () => call(...given); return 0; };
            press();
            due();
            press();
            await told;
            window.setTimeout = later;
        }"""
    )
    visit.page.wait_for_selector(".message.invalid")
    visit.page.go_back()
    visit.page.wait_for_selector(".overview")
    visit.page.go_forward()
    visit.page.wait_for_selector("#place:text('2 / 5')")


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("close", ["back", "click", "escape"])
def test_back_closes_an_enlarged_picture_and_nothing_else(visit: Visit, report: Path, close: str) -> None:
    page = visit.page
    visit.open(report)
    page.locator("#episodes .row").first.click()
    visit.settled(2)
    before = page.url
    page.locator("#next").click()
    page.wait_for_selector("#place:text('2 / 5')")
    page.wait_for_function("before => location.href !== before", arg=before)
    there = page.url
    for _ in range(2):
        page.locator("#stage .frame").first.click()
        page.wait_for_selector("#zoom[open] img")
        if close == "back":
            page.go_back()
        elif close == "click":
            page.locator("#zoom").click()
        else:
            page.keyboard.press("Escape")
        page.wait_for_selector("#zoom", state="hidden")
        # However it was closed, it leaves nothing to go back to.
        page.wait_for_function("() => history.state === null")
        assert page.url == there
    page.go_back()
    page.wait_for_selector(".overview")
    assert not page.locator("#zoom[open]").count()


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("width", [1900, 1100, 420])
def test_marks_are_where_it_was_done(launched_browser: Any, report: Path, width: int) -> None:
    visit = Visit(launched_browser, width)
    for step, env, place in (("0", "phone", (0.25, 0.75)), ("1", "desktop", (0.9, 0.1)), ("3", "desktop", (0.2, 0.2))):
        visit.open(report, f"#0/mail%230.0/{step}")
        visit.page.wait_for_selector(f".screen.acting[data-env={env}] .pin.point svg")
        visit.settled(2)
        image = visit.page.locator(f".screen[data-env={env}] img").bounding_box()
        ring = visit.page.locator(".pin.point svg").bounding_box()
        size = SIZES[env]
        assert image["width"] / image["height"] == pytest.approx(size.width / size.height, rel=0.02)
        assert ring["x"] + ring["width"] / 2 == pytest.approx(image["x"] + place[0] * image["width"], abs=1)
        assert ring["y"] + ring["height"] / 2 == pytest.approx(image["y"] + place[1] * image["height"], abs=1)
    line = visit.page.locator("svg.line .over").bounding_box()
    assert line["x"] == pytest.approx(image["x"] + 0.2 * image["width"], abs=2)
    assert line["x"] + line["width"] == pytest.approx(image["x"] + 0.6 * image["width"], abs=2)
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.context.close()


@pytest.mark.slow
@pytest.mark.web
def test_the_box_that_was_found_is_drawn(visit: Visit, report: Path) -> None:
    visit.open(report, "#0/mail%230.0/0")
    visit.settled(2)
    image = visit.page.locator(".acting img").bounding_box()
    box = visit.page.locator(".found").bounding_box()
    assert box["x"] == pytest.approx(image["x"] + 0.2 * image["width"], abs=1)
    assert box["height"] == pytest.approx(0.1 * image["height"], abs=1)


@pytest.mark.slow
@pytest.mark.web
def test_misses_are_drawn_said_and_found(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.open(write_report([fill_pointing(tmp_path / "x")]), "#0/mail%230.0/0")
    visit.settled(2)
    assert page.locator(".aimed").inner_text() == "✓ pointed right\nasked for button “Save”"
    assert page.locator(".pin.point.right").count() == page.locator(".asked.right").count() == 1
    assert page.locator("#episodes .aim").all_inner_texts() == ["2 of 3 missed"]
    assert page.locator("#steps .miss").count() == 2
    page.keyboard.press("m")
    page.wait_for_selector("#place:text('2 / 5')")
    assert page.locator(".aimed").inner_text() == "✕ pointed wrong\nasked for button “Save”, hit button “Cancel”"
    image, box = (page.locator(f".acting {one}").bounding_box() for one in ("img", ".asked.wrong"))
    assert box["x"] == pytest.approx(image["x"] + 0.4 * image["width"], abs=2)
    assert page.locator(".pin.miss").count() == page.locator("svg.gap").count() == 1
    assert page.locator(".pin.point").count() == 0
    page.keyboard.press("m")
    page.wait_for_selector("#place:text('3 / 5')")
    assert page.locator(".aimed").inner_text() == "✕ missed\nasked for button “Save”: it was not found"
    assert page.locator(".asked.wrong").inner_text() == "✕ not found"
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#place:text('4 / 5')")
    assert page.locator(".aimed.untold").inner_text().endswith("no element on the screen is called that")
    assert page.locator(".asked").count() == 0 and page.locator(".pin.point").count() == 1
    page.keyboard.press("Shift+M")
    page.wait_for_selector("#place:text('3 / 5')")
    page.locator("#marks [data-mark=missed]").click()
    assert page.locator("#episodes .row").count() == 1
    visit.open(tmp_path / "x" / "report.html", "#0/note%230.0/1")
    visit.settled(2)
    assert page.locator(".aimed").count() == 0 and page.locator(".pin.point").count() == 1


@pytest.mark.slow
@pytest.mark.web
def test_the_judges_states_after_each_step(visit: Visit, report: Path) -> None:
    def states() -> dict[str, str]:
        nodes = visit.page.locator(".node").all()
        return {node.get_attribute("data-node"): node.get_attribute("data-state") for node in nodes}

    visit.open(report, "#0/mail%230.0/0")
    visit.page.wait_for_selector(".node")
    first = {"opened": "completed", "heard": "evaluating", "sent": "waiting", "nothing else": "waiting"}
    assert states() == first
    assert visit.page.locator(".node.moved").count() == 2
    assert visit.page.locator(".changes").inner_text() == "opened reached — it is open\nheard 50 %"
    visit.page.wait_for_function("document.querySelectorAll('.edges path').length === 3")
    visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_selector("#place:text('2 / 5')")
    assert states() == first
    assert visit.page.locator(".node.moved").count() == 0
    visit.page.keyboard.press("End")
    visit.page.wait_for_selector("#place:text('5 / 5')")
    assert set(states().values()) == {"completed"}


@pytest.mark.web
def test_sound_and_motion_load_when_they_are_asked_for(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report, "#0/mail%230.0/2")
    visit.settled(2)
    phone = page.locator(".channel[data-env=phone]")
    assert "1.00 – 2.00 s" in phone.inner_text()
    assert "Clock · Alarms" in phone.inner_text()
    assert page.locator(".channel[data-env=desktop] .sound").inner_text().endswith("silent")
    audio = phone.locator("audio")
    assert audio.get_attribute("preload") == "none"
    assert not any(url.endswith(".wav") for url in visit.asked)
    assert audio.evaluate(
        "a => new Promise((yes, no) => { a.onloadedmetadata = () => yes(a.duration); a.onerror = no; a.load();"
        " a.preload = 'metadata'; })"
    ) == pytest.approx(1.0, abs=0.01)
    assert next(url for url in visit.asked if url.endswith(".wav")).startswith(report.parent.as_uri() + "/media/")

    before = len(visit.pictures())
    page.locator(".motion summary").click()
    frame = "f => { const i = document.querySelector('.motion img'); return i.complete && i.naturalWidth > 0; }"
    page.wait_for_function(frame)
    assert len(visit.pictures()) == before + 1
    page.locator(".motion input").fill("3")
    page.wait_for_selector(".motion .quiet:text('1.75 s')")
    page.wait_for_function(frame)
    assert len(visit.pictures()) == before + 2


@pytest.mark.web
def test_what_was_withheld_is_said(visit: Visit, report: Path) -> None:
    visit.open(report, "#0/mail%230.0/0")
    said = visit.page.locator(".channel[data-env=phone] .withheld").inner_text()
    assert "no video: not requested" in said
    assert "no context: ablated" in said, "the run withholds it"
    assert "no elements: failed: no tree" in said
    assert "screenshot: not shown to the agent" in said


@pytest.mark.slow
@pytest.mark.web
def test_what_the_planner_was_told_is_shown_with_its_source(visit: Visit, tmp_path: Path) -> None:
    writing = Writer(tmp_path / "run")
    writing.begin("mail#0.0")
    told = [{"env": "phone", "source": "transcript", "text": "1.0 s to 2.5 s, speech: <b>4711</b>"}]
    told.append({"env": "", "source": "advice", "text": "Do something else."})
    for turn, notes in enumerate((told, told[1:], [])):
        writing.turn("mail#0.0", turn, {"phone": writing.look("phone", 9, float(turn))}, told=notes)
        writing.step("mail#0.0", turn, turn)
    writing.end("mail#0.0", "done", 0)
    writing.journal.close()
    page = write_report([tmp_path / "run"], None, TABLE)
    visit.open(page, "#0/mail%230.0/0")
    box = visit.page.locator("details.told")
    assert box.locator("summary").inner_text() == "The planner was told: transcript, advice"
    assert box.locator("p").all_inner_texts() == [
        "phonetranscript 1.0 s to 2.5 s, speech: <b>4711</b>",
        "advice Do something else.",
    ]
    assert box.get_attribute("open") is not None, "what was heard is not hidden"
    visit.page.locator("#next").click()
    visit.page.wait_for_selector("#place:text('2 / 4')")
    assert box.get_attribute("open") is None
    visit.page.locator("#next").click()
    visit.page.wait_for_selector("#place:text('3 / 4')")
    assert box.count() == 0


def test_what_a_run_was_made_with_is_told_in_words(tmp_path: Path) -> None:
    fill(tmp_path / "run")
    facts = dict(about_run(tmp_path / "run", list(read(tmp_path / "run")), tmp_path)["facts"])
    assert facts["libraries"] == "numpy 2.1, av 15.0" and facts["version"] == "0.1.0"


@pytest.mark.slow
@pytest.mark.web
def test_the_judges_are_as_tall_as_they_need_and_tags_that_say_nothing_are_not_shown(
    visit: Visit, report: Path
) -> None:
    visit.open(report, "#0/mail%230.0/0")
    visit.page.wait_for_selector(".graph .edges path", state="attached")
    assert visit.page.evaluate("(g => g.scrollHeight <= g.clientHeight)(document.querySelector('.graph'))")
    chips = visit.page.locator("h1 ~ * .badge, .badge[title]").all_inner_texts()
    assert "level: 2" in chips and not any(chip.startswith("capability") for chip in chips)


@pytest.mark.slow
@pytest.mark.web
def test_text_of_a_run_is_only_ever_text(visit: Visit, report: Path) -> None:
    visit.open(report, "#0/note%230.0/0")
    visit.settled(1)
    shown = re.sub(r"\s+", " ", EVIL)
    for place in ("h1", ".thought", ".notes", ".executed"):
        assert shown in re.sub(r"\s+", " ", visit.page.locator(place).text_content()), place
    visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_selector(".message.invalid")
    assert visit.page.evaluate("window.hacked") is None
    assert visit.page.locator("img[src='x']").count() == 0


@pytest.mark.slow
@pytest.mark.web
def test_episodes_are_filtered_and_a_cell_leads_to_them(visit: Visit, tmp_path: Path) -> None:
    for name in ("rules", "noop"):
        fill(tmp_path / name, name)
    page = visit.page
    visit.open(write_report([tmp_path / "rules", tmp_path / "noop"]))
    rows = page.locator("#episodes .row")
    assert rows.count() == 8
    page.locator("#marks [data-mark=void]").click()
    assert rows.locator("b").all_inner_texts() == ["ring", "0/4"] * 2
    page.locator("#marks [data-mark=all]").click()
    page.locator("#search").fill("CODE mail")
    assert rows.locator(".lines:first-of-type b").all_inner_texts() == ["mail", "mail"]
    page.locator("#search").fill("")
    page.locator("#task").select_option("note")
    page.locator("#run").select_option(label="noop")
    assert rows.count() == 1
    page.keyboard.press("Escape")
    page.locator("main .share").nth(1).click()
    page.wait_for_selector("header.episode")
    assert page.locator("header.episode .line").first.inner_text().split("\n")[1:4] == ["mail", "#0.0", "noop"]
    assert rows.count() == 1


@pytest.mark.slow
@pytest.mark.web
def test_a_missing_picture_and_a_missing_episode_are_said(visit: Visit, tmp_path: Path) -> None:
    run = fill(tmp_path / "x")
    page = write_report([tmp_path / "x"])
    (page.with_suffix("") / "1.js").unlink()
    digest = picture("phone", 10).digest
    (run.folder / "media" / digest[:2] / f"{digest}.png").unlink()
    visit.open(page, "#0/ring%230.0")
    visit.page.wait_for_selector(".missing:text('not in the run')")
    assert visit.page.locator(".executed").inner_text() == "Nothing was proposed in this turn"
    visit.page.goto(page.as_uri() + "#0/note%230.0")
    visit.page.wait_for_selector(".empty:text('must lie beside this page')")
    assert all("ERR_FILE_NOT_FOUND" in said for said in visit.complaints)
    visit.complaints.clear()


CONCLUSION = ("rules solved 1 of 3 episodes: 33.3\u00a0%, 95\u00a0% interval 6.1 to 79.2.",)


@pytest.fixture(scope="module")
def concluded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("concluded") / "run"
    fill(folder)
    return write_report([folder], None, TABLE, conclusion=CONCLUSION)


@pytest.mark.web
def test_the_conclusion_stands_above_the_table(visit: Visit, concluded: Path) -> None:
    visit.open(concluded)
    said, table = visit.page.locator(".conclusion"), visit.page.locator("main table").first
    assert said.inner_text() == CONCLUSION[0]
    assert said.bounding_box()["y"] + said.bounding_box()["height"] <= table.bounding_box()["y"]


@pytest.mark.slow
@pytest.mark.web
def test_failed_episodes_come_first_where_asked_for_and_the_address_keeps_it(visit: Visit, report: Path) -> None:
    page = visit.page
    visit.open(report)

    def order() -> list[str]:
        return [row.split("\n")[1] for row in page.locator("#episodes .row").all_inner_texts()]

    def tasks() -> list[str]:
        return page.locator(".matrix tbody th").all_inner_texts()

    assert order() == tasks() == ["mail", "note", "ring", "torn"]
    page.keyboard.press("x")
    page.wait_for_function("location.hash === '#?first=failed'")
    assert order() == ["note", "torn", "ring", "mail"]
    assert tasks() == ["note", "ring", "torn", "mail"]
    assert page.locator("#failed").get_attribute("aria-pressed") == "true"
    page.locator("#episodes .row").first.click()
    page.wait_for_function("location.hash.startsWith('#0/note') && location.hash.endsWith('?first=failed')")
    page.reload()
    page.wait_for_selector("header.episode b:text('note')")
    assert order()[0] == "note"
    page.locator("#marks [data-mark=void]").click()
    page.wait_for_function("location.hash.endsWith('?first=failed&only=void')")
    assert order() == ["ring"]
    # The button can be reached and pressed without a mouse.
    page.locator("#failed").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash.endsWith('?only=void')")
    visit.open(report, "#?first=failed&only=nonsense")
    assert order() == ["note", "torn", "ring", "mail"]
    page.locator("#brand").click()
    assert order()[0] == "note", "the way back to the tables does not forget it"


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("width", [360, 400])
@pytest.mark.parametrize("several", [False, True])
def test_a_phone_shows_results_and_no_names_that_are_the_same(
    launched_browser: Any, tmp_path: Path, width: int, several: bool
) -> None:
    rows = (("duet", "rules", "1/3", "33.3"), ("duet", "a planner with quite a long name", "·", "0.0"))
    fill(tmp_path / "one")
    fill(tmp_path / "two", "noop")
    table = Table(TABLE.columns, rows if several else rows[:1], TABLE.notes, 2)
    runs = [tmp_path / "one", tmp_path / "two"] if several else [tmp_path / "one"]
    written = write_report(runs, tmp_path / "r.html", table, conclusion=CONCLUSION)
    with visiting(launched_browser, width, 844) as visit:
        visit.open(written)
        for cell in visit.page.locator(".grid td:text-is('duet')").all():
            assert not cell.is_visible()
        assert visit.page.locator(".grid td:text-is('rules')").first.is_visible() == several
        once = visit.page.locator(".once").inner_text()
        assert once == ("suite duet" if several else "suite duet · planner rules")
        shown = visit.page.locator(".grid td:text-is('1/3')").first
        figure, below = shown.bounding_box(), visit.page.locator(".once").bounding_box()
        assert figure["y"] + figure["height"] <= below["y"] and figure["x"] + figure["width"] <= width
        name = "getComputedStyle(document.querySelector('main td.figure'), '::before').content"
        assert visit.page.evaluate(name) == '"solved "'
        assert not visit.page.locator(".grid td:text-is('·')").is_visible()
        for where in ("", "#0/mail%230.0/2", "#0/mail%230.0/2/messages", "#0/mail%230.0/2/time", "#0/mail%230.0/2/map"):
            visit.open(written, where)
            wide = "[...document.querySelectorAll('main *')]"
            wide += ".filter(e => !e.closest('.scroll, svg, .map-field, .lanes, .frame') &&"
            wide += " e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.outerHTML.slice(0, 80))"
            visit.page.wait_for_timeout(100)
            assert visit.page.evaluate(wide) == [], where
            assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_judges_are_seen_without_scrolling(launched_browser: Any, report: Path, size: tuple[int, int]) -> None:
    with visiting(launched_browser, *size) as visit:
        visit.open(report, "#0/mail%230.0/3")
        visit.settled(2)
        assert visit.page.locator(".judges h3").inner_text() == "Judges: 3 of 4 sub-goals reached"
        for node in visit.page.locator(".judges .node").all():
            box = node.bounding_box()
            assert box["y"] + box["height"] <= size[1], node.inner_text()


def fill_waiting(folder: Path) -> Path:
    """48 equal waits, a click, and four waits that get longer."""
    run = Writer(folder)
    look = run.look("phone", 1, 0.0)
    run.begin("mail#0.0", "Wait for it. " * 60)
    seconds = [5.0] * 48 + [None, 1.0, 2.0, 4.0, 8.0]
    for number, long in enumerate(seconds):
        run.turn("mail#0.0", number, {"phone": look})
        wait = {"kind": "wait", "seconds": long}
        run.step("mail#0.0", number, number, **({"proposed": wait, "executed": wait} if long else {}))
    moves = [{"env": "phone", "intent": {"kind": "wait", "seconds": 2.0}}] * 3
    run.turn(
        "mail#0.0",
        len(seconds),
        {"phone": look},
        moves=[*moves, {"env": "phone", "intent": {"kind": "click", "at": "Save"}}],
    )
    run.step("mail#0.0", len(seconds), len(seconds))
    run.end("mail#0.0", "turns", 0)
    run.journal.close()
    return folder


@pytest.mark.slow
@pytest.mark.web
def test_repeated_moves_are_one_line_that_opens(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.open(write_report([fill_waiting(tmp_path / "x")]), "#0/mail%230.0/0")
    visit.settled(1)

    def lines() -> list[str]:
        return page.locator("#steps .words").all_inner_texts()

    folded = ["Wait 5 s × 48", "Click “Save”", "Wait × 4, 15 s in all", "Click “Save”", "The end"]
    assert lines() == folded
    assert page.locator("#steps .row[aria-selected=true] .range").inner_text() == "1–48"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#place:text('2 / 55')")
    assert page.locator("#steps .row[aria-selected=true] .words").inner_text() == "Wait 5 s × 48"
    page.locator("#steps .folds").nth(1).click()
    page.wait_for_selector("#place:text('50 / 55')")
    assert lines()[2:7] == ["Wait × 4, 15 s in all", "Wait 1 s", "Wait 2 s", "Wait 4 s", "Wait 8 s"]
    assert page.locator("#steps .row[aria-selected=true] .words").inner_text() == "Wait 1 s"
    assert page.locator("#steps .folds").nth(1).get_attribute("aria-expanded") == "true"
    page.keyboard.press("e")
    assert lines() == folded
    page.keyboard.press("e")
    assert len(lines()) == len(folded) + 4
    page.keyboard.press("e")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#place:text('54 / 55')")
    assert page.locator(".moves li").all_inner_texts() == [
        "phoneWait 2 s",
        "phoneWait 2 s × 2 — not reached",
        "phoneClick “Save” — not reached",
    ]
    # The instruction is long, and whole where asked for.
    high = page.locator("h1").bounding_box()["height"]
    page.get_by_role("button", name="whole instruction").click()
    assert page.locator("h1").bounding_box()["height"] > 1.5 * high


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_figure_has_the_ground_of_the_page(launched_browser: Any, tmp_path: Path, scheme: str) -> None:
    fill(tmp_path / "x")
    white = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='200'><rect width='400' height='200' fill='#fff'/>"
    )
    svg = white + "<rect x='150' y='50' width='100' height='100' fill='#1a1a1a'/></svg>"
    written = write_report([tmp_path / "x"], sections=[Section("Sweep", (), svg)])
    with visiting(launched_browser, color_scheme=scheme) as visit:
        visit.open(written)
        visit.page.wait_for_function("() => document.querySelector('.figure-file')?.naturalWidth > 300")
        pixels = np.asarray(
            PIL.Image.open(BytesIO(visit.page.locator(".figure-file").screenshot())).convert("RGB")
        ).astype(int)
        panel = visit.page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")
    ground, ink = pixels[10, 10], pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]
    assert ground.tolist() == [int(part) for part in re.findall(r"\d+", panel)]
    assert abs(ground - ink).min() > 120, "what is drawn can be read"


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("close", ["back", "escape"])
def test_back_closes_a_recalled_picture_too(visit: Visit, tmp_path: Path, close: str) -> None:
    run = Writer(tmp_path / "x")
    run.begin("mail#0.0")
    look = run.look("phone", 9, 0.0)
    given = {"role": "planner", "source": "window", "env": "phone", "turn": 0, "time": 0.0, "text": "", "why": ""}
    given["media"] = {"kind": "image", "digest": look["screenshot"], "start": 0.0, "end": 0.0}
    run.turn("mail#0.0", 0, {"phone": look}, recalled=[given])
    run.step("mail#0.0", 0, 0)
    run.end("mail#0.0", "turns", 0)
    run.journal.close()
    page = visit.page
    visit.open(write_report([tmp_path / "x"]), "#0/mail%230.0/0")
    visit.settled(1)
    there = page.url
    page.locator("#stage img.given").click()
    page.wait_for_selector("#zoom[open] img")
    page.go_back() if close == "back" else page.keyboard.press("Escape")
    page.wait_for_selector("#zoom", state="hidden")
    page.wait_for_function("() => history.state === null")
    assert page.url == there
    # Loaded anew while it is large, the page is where it was, with nothing of it left to go back to.
    page.locator("#stage img.given").click()
    page.wait_for_selector("#zoom[open] img")
    page.reload()
    visit.settled(1)
    page.wait_for_function("() => history.state === null")
    assert page.url == there and not page.locator("#zoom[open]").count()
