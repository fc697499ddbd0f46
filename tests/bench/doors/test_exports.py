"""Runs as trajectories of ATIF and as a data set of Hugging Face, read by the packages that define these formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from demonstrations import demonstrate

from omnipilot.bench.cli.commands.export import export_command
from omnipilot.bench.doors.atif import export_atif
from omnipilot.bench.doors.hf_dataset import export_hf
from omnipilot.bench.journal import EpisodeStarted, StepTaken, TurnTaken, read
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import ConfigError

pytestmark = pytest.mark.exhibit("duet")
TASKS = tuple(info.id for info in Duet().tasks())


@pytest.fixture(scope="module", params=[TASKS[:3], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["some", "all"])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "demonstrations"
    demonstrate("duet", request.param, folder)
    return folder


def test_trajectories_are_valid_and_hold_every_turn(recorded: Path, tmp_path: Path) -> None:
    atif = pytest.importorskip("atif")
    files = export_atif([recorded], tmp_path)
    started = [event for event in read(recorded) if isinstance(event, EpisodeStarted)]
    turns = [event for event in read(recorded) if isinstance(event, TurnTaken)]
    steps = [event for event in read(recorded) if isinstance(event, StepTaken)]
    found = [atif.Trajectory.model_validate_json(file.read_text()) for file in files]
    assert len(found) == len(started) and sum(len(one.steps) for one in found) == len(turns) + len(started)
    calls = [call for one in found for step in one.steps for call in step.tool_calls or ()]
    assert [call.extra["executed"] for call in calls] == [step.executed for step in steps]
    assert [call.function_name for call in calls] == [step.proposed["kind"] for step in steps if step.proposed]
    for one, begun, file in zip(found, started, files, strict=True):
        assert one.steps[0].message[0].text == begun.instruction and one.steps[0].source == "user"
        assert one.final_metrics.extra["success"] and one.final_metrics.total_steps == len(one.steps)
        results = [result.content for step in one.steps if step.observation for result in step.observation.results]
        contents = [*(step.message for step in one.steps), *results]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        sources = [part.source for part in parts if part.source is not None]
        assert sources and all((file.parent / source.path).is_file() for source in sources)
        for step in one.steps:
            named = {call.tool_call_id for call in step.tool_calls or ()}
            answered = {result.source_call_id for result in (step.observation.results if step.observation else ())}
            assert answered - {None} <= named


def test_a_data_set_has_a_row_a_turn_with_its_pictures(recorded: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    (file,) = export_hf([recorded], tmp_path)
    found = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
    turns = [event for event in read(recorded) if isinstance(event, TurnTaken)]
    assert found.num_rows == len(turns) and all(found["success"])
    first = found[0]
    assert json.loads(first["moves"]) == turns[0].moves and first["envs"] == list(turns[0].observations)
    assert [(image.width, image.height) for image in first["images"]] == [
        tuple(seen["size"]) for seen in turns[0].observations.values()
    ]
    assert found[-1]["completed"] == found[-1]["total"] > 0


def test_what_is_held_out_is_not_exported_for_training(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    run = tmp_path / "run"
    demonstrate("duet", TASKS[:1], run)
    journal = run / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"split":"dev"', '"split":"test"'))
    with pytest.raises(ConfigError, match="holds out for the test; nobody shall train on it"):
        export_hf([run], tmp_path)


def test_the_command_writes_them_and_knows_no_others(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_command([recorded], "atif", tmp_path)
    said = capsys.readouterr().out.split()
    assert all(Path(line).is_file() and line.endswith(".json") for line in said) and said
    with pytest.raises(ConfigError, match="there is no format 'atiff'; did you mean atif"):
        export_command([recorded], "atiff", tmp_path)
    with pytest.raises(ConfigError, match="two of these runs are named 'demonstrations'"):
        export_atif([recorded, recorded], tmp_path)
