"""`score androidlab` with a double of its repository, and with the real one where a checkout is named."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench.scoring import Scored
from omnipilot.bench.suites.androidlab import AndroidLabScore
from omnipilot.envs import ConfigError

STANDIN = Path(__file__).parents[3] / "fixtures" / "android_lab_standin"
CHECKOUT, PYTHON = os.environ.get("ANDROIDLAB_CHECKOUT", ""), os.environ.get("ANDROIDLAB_PYTHON", "")


def record(root: Path, task: str, *screens: str, said: str = "done", commands: Mapping[str, str] | None = None) -> Path:
    """A folder as their recorder writes it: dumps of screens, and a line for each of the agent's actions."""
    folder = root / f"{task}_2026-11-26_10-00-00"
    for name in ("traces", "xml", "Screen"):
        (folder / name).mkdir(parents=True)
    lines = []
    for at, screen in enumerate(screens):
        (folder / "xml" / f"{at}.xml").write_text(screen)
        last = at == len(screens) - 1
        action: dict[str, Any] = {"action": "Tap", "kwargs": {"element": [0, 0, at, at]}}
        if last:
            action = {"action": "finish", "kwargs": {"message": said}}
        line = {"index": at, "image": f"elsewhere/Screen/{at}.png", "xml": f"elsewhere/xml/{at}.xml", "ac_xml": None}
        line |= {"target": "the instruction", "parsed_action": action}
        lines.append(json.dumps({**line, **({"command": commands} if commands else {})}))
    (folder / "traces" / "trace.jsonl").write_text("\n".join(lines) + "\n")
    return root


def figures(scored: Scored) -> dict[str, tuple[float, int, int]]:
    return {one.name: (round((one.value or 0.0) * one.of, 6), one.of, one.void) for one in scored.figures}


def standin(folder: Path, judge: str = "") -> Scored:
    return AndroidLabScore(sys.executable, judge).score(str(STANDIN), folder)


def test_screens_are_judged_and_what_was_not_recorded_counts_as_failed(tmp_path: Path) -> None:
    record(tmp_path, "notes_1", "home", "whole note")
    record(tmp_path, "notes_2", "note", "home")
    record(tmp_path, "clock_2", "home")
    record(tmp_path, "maps_1", "home")
    (tmp_path / "notes").mkdir()
    scored = standin(tmp_path)
    # Seven tasks have a judge; three are recorded. The second has one of its two sub-goals.
    assert figures(scored) == {
        "SR": (1.0, 7, 4),
        "Sub-SR": (1.5, 7, 4),
        "ROR": (1.5, 7, 4),
        "RRR": (0.5, 1, 0),
    }
    valid = scored.figure("SR").valid
    assert valid is not None and valid.estimate == pytest.approx(1 / 3)
    assert scored.extra == ("notes", "maps_1_2026-11-26_10-00-00") and len(scored.missing) == 4
    assert re.match(r"judged by the checkout [0-9a-f]{12}; 3 of 7 tasks are recorded", scored.notes[0])
    assert scored.tables[0].rows == (("clock", "2", "1", "0", "0"), ("notes", "5", "2", "1", "0"))


@pytest.mark.parametrize(
    ("judge", "said", "solved", "why"),
    [
        ("", "seven", 0, "a model has to judge its answer: name one with -o judge="),
        ("exact", "seven", 1, ""),
        ("exact", "eight", 0, ""),
        ("silent", "seven", 0, "silent said neither True nor False of its answer"),
        ("broken", "seven", 0, "broken could not judge its answer: no network"),
    ],
)
def test_an_answer_that_no_model_has_judged_is_void(
    judge: str, said: str, solved: int, why: str, tmp_path: Path
) -> None:
    scored = standin(record(tmp_path, "notes_3", "home", "home", said=said), judge)
    assert figures(scored)["SR"] == (solved, 7, 6 + bool(why))
    assert (f"task notes_3 is void: {why}" in "\n".join(scored.notes)) == bool(why)


