"""MMBench-GUI level 2: the loader on files made by hand, and the scores of predictions."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from pointing_files import picture, put, told, without

from omnipilot.bench.suites.mmbench_gui.level2 import MMBenchL2Suite
from omnipilot.bench.suites.mmbench_gui.level2 import sample as mini_mmbench_l2
from omnipilot.bench.suites.mmbench_gui.level2.figures import DEVICES
from omnipilot.bench.suites.mmbench_gui.level2.score import MMBenchL2Score
from omnipilot.envs import Box, ConfigError

GOOD = {
    "index": 0,
    "image_path": "a.png",
    "instruction": "the red one",
    "bbox": [0.1, 0.2, 0.3, 0.4],
    "image_size": [200, 100],
    "data_type": "icon",
    "platform": "os_web",
    "app_name": "shop",
    "grounding_type": "basic",
}
ADVANCED = {**GOOD, "index": 1, "instruction": "what leads home", "grounding_type": "advanced"}


def made(folder: Path, *records: Any, **options: Any) -> MMBenchL2Suite:
    picture(folder / "offline_images" / "os_web" / "a.png")
    put(folder / "L2_annotations.json", list(records))
    return MMBenchL2Suite(str(folder), **options)


@pytest.mark.parametrize(
    ("bbox", "box"),
    [
        ([0.1, 0.2, 0.3, 0.4], Box(0.1, 0.2, 0.3, 0.4)),
        ([20, 20, 60, 40], Box(0.1, 0.2, 0.3, 0.4)),
        ([-1, 0.2, 0.3, 0.4], Box(0.0, 0.2, 0.3, 0.4)),
        ([-1, 20, 60, 40], Box(0.0, 0.2, 0.3, 0.4)),
    ],
)
def test_a_box_is_edges_in_shares_or_in_pixels(tmp_path: Path, bbox: list[float], box: Box) -> None:
    suite = made(tmp_path, {**GOOD, "bbox": bbox})
    assert suite.spots[0].target.box == box
    (shot,) = suite.shots()
    assert shot.platform == "browser" and shot.targets[0].instruction("basic") == "the red one"


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"platform": "os_ios"}, "image_path", "there is no file offline_images/os_ios/a.png"),
        ({"platform": "amiga"}, "platform", "must be one of os_windows, os_mac"),
        ({"grounding_type": "hard"}, "grounding_type", "must be one of basic, advanced"),
        ({"data_type": "widget"}, "data_type", "must be one of icon, text"),
        ({"image_path": 1.5}, "image_path", "expected text"),
        ({"image_size": [200]}, "image_size", "expected 2 numbers"),
        ({"bbox": [0.1, 0.2, 0.3]}, "bbox", "expected 4 numbers"),
        ({"bbox": [20, 20, 260, 40]}, "bbox", "extends beyond the image of 200x100"),
        ({"bbox": [0.3, 0.2, 0.1, 0.4]}, "bbox", "in the wrong order"),
        ({"instruction": ""}, "instruction", "it is empty"),
    ],
)
def test_a_bad_record_is_listed_with_file_record_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, reason: str
) -> None:
    suite = made(tmp_path, GOOD, {**GOOD, "index": 5, **change}, without(GOOD, "index"), "text")
    assert len(suite.spots) == 1
    first, second, third = told(suite)
    assert first.startswith(f"L2_annotations.json, record 5, field {field}: ") and reason in first
    assert second.startswith("L2_annotations.json, record 2, field index: it is missing")
    assert third.startswith("L2_annotations.json, record 3: a record is an object")


def test_modes_are_styles_and_an_index_that_is_not_unique_names_none(tmp_path: Path) -> None:
    suite = made(tmp_path, GOOD, {**ADVANCED, "index": 0})
    assert [spot.target.id for spot in suite.spots] == ["0-os_web-basic", "0-os_web-advanced"]
    assert [spot.target.instruction("advanced") for spot in suite.spots] == ["", "what leads home"]
    assert len(MMBenchL2Suite(str(tmp_path), mode="advanced").spots) == 1
    with pytest.raises(ConfigError, match="mode must be one of all, basic, advanced, not 'hard'"):
        MMBenchL2Suite(str(tmp_path), mode="hard")  # type: ignore[arg-type]
    rows = [{"index": 0, "grounding_type": "advanced", "prediction": "(0.2, 0.3)"}]
    scored = MMBenchL2Score().score(str(tmp_path), put(tmp_path / "p.json", rows))
    assert scored.figure("advanced").value == 1


def scored_rows(folder: Path, rows: list[dict[str, Any]], variant: str = "") -> Any:
    return MMBenchL2Score().score(str(folder), put(folder / "p.json", rows), variant)


def test_the_average_weighs_modes_as_released_or_tasks_as_in_the_paper(tmp_path: Path) -> None:
    """By hand: basic 1 of 3 (one unreadable, one void), advanced 1 of 1."""
    made(tmp_path, GOOD, ADVANCED, {**GOOD, "index": 2}, {**GOOD, "index": 3, "data_type": "text"})
    rows = [
        {"index": 0, "prediction": "x=60, y=40"},
        {"index": 1, "prediction": "[0.2, 0.3]"},
        {"index": 2, "prediction": "nowhere"},
        {"index": 3, "prediction": "Failed to obtain answer via API."},
    ]
    released, paper = scored_rows(tmp_path, rows), scored_rows(tmp_path, rows, "paper")
    assert released.figure("average").value == pytest.approx((1 / 3 + 1) / 2)
    assert paper.figure("average").value == 0.5 and paper.variant == "paper"
    assert released.figure("basic").void == 1 and released.figure("basic").valid.estimate == 0.5
    assert released.missing == ("3",)
    assert released.tables[0].rows[0] == (
        *("os_web", "50.0 (1/2)", "0.0 (0/1)", "33.3 (1/3)"),
        *("100.0 (1/1)", "—", "100.0 (1/1)", "1"),
    )


def test_predictions_of_one_mode_are_not_void_in_the_other(tmp_path: Path) -> None:
    made(tmp_path, GOOD, ADVANCED)
    scored = scored_rows(tmp_path, [{"index": 0, "prediction": "(0.2, 0.3)"}])
    assert scored.figure("basic").value == 1 and scored.figure("average").interval is None
    assert scored.missing == () and "all predictions are for basic instructions" in scored.notes


def test_a_minus_one_makes_the_release_take_shares_for_pixels(tmp_path: Path) -> None:
    made(tmp_path, {**GOOD, "bbox": [-1, 0.2, 0.3, 0.4]})
    row = {"index": 0, "prediction": "(0.2, 0.3)"}
    assert scored_rows(tmp_path, [row]).figure("basic").value == 0
    assert scored_rows(tmp_path, [row], "fixed").figure("basic").value == 1


def test_a_point_keeps_all_its_digits(tmp_path: Path) -> None:
    edge = 0.1 + 0.2  # a little more than 0.3
    made(tmp_path, {**GOOD, "bbox": [1e-9, 0.2, 0.3, 0.4]})
    assert scored_rows(tmp_path, [{"index": 0, "point": [edge, 0.3]}]).figure("basic").value == 0
    assert scored_rows(tmp_path, [{"index": 0, "point": [1e-9, 0.3]}]).figure("basic").value == 1


def test_a_table_of_the_office_is_to_be_saved_as_text(tmp_path: Path) -> None:
    made(tmp_path, GOOD)
    with pytest.raises(ConfigError, match=r"save the table as .csv"):
        MMBenchL2Score().score(str(tmp_path), tmp_path / "p.xlsx")
    with pytest.raises(ConfigError, match="no prediction that can be scored; they are for no target"):
        scored_rows(tmp_path, [{"index": 9, "prediction": "(0.2, 0.3)"}])


def test_sample_predictions_score_as_counted_apart(tmp_path: Path) -> None:
    """A second count from the raw files, in pixels."""
    mini_mmbench_l2.write(tmp_path)
    with mini_mmbench_l2.sample_predictions(tmp_path).open(encoding="utf-8") as file:
        said = {row["index"]: row["prediction"] for row in csv.DictReader(file)}
    cells: dict[tuple[str, str, str], list[bool]] = {}
    for record in json.loads((tmp_path / "L2_annotations.json").read_text()):
        width, height = record["image_size"]
        numbers = [float(number) for number in re.findall(r"[\d.]*\d", said.get(str(record["index"]), ""))]
        x, y = numbers if len(numbers) == 2 else (-9, -9)
        px, py = (x, y) if x > 1 or y > 1 else (x * width, y * height)
        left, top, right, bottom = record["bbox"]
        if right <= 1:
            left, top, right, bottom = left * width, top * height, right * width, bottom * height
        key = (record["grounding_type"], record["platform"], record["data_type"])
        cells.setdefault(key, []).append(left <= px <= right and top <= py <= bottom)
    assert len(cells) == 24 and {key[1] for key in cells} == set(DEVICES)
    modes = {
        mode: [one for key, cell in cells.items() if key[0] == mode for one in cell] for mode in ("basic", "advanced")
    }
    shares = {mode: sum(ones) / len(ones) for mode, ones in modes.items()}
    scored = MMBenchL2Score().score(str(tmp_path), tmp_path / "predictions.csv")
    assert scored.figure("average").value == pytest.approx(sum(shares.values()) / 2)
    for mode, share in shares.items():
        assert scored.figure(mode).value == pytest.approx(share) and 0.3 < share < 0.8
    for row in scored.tables[0].rows[:-1]:
        cell = cells["advanced", row[0], "text"]
        assert row[5] == f"{100 * sum(cell) / len(cell):.1f} ({sum(cell)}/{len(cell)})"
    assert len(scored.missing) > 5 and len(scored.extra) == 1
