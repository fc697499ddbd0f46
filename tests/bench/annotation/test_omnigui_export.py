"""Runs in OmniGUI's format: our own suite reads them, and the recorded actions match exactly."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.annotation.answers import AnswerFile, EpisodeAnswer, StepAnswer, StepCorrection
from omnipilot.bench.annotation.recordings import read_recording
from omnipilot.bench.run.runner import run
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.omnigui.data import load
from omnipilot.envs import Modality

pytestmark = pytest.mark.exhibit("duet", "omnigui")
GRANTED = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Solved episodes on the phone, one with two applications, and one on the desktop."""
    folder = tmp_path_factory.mktemp("played") / "run"
    tasks = ("send-message", "add-alarm", "number-by-voicemail", "move-file")
    run(RunSpec(AgentSpec(planner=PartSpec("oracle"), modalities=GRANTED), PartSpec("duet"), tasks=tasks), folder)
    return folder


def test_the_recorded_actions_match_exactly(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "data"
    done = omnipilot("export", str(played), "--to", "omnigui", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "left out, with an action that is no primitive: 1 episodes" in done.stderr
    assert "left out, with steps on another device than a phone: 1 episodes" in done.stderr
    loaded = load(Source.open(str(out), ""))
    assert not loaded.bad and [one.id for one in loaded.items] == ["send-message_0.0", "add-alarm_0.0"]
    assert {one.level for one in loaded.items} == {"AV-Present"} and loaded.items[0].dimension == "Localization"
    steps = [len(one.steps) for one in read_recording(played).episodes if "send" in one.id or "add" in one.id]
    assert [len(one.steps) for one in loaded.items] == [count + 1 for count in steps]
    again = tmp_path / "again"
    assert (
        omnipilot(
            "run", "--suite", "omnigui", "--data", str(out), "--planner", "oracle", "--out", str(again)
        ).returncode
        == 0
    )
    for variant in ("release", "paper"):
        told = omnipilot("score", "omnigui", str(again), "--variant", variant).stdout
        (line,) = (line for line in told.splitlines() if line.startswith("EM %"))
        assert line.split()[2] == "100.0", told


def test_labels_and_corrections_of_annotators_are_in_it(played: Path, tmp_path: Path) -> None:
    """The step that opens a second application was corrected into a tap, so that its episode can be told."""
    answers = AnswerFile(played)
    episodes = {one.id: one for one in read_recording(played).episodes}
    voicemail = episodes["number-by-voicemail#0.0"]
    opened = next(at for at, step in enumerate(voicemail.steps) if step.primitive == "OTHER")
    try:
        answers.append(StepCorrection("kim", voicemail.id, opened, "TAP", (10.0, 20.0, 60.0, 70.0), ""))
        answers.append(EpisodeAnswer("kim", voicemail.id, "Temporal Reasoning"))
        for step in range(len(voicemail.steps)):
            late = step == opened
            answers.append(StepAnswer("kim", voicemail.id, step, False, "guess" if late else "yes"))
            answers.append(StepAnswer("kim", voicemail.id, step, True, "yes", by=("sound" if late else "screen",)))
        assert omnipilot("export", str(played), "--to", "omnigui", "--out", str(tmp_path)).returncode == 0
    finally:
        answers.path.unlink()
    one = next(one for one in load(Source.open(str(tmp_path), "")).items if one.id == "number-by-voicemail_0.0")
    assert (one.level, one.dimension) == ("AV-Supportive", "Temporal Reasoning")
    touch = one.steps[opened].touch
    assert touch is not None and touch.rectangles == ((10, 20, 60, 70),)
    rows = json.loads((tmp_path / "merged_sorted.json").read_text(encoding="utf-8"))
    assert any(row["audio_path"] for row in rows)


def test_what_was_not_solved_is_no_recording(tmp_path: Path) -> None:
    run(
        RunSpec(AgentSpec(planner=PartSpec("planted_failures:Boaster")), PartSpec("duet"), tasks=("add-alarm",)),
        tmp_path / "run",
    )
    done = omnipilot("export", str(tmp_path / "run"), "--to", "omnigui", "--out", str(tmp_path / "data"))
    assert done.returncode == 2 and "that were not solved: 1" in done.stderr and "no episode" in done.stderr


def test_what_an_episode_is_called_leads_nowhere_else(played: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(played, tmp_path / "run"))
    journal = moved / "journal.jsonl"
    text = journal.read_text(encoding="utf-8").replace('"key":"add-alarm#0.0"', '"key":"../../../up/it#0.0"')
    journal.write_text(text, encoding="utf-8")
    out = tmp_path / "a" / "data"
    assert omnipilot("export", str(moved), "--to", "omnigui", "--out", str(out)).returncode == 0
    assert {one.name for one in tmp_path.iterdir()} == {"run", "a"} and list((tmp_path / "a").iterdir()) == [out]
    ids = [one.id for one in load(Source.open(str(out), "")).items]
    assert len(ids) == 2 and any("up_it" in id for id in ids)
