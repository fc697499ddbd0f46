"""Ratings of trajectories: what is drawn, sheets, agreement, and the correlation with the judges' figures."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.annotation.ratings import (
    ENDED,
    RatingFile,
    draw_trajectories,
    rating_lines,
    write_trajectory_sheet,
)
from omnipilot.bench.experiments.studies.people import WatchedEpisode, read_watched
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError

pytestmark = pytest.mark.exhibit("duet", "rules")
TASKS = ("send-message", "add-alarm", "write-document", "move-file")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four solved and four unsolved episodes."""
    folder = tmp_path_factory.mktemp("rated")
    for name, planner in (("good", "oracle"), ("idle", "planted_failures:Boaster")):
        run(RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec("duet"), tasks=TASKS), folder / name)
    return [folder / "good", folder / "idle"]


def test_the_draw_is_the_same_each_time_and_hides_the_end(runs: list[Path]) -> None:
    drawn = draw_trajectories(runs, 5, 1)
    assert [one.id for one in drawn] == [one.id for one in draw_trajectories(runs, 5, 1)]
    every = {one.id: one for one in draw_trajectories(runs, 0, 0)}
    assert len(drawn) == 5 and len(every) == 8
    good, idle = every["good/send-message#0.0"], every["idle/send-message#0.0"]
    assert (good.coverage, good.consistency, good.success) == (1.0, 1.0, True)
    assert idle.coverage < 1 and not idle.success
    assert idle.episode.steps[-1].words == ENDED
    with pytest.raises(ConfigError, match="names of their folders"):
        draw_trajectories([runs[0], runs[0]], 0, 0)


def test_two_raters_who_see_what_the_judges_see(runs: list[Path], tmp_path: Path) -> None:
    every = draw_trajectories(runs, 0, 0)
    ratings = [
        WatchedEpisode(one.id, rater, round(one.coverage * 10) * 10, 100 if one.success else 40 + 10 * (rater == "lee"))
        for rater in ("kim", "lee")
        for one in every
    ]
    file = RatingFile(tmp_path)
    file.append([WatchedEpisode(every[0].id, "kim", 0, 0), *ratings])
    assert len(file.read()) == 16  # The last one of a rater counts.
    lines = "\n".join(rating_lines(every, file.read()))
    assert "8 of 8 trajectories rated (kim 8, lee 8)" in lines
    assert "Cohen's κ of completion: 1.00 over 8" in lines
    assert "Cohen's κ of logic: 0." in lines
    rows = [line.split() for line in lines.splitlines()]
    assert ["CR", "completion", "1.00", "[1.00,", "1.00]", "8"] in rows
    assert ["SR", "logic", "1.00", "[1.00,", "1.00]", "8"] in rows
    few = rating_lines(every, ratings[:3])
    assert "CR is defined for 3 of them: a correlation needs 4" in few
    with pytest.raises(ConfigError, match="nobody has rated"):
        rating_lines(every, [])


def test_a_sheet_is_written_filled_in_and_read(runs: list[Path], tmp_path: Path) -> None:
    sheet, where = tmp_path / "sheet.csv", [*map(str, runs), "--out", str(tmp_path / "said")]
    done = omnipilot("rate", *where, "--sample", "3", "--sheet", str(sheet))
    assert done.returncode == 0 and "3 trajectories to rate" in done.stdout
    rows = list(csv.DictReader(sheet.open(encoding="utf-8", newline="")))
    assert not {"success", "reason"} & set(rows[0])
    for row in rows[:2]:
        row |= {"completion": "70 %", "logic": "100", "rater": "kim"}
    with sheet.open("w", encoding="utf-8", newline="") as out:
        made = csv.DictWriter(out, rows[0])
        made.writeheader()
        made.writerows(rows)
    done = omnipilot("rate", *where, "--sample", "3", "--read", str(sheet))
    assert done.returncode == 0 and "2 ratings read" in done.stdout, done.stderr
    done = omnipilot("rate", *where, "--sample", "3")
    assert "2 of 3 trajectories rated (kim 2)" in done.stdout and "a second one" in done.stdout


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"completion": "75", "logic": "0"}, "sheet.csv:2: completion must be 0, 10, … 100"),
        ({"completion": "70"}, "sheet.csv:2: logic must be 0, 10"),
        ({"completion": "70", "logic": "70", "episode": "else"}, "'else' is none of the episodes that are rated here"),
    ],
)
def test_a_bad_sheet_is_refused(runs: list[Path], tmp_path: Path, cells: dict[str, str], problem: str) -> None:
    every, sheet = draw_trajectories(runs, 1, 0), tmp_path / "sheet.csv"
    write_trajectory_sheet(sheet, every, "kim")
    (row,) = csv.DictReader(sheet.open(encoding="utf-8", newline=""))
    with sheet.open("w", encoding="utf-8", newline="") as out:
        made = csv.DictWriter(out, row)
        made.writeheader()
        made.writerow(row | cells)
    with pytest.raises(ConfigError, match=problem):
        read_watched(sheet, [one.id for one in every])


@pytest.mark.slow
@pytest.mark.web
def test_a_person_rates_by_keys_and_by_clicks(launched_browser: object, runs: list[Path], tmp_path: Path) -> None:
    from omnipilot.bench.annotation.rate_page import TrajectoryRatingPage

    drawn, file = draw_trajectories(runs, 3, 0), RatingFile(tmp_path)
    with TrajectoryRatingPage(drawn, file, "kim") as served:
        page = launched_browser.new_page(viewport={"width": 1440, "height": 900})  # type: ignore[attr-defined]
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(served.url)
        page.wait_for_selector("#place:text('Trajectory 1 of 3')")
        assert drawn[0].episode.instruction in page.locator("#ask").inner_text()
        assert page.locator("#trail img").count() == len(drawn[0].episode.steps) + 2
        page.wait_for_function("[...document.querySelectorAll('#trail img')].slice(0, 2).every(i => i.naturalWidth)")
        page.keyboard.press("Enter")
        page.wait_for_selector(".wrong:text('Answer both')")
        for key in ("7", "t", "Enter"):
            page.keyboard.press(key)
        page.wait_for_selector("#place:text('Trajectory 2 of 3')")
        page.locator(".tens button[data-of=completion]:text-is('30')").click()
        page.locator(".tens button[data-of=logic]:text-is('0')").click()
        page.locator("button:text('Save and go on')").click()
        page.wait_for_selector("#place:text('Trajectory 3 of 3')")
        page.close()
        said = [(one.episode, one.completion, one.logic) for one in file.read()]
        assert said == [(drawn[0].id, 70, 100), (drawn[1].id, 30, 0)]
        assert problems == []
    with TrajectoryRatingPage(drawn, file, "kim") as served:
        page = launched_browser.new_page()  # type: ignore[attr-defined]
        page.goto(served.url)
        # Goes on where the rater stopped.
        page.wait_for_selector("#place:text('Trajectory 3 of 3')")
        page.close()


def test_a_torn_rating_is_left_out_and_what_follows_it_is_whole(tmp_path: Path) -> None:
    file, first, second = RatingFile(tmp_path), *(WatchedEpisode(id, "kim", 50, 60) for id in ("a\u2028b", "c"))
    file.append([first])
    with file.path.open("a", encoding="utf-8") as end:
        end.write('{"episode": "x')
    assert file.read() == [first]
    file.append([second])
    assert file.read() == [first, second]
