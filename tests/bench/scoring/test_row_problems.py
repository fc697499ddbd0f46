"""One rule for predictions that are there more than once, and for answers that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import omnibench_data
import pytest
from crab_rows import row, scored
from mmbench_l1_made import data, item
from pointing_files import picture, put

from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.mmbench_gui.level1.score import MMBenchL1Score
from omnipilot.bench.suites.mmbench_gui.level2 import sample as mini_mmbench_l2
from omnipilot.bench.suites.mmbench_gui.level2.score import MMBenchL2Score
from omnipilot.bench.suites.omnibench.data import load_data
from omnipilot.bench.suites.omnibench.predictions import read_file
from omnipilot.bench.suites.omnigui.sample import write as mini_omnigui
from omnipilot.bench.suites.omnigui.score import OmniGuiScore
from omnipilot.bench.suites.screenspot.score import ScreenSpotScore
from omnipilot.envs import ConfigError

RECORD = {"img_filename": "a.png", "bbox": [20, 10, 40, 30], "data_type": "text", "data_source": "ios"}
IN, OUT = [0.2, 0.2], [0.9, 0.9]


def pointed(folder: Path, rows: Sequence[Mapping[str, Any]], words: Sequence[str] = ("one", "two", "three")) -> Scored:
    """Rows, scored on a screen with as many targets as there are instructions."""
    picture(folder / "screenspot_imgs" / "a.png")
    put(folder / "screenspot_mobile.json", [{**RECORD, "instruction": text} for text in words])
    (folder / "rows.json").write_text(json.dumps(rows))
    return ScreenSpotScore().score(str(folder), folder / "rows.json")


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_alike_count_once_and_of_others_the_last(tmp_path: Path) -> None:
    first, second = {"id": "mobile-0", "point": OUT}, {"id": "mobile-0", "point": IN}
    found = pointed(tmp_path, [first, first, second, second, {"id": "mobile-1", "point": IN}])
    assert "2 predictions are there twice" in found.notes
    assert "1 predictions are for a target that already has one; the last one counts" in found.notes
    assert found.figure("micro").value == pytest.approx(2 / 3) and not found.extra
    assert pointed(tmp_path, [second, first, {"id": "mobile-1", "point": IN}]).figure("micro").value == pytest.approx(
        1 / 3
    )


def test_targets_that_nothing_tells_apart_take_a_row_each(tmp_path: Path) -> None:
    named = {"img_path": "a.png", "text": "same"}
    twice = [{**named, "point": IN}, {**named, "point": IN}]
    found = pointed(tmp_path, twice, ("same", "same"))
    assert found.figure("micro").value == 1 and not any("twice" in note for note in found.notes)
    third = pointed(tmp_path, [*twice, {**named, "point": OUT}], ("same", "same"))
    assert third.figure("micro").value == 0.5


@pytest.mark.parametrize("answer", [float("nan"), [0.1, 0.2, 0.3], {}, True, [float("nan"), 0.2], [True, 0.2], 7])
def test_an_answer_that_cannot_be_read_is_wrong_and_stays_in(tmp_path: Path, answer: Any) -> None:
    found = pointed(tmp_path, [{"id": "mobile-0", "pred": answer}, {"id": "mobile-1", "pred": IN}])
    micro = found.figure("micro")
    assert (micro.value, micro.of, micro.void) == (pytest.approx(1 / 3), 3, 1)
    assert micro.valid is not None and micro.valid.estimate == 0.5
    assert found.missing == ("mobile-2",) and not found.extra
    assert any(note.startswith("1 answer cannot be read and is wrong: rows.json, record 0") for note in found.notes)
    assert found.tables[0].rows[-1][-1] == "1"


def test_a_row_without_an_answer_is_no_prediction(tmp_path: Path) -> None:
    found = pointed(tmp_path, [{"id": "mobile-0"}, {"id": "mobile-1", "point": IN}, {"id": "mobile-2", "point": None}])
    assert found.missing == ("mobile-0",) and len(found.extra) == 1
    assert found.figure("micro").void == 1


def test_a_file_in_which_no_answer_can_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="no prediction that can be scored; the first: rows.json, record 0, field pred"
    ):
        pointed(tmp_path, [{"id": "mobile-0", "pred": {}}, {"id": "mobile-1", "pred": True}])


@pytest.mark.slow
def test_mmbench_l2_has_the_same_rule(tmp_path: Path) -> None:
    mini_mmbench_l2.write(tmp_path)
    said = tmp_path / "said.jsonl"
    index = json.loads((tmp_path / "L2_annotations.json").read_text())[0]["index"]
    lines = [{"index": index, "prediction": text} for text in ("[0.1, 0.1]", "[0.1, 0.1]", "[0.2, 0.2]")]
    put(said, lines)
    notes = MMBenchL2Score().score(str(tmp_path), said).notes
    assert "1 predictions are there twice" in notes
    assert "1 predictions are for a target that already has one; the last one counts" in notes


@pytest.mark.slow
def test_omnigui_takes_the_last_and_counts_an_unreadable_reply_as_wrong(tmp_path: Path) -> None:
    mini_omnigui.write(tmp_path)
    rows = rows_of(mini_omnigui.sample_predictions(tmp_path))
    name = next(key for key in ("prediction", "response", "reply", "filtered_resps") if key in rows[0])
    whole = put(tmp_path / "whole.jsonl", rows)
    before = OmniGuiScore().score(str(tmp_path), whole)
    put(tmp_path / "twice.jsonl", [{**rows[0], name: "before"}, *rows, rows[-1]])
    twice = OmniGuiScore().score(str(tmp_path), tmp_path / "twice.jsonl")
    assert [one.value for one in twice.figures] == [one.value for one in before.figures]
    assert "1 predictions are there twice" in twice.notes
    assert "1 predictions are for a step that already has one; the last one counts" in twice.notes
    put(tmp_path / "odd.jsonl", [{**rows[0], name: {"action_type": 0}}, *rows[1:]])
    odd = OmniGuiScore().score(str(tmp_path), tmp_path / "odd.jsonl")
    assert odd.figures[0].void == before.figures[0].void and not odd.extra
    assert any(note.startswith("1 answer cannot be read and is wrong: odd.jsonl, record 0") for note in odd.notes)


def test_a_screen_without_readable_questions_leaves_the_indices_of_the_others(tmp_path: Path) -> None:
    broken = item(1)
    del broken["groups"]
    where = data(tmp_path / "data", [item(0), broken, "nothing", item(3)])
    lines = ["index,prediction", *(f"{index},{'B' if index in (0, 1, 2, 9, 10, 11) else 'A'}" for index in range(12))]
    (tmp_path / "said.csv").write_text("\n".join(lines))
    found = MMBenchL1Score().score(where, tmp_path / "said.csv")
    assert found.figure("all levels").value == 1 and found.figure("all levels").of == 6 and not found.missing
    assert [bad.record for bad in found.bad] == ["1", "2"] and len(found.extra) == 6


def test_rows_of_a_crab_log_are_trials_only_where_they_differ(tmp_path: Path) -> None:
    one, other = row("a", "success", 3, 1.0), row("a", "agent_complete", 5, 0.5, time="2026-03-02_11-00-00")
    last = row("b", "agent_complete", 5, 0.0)
    alike = scored(tmp_path, one, one, last)
    assert alike.figure("SR").of == 2 and alike.figure("SR").value == 0.5
    assert "1 predictions are there twice" in alike.notes
    assert not any("repeated trials" in note for note in alike.notes)
    found = scored(tmp_path, one, other, one, last)
    assert found.figure("SR").of == 3
    assert "1 tasks are there more than once; their 2 rows count as repeated trials" in found.notes


def test_trajectories_of_omnibench_are_trials_only_where_they_differ(tmp_path: Path) -> None:
    graphs = {task.id: task.graph for task in load_data(Source.open(omnibench_data.write(tmp_path / "data"), "")).items}
    task = next(iter(graphs))
    one = {"task_id": task, "topological_order": []}
    lines = [one, one, {**one, "trajectory_id": "2"}, {**one, "topological_order": 7}]
    found = read_file(put(tmp_path / "said.jsonl", lines), graphs)
    assert [attempt.trial for attempt in found.items] == [0, 1, 2] and len(found.bad) == 1
    assert found.notes == (
        "1 predictions are there twice",
        "1 tasks are there more than once; their 3 trajectories count as repeated trials",
    )
