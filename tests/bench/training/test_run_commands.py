"""What the commands of `omnipilot train` refuse before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app


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
