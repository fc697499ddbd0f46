"""ScreenSpot-Pro: the loader on files made by hand, its options, and the scores of predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pointing_files import picture, put, told, without

from omnipilot.bench.pointing.place import Nowhere
from omnipilot.bench.suites.screenspot.pro import ScreenSpotProSuite
from omnipilot.bench.suites.screenspot.pro import sample as mini_screenspot_pro
from omnipilot.bench.suites.screenspot.pro.score import ScreenSpotProScore
from omnipilot.envs import Box, ConfigError

GOOD = {
    "id": "blender_windows_0",
    "img_filename": "blender_windows/a.png",
    "bbox": [20, 10, 60, 40],
    "img_size": [200, 100],
    "instruction": "turn it",
    "instruction_cn": "旋转",
    "ui_type": "icon",
    "platform": "windows",
    "application": "blender",
    "group": "Creative",
}
ABSENT = {**without(GOOD, "bbox"), "id": "blender_windows_1", "gt_type": "negative", "instruction": "fold it"}


def made(folder: Path, *records: Any, **options: Any) -> ScreenSpotProSuite:
    picture(folder / "images" / "blender_windows" / "a.png")
    picture(folder / "images" / "double.png", 400, 200)
    picture(folder / "images" / "other.png", 100, 100)
    put(folder / "annotations" / "blender_windows.json", list(records))
    return ScreenSpotProSuite(str(folder), **options)


def test_a_box_is_its_edges_in_pixels_of_the_written_size(tmp_path: Path) -> None:
    suite = made(tmp_path, GOOD, {**GOOD, "id": "two", "img_filename": "double.png"})
    assert [spot.target.box for spot in suite.spots] == [Box(0.1, 0.1, 0.3, 0.4)] * 2
    assert [shot.observation.size.width for shot in suite.shots()] == [200, 400]
    assert suite.spots[0].target.id == "blender_windows_0" and suite.spots[0].size == (200, 100)


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"img_filename": "b.png"}, "img_filename", "there is no file images/b.png or b.png"),
        ({"img_filename": "other.png"}, "img_size", "it is 200x100, but the picture images/other.png is 100x100"),
        ({"img_size": [0, 100]}, "img_size", "above 0"),
        ({"bbox": [60, 10, 20, 40]}, "bbox", "in the wrong order"),
        ({"bbox": [300, 10, 320, 40]}, "bbox", "outside the picture"),
        ({"bbox": None}, "bbox", "it is null"),
        ({"instruction": ""}, "instruction", "it is empty"),
        ({"ui_type": "video"}, "ui_type", "must be one of text, icon"),
        ({"platform": "amiga"}, "platform", "must be one of windows, macos, linux, not 'amiga'"),
        ({"application": 3.5}, "application", "expected text"),
        ({"group": "Games"}, "group", "must be one of Dev, Creative"),
        ({"gt_type": "maybe"}, "gt_type", "must be one of positive, negative"),
        ({"id": "blender_windows_0"}, "", "it appears twice"),
    ],
)
def test_a_bad_record_is_listed_with_file_record_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, reason: str
) -> None:
    suite = made(tmp_path, GOOD, {**GOOD, "id": "bad", **change})
    (line,) = told(suite)
    name = change.get("id", "1" if not field else "bad")
    at = f", field {field}" if field else ""
    assert len(suite.spots) == 1 and reason in line
    assert line.startswith(f"annotations/blender_windows.json, record {name if field else 1}{at}: ")


def test_what_is_asked_is_chosen_by_options(tmp_path: Path) -> None:
    suite = made(tmp_path, GOOD, ABSENT)
    assert [spot.truth for spot in suite.spots] == ["positive"]
    negatives = ScreenSpotProSuite(str(tmp_path), gt_type="negative").spots
    assert [(spot.target.id, spot.target.box) for spot in negatives] == [("blender_windows_1", Nowhere())]
    assert len(ScreenSpotProSuite(str(tmp_path), gt_type="all").spots) == 2
    assert ScreenSpotProSuite(str(tmp_path), language="cn").spots[0].target.basic == "旋转"
    with pytest.raises(ConfigError, match="Chinese instructions exist only for style=instruction and gt_type=positive"):
        ScreenSpotProSuite(str(tmp_path), language="cn", gt_type="all")
    with pytest.raises(ConfigError, match="field action: it is missing"):
        ScreenSpotProSuite(str(tmp_path), style="action")
    with pytest.raises(ConfigError, match="gt_type must be one of positive, negative, all, not 'both'"):
        ScreenSpotProSuite(str(tmp_path), gt_type="both")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no record is negative; the published ones all have a target"):
        made(tmp_path, GOOD, gt_type="negative")


def detail(record: dict[str, Any], **more: Any) -> dict[str, Any]:
    """As the release writes it."""
    return {
        "img_path": f"/data/images/{record['img_filename']}",
        "prompt_to_evaluate": record["instruction"],
        "lang": "en",
        "gt_type": record.get("gt_type", "positive"),
        **more,
    }


@pytest.mark.parametrize(
    ("row", "right", "unread"),
    [
        ({"pred": [60, 40], "bbox": [20, 10, 60, 40]}, 1, 0),
        ({"pred": [61, 40]}, 0, 0),
        ({"pred": None}, 0, 1),
        ({"point": [0.3, 0.4]}, 1, 0),
        ({"reply": "(0.2, 0.2)"}, 1, 0),
        ({"reply": "nothing"}, 0, 1),
    ],
)
def test_a_point_in_pixels_or_in_shares(tmp_path: Path, row: dict[str, Any], right: int, unread: int) -> None:
    made(tmp_path, GOOD)
    file = put(tmp_path / "p.json", {"details": [detail(GOOD, **row)], "metrics": {}})
    scored = ScreenSpotProScore().score(str(tmp_path), file)
    assert scored.figure("overall").value == right
    assert scored.tables[0].rows[0] == (
        "Creative",
        "—",
        f"{100 * right:.1f} ({right}/1)",
        *scored.tables[0].rows[0][3:],
    )
    assert scored.tables[0].rows[0][4] == str(unread)


@pytest.mark.parametrize(
    ("row", "right", "unread"),
    [
        ({"result": "negative", "pred": None}, 1, 0),
        ({"result": "positive", "pred": [1, 1]}, 0, 0),
        ({"result": "wrong_format", "pred": None}, 0, 1),
        ({"correctness": "correct", "pred": None}, 1, 0),
        ({"correctness": "wrong", "pred": None}, 0, 0),
        ({"pred": [1, 1]}, 0, 0),
        ({"pred": None}, 0, 1),
    ],
)
def test_without_a_target_the_denial_is_right(tmp_path: Path, row: dict[str, Any], right: int, unread: int) -> None:
    made(tmp_path, GOOD, ABSENT)
    file = put(tmp_path / "p.json", {"details": [detail(ABSENT, **row)]})
    scored = ScreenSpotProScore().score(str(tmp_path), file)
    assert scored.figure("overall").value == right and scored.figure("overall").of == 1
    assert scored.tables[0].rows[-1][4] == str(unread)
    assert "all predictions are for negative items" in scored.notes


def test_predictions_in_chinese_are_matched_and_languages_are_not_mixed(tmp_path: Path) -> None:
    made(tmp_path, GOOD, ABSENT)
    chinese = detail(GOOD, pred=[30, 30]) | {"prompt_to_evaluate": "旋转", "lang": "cn"}
    scored = ScreenSpotProScore().score(str(tmp_path), put(tmp_path / "p.json", {"details": [chinese]}))
    assert scored.figure("overall").value == 1 and scored.figure("overall").of == 1
    both = put(tmp_path / "p.json", {"details": [chinese, detail(GOOD, pred=None)]})
    with pytest.raises(ConfigError, match="in cn and en; put each language"):
        ScreenSpotProScore().score(str(tmp_path), both)


def test_predictions_of_another_style_are_of_that_wording(tmp_path: Path) -> None:
    record = {**GOOD, "action": "Turn it", "description": "A round arrow"}
    made(tmp_path, record)
    said = detail(record, pred=[30, 30]) | {"prompt_to_evaluate": "A round arrow", "instruction_style": "description"}
    scored = ScreenSpotProScore().score(str(tmp_path), put(tmp_path / "p.json", {"details": [said]}))
    assert scored.figure("overall").value == 1 and not scored.extra
    assert any("language en, style description" in note for note in scored.notes)
    both = put(tmp_path / "p.json", {"details": [said, {**said, "instruction_style": "action"}]})
    with pytest.raises(ConfigError, match="in action and description; put each style of instruction into a file"):
        ScreenSpotProScore().score(str(tmp_path), both)
    with pytest.raises(ConfigError, match="style must be one of instruction, action, description, not 'verse'"):
        ScreenSpotProScore().score(
            str(tmp_path), put(tmp_path / "p.json", {"details": [{**said, "instruction_style": "verse"}]})
        )


def test_sample_predictions_score_as_counted_apart(tmp_path: Path) -> None:
    """A second count from the raw files, in pixels."""
    mini_screenspot_pro.write(tmp_path)
    details = json.loads(mini_screenspot_pro.sample_predictions(tmp_path).read_text())["details"]
    said = {(Path(row["img_path"]).parent.name, row["prompt_to_evaluate"]): row for row in details}
    groups: dict[str, list[bool]] = {}
    total = 0
    for file in sorted((tmp_path / "annotations").glob("*.json")):
        for record in json.loads(file.read_text()):
            row = said.get((record["img_filename"].split("/")[0], record["instruction"]))
            if record.get("gt_type") == "negative":
                right = row is not None and row["result"] == "negative"
            else:
                x, y = (row or {}).get("pred") or (-1, -1)
                left, top, end, bottom = record["bbox"]
                right = left <= x <= end and top <= y <= bottom
            groups.setdefault(record["group"], []).append(right)
            total += 1
    scored = ScreenSpotProScore().score(str(tmp_path), tmp_path / "predictions.json")
    hits = sum(sum(group) for group in groups.values())
    assert 20 <= total <= 60 and set(groups) == {"Dev", "Creative", "CAD", "Scientific", "Office", "OS"}
    assert scored.figure("overall").value == pytest.approx(hits / total) and scored.figure("overall").of == total
    for row in scored.tables[0].rows[:-1]:
        group = groups[row[0]]
        assert row[3] == f"{100 * sum(group) / len(group):.1f} ({sum(group)}/{len(group)})"
    assert len(scored.missing) == total - (len(details) - 1) > 0 and len(scored.extra) == 1
    assert [table.columns[0].split(" ")[0] for table in scored.tables[1:]] == [
        "fine_grained",
        "seeclick_style",
        "leaderboard_detailed_style",
    ]
