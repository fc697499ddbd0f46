"""Flags of `run`, `sweep` and `ablate` come from one record, and so do files and the axes of sweeps."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.cli import options
from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.options import Flags
from omnipilot.bench.free.checks import EXAMPLES
from omnipilot.bench.free.checks import KINDS as CHECK_KINDS
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.run.read_settings import KINDS, parse_settings
from omnipilot.bench.settings import COMMANDS, FIRST, TASKS, LimitSettings, RunSettings, axes, declared_settings
from omnipilot.bench.spec import RunSpec

NEW_OPTION = """
import sys
from dataclasses import field, make_dataclass
from pathlib import Path
from omnipilot.bench import settings, spec

# The one line of an option: what it is called, its type, its help, and that a sweep may vary it.
line = ("beams", int | None, settings.setting("Plans to compare.", axis=True))
settings.RunSettings = make_dataclass("RunSettings", [line], bases=(settings.RunSettings,), frozen=True, kw_only=True)
# The option changes a run's numbers, so it is a field of the run too.
new = ("beams", int | None, field(default=None))
spec.RunSpec = make_dataclass("RunSpec", [new], bases=(spec.RunSpec,), frozen=True)

from typer.testing import CliRunner
from omnipilot.bench.cli.app import app
from omnipilot.bench.experiments.sweep import specs_of, sweep_of, sweep_request
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.run.read_settings import parse_settings

for command in ("run", "sweep", "ablate", "grid"):
    shown = CliRunner().invoke(app, [command, "--help"]).stdout
    assert "--beams" in shown and "Plans to compare." in shown, shown
file = Path(sys.argv[1]) / "run.toml"
file.write_text('suite = "toy"\\nbeams = 3\\n')
in_file = spec_from(resolve_settings(file, settings.RunSettings()))
assert in_file.beams == 3 and '"beams": 3' in __import__("json").dumps(in_file.to_json())
assert spec_from(resolve_settings(file, settings.RunSettings(beams=5))).beams == 5
plain = spec_from(parse_settings({"suite": "toy", "planner": "noop"}))
told = plain.to_json()
assert told.pop("beams") is None and spec.essence(told) == spec.essence(plain.to_json()), "runs of before keep theirs"
assert plain.identity != in_file.identity
found = sweep_request({"suite": "toy", "planner": "noop", "sweep": {"beams": [1, 2]}}, {}, settings.RunSettings())
assert [cell.label for cell in sweep_of(specs_of(found), Path("x")).cells] == ["1", "2"]
arguments = ["sweep", "--suite", "toy", "--beams", "1", "--beams", "2", "--tasks", "save-code", "--dry-run"]
dry = CliRunner().invoke(app, arguments)
assert dry.exit_code == 0 and dry.stdout.splitlines()[1].startswith("beams"), dry.output
try:
    parse_settings({"beams": "many"}, "run.toml")
except Exception as error:
    assert str(error) == "run.toml: setting beams must be a whole number, not 'many'", error
else:
    raise AssertionError("a text was taken for a number")
print("everywhere")
"""


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_an_option_that_is_declared_once_is_everywhere(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NEW_OPTION, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "everywhere\n", done.stderr


def given(command: str, arguments: list[str]) -> Flags:
    """What a command gets from these arguments."""
    found: list[Flags] = []

    @options.with_settings(command)
    def take(flags: Flags) -> None:
        found.append(flags)

    one = typer.Typer()
    one.command()(take)
    done = CliRunner().invoke(one, arguments, standalone_mode=False)
    assert done.exception is None, done.exception
    return found[0]


@pytest.mark.exhibit("duet", "rules")
def test_what_is_not_given_is_none() -> None:
    for command in COMMANDS:
        assert given(command, []) == Flags(RunSettings())
    bare = spec_from(RunSettings(suite="duet"))
    assert bare == RunSpec(AgentSpec(), PartSpec("duet"))


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        (["--planner", "oracle", "--trials", "2"], {"planner": "oracle", "trials": 2}),
        (["--loops", "--skills", "--waive-cost"], {"loops": "repeats", "skills": "routing", "waive_cost": True}),
        (["--intent"], {"intent": True}),
        (["--no-intent"], {"intent": False}),
        (["--where", "a=1", "--where", "b=2"], {"where": ["a=1", "b=2"]}),
        (["--turns", "0", "--cost", "0.5"], {"limits": {"turns": 0, "cost": 0.5}}),
        (["--out", "x", "--jobs", "0", "--calibrate"], {"out": "x", "jobs": 0, "calibrate": True}),
    ],
)
def test_flags_are_what_a_file_would_say(arguments: list[str], values: dict[str, Any]) -> None:
    assert given("run", arguments) == Flags(parse_settings(values))


def test_a_sweep_takes_several_values_of_what_it_can_vary() -> None:
    flags = given("sweep", ["--planner", "a", "--planner", "b", "--loops", "none", "--trials", "2", "--intent"])
    assert flags == Flags(RunSettings(trials=2, intent=True), {"planner": ["a", "b"], "loops": ["none"]})


def test_the_help_of_run_begins_with_what_a_newcomer_needs() -> None:
    said = " ".join(CliRunner().invoke(app, ["run", "--help"]).stdout.split())
    first = said.partition(f"{FIRST}:")[2].partition(f"{TASKS}:")[0]
    shown = re.findall(r"(?<!\S)--[a-z-]+(?= [A-Z])", first)
    assert {"--suite", "--planner", "--tasks", "--out", "--url", "--task", "--check", "--jobs"} <= set(shown)
    assert len(shown) <= 10
    told = declared_settings(RunSettings)["check"].help
    assert f"{', '.join(CHECK_KINDS[:-1])} or {CHECK_KINDS[-1]}" in told and EXAMPLES["url"] in told


def test_every_setting_can_be_written_in_a_file_and_explained() -> None:
    assert tuple(AXES) == axes()
    for record in (RunSettings, LimitSettings):
        for spec in fields(record):
            assert spec.default is None
            assert spec.type.partition(" | ")[0] in KINDS
    for name, how in {**declared_settings(RunSettings), **declared_settings(LimitSettings)}.items():
        assert how.help.endswith(".") and how.help[0].isupper(), name
    helps = {command: CliRunner().invoke(app, [command, "--help"]).stdout for command in COMMANDS}
    for name, how in {**declared_settings(RunSettings), **declared_settings(LimitSettings)}.items():
        for command in COMMANDS:
            offered = f"--{name.replace('_', '-')} " in helps[command]
            assert offered == (command in how.commands), (name, command)
