"""What the commands of `omnipilot train` say about pools."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from tests.fixtures import export_pools


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two templates stand for all of the test."""
    monkeypatch.setattr(
        "omnipilot.bench.training.pool_tasks.exclusion.test_templates", lambda: frozenset({"read-code", "note-down"})
    )


def say(*asked: str) -> str:
    """What a command prints, and how it failed, on one line."""
    done = CliRunner().invoke(app, ["train", *asked])
    return " ".join(f"{done.output} {done.exception or ''}".split())


def test_a_pool_is_named_with_its_suite_and_only_then(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "out")]
    assert "--data POOL" in say("planner", "--suite", "pool", *out)
    assert "add --suite pool" in say("planner", "--data", str(tmp_path), *out)
    assert "add --suite pool" in say("planner", "--with-test-effects", *out)
    assert "duet, duet-memory, pool" in say("planner", "--suite", "pond", *out)


def test_a_training_pool_is_made_and_what_is_left_out_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its graphs are composed as those of any pool.
    monkeypatch.setattr("omnipilot.bench.suites.pool.commands.all.all_stages", lambda **_: None)
    source = export_pools.write(tmp_path / "pool").root
    said = say("pool", str(source), "--out", str(tmp_path / "out"))
    assert "2 subtasks left out: is a hand-written template of the test" in said
    assert f"train planner --suite pool --data {tmp_path / 'out'} --from mini" in said
    assert not {"read-code", "note-down"} & {one.id for one in PoolFolder(tmp_path / "out").subtasks.read()}
