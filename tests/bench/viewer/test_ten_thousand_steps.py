"""Ten thousand steps: how soon the page can be used, how much memory it takes, and that clicks and keys reach all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from evidence_runs import SAVE, SCREEN
from report_visit import Visit, visiting
from run_writer import Writer

from omnipilot.bench import write_report
from omnipilot.bench.journal.recorder import elements_to_text

pytestmark = [pytest.mark.slow, pytest.mark.web]

MOST_SECONDS = 2.0
MOST_BYTES = 200e6
"""Of the process that shows the page, private to it, with the engine of scripts and the pictures."""
LOOKS = 50


def write_steps(folder: Path, *episodes: int, name: str = "some", change: int = -1) -> Path:
    """A run of episodes with so many steps each; at the step `change` of each, another place is clicked."""
    run = Writer(folder, planner=name)
    kept = run.store.put_json(elements_to_text(SCREEN)).digest
    elements = {"digest": kept, "count": len(SCREEN.items), "truncated": False}
    looks = [run.look("phone", shade, 0.0, elements=elements, context={"app": "Mail"}) for shade in range(LOOKS)]
    for number, steps in enumerate(episodes):
        key = f"task{number:03d}#0.0"
        run.begin(key, f"Episode {number}.")
        for step in range(steps):
            given = {"role": "planner", "source": "thought", "env": "phone", "turn": max(0, step - 1), "time": 0.0}
            given |= {
                "text": f"what was thought of row {step - 1}, and why it was clicked " * 3,
                "why": "it is the last",
            }
            thought = f"Row {step} is the one that comes after the row that was read in the turn before. " * 2
            run.turn(key, step, {"phone": looks[step % LOOKS]}, thought=thought, recalled=[given] * 3)
            done = {"kind": "click", "at": {"x": 0.5, "y": 0.5}} if step == change else SAVE
            pointed = [{"target": f"Row {step}", **done["at"], "grounder": "elements", "box": None}]
            run.step(key, step, step, proposed={"kind": "click", "at": f"Row {step}"}, executed=done, pointed=pointed)
        run.end(key, "turns", 0, steps=steps)
    run.journal.close()
    return folder


def taken(browser: Any, visit: Visit) -> tuple[float, float]:
    """Of the process that shows the page: seconds of processor time in all its threads, and the bytes that it has to
    itself once what is unused was collected."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    visit.context.new_cdp_session(visit.page).send("HeapProfiler.collectGarbage")
    found = []
    for process in told:
        if process["type"] == "renderer":
            lines = Path(f"/proc/{process['id']}/smaps_rollup").read_text("ascii").splitlines()
            size = sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Private_"))
            found.append((float(size), float(process["cpuTime"])))
    size, seconds = max(found)
    return seconds, size


def opened(browser: Any, visit: Visit, page: Path, where: str, ready: str) -> tuple[float, float]:
    """As `taken`, once the page can be used. A machine with a core to spare has to do it in that time by the clock."""
    spare = os.getloadavg()[0] < (os.cpu_count() or 1) - 1
    visit.page.goto(page.resolve().as_uri() + where)
    visit.page.wait_for_selector(ready)
    clock = float(visit.page.evaluate("performance.now()")) / 1000
    seconds, size = taken(browser, visit)
    busy = "" if spare else " on a busy machine"
    print(f"\n{where or 'first page'}: {clock:.2f} s{busy}, {seconds:.2f} s of processor time, {size / 1e6:.0f} MB")
    return (max(clock, seconds) if spare else seconds), size


def test_many_episodes(launched_browser: Any, tmp_path: Path) -> None:
    page = write_report([write_steps(tmp_path / "many", 2000, *[27] * 297)])
    assert page.stat().st_size < 400_000
    with visiting(launched_browser, 1440, 900) as visit:
        took, first = opened(launched_browser, visit, page, "", ".overview")
        assert len([url for url in visit.asked if url.startswith("file:")]) == 1
        assert took < MOST_SECONDS and first < MOST_BYTES
        at = visit.page
        assert at.locator("#episodes .row").count() < 60
        at.locator("#episodes .row").first.click()
        visit.settled(1)
        assert at.locator("#steps .row").count() < 60
        at.keyboard.press("End")
        at.wait_for_selector("#place:text('2001 / 2001')")
        at.locator("#steps .row", has_text="The end").wait_for()
        for _ in range(297):
            at.keyboard.press("ArrowDown")
        at.wait_for_selector("h1:text('Episode 297.')")
        _, last = taken(launched_browser, visit)
        print(f"after all episodes were looked at: {last / 1e6:.0f} MB")
        assert last < MOST_BYTES


@pytest.mark.parametrize("where", ["5000", "5000/time", "5000/messages"])
def test_one_episode(launched_browser: Any, long_report: Path, where: str) -> None:
    with visiting(launched_browser, 1440, 900) as visit:
        took, size = opened(launched_browser, visit, long_report, f"#0/task000%230.0/{where}", "#stage > *")
        assert took < MOST_SECONDS and size < MOST_BYTES
        at = visit.page
        at.wait_for_selector("#steps .row[aria-selected=true] .number:text-is('5001')")
        for _ in range(20):
            at.keyboard.press("ArrowRight")
        at.wait_for_selector("#steps .row[aria-selected=true] .number:text-is('5021')")
        assert at.locator("#main *").count() < 4000, "what is out of sight is not there"


def test_two_long_episodes_beside_each_other(launched_browser: Any, long_report: Path) -> None:
    with visiting(launched_browser, 1440, 900) as visit:
        _, size = opened(launched_browser, visit, long_report, "#0/task000%230.0/5/beside", ".pair")
        assert visit.page.locator(".first-difference").inner_text() == "≠ first difference: step 7778"
        assert size < MOST_BYTES
        visit.page.keyboard.press("d")
        visit.page.wait_for_selector("#steps .row[aria-selected=true] .number:text-is('7778')")


@pytest.fixture(scope="module")
def long_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of one episode each of ten thousand steps, which differ in one."""
    folder = tmp_path_factory.mktemp("long")
    runs = [write_steps(folder / name, 10_000, name=name, change=at) for name, at in (("left", -1), ("right", 7777))]
    return write_report(runs)
