"""OSWorld-G: boxes, polygons and refusals from files made by hand, and the scores of predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from osworld_g_rows import CLASSES, GOOD
from pointing_files import picture, put, told, without

from omnipilot.bench.pointing.place import Nowhere, Polygon
from omnipilot.bench.suites.osworld_g import OSWorldGSuite
from omnipilot.bench.suites.osworld_g import sample as mini_osworld_g
from omnipilot.bench.suites.osworld_g.score import OSWorldGScore
from omnipilot.envs import Box, ConfigError, Point

ROOF = {**GOOD, "id": "a-1", "box_type": "polygon", "box_coordinates": [100, 20, 140, 60, 60, 60]}
NONE = {**GOOD, "id": "a-2", "box_type": "refusal", "box_coordinates": [-1, -1, -1, -1]}


def made(folder: Path, *records: Any, classes: Any = CLASSES, **options: Any) -> OSWorldGSuite:
    picture(folder / "images" / "a.png")
    picture(folder / "images" / "tall.png", 100, 200)
    put(folder / "OSWorld-G.json", list(records))
    put(folder / "classification_result.json", classes)
    return OSWorldGSuite(str(folder), **options)


def test_boxes_polygons_and_refusals(tmp_path: Path) -> None:
    suite = made(tmp_path, GOOD, ROOF, NONE)
    box, roof, none = (spot.target.box for spot in suite.spots)
    assert box == Box(0.1, 0.1, 0.3, 0.4) and none == Nowhere()
    assert roof == Polygon((Point(0.5, 0.2), Point(0.7, 0.6), Point(0.3, 0.6)))
    assert roof.contains(Point(0.5, 0.5)) and not roof.contains(Point(0.35, 0.3))
    assert [spot.abilities for spot in suite.spots] == [
        ("text_matching",),
        ("text_matching", "layout_understanding"),
        ("unclassified",),
    ]
    assert [spot.target.id for spot in OSWorldGSuite(str(tmp_path), refusals=False).spots] == ["a-0", "a-1"]


def test_the_folder_of_the_repository_and_the_refined_instructions(tmp_path: Path) -> None:
    made(tmp_path / "benchmark", GOOD)
    put(tmp_path / "benchmark" / "OSWorld-G_refined.json", [{**GOOD, "instruction": "click the small one"}])
    assert OSWorldGSuite(str(tmp_path)).spots[0].target.basic == "click it"
    refined = OSWorldGSuite(str(tmp_path), refined=True)
    assert refined.spots[0].target.basic == "click the small one"
    assert refined.version != OSWorldGSuite(str(tmp_path)).version


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"image_path": "b.png"}, "image_path", "there is no file images/b.png"),
        ({"image_path": "tall.png"}, "image_size", "it is 200x100, but the picture images/tall.png is 100x200"),
        ({"image_size": "big"}, "image_size", "expected a list"),
        ({"instruction": None}, "instruction", "it is null"),
        ({"instruction": "  "}, "instruction", "it is empty"),
        ({"box_type": "circle"}, "box_type", "must be one of bbox, polygon, refusal, not 'circle'"),
        ({"box_coordinates": [1, 2, 3]}, "box_coordinates", "expected 4 numbers, got 3"),
        ({"box_coordinates": [20, 10, -40, 30]}, "box_coordinates", "in the wrong order"),
        ({"box_coordinates": [500, 10, 40, 30]}, "box_coordinates", "outside the picture"),
        ({"box_type": "polygon", "box_coordinates": [1, 2, 3, 4]}, "box_coordinates", "at least three corners"),
        ({"box_type": "polygon", "box_coordinates": [1, 2, 3, 4, 5, 6, 7]}, "box_coordinates", "not 7 numbers"),
    ],
)
def test_a_bad_record_is_listed_with_file_record_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, reason: str
) -> None:
    suite = made(tmp_path, GOOD, {**GOOD, "id": "bad", **change}, without(GOOD, "id"))
    assert len(suite.spots) == 1
    first, second = told(suite)
    assert first.startswith(f"OSWorld-G.json, record bad, field {field}: ") and reason in first
    assert second.startswith("OSWorld-G.json, record 2, field id: it is missing")


def test_without_a_classification_there_are_no_abilities(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"classification_result.json is not an object .*classified.*KeyError"):
        made(tmp_path, GOOD, classes={"text_matching": []})
    (tmp_path / "classification_result.json").unlink()
    with pytest.raises(ConfigError, match=r"has no classification_result.json.*git clone"):
        OSWorldGSuite(str(tmp_path))


@pytest.mark.parametrize(
    ("row", "right"),
    [
        ({"id": "a-0", "point": [60, 40]}, True),  # in pixels, on the corner
        ({"id": "a-0", "point": [0.3, 0.4]}, True),  # in shares
        ({"id": "a-0", "point": [0, 0, 80, 40]}, True),  # the middle of a box
        ({"id": "a-0", "point": [61, 40]}, False),
        ({"id": "a-0", "point": [-1, -1]}, False),
        ({"id": "a-0", "reply": "pyautogui.click(x=30, y=20)"}, True),
        ({"id": "a-0", "reply": "I do not know"}, False),
        ({"id": "a-1", "point": [100, 50]}, True),
        ({"id": "a-1", "point": [70, 30]}, False),
        ({"id": "a-2", "point": [-1, -1]}, True),
        ({"id": "a-2", "reply": "wait"}, True),
        ({"id": "a-2", "point": [-1, 1]}, False),
        ({"id": "a-2", "point": None}, False),
    ],
)
def test_one_prediction(tmp_path: Path, row: dict[str, Any], right: bool) -> None:
    made(tmp_path, *(record for record in (GOOD, ROOF, NONE) if record["id"] == row["id"]))
    scored = OSWorldGScore().score(str(tmp_path), put(tmp_path / "p.jsonl", [row]))
    assert scored.figure("overall").value == right


def test_figures_and_abilities_by_hand(tmp_path: Path) -> None:
    """Right: the roof. Wrong: the box (missing) and the refusal (unreadable)."""
    made(tmp_path, GOOD, ROOF, NONE)
    rows = [{"id": "a-1", "point": [100, 50]}, {"id": "a-2", "point": None}, {"id": "a-9", "point": [1, 2]}]
    scored = OSWorldGScore().score(str(tmp_path), put(tmp_path / "p.jsonl", rows))
    overall, without_refusals = scored.figures
    assert (overall.of, overall.void, without_refusals.of) == (3, 1, 2)
    assert overall.value == pytest.approx(1 / 3) and without_refusals.value == 0.5
    assert overall.valid is not None and overall.valid.estimate == 0.5
    assert {row[0]: row[1:] for row in scored.tables[0].rows} == {
        "text_matching": ("50.0 (1/2)", "0"),
        "layout_understanding": ("100.0 (1/1)", "0"),
        "unclassified": ("0.0 (0/1)", "1"),
    }
    assert scored.missing == ("a-0",) and scored.extra == ("p.jsonl, row 2",)


def test_sample_predictions_score_as_counted_apart(tmp_path: Path) -> None:
    """A second count from the raw files; a polygon here is a rhomb, so that a sum of shares tells what is inside."""
    mini_osworld_g.write(tmp_path)
    path = mini_osworld_g.sample_predictions(tmp_path)
    said = {row["id"]: row["point"] for row in map(json.loads, path.read_text().splitlines())}
    records = json.loads((tmp_path / "OSWorld-G.json").read_text())
    right: dict[str, bool] = {}
    for record in records:
        x, y = said.get(record["id"]) or (0.0, 0.0)
        numbers = record["box_coordinates"]
        if record["box_type"] == "refusal":
            right[record["id"]] = x == -1 and y == -1
        elif record["box_type"] == "bbox":
            left, top, width, height = numbers
            right[record["id"]] = left <= x <= left + width and top <= y <= top + height
        else:
            left, _, middle, top, end, _, _, bottom = numbers
            across, down = abs(x - middle) / ((end - left) / 2), abs(y - (top + bottom) / 2) / ((bottom - top) / 2)
            right[record["id"]] = across + down <= 1
    scored = OSWorldGScore().score(str(tmp_path), path)
    kinds = {kind: [r["id"] for r in records if r["box_type"] == kind] for kind in ("bbox", "polygon", "refusal")}
    assert all(len(ids) >= 5 for ids in kinds.values()) and 20 <= len(records) <= 60
    assert scored.figures[0].value == pytest.approx(sum(right.values()) / len(records))
    seen = kinds["bbox"] + kinds["polygon"]
    assert scored.figures[1].value == pytest.approx(sum(right[id] for id in seen) / len(seen))
    classes = json.loads((tmp_path / "classification_result.json").read_text())["classified"]
    assert len(classes) == 5
    for name, cell, _ in scored.tables[0].rows:
        ids = [entry["id"] for entry in classes[name]]
        hits = sum(right[id] for id in ids)
        assert cell == f"{100 * hits / len(ids):.1f} ({hits}/{len(ids)})"
