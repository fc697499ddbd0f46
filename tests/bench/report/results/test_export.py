"""Runs as flat records, in CSV and parquet."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
from shared_folders import ROOT

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import StepTaken
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.report.results.export import export_runs
from omnipilot.envs import ConfigError, MissingExtra

from made_settings import spec_of  # isort: skip
from omnipilot.bench.run import run  # isort: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "run"
    run(spec_of({}, {"suite": "duet", "planner": "oracle", "tasks": "send-message"}), folder)
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.exhibit("duet", "rules")
def test_records_agree_with_the_journal_and_the_tables(played: Path, tmp_path: Path) -> None:
    files = export_runs([played], "csv", tmp_path / "out")
    assert [file.name for file in files] == ["episodes.csv", "steps.csv"], "no model was called"
    (episode,), steps = rows(files[0]), rows(files[1])
    taken = [event for event in read(played) if isinstance(event, StepTaken)]
    assert [int(step["step"]) for step in steps] == [event.step for event in taken]
    assert [step["result"] for step in steps] == [event.result for event in taken]
    assert episode["success"] == "True" and int(episode["steps"]) == len(steps) and episode["tag_app"] == "messages"
    table = main_table([load_run(played)], chosen=("steps",))
    assert table.rows[0][table.columns.index("steps")] == f"{len(steps):.1f}"


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.needs("omnipilot[parquet]")
def test_parquet_has_the_same_records_with_types(played: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    files = {file.stem: file for file in export_runs([played, played], "parquet", tmp_path)}
    found = parquet.read_table(files["steps"]).to_pylist()
    assert len(found) == 2 * len(rows(export_runs([played], "csv", tmp_path / "csv")[1]))
    assert isinstance(found[0]["counts"], bool) and isinstance(found[0]["end"], float)


@pytest.mark.exhibit("duet", "rules")
def test_a_missing_extra_and_a_wrong_format_are_told(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="did you mean parquet"):
        export_runs([played], "parqet", tmp_path)
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r"omnipilot\[parquet\]"):
        export_runs([played], "parquet", tmp_path)
    assert 'parquet = ["pyarrow' in (ROOT / "pyproject.toml").read_text()
