"""A command loads its suite once, however many of its steps ask for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.agents import PartSpec
from omnipilot.bench.registry import SUITES, load_suite, loading_suites_once

TOY = ("--suite", "toy_suite:ToySuite", "--tasks", "count")


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the suites that are made, in order."""
    made: list[str] = []
    make = SUITES.make

    def count(part: PartSpec) -> object:
        made.append(part.name)
        return make(part)

    monkeypatch.setattr(SUITES, "make", count)
    return made


@pytest.mark.parametrize(
    "line",
    [
        ("run", *TOY, "--planner", "noop"),
        ("run", *TOY, "--planner", "noop", "--dry-run"),
        pytest.param(
            ("run", "--suite", "duet", "--where", "split=dev", "--dry-run"), marks=pytest.mark.exhibit("duet")
        ),
        ("sweep", *TOY, "--planner", "noop", "--planner", "random", "--dry-run"),
        ("grid", *TOY, *("--planner", "noop", "--planner", "random", "--grounder", "elements", "--grounder", "centre")),
        ("ablate", *TOY, "--planner", "noop", "--dry-run"),
    ],
    ids=" ".join,
)
def test_a_suite_is_loaded_once_a_command(line: tuple[str, ...], loads: list[str], tmp_path: Path) -> None:
    done = omnipilot(*line, "--out", str(tmp_path / "out"))
    assert done.returncode in (0, 4), done.stderr
    assert loads.count(line[2]) == 1, loads


def test_another_command_or_another_option_loads_anew(loads: list[str]) -> None:
    one, other = PartSpec("toy_suite:ToySuite"), PartSpec("toy_suite:ToySuite", {"delay": 0.1})
    with loading_suites_once():
        assert load_suite(one) is load_suite(one) is not load_suite(other)
    assert load_suite(one) is not load_suite(one)
    assert len(loads) == 4
