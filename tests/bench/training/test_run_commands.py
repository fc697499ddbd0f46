"""What the commands of `omnipilot train` refuse before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.envs import ConfigError


def say(*asked: str) -> str:
    """What a command prints, and how it failed, on one line."""
    done = CliRunner().invoke(app, ["train", "planner", *asked])
    assert done.exit_code != 0
    return " ".join(f"{done.output} {done.exception or ''}".split())


@pytest.mark.parametrize("asked", [("--shape", "large"), ("--samples", "x"), ("--intents",)])
def test_options_of_demonstrations_are_refused_with_rl(tmp_path: Path, asked: tuple[str, ...]) -> None:
    said = say("--rl", "--from", "mini", *asked, "--out", str(tmp_path / "out"))
    assert f"{asked[0]} is of learning from demonstrations; leave it out with --rl" in said


@pytest.mark.parametrize("asked", [("--reward", "dense"), ("--group", "4"), ("--lead", "policy")])
def test_options_of_rollouts_are_refused_without_rl(tmp_path: Path, asked: tuple[str, ...]) -> None:
    said = say(*asked, "--out", str(tmp_path / "out"))
    assert f"{asked[0]} is of learning from rollouts; add --rl, or leave it out" in said


def test_a_shape_is_refused_where_weights_have_one(tmp_path: Path) -> None:
    assert "leave out --shape with --from" in say("--shape", "small", "--from", "mini", "--out", str(tmp_path / "out"))


@pytest.mark.parametrize("asked", [("--price", "-1"), ("--rein", "-0.1"), ("--rate", "0")])
def test_numbers_that_would_teach_the_opposite_are_refused(tmp_path: Path, asked: tuple[str, str]) -> None:
    said = say("--rl", "--from", "mini", *asked, "--out", str(tmp_path / "out"))
    assert "--price and --rein are at least 0" in said


@pytest.mark.parametrize("given", [False, True])
def test_a_pool_to_train_on_is_explored_cleared_and_composed(
    given: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    monkeypatch.setattr("omnipilot.bench.suites.pool.commands.all.all_stages", lambda **asked: done.append(asked))
    monkeypatch.setattr(
        "omnipilot.bench.training.pool_tasks.allowed.write_training_pool",
        lambda source, out: done.append((source, out)) or {"like the test": 3},
    )
    out, other = tmp_path / "out", tmp_path / "other"
    asked = ["train", "pool", *([str(other)] if given else []), "--out", str(out), "--graphs", "7", "--seed", "2"]
    said = CliRunner().invoke(app, asked, catch_exceptions=False).output
    explored = other if given else tmp_path / "out-explored"
    first = [] if given else [{"out": explored, "until": "verify", "seed": 2}]
    assert done == [*first, (explored, out), {"out": out, "graphs": 7, "since": "compose", "seed": 2}]
    assert "3 subtasks left out: like the test" in said and f"--data {out}" in said


def test_a_pool_is_not_made_where_something_is(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text("")
    done = CliRunner().invoke(app, ["train", "pool", "--out", str(tmp_path)])
    assert done.exit_code and "--since compose" in f"{done.output} {done.exception}"
    assert not tmp_path.with_name(f"{tmp_path.name}-explored").exists()


def test_shipped_weights_are_begun_with_by_their_names(tmp_path: Path) -> None:
    from omnipilot.bench.training.run_commands import _start_folder
    from omnipilot.planners.mini.network import SHIPPED

    assert _start_folder("") is None and _start_folder("mini") == SHIPPED
    assert _start_folder("mini-pool") == SHIPPED.parent / "pool_weights"
    with pytest.raises(ConfigError, match="or mini or mini-pool"):
        _start_folder(str(tmp_path))
