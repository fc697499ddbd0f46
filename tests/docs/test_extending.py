"""docs/extending.md tells the truth: its commands run with the sample plug-in, and its code is that of the sample.

The commands are run in this process, as far as it goes: an agent's episodes have workers of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from installed_plugin import environment
from typer.testing import CliRunner, Result

from omnipilot.bench.cli.app import app
from omnipilot.envs import OmnipilotError, Plugin
from omnipilot.envs.installed_plugins import installed_plugins

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "tests/plugin"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


Command = Callable[..., Result]


@pytest.fixture(scope="module")
def command(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """Runs a command line where the plug-in is installed."""

    def run(line: str, status: int = 0) -> Result:
        program, *words = line.split()
        assert program == "omnipilot"
        done = CliRunner().invoke(app, words)
        failed = isinstance(done.exception, OmnipilotError)
        assert (2 if failed else done.exit_code) == status, f"{line}\n{done.output}\n{done.exception!r}"
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("errands"))
        patch.syspath_prepend(str(plugin))
        # For the workers of a run.
        patch.setenv("PYTHONPATH", environment(plugin)["PYTHONPATH"])
        installed_plugins.cache_clear()
        for line in "".join(blocks("sh")).splitlines():
            run(line)
        yield run
    installed_plugins.cache_clear()


def lines(code: str) -> str:
    """Code without its indentation and blank lines: a page shows the inside of a function from the left margin."""
    return "".join(f"{line.strip()}\n" for line in code.splitlines() if line.strip())


def figures(text: str) -> dict[str, list[str]]:
    """The cells of the rows of figures."""
    rows = [re.split(r"\s{2,}", line) for line in text.splitlines() if re.match(r"(taps|errands) %", line)]
    return {name: cells for name, *cells in rows}


def test_the_code_of_the_page_is_that_of_the_sample() -> None:
    code = "".join(
        lines((SAMPLE / name).read_text(encoding="utf-8"))
        for name in (
            "omnipilot_errands.py",
            "omnipilot_example_metrics.py",
            "omnipilot_example_judges.py",
            "omnipilot_example_plugin.py",
            "test_contracts.py",
        )
    )
    # Whole programs are run by the test of docs/python.md.
    programs = {path.read_text(encoding="utf-8") for path in (ROOT / "docs/examples").glob("*.py")}
    ours = [block for block in blocks("python") if block not in programs]
    assert len(ours) == 7
    for block in ours:
        assert len(block.splitlines()) > 3 and lines(block) in code
    for block in blocks("toml"):
        assert block in (SAMPLE / "pyproject.toml").read_text(encoding="utf-8")


def test_every_field_of_a_record_is_on_the_page() -> None:
    for name in Plugin.__dataclass_fields__:
        assert f"`{name}`" in PAGE or name == "name", name


@pytest.mark.slow
def test_the_plugin_is_found_by_doctor_with_its_rows_and_what_of_it_is_not_used(command: Command) -> None:
    told = " ".join(command("omnipilot doctor").stdout.split())
    assert "✓ example omnipilot-example 0.1.0 a planner, a grounder, a memory, a lamp" in told
    assert "○ lamp driver not found real lamps → solder one" in told
    assert "planner 'noop' is omnipilot's; that of omnipilot-example is not used" in told


@pytest.mark.slow
def test_its_parts_are_listed_and_played(command: Command) -> None:
    for kind, name in (
        ("planners", "example-first-button"),
        ("grounders", "example-first-named"),
        ("memories", "example-last-thought"),
        ("envs", "example-lamp"),
        ("metrics", "example-waiting"),
        ("judges", "example-longer-than"),
    ):
        assert f"{name} " in command(f"omnipilot list {kind}").stdout
    Path("lamp.toml").write_text('[devices.bedside]\nkind = "example-lamp"\n', encoding="utf-8")
    parts = "--planner example-first-button --grounder example-first-named --memory example-last-thought"
    told = command(f"omnipilot run --world lamp.toml --task Switch {parts} --out runs/lamp --jobs 0").stdout
    assert "unjudged" in told


def test_its_metric_is_a_column_and_a_figure_like_ours(command: Command) -> None:
    told = command("omnipilot report runs/errands --columns sr,example-waiting").stdout
    assert "waiting %" in told and "waiting: Actions that only wait, of all that were carried out" in told
    compared = command("omnipilot compare runs/errands runs/errands-random --figures taps,example-waiting").stdout
    assert "taps %" in compared and "waiting %" in compared


def test_two_runs_are_scored_side_by_side(command: Command) -> None:
    told = command("omnipilot score errands runs/errands runs/errands-random").stdout
    rows = [line for line in told.splitlines() if line.startswith("errands")]
    assert rows[0].split()[1] == "100.0" and rows[1].split()[1] == "0.0"
    assert rows[2].startswith("errands %  errands-random  -100.0 [") and "taps %" in told


def test_the_benchmark_is_listed_with_what_its_record_says(command: Command) -> None:
    told = command("omnipilot list suites --suite errands").stdout
    assert "run, score  [omnipilot-example]" in told and "recorded taps on a phone, teacher-forced" in told
    assert "variants: release (default)" in told and '"tap" (from 0)' in told


def test_a_run_and_predictions_from_elsewhere_are_scored_by_its_rules(command: Command) -> None:
    right = figures(command("omnipilot score errands runs/errands").stdout)
    assert right["taps %"][0].startswith("100.0 [") and right["errands %"][1:3] == ["3 errands", "0"]
    told = command("omnipilot score errands mini/errands/predictions.jsonl --data mini/errands").stdout
    theirs = figures(told)
    # Of six taps two are right and one has no prediction; of three errands one is right and one is not complete.
    assert theirs["taps %"][0].startswith("33.3 [") and theirs["taps %"][1:3] == ["6 taps", "1"]
    assert theirs["taps %"][3].startswith("40.0 [") and theirs["errands %"][3].startswith("50.0 [")
    assert "squares-2, tap 1" in told


def test_a_wrong_record_is_listed_and_other_data_refused(command: Command, tmp_path: Path) -> None:
    command(f"omnipilot miniature {tmp_path} errands")
    file = tmp_path / "errands/errands.json"
    errands = json.loads(file.read_text(encoding="utf-8"))
    errands[1]["taps"][0]["box"] = [0.5, 0.5, 0.2, 0.9]
    file.write_text(json.dumps(errands), encoding="utf-8")
    told = command(f"omnipilot score errands {tmp_path}/errands/predictions.jsonl --data {tmp_path}/errands").stdout
    assert "errands.json, record squares-1, tap 0, field box" in told
    refused = command(f"omnipilot score errands runs/errands --data {tmp_path}/errands", 2)
    assert "run it anew" in str(refused.exception)