def test_a_judge_that_misbehaves_makes_one_task_void_and_no_more(tmp_path: Path) -> None:
    record(tmp_path, "clock_1", "home")
    record(tmp_path, "clock_2", "whole note")
    record(tmp_path, "notes_4", "home", "home")
    record(tmp_path, "notes_5", "home")
    record(tmp_path, "notes_1", "whole note")
    (next(tmp_path.glob("notes_1*")) / "xml" / "0.xml").unlink()
    scored = standin(tmp_path)
    assert figures(scored)["SR"] == (2.0, 7, 5)
    told = "\n".join(scored.notes)
    assert "task clock_1 is void: " in told and "ended" in told
    assert "notes_4 is void: its judge failed on every screen, first with KeyError: 'list'" in told
    assert "notes_1 is void: none of its screens could be read" in told


def test_of_several_recordings_of_a_task_the_last_counts_and_that_is_said(tmp_path: Path) -> None:
    record(tmp_path, "clock_2", "home")
    record(tmp_path / "later", "clock_2", "whole note")
    (next((tmp_path / "later").iterdir())).rename(tmp_path / "clock_2_2026-12-01_10-00-00")
    (tmp_path / "later").rmdir()
    scored = standin(tmp_path)
    assert figures(scored)["SR"][0] == 1.0 and "1 folders are of a task that has a later one" in scored.notes[-1]


def test_what_is_wrong_is_said_with_its_cure(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken" / "evaluation").mkdir(parents=True)
    (tmp_path / "broken" / "evaluation" / "configs.py").write_text("import no_such_package")
    (tmp_path / "broken" / "evaluation" / "task.py").write_text("import no_such_package")
    cases: Sequence[tuple[str, Path, str]] = [
        ("", tmp_path, "git clone"),
        (str(tmp_path), tmp_path, r"evaluation/configs\.py"),
        (str(STANDIN), tmp_path / "none", "is no folder"),
        (str(STANDIN), tmp_path / "empty", "no recorded task"),
        (str(tmp_path / "broken"), tmp_path / "empty", "no_such_package.*-o python="),
    ]
    for data, folder, said in cases:
        with pytest.raises(ConfigError, match=said):
            AndroidLabScore(sys.executable).score(data, folder)


def dump(*texts: str) -> str:
    """What `uiautomator dump` writes of a screen with these texts."""
    flags = "checkable checked focused scrollable long-clickable password selected".split()
    shared = " ".join(f'{name}="false"' for name in flags) + ' content-desc="" resource-id="" package="settings"'
    inside = "".join(
        f'<node index="{at}" text="{text}" class="android.widget.TextView" clickable="true" enabled="true" '
        f'focusable="true" bounds="[0,{100 * at}][1080,{100 * at + 90}]" {shared}/>'
        for at, text in enumerate(texts)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="0"><node index="0" text="" '
        'class="android.widget.FrameLayout" clickable="false" enabled="true" focusable="false" '
        f'bounds="[0,0][1080,2400]" {shared}>{inside}</node></hierarchy>'
    )


@pytest.mark.needs("a checkout of AndroidLab")
def test_their_own_judges_tell_right_from_wrong(tmp_path: Path) -> None:
    plane, bluetooth = "airplane_mode_on", "bluetooth_on"
    hostname = "Private DNS provider hostname"
    for name, dns, on, off in (("right", "dns.google", "1", "0"), ("wrong", "dns.example", "0", "1")):
        folder = tmp_path / name
        record(folder, "setting_0", dump("Settings"), commands={f"adb shell settings get global {plane}": on})
        record(folder, "setting_2", dump("Settings"), dump(hostname, dns))
        record(folder, "setting_3", dump("Settings"), commands={f"adb shell settings get global {bluetooth}": off})
        record(folder, "clock_12", dump("Clock"))
        scored = AndroidLabScore(PYTHON).score(CHECKOUT, folder)
        assert figures(scored)["SR"] == (3.0 if name == "right" else 0.0, 138, 135)
        assert "task clock_12 is void: a model has to judge its answer" in "\n".join(scored.notes)
