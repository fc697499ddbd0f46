"""Rows of steps as OS-Atlas has them: which step a prediction names where pictures and ids are shared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.steps.actions import place
from omnipilot.bench.scoring.steps.rows import TrueStep, replies
from omnipilot.bench.suites.android_control.score import AndroidControlScore
from omnipilot.bench.suites.os_atlas.score import GuiActWeb, GuiOdyssey
from omnipilot.envs import ConfigError, Point, Size

Row = Mapping[str, Any]


def truth(image: str, action: str = "ENTER", id: object = None, asked: str = "Do it") -> Row:
    named = {} if id is None else {"id": id}
    return {**named, "image": image, "conversations": [{"value": asked}, {"value": f"actions:\n{action}"}]}


def said(action: str = "ENTER", **names: object) -> Row:
    return {**names, "pred": f"actions:\n{action}"}


def scored(folder: Path, truths: Sequence[Row], predictions: Sequence[Row], file: str = "gui_act_web_test") -> Scored:
    (folder / f"{file}.jsonl").write_text("\n".join(map(json.dumps, truths)))
    (folder / "said.jsonl").write_text("\n".join(map(json.dumps, predictions)))
    rules = {"gui_act_web_test": GuiActWeb(), "gui_odyssey_test": GuiOdyssey(), "ac_test": AndroidControlScore()}[file]
    return rules.score(str(folder), folder / "said.jsonl", "release")


SHARED = [truth("a/1.png", "ENTER", "x"), truth("b/1.png", "COMPLETE", "y"), truth("a/1.png", "COMPLETE", "z")]


@pytest.mark.parametrize("file", ["gui_act_web_test", "gui_odyssey_test"])
def test_steps_that_share_a_picture_are_told_apart_by_their_ids(tmp_path: Path, file: str) -> None:
    found = scored(tmp_path, SHARED, [said(id=id) for id in "xyz"], file)
    assert (found.figure("SR").value, found.figure("SR").of) == (1 / 3, 3)
    assert (found.bad, found.missing, found.extra) == ((), (), ())
    # b/1.png is of one step; a/1.png and the bare 1 are of two and of three.
    named = [said(id="x"), said("COMPLETE", image="b/1.png"), said(image_id="a/1.png"), said(image="c/1.png")]
    found = scored(tmp_path, SHARED, named, file)
    assert (found.figure("SR").value, found.missing) == (2 / 3, ("z",))
    assert found.extra == ("a/1.png", "c/1.png")
    assert any("2 predictions name what several steps of the data share" in note for note in found.notes)
    assert any("name each step by its own id" in note for note in found.notes)
    with pytest.raises(ConfigError, match="1 of its names are of several steps: name each step by its own id"):
        scored(tmp_path, SHARED, [said(image="a/1.png")], file)


def test_rows_without_ids_are_called_by_their_pictures_and_all_keep_their_order(tmp_path: Path) -> None:
    rows = [truth("a/1.png"), truth("b/1.png", "COMPLETE")]
    found = scored(tmp_path, rows, [said(image="b/1.png"), said("COMPLETE", image="a/1.png")])
    assert (found.figure("SR").value, found.figure("SR").of) == (0, 2)
    rows = [truth("1.png"), truth("1.png", "COMPLETE"), truth("1.png", "TYPE [x]")]
    found = scored(tmp_path, rows, [said(), said("WAIT"), said("TYPE [x]")])
    assert (found.figure("SR").value, found.figure("SR").of, found.bad) == (2 / 3, 3, ())
    found = scored(tmp_path, rows, [said("COMPLETE", key="1.png#1")])
    assert (found.figure("SR").value, found.missing) == (1 / 3, ("1.png#0", "1.png#2"))


def test_a_row_that_is_there_twice_word_for_word_is_listed(tmp_path: Path) -> None:
    rows = [*SHARED, SHARED[1], truth("a/1.png", "COMPLETE", "z", asked="And this")]
    found = scored(tmp_path, rows, [said("COMPLETE"), said("COMPLETE"), said("COMPLETE"), said(), said("COMPLETE")])
    # z is two steps and so no name; pictures are shared: keys are made, and the order has the double's place, too.
    assert (found.figure("SR").value, found.figure("SR").of) == (3 / 4, 4)
    assert [str(bad) for bad in found.bad] == ["gui_act_web_test.jsonl, record 3: it appears twice, as y"]


def test_whichever_name_of_a_prediction_is_known_counts(tmp_path: Path) -> None:
    found = scored(tmp_path, SHARED[:2], [said(id="x", episode_id=4, step=2), said(id="q", image="b/1.png")])
    assert (found.figure("SR").value, found.extra, found.missing) == (1 / 2, (), ())
    rows = [truth("s/episode_4_screenshot_2.png", "WAIT", 0), truth("s/episode_4_screenshot_3.png", "WAIT", 1)]
    named = [said("WAIT", id="q", episode_id=4, step=2), said("WAIT", image="t/episode_4_screenshot_3.png")]
    found = scored(tmp_path, rows, named, "ac_test")
    assert (found.figure("SR").value, found.figure("SR").of, found.extra) == (1, 2, ())
    assert scored(tmp_path, [*rows, rows[0]], [said("WAIT", id=1)], "ac_test").missing == ("episode_4_screenshot_2",)


def test_a_number_is_the_id_under_id_and_the_picture_under_image(tmp_path: Path) -> None:
    rows = [truth("2.png", "ENTER", 1), truth("1.png", "COMPLETE", 2)]
    assert scored(tmp_path, rows, [said(id=1)]).missing == ("2",)
    assert scored(tmp_path, rows, [said(image_id="1")]).missing == ("1",)


def test_the_steps_of_a_guiact_episode_stand_together(tmp_path: Path) -> None:
    images = [f"p/uid_record_00023_step_{n:02}.png" for n in range(4)] + ["p/uid_record_00024_step_00.png", "p/x.png"]
    rows = [truth(image, id=n) for n, image in enumerate(images)]
    interval = scored(tmp_path, rows, [said(id=n) for n in range(6)]).figure("SR").interval
    assert interval is not None and (interval.units, interval.clusters) == (6, 3)


def test_a_split_is_the_first_in_os_atlas_order(tmp_path: Path) -> None:
    (tmp_path / "test_subsplits.json").write_text('{"category_unseen": [4, 5], "IDD": [4], "app_unseen": [5]}')
    rows = [truth(f"episode_{episode}_screenshot_0.png", "WAIT", episode) for episode in (4, 5)]
    (table,) = scored(tmp_path, rows, [said("WAIT", id=4)], "ac_test").tables
    assert [row[0] for row in table.rows] == ["IDD", "app_unseen"]


def test_an_answer_that_cannot_be_read_is_wrong_and_stays_in(tmp_path: Path) -> None:
    steps = [TrueStep(name, "WAIT", name, name) for name in "abc"]
    file = tmp_path / "said.json"
    file.write_text('{"a": ["actions:"], "b": null, "c": "actions:\\nWAIT"}')
    found = replies(file, steps)
    assert found.by_key == {"a": "", "c": "actions:\nWAIT"}
    assert found.notes == (
        "1 answer cannot be read and is wrong: said.json, record a, field pred: expected text, got ['actions:']",
    )


def test_places_are_cut_to_thousandths_as_in_the_rows() -> None:
    size = Size(1080, 2400)
    # Pixel 1027 of 1080 is 950.93 thousandths, and 950 in OS-Atlas's own row.
    assert place(Point.from_pixels(1027, 1200, size)) == "<point>[[950,500]]</point>"
    for number in range(1001):
        assert place(Point.from_permille(number, 1000 - number)) == f"<point>[[{number},{1000 - number}]]</point>"
    assert place(None) == "<point>[[]]</point>"
