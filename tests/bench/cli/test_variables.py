"""Environment variables of options: as good as a flag, told by their names, and none that belongs to nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot
from typer.main import get_command

from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.options import RunSettings
from omnipilot.bench.cli.parsing.variables import variable_of
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.settings import COMMANDS, SECTIONS, LimitSettings, declared_settings

BASE = ("--suite", "toy_suite:ToySuite", "--tasks", "count", "--dry-run", "--out", "x")


def planner_of(*arguments: str) -> str:
    """The planner that a run would have."""
    done = omnipilot("run", *BASE, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.partition("(planner ")[2].partition(",")[0]


@pytest.mark.exhibit("rules")
def test_a_flag_comes_before_a_variable_a_file_a_preset_and_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    Path("run.toml").write_text('planner = "noop"\n')
    preset, file = ("--preset", "crab-single", "--grounder", "elements"), ("--config", "run.toml")
    assert planner_of() == "rules"
    assert planner_of(*preset) not in ("rules", "noop", "random", "oracle")
    assert planner_of(*preset, *file) == "noop"
    monkeypatch.setenv("OMNIPILOT_RUN_PLANNER", "random")
    assert planner_of(*preset, *file) == "random"
    assert planner_of(*preset, *file, "--planner", "oracle") == "oracle"
    monkeypatch.setenv("OMNIPILOT_RUN_PLANNER", "")
    assert planner_of(*preset, *file) == "noop"


def test_what_a_variable_chose_is_in_the_run_as_if_by_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = ("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--out")
    options = ("-o", "memory.turns=2", "-o", "planner.patience=2")
    assert omnipilot(*line, str(tmp_path / "flags"), "--planner", "noop", "--turns", "3", *options).returncode == 0
    monkeypatch.setenv("OMNIPILOT_RUN_PLANNER", "noop")
    monkeypatch.setenv("OMNIPILOT_RUN_TURNS", "3")
    monkeypatch.setenv("OMNIPILOT_RUN_OPTION", "memory.turns=2 planner.patience=2")
    assert omnipilot(*line, str(tmp_path / "variables")).returncode == 0
    flags, variables = (read_spec(tmp_path / name) or {} for name in ("flags", "variables"))
    assert flags == variables and flags["agent"]["planner"]["options"] == {"patience": 2}


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("OMNIPILOT_RUN_INSTANCES", "many", "'--instances' (the environment variable OMNIPILOT_RUN_INSTANCES)"),
        ("OMNIPILOT_RUN_PLANNER", "ruels", "set by environment variables: OMNIPILOT_RUN_PLANNER\n"),
        ("OMNIPILOT_RUN_PLANER", "noop", "'OMNIPILOT_RUN_PLANER'; did you mean OMNIPILOT_RUN_PLANNER"),
    ],
)
def test_a_bad_variable_is_told_by_its_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, told: str
) -> None:
    monkeypatch.setenv(variable, value)
    done = omnipilot("run", *BASE)
    assert done.returncode == 2 and told in done.stderr
    assert omnipilot("list", "planners").returncode == 0, "it is nothing to another command"


def test_a_variable_of_a_command_with_a_longer_name_is_none_of_the_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIPILOT_SHOW_PROMPT_AGENT", "single")
    told = omnipilot("show", "nowhere").stderr
    assert "there is no run in nowhere" in told and "OMNIPILOT" not in told


def test_a_bad_flag_is_told_without_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIPILOT_RUN_INSTANCES", "2")
    done = omnipilot("run", *BASE, "--instances", "many")
    assert (
        done.returncode == 2
        and "--instances takes a whole number, not 'many'" in done.stderr
        and "OMNIPILOT" not in done.stderr
    )


def test_every_option_of_every_command_has_a_variable_of_its_own() -> None:
    found: list[str] = []

    def walk(command: Any) -> None:
        for inner in getattr(command, "commands", {}).values():
            walk(inner)
        found.extend(one.envvar for one in command.params if one.param_type_name == "option")

    group: Any = get_command(app)
    ctx = group.make_context("omnipilot", [], resilient_parsing=True)
    for name in group.list_commands(ctx):
        walk(group.get_command(ctx, name))
    assert len(found) == len(set(found)) > 200 and all(found)
    for command in COMMANDS:
        offered = {**declared_settings(RunSettings), **declared_settings(LimitSettings)}
        mine = {variable_of(command, name) for name, how in offered.items() if command in how.commands}
        assert mine <= set(found)
    assert {"OMNIPILOT_MEMORY_FROM", "OMNIPILOT_REPORT_FORMAT", "OMNIPILOT_SERVE_PROBE"} <= set(found)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_in_sections_and_says_how_variables_are_called(command: str) -> None:
    shown = omnipilot(command, "--help").stdout
    headings = [line[:-1] for line in shown.splitlines() if line.endswith(":") and not line.startswith((" ", "Usage"))]
    assert [name for name in headings if name in SECTIONS] == list(SECTIONS)
    assert set(headings) <= {*SECTIONS, "Arguments", "Options"}
    words = " ".join(shown.split())
    assert f"{variable_of(command, 'suite')} is --suite. A flag overrides it" in words
    assert shown.count("OMNIPILOT_") == 1
