"""Data without a single task is refused with the reason; single bad records and lists are only told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from crab_rows import row, scored
from osworld_g_rows import CLASSES, GOOD
from pointing_files import picture, put
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.crab import sample as mini_crab
from omnipilot.bench.suites.mmbench_gui.level3.score import MMBenchL3
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.osworld_g import OSWorldGSuite
from omnipilot.envs import ConfigError


def refused(*said: str) -> str:
    """What the command says as it refuses."""
    told = CliRunner().invoke(app, list(said))
    assert isinstance(told.exception, ConfigError), told.output
    return str(told.exception)


def test_a_run_without_a_task_is_refused(tmp_path: Path) -> None:
    mini_omniact.write(tmp_path / "omniact")
    out = ["--planner", "noop", "--out", str(tmp_path / "run")]
    other = refused("run", "--suite", "crab", "--data", str(tmp_path / "omniact"), *out)
    assert "suite crab has no task to run: " in other and "records of its data cannot be read" in other
    assert "it is not a CRAB task" in other and "--data DIR" in other and len(other) < 400
    (tmp_path / "omniact" / "test.json").write_text("[]")
    none = refused("run", "--suite", "omniact", "--data", str(tmp_path / "omniact"), *out)
    assert "suite omniact has no task to run; --data DIR" in none
    mini_android_control.write(tmp_path / "ac")
    (tmp_path / "ac" / "rows" / "episodes.jsonl").write_text("")
    empty = refused("run", "--suite", "android-control", "--data", str(tmp_path / "ac" / "rows"), *out)
    assert "android-control" in empty
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("limit", ["0", "-3"])
def test_ground_wants_a_limit_of_one_or_more(limit: str) -> None:
    assert f"limit must be at least 1, not {limit}" in refused("ground", f"--limit={limit}")


def test_ground_with_nothing_to_ask_is_refused(tmp_path: Path) -> None:
    picture(tmp_path / "screenspot_imgs" / "a.png")
    record = {"img_filename": "a.png", "bbox": [2, 1, 4, 3], "data_type": "text", "data_source": "ios"}
    put(tmp_path / "screenspot_mobile.json", [{**record, "instruction": "go"}])
    said = refused("ground", "--suite", "screenspot", "--data", str(tmp_path), "--styles", "advanced")
    assert "has no target with an instruction" in said and "--styles" in said


def test_crab_is_not_scored_on_data_that_holds_no_task(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    log = row("a", "success", 3, 1.0)
    with pytest.raises(ConfigError, match=r"contains no CRAB task\. The task files"):
        scored(tmp_path, log, data=str(tmp_path / "data"))
    (tmp_path / "data" / "x.json").write_text(json.dumps({f"field_{number}": 1 for number in range(50)}))
    with pytest.raises(ConfigError, match="none of its 1 files can be read as one, the first: x.json") as told:
        scored(tmp_path, log, data=str(tmp_path / "data"))
    assert "field_7" not in str(told.value)


def test_the_platforms_of_crab_have_their_void_tasks(tmp_path: Path) -> None:
    mini_crab.write(tmp_path / "data")
    task = json.loads(next((tmp_path / "data" / "ubuntu").glob("*.json")).read_text())["id"]
    found = scored(tmp_path, row(task, "success", 3, 1.0), data=str(tmp_path / "data"))
    counts = {
        folder: len(list((tmp_path / "data" / folder).glob("*.json"))) for folder in ("android", "cross", "ubuntu")
    }
    rows = {line[1]: line for line in found.tables[0].rows}
    assert {name: int(line[4]) for name, line in rows.items()} == counts
    assert {name: int(line[5]) for name, line in rows.items()} == {**counts, "ubuntu": counts["ubuntu"] - 1}
    assert sum(counts.values()) == found.figure("SR").of


def results(folder: Path, *tasks: str) -> Path:
    for task in tasks:
        put(folder / task / "result.json", {}).with_name("result.txt").write_text(
            json.dumps({"completed": True, "steps_used": 5, "max_steps": 50})
        )
    return folder


def test_a_bad_line_of_the_list_of_tasks_is_told_and_the_rest_counts(tmp_path: Path) -> None:
    lines: list[Any] = [{"task": "os_web/a", "platform": "os_web"}, {"task": "os_web/b"}, 7]
    put(tmp_path / "tasks.jsonl", lines)
    found = MMBenchL3().score(str(tmp_path), results(tmp_path / "results", "os_web/a", "os_web/b"))
    assert found.figure("SR@15").of == 1 and found.figure("SR@15").void == 0
    assert (found.missing, found.extra) == ((), ("os_web/b",))
    (note,) = [note for note in found.notes if "list of tasks" in note]
    assert note.startswith(
        "2 lines of the list of tasks cannot be read and are in no denominator: tasks.jsonl, record 1"
    )
    assert "field platform" in note


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [([1, None], ["entries[1]"]), ([True, {"id": []}], ["entries[0]", "entries[1]"]), ("a-0", ["entries"])],
)
def test_strange_entries_of_a_classification_are_listed(tmp_path: Path, entries: Any, wrong: list[str]) -> None:
    picture(tmp_path / "images" / "a.png")
    put(tmp_path / "OSWorld-G.json", [GOOD])
    put(tmp_path / "classification_result.json", {"classified": {"text_matching": entries}})
    suite = OSWorldGSuite(str(tmp_path))
    assert [bad.field for bad in suite.bad] == wrong
    assert suite.bad[0].file == "classification_result.json" and suite.bad[0].record == "text_matching"
    assert "1 of 1 items have no ability in the data's classification" in suite.scored([]).notes
    put(tmp_path / "classification_result.json", CLASSES)
    assert not any("no ability" in note for note in OSWorldGSuite(str(tmp_path)).scored([]).notes)
