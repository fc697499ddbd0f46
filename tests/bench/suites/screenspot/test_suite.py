"""ScreenSpot v1 and v2: the loader on files made by hand, and the scores of predictions."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from pointing_files import picture, put, told, without

from omnipilot.bench.pointing.data import Screen
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.pointing.sample_screens import screens
from omnipilot.bench.suites.screenspot import ScreenSpotSuite, ScreenSpotV2Suite
from omnipilot.bench.suites.screenspot import sample as mini_screenspot
from omnipilot.bench.suites.screenspot import sample_v2 as mini_screenspot_v2
from omnipilot.bench.suites.screenspot.score import ScreenSpotScore, ScreenSpotV2Score
from omnipilot.bench.suites.screenspot.suite import mirror_item
from omnipilot.envs import Absent, Box, ConfigError, Size

GOOD = {
    "img_filename": "a.png",
    "bbox": [20, 10, 40, 30],
    "instruction": "open the mail",
    "data_type": "text",
    "data_source": "ios",
}


def made(folder: Path, *records: Any, platform: str = "mobile") -> ScreenSpotSuite:
    picture(folder / "screenspot_imgs" / "a.png")
    (folder / "screenspot_imgs" / "note.png").write_text("no picture")
    put(folder / f"screenspot_{platform}.json", list(records))
    return ScreenSpotSuite(str(folder))


def test_a_box_is_left_top_width_height_in_pixels(tmp_path: Path) -> None:
    suite = made(tmp_path, GOOD)
    (shot,) = suite.shots()
    assert suite.spots[0].target.box == Box(20 / 200, 10 / 100, 60 / 200, 40 / 100)
    assert shot.targets[0].basic == "open the mail" and shot.platform == "phone"
    assert shot.observation.size == Size(200, 100) and isinstance(shot.observation.elements, Absent)
    assert suite.version.startswith("1-") and len(suite.version) == 14 and not suite.bad


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"img_filename": "b.png"}, "img_filename", "there is no file screenspot_imgs/b.png"),
        ({"img_filename": "note.png"}, "img_filename", "is not a readable picture"),
        ({"bbox": [20, 10, 40]}, "bbox", "expected 4 numbers, got 3"),
        ({"bbox": [20, 10, "x", 1]}, "bbox", "expected a number"),
        ({"bbox": [20, 10, -4, 30]}, "bbox", "sides of at least 0"),
        ({"bbox": [250, 10, 40, 30]}, "bbox", "is outside the picture of 200x100"),
        ({"instruction": " "}, "instruction", "it is empty"),
        ({"instruction": None}, "instruction", "it is null"),
        ({"data_type": "widget"}, "data_type", "must be one of text, icon, not 'widget'"),
    ],
)
def test_a_bad_record_is_listed_with_file_record_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, reason: str
) -> None:
    suite = made(tmp_path, GOOD, {**GOOD, **change}, 7, {**GOOD, "instruction": "the last"})
    assert [spot.target.id for spot in suite.spots] == ["mobile-0", "mobile-3"]
    first, second = told(suite)
    assert first.startswith(f"screenspot_mobile.json, record 1, field {field}: ") and reason in first
    assert second == "screenspot_mobile.json, record 2: a record is an object with fields, not 7"


def test_a_box_that_leaves_the_picture_counts_as_far_as_it_is_on_it(tmp_path: Path) -> None:
    suite = made(tmp_path, {**GOOD, "bbox": [180, -5, 40, 30]})
    assert suite.spots[0].target.box == Box(0.9, 0.0, 1.0, 0.25) and suite.spots[0].box == (180, -5, 220, 25)


def test_without_data_the_error_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--data DIR. How to get it: .*SeeClick"):
        ScreenSpotSuite()
    with pytest.raises(ConfigError, match=r"no screenspot_mobile_v2.json .*hf download OS-Copilot/ScreenSpot-v2"):
        ScreenSpotV2Suite(str(tmp_path))
    with pytest.raises(ConfigError, match="no usable record; the first of 1 bad ones: .*field bbox: it is missing"):
        made(tmp_path, without(GOOD, "bbox"))


def test_the_mirrors_boxes_are_edges_in_shares(tmp_path: Path) -> None:
    screen = Screen("a.png", "browser", Size(200, 100), bytes)
    record = {"bbox": [0.1, 0.2, 0.3, 0.4], "instruction": "it", "data_type": "icon", "data_source": "shop"}
    item = mirror_item(Record("data", 3, record), screen, "web")
    assert item.target.box == Box(0.1, 0.2, 0.3, 0.4) and item.box == (0.1, 0.2, 0.3, 0.4) and item.size == (1, 1)
    assert item.target.id == "web-3" and item.platform == "web"


@pytest.mark.needs("omnipilot[hub]")
def test_the_mirror_has_the_same_targets(tmp_path: Path) -> None:
    import datasets

    mini_screenspot.write(tmp_path / "v1")
    rows = []
    for platform in ("mobile", "desktop", "web"):
        for record in json.loads((tmp_path / "v1" / f"screenspot_{platform}.json").read_text()):
            file = tmp_path / "v1" / "screenspot_imgs" / record.pop("img_filename")
            width, height = (412, 916) if platform == "mobile" else (1280, 800)
            x, y, w, h = record["bbox"]
            edges = [x / width, y / height, (x + w) / width, (y + h) / height]
            image = {"bytes": file.read_bytes(), "path": file.name}
            rows.append({**record, "bbox": edges, "file_name": file.name, "image": image})
    rows.append({**rows[0], "data_source": "amiga"})
    table = datasets.Dataset.from_list(rows).cast_column("image", datasets.Image())
    (tmp_path / "mirror" / "data").mkdir(parents=True)
    table.to_parquet(str(tmp_path / "mirror" / "data" / "test-00000-of-00001.parquet"))
    ours, theirs = ScreenSpotSuite(str(tmp_path / "v1")), ScreenSpotSuite(str(tmp_path / "mirror"))
    assert ["not 'amiga'" in line for line in told(theirs)] == [True]
    assert [(s.target.basic, s.platform, s.ui_type, s.screen.size) for s in ours.spots] == [
        (s.target.basic, s.platform, s.ui_type, s.screen.size) for s in theirs.spots
    ]
    assert [s.observation.screenshot for s in ours.shots()] == [s.observation.screenshot for s in theirs.shots()]


def scored_rows(folder: Path, rows: list[Any], variant: str = "") -> Any:
    return ScreenSpotScore().score(str(folder), put(folder / "rows.jsonl", rows), variant)


def test_macro_weighs_cells_and_micro_items(tmp_path: Path) -> None:
    """By hand: texts 1 of 3 (one unreadable, one missing), icon 1 of 1."""
    records = [{**GOOD, "instruction": f"do {number}"} for number in range(3)]
    made(tmp_path, *records, {**GOOD, "data_type": "icon", "instruction": "ring"})
    rows = [
        {"id": "mobile-0", "point": [0.3, 0.4]},  # the lower right corner itself
        {"id": "mobile-1", "reply": "I see nothing"},
        {"img_path": "x/a.png", "text": "ring", "pred": [0.15, 0.15, 0.25, 0.25]},
        {"img_path": "x/a.png", "text": "dance", "pred": [0.2, 0.2]},
        {"id": "mobile-0", "point": [0.2, 0.2]},
        {"point": [0.2, 0.2]},
    ]
    scored = scored_rows(tmp_path, rows)
    macro, micro = scored.figures
    assert macro.name == "macro" and macro.value == pytest.approx((1 / 3 + 1) / 2) and macro.of == 4
    assert micro.value == 0.5 and micro.void == 1 and micro.valid.estimate == pytest.approx(2 / 3)
    assert scored.missing == ("mobile-2",) and scored.extra[0] == "rows.jsonl, row 3"
    assert [row.split(": ")[1][:30] for row in scored.extra[1:]] == ["it names no target"]
    assert "1 predictions are for a target that already has one; the last one counts" in scored.notes
    assert any(note.startswith("macro is over 2 cells: no item is of desktop text") for note in scored.notes)
    assert scored.tables[0].rows[0] == ("mobile", "33.3 (1/3)", "100.0 (1/1)", "50.0 (2/4)", "1")


def test_showui_cuts_edges_to_thousandths(tmp_path: Path) -> None:
    made(tmp_path, {**GOOD, "bbox": [20, 10, 40.15, 30]})  # right edge at 0.30075
    row = {"id": "mobile-0", "point": [0.3005, 0.2]}
    assert scored_rows(tmp_path, [row]).figure("micro").value == 1
    assert scored_rows(tmp_path, [row], "showui").figure("micro").value == 0
    with pytest.raises(ConfigError, match="variant must be one of release, showui, not 'paper'"):
        scored_rows(tmp_path, [row], "paper")


def test_pixels_for_shares_are_told(tmp_path: Path) -> None:
    made(tmp_path, GOOD)
    scored = scored_rows(tmp_path, [{"id": "mobile-0", "point": [40, 25]}])
    assert scored.figure("micro").value == 0 and any("outside of 0..1" in note for note in scored.notes)


def test_the_box_tells_targets_of_one_instruction_apart(tmp_path: Path) -> None:
    made(tmp_path, GOOD, {**GOOD, "bbox": [120, 10, 40, 30]})
    row = {"img_filename": "a.png", "instruction": "open the mail", "pred": [0.7, 0.2]}
    with pytest.raises(ConfigError, match=r"it matches 2 targets \(mobile-0, mobile-1, …\); add the id of the target"):
        scored_rows(tmp_path, [row])
    for box in ([120, 10, 40, 30], [0.6, 0.1, 0.8, 0.4]):
        scored = scored_rows(tmp_path, [{**row, "bbox": box}])
        assert scored.missing == ("mobile-0",) and scored.figure("micro").value == 0.5


@pytest.mark.parametrize(
    ("mini", "score", "tail"), [(mini_screenspot, ScreenSpotScore, ""), (mini_screenspot_v2, ScreenSpotV2Score, "_v2")]
)
def test_sample_predictions_score_as_counted_apart(mini: Any, score: Any, tail: str, tmp_path: Path) -> None:
    """A second count from the raw files, by platform and kind."""
    mini.write(tmp_path)
    rows = json.loads(mini.sample_predictions(tmp_path).read_text())
    said = {(Path(row["img_path"]).name, row["text"]): row["pred"] for row in rows}
    cells: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for platform, size in (("mobile", (412, 916)), ("desktop", (1280, 800)), ("web", (1280, 800))):
        for record in json.loads((tmp_path / f"screenspot_{platform}{tail}.json").read_text()):
            x, y, w, h = record["bbox"]
            point = said.get((record["img_filename"], record["instruction"]))
            px, py = (-1, -1) if point is None else (point[0] * size[0], point[1] * size[1])
            cells[platform, record["data_type"]].append(x <= px <= x + w and y <= py <= y + h)
    shares = [sum(cell) / len(cell) for cell in cells.values()]
    every = [one for cell in cells.values() for one in cell]
    scored = score().score(str(tmp_path), tmp_path / "predictions.json", "")
    assert len(cells) == 6 and 20 <= len(every) <= 60 and 0.3 < sum(every) / len(every) < 0.8
    assert scored.figures[0].value == pytest.approx(sum(shares) / 6)
    assert scored.figures[1].value == pytest.approx(sum(every) / len(every))
    assert len(scored.missing) == len(every) - (len(rows) - 1) > 0 and len(scored.extra) == 1


@pytest.mark.slow
def test_equal_seeds_give_equal_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        screens.cache_clear()
        mini_screenspot.write(tmp_path / name)
    one, two = (sorted((tmp_path / name).rglob("*.*")) for name in ("one", "two"))
    assert len(one) > 10 and [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    assert sum(path.stat().st_size for path in one) < 3_000_000
