"""Every kind of fault that is planted in a recording is found, and nothing else."""

from __future__ import annotations

import json
import shutil
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.annotation.answers import AnswerFile, StepAnswer
from omnipilot.bench.annotation.checks import KINDS, check_recording
from omnipilot.bench.annotation.recordings import chinese_share, read_recording
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import Modality

pytestmark = pytest.mark.exhibit("duet", "omnigui")


@pytest.fixture(scope="module")
def sound_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checked") / "run"
    agent = AgentSpec(
        planner=PartSpec("oracle"), modalities=frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO})
    )
    run(RunSpec(agent, PartSpec("duet"), tasks=("send-message", "add-alarm")), folder)
    return folder


@pytest.fixture
def played(sound_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound_run, tmp_path / "run"))


@pytest.fixture
def released(miniature: Callable[[str], Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(miniature("omnigui"), tmp_path / "omnigui"))


def found(folder: Path) -> set[tuple[str, str, int | None]]:
    return {(one.kind, one.episode, one.step) for one in check_recording(read_recording(folder)).problems}


def change_journal(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "journal.jsonl"
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for event in events:
        change(event)
    path.write_text("".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events), encoding="utf-8")


def change_rows(folder: Path, change: Callable[[dict[str, Any]], None], episode: str) -> None:
    path = folder / "merged_sorted.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    for row in rows:
        if row["episode_id"] == episode:
            change(row)
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


def first_row(folder: Path, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    rows = json.loads((folder / "merged_sorted.json").read_text(encoding="utf-8"))
    return next(row for row in rows if wanted(row))


def test_nothing_is_wrong_with_what_is_sound(played: Path, released: Path) -> None:
    assert found(played) == found(released) == set()
    done = omnipilot("annotate", str(played), "--check")
    assert done.returncode == 0 and "2 episodes" in done.stdout and "nothing wrong" in done.stdout
    assert "not played again" in omnipilot("annotate", str(released), "--check").stdout


def test_another_end_than_was_recorded(played: Path) -> None:
    def change(event: dict[str, Any]) -> None:
        if event["event"] == "step" and (event["executed"] or {}).get("text"):
            event["executed"]["text"] = event["proposed"]["text"] = "Something else"

    change_journal(played, change)
    assert {kind for kind, _, _ in found(played)} == {"replay"}
    done = omnipilot("annotate", str(played), "--check")
    assert done.returncode == 1 and "replay:" in done.stdout


def test_a_place_outside_its_box(played: Path, released: Path) -> None:
    def change(event: dict[str, Any]) -> None:
        if event["event"] == "step" and event["key"].startswith("add-alarm") and event["step"] == 1:
            event["executed"]["at"]["x"] = 0.1

    change_journal(played, change)
    assert ("box", "add-alarm#0.0", 1) in found(played)
    row = first_row(released, lambda row: "[[" in row.get("result_touch_xy", ""))

    def move(other: dict[str, Any]) -> None:
        if other["step_id"] == row["step_id"]:
            other["result_action_json"] = json.dumps({"action_type": 0, "coordinate": [2, 2]})

    change_rows(released, move, row["episode_id"])
    assert found(released) == {("box", row["episode_id"], row["step_id"])}


def test_a_box_off_the_screen(released: Path) -> None:
    row = first_row(released, lambda row: "[[" in row.get("result_touch_xy", ""))

    def move(other: dict[str, Any]) -> None:
        if other["step_id"] == row["step_id"]:
            other["result_touch_xy"] = "[[5000, 10], [5100, 60]]"
            other["result_action_json"] = json.dumps({"action_type": 0, "coordinate": [5050, 30]})

    change_rows(released, move, row["episode_id"])
    assert found(released) == {("box", row["episode_id"], row["step_id"])}


def cut(file: Path, seconds: float, silent: bool = False) -> None:
    """Make a sound so long, or as long as it is and silent."""
    with wave.open(str(file)) as sound:
        form, frames = sound.getparams(), sound.readframes(sound.getnframes())
    with wave.open(str(file), "wb") as sound:
        sound.setparams(form)
        count = round(seconds * form.framerate) * form.sampwidth * form.nchannels
        sound.writeframes(bytes(len(frames)) if silent else (frames * 50)[:count])


def test_a_sound_of_another_length_and_a_picture_of_another_size(released: Path) -> None:
    pytest.importorskip("av")
    row = first_row(released, lambda row: bool(row["video_path"] and row["audio_path"]))
    cut(released / "benchmark" / row["audio_path"], 9.0)
    assert found(released) == {("length", row["episode_id"], row["step_id"])}


def test_a_picture_of_another_size(released: Path) -> None:
    row = first_row(released, lambda row: row["result_touch_xy"] == "")

    def grow(other: dict[str, Any]) -> None:
        if other["step_id"] == row["step_id"]:
            other["image_width"] += 10

    change_rows(released, grow, row["episode_id"])
    assert found(released) == {("length", row["episode_id"], row["step_id"])}


def test_silence_where_sound_is_claimed(released: Path, played: Path) -> None:
    row = first_row(released, lambda row: row["level"] == "AV-Critical")
    for file in (released / "benchmark").glob(f"*/*/{row['episode_id']}/*.mp4"):
        file.unlink()
    change_rows(released, lambda other: other.update(video_path=""), row["episode_id"])
    assert found(released) == set()
    for file in (released / "benchmark").glob(f"*/*/{row['episode_id']}/*.wav"):
        cut(file, 0, silent=True)
    assert found(released) == {("silence", row["episode_id"], None)}
    AnswerFile(played).append(StepAnswer("kim", "add-alarm#0.0", 2, True, "yes", by=("speech",)))
    assert found(played) == {("silence", "add-alarm#0.0", 2)}


def test_an_instruction_in_another_language(released: Path, played: Path) -> None:
    row = first_row(released, lambda row: row["subset"] == "zh")
    change_rows(released, lambda other: other.update(instruction="Open the messages."), row["episode_id"])
    assert found(released) == {("language", row["episode_id"], None)}

    def change(event: dict[str, Any]) -> None:
        if event["event"] == "episode_started" and event["task"] == "add-alarm":
            event["instruction"] = "在手机的时钟里新建一个闹钟并保存。"

    change_journal(played, change)
    assert ("language", "add-alarm#0.0", None) in found(played)


def test_two_recordings_of_one_thing(released: Path) -> None:
    row = first_row(released, lambda row: True)
    path = released / "merged_sorted.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    again = [dict(other, episode_id="again") for other in rows if other["episode_id"] == row["episode_id"]]
    path.write_text(json.dumps(rows + again, ensure_ascii=False), encoding="utf-8")
    assert ("duplicate", "again", None) in found(released)


def test_what_cannot_be_read_is_told(released: Path) -> None:
    row = first_row(released, lambda row: bool(row["audio_path"]))
    (released / "benchmark" / row["image_path"]).unlink()
    assert {kind for kind, _, _ in found(released)} == {"unreadable"}
    assert set(KINDS) == {"replay", "box", "length", "silence", "language", "duplicate", "unreadable"}


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("在手机上打开信息", True),
        ("进入与“Anna Berg”的对话", True),
        ('Open "时钟" on the phone', False),
        ("Ouvre le téléphone", False),
    ],
)
def test_script_is_told_outside_quotation_marks(text: str, chinese: bool) -> None:
    share = chinese_share(text)
    assert share is not None and (share > 0.3) == chinese
    assert chinese_share("12:30") is None
