"""The loader of OmniGUI's files: what is read, and what is wrong with a record, by file, record and field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from omnigui_made import loaded, put, row

from omnipilot.bench.suites.omnigui.metrics.targets import TargetField
from omnipilot.envs import ConfigError

WRONG = [
    ({"result_action_type": 12}, "result_action_type", "one of -1..11, not 12"),
    ({"result_action_type": None}, "result_action_type", "is missing"),
    ({"result_action_type": "tap"}, "result_action_type", "a number"),
    ({"result_touch_xy": "[1, 2, 3]"}, "result_touch_xy", "a point or a rectangle in pixels"),
    ({"result_action_type": 3, "result_lift_xy": "up"}, "result_lift_xy", "a point or a rectangle in pixels"),
    ({"result_action_type": 7, "result_action_text": ["x"]}, "result_action_text", "expected text"),
    ({"image_width": 0}, "image_width", "at least 1"),
    ({"image_height": None}, "image_height", "is missing"),
    ({"image_path": None}, "image_path", "is missing"),
    ({"image_path": "b.png"}, "image_path", "there is no file benchmark/b.png"),
    ({"image_path": "../../etc/passwd"}, "image_path", "outside|no file"),
    ({"video_path": "b.mp4"}, "video_path", "there is no file"),
    ({"audio_path": "b.wav"}, "audio_path", "there is no file"),
    ({"history_screenshot_path": "b.png"}, "history_screenshot_path", "there is no file"),
    ({"step_id": "first"}, "step_id", "a number"),
    ({"step_id": 5}, "step_id", r"has gaps: its steps are \[0, 5\]"),
    ({"step_id": -1}, "step_id", r"in the wrong order: \[0, -1\]"),
    ({"step_id": 0}, "step_id", r"has gaps: its steps are \[0, 0\]"),
    ({"episode_length": 3}, "episode_length", "it is 3, but episode e has 2 steps"),
    ({"action_history": [{"step_index": 0}]}, "action_history[0]", "step_index, action_text"),
    ({"action_history": "none"}, "action_history", "expected a list"),
]


@pytest.mark.parametrize(("change", "field", "reason"), WRONG)
def test_what_is_wrong_names_file_record_and_field_and_leaves_its_episode_out(
    tmp_path: Path, change: dict[str, object], field: str, reason: str
) -> None:
    good = {**row(0, 1), "episode_id": "good"}
    found = loaded(put(tmp_path, row(0, 2), good, row(1, 2, **change)))
    assert [one.id for one in found.items] == ["good"]
    first, whole = found.bad
    of_all = "gaps" in reason or "order" in reason
    assert (first.file, first.record, first.field) == ("merged_sorted.json", "0" if of_all else "2", field)
    assert re.search(reason, first.reason)
    assert str(whole) == "merged_sorted.json, record episode e: the episode is left out, all 2 steps of it"


@pytest.mark.parametrize("lacking", [{"result_touch_xy": place} for place in ("", "[-1, -1]", None)])
def test_a_touch_that_is_not_told_is_none_and_no_text_is_empty(tmp_path: Path, lacking: dict[str, object]) -> None:
    found = loaded(put(tmp_path, row(0, 2, **lacking), row(1, 2, result_action_type=7)))
    (episode,) = found.items
    assert found.bad == () and episode.steps[0].touch is None and episode.steps[1].text == ""


def test_records_that_belong_to_no_episode_are_listed_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = [5, row(0, 1, episode_id=None), row(0, 1, app=None), {**row(0, 1), "episode_id": 7}]
    found = loaded(put(tmp_path, *rows))
    assert [one.id for one in found.items] == ["7"]
    assert [(bad.record, bad.field) for bad in found.bad] == [("0", ""), ("1", "episode_id"), ("2", "app")]


def test_steps_may_count_from_one_and_words_are_those_of_the_next_steps_history(tmp_path: Path) -> None:
    (episode,) = loaded(put(tmp_path, *[row(at, 3, step_id=at + 1) for at in range(3)])).items
    assert [step.number for step in episode.steps] == [1, 2, 3]
    assert [step.words for step in episode.steps] == ["action 0", "action 1", ""]
    assert [step.row for step in episode.steps] == ["0", "1", "2"]


def test_places_are_points_rectangles_lists_of_them_and_legacy_fields_with_y_first(tmp_path: Path) -> None:
    rows = [
        row(0, 6),
        row(1, 6, result_touch_xy=[5, 6]),
        row(2, 6, result_touch_xy="[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]"),
        row(3, 6, result_touch_xy=None, result_touch_yx="[[20, 10], [40, 30]]"),
        row(4, 6, result_action_type=3, result_lift_xy=None, result_lift_yx=[9, 8]),
        row(5, 6, result_action_type=10, result_touch_xy="", result_lift_xy="[-1, -1]"),
    ]
    (episode,) = loaded(put(tmp_path, *rows)).items
    box = TargetField(rectangles=((10, 20, 30, 40),))
    listed = TargetField(rectangles=((1, 2, 3, 4), (5, 6, 7, 8)), listed=True)
    assert [step.touch for step in episode.steps] == [box, TargetField(point=(5, 6)), listed, box, box, None]
    assert [step.lift for step in episode.steps][4:] == [TargetField(point=(8, 9)), None]


def test_instructions_are_in_the_applications_language_or_in_english(tmp_path: Path) -> None:
    rows = [
        row(0, 1, episode_id="zh"),
        row(0, 1, episode_id="en", app="Google Translate"),
        row(0, 1, episode_id="told", subset="en"),
        row(0, 1, episode_id="none", instruction_en=None),
    ]
    own, english = (loaded(put(tmp_path, *rows), language=language) for language in ("own", "en"))
    assert [(one.id, one.subset, one.instruction) for one in own.items] == [
        ("zh", "zh", "点一下"),
        ("en", "en", "Tap it."),
        ("told", "en", "Tap it."),
        ("none", "zh", "点一下"),
    ]
    assert [one.id for one in english.items] == ["zh", "en", "told"]
    assert {one.instruction for one in english.items} == {"Tap it."}
    assert [(bad.record, bad.field) for bad in english.bad] == [("3", "instruction_en")]


def test_two_subsets_may_share_an_id_and_labels_are_tags(tmp_path: Path) -> None:
    rows = [
        row(0, 1, subset="zh", level="AV-Critical"),
        row(0, 1, subset="en", dependency="AV-Present", task_dimension="Localization"),
        row(0, 1, episode_id="f"),
    ]
    found = loaded(put(tmp_path, *rows)).items
    assert [(one.id, one.episode) for one in found] == [("zh-e", "e"), ("en-e", "e"), ("f", "f")]
    assert found[0].tags == {"subset": "zh", "app": "taobao", "level": "AV-Critical"}
    assert found[1].tags["level"] == "AV-Present" and found[1].tags["dimension"] == "Localization"


def test_an_episode_file_tells_what_the_steps_do_not(tmp_path: Path) -> None:
    lines = [{"ID": "e", "app": "weibo", "instruction_zh": "看", "instruction_en": "Look."}, {"app": "x"}]
    (tmp_path / "episodes.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    put(tmp_path, row(0, 1, app=None, instruction=None, instruction_en=None))
    found = loaded(tmp_path)
    assert [(one.app, one.instruction) for one in found.items] == [("weibo", "看")]
    assert [str(bad) for bad in found.bad] == ["episodes.jsonl, record 1, field ID: it is missing; the record has app"]
    assert loaded(tmp_path, language="en").items[0].instruction == "Look."


def test_the_folder_may_be_the_repositorys_or_its_data_and_without_the_file_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    put(tmp_path / "data", row(0, 1))
    for folder in (tmp_path, tmp_path / "data"):
        (episode,) = loaded(folder).items
        assert episode.steps[0].image == tmp_path / "data" / "benchmark" / "a.png"
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="has no merged_sorted.json or"):
        loaded(tmp_path / "empty")


def test_media_are_not_looked_for_where_only_annotations_are_wanted(tmp_path: Path) -> None:
    (episode,) = loaded(put(tmp_path, row(0, 1, image_path="b.png")), files=False).items
    assert episode.steps[0].image is None
