"""A command loads its suite once, and makes each part of an agent once, however many of its steps ask for them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.agents import PartSpec, Registry
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


WHOLE = """
planner = "graded:0.9"
grounder = "cascade:elements,centre"
memory = "window+episodic"
tool_agent = "noop"
critic = "rules"
progress = "clauses"
loops = "repeats"
readers = "gold"
checks = "notice"
gate = "events"
"""


@pytest.fixture
def makes(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each part is made, by its kind and name."""
    made: Counter[str] = Counter()
    make = Registry.make

    def count(self: Registry, part: PartSpec, *given: object) -> object:
        made[f"{self.kind} {part.name}"] += 1
        return make(self, part, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Registry, "make", count)
    return made


@pytest.mark.parametrize("command", ["run", "sweep"])
def test_all_checks_of_a_command_ask_the_same_parts(command: str, makes: Counter[str], tmp_path: Path) -> None:
    axes = '[sweep]\nthinking = ["frozen"]\n' if command == "sweep" else ""
    (tmp_path / "whole.toml").write_text(f'suite = "toy"\n{WHOLE}{axes}')
    file = ["--config"] if command == "run" else []
    done = omnipilot(command, *file, str(tmp_path / "whole.toml"), "--dry-run", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert makes.keys() >= {"planner graded", "planner noop", "grounder cascade", "grounder centre", "memory composed"}
    assert makes.keys() >= {"critic rules", "progress clauses", "readers gold", "gate events", "loops repeats"}
    assert set(makes.values()) == {1}, makes


def test_the_agents_that_play_are_made_anew(makes: Counter[str], tmp_path: Path) -> None:
    """Beside the planner that the checks ask, one for all episodes of this process."""
    done = omnipilot("run", *TOY, "--planner", "noop", "--jobs", "0", "--out", str(tmp_path / "out"))
    assert done.returncode in (0, 4), done.stderr
    assert makes["planner noop"] == 2
