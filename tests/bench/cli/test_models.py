"""The commands about grounding models, as a user meets them: list grounders, serve, calibrate, run --calibrate."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from adb_server import free_port
from chat_server import ChatServer
from pointing_runs import pointing
from typer.testing import CliRunner, Result

from omnipilot.agents import PartSpec
from omnipilot.bench import load_run
from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.commands.calibrate import calibrate_grounder
from omnipilot.bench.journal import read
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.report.page_about import about_run
from omnipilot.envs import ConfigError
from omnipilot.grounders.families import families, get
from omnipilot.planners.native.families.table import families as native_families

MODEL = "Salesforce/GTA1-7B"


def omnipilot(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_grounders_are_listed_with_every_family() -> None:
    listed = omnipilot("list", "grounders").stdout
    for name in ("elements", "ocr", "vllm", "local"):
        assert re.search(rf"^{name} ", listed, re.MULTILINE)
    for family in families():
        (line,) = re.findall(rf"^{re.escape(family.name)} .*$", listed, re.MULTILINE)
        assert family.space in line and family.evidence in line and family.models[0] in line
        assert all(model in listed for model in family.models)
    assert "model families" in listed and "model families" not in omnipilot("list", "planners").stdout


def test_planners_are_listed_with_every_native_family_and_what_it_rests_on() -> None:
    listed = omnipilot("list", "planners").stdout
    for family in native_families():
        place = re.search(
            rf"^  {re.escape(family.name)} +{re.escape(family.models[0])}.*\n +prompt: (.*)$", listed, re.M
        )
        assert place and place[1].startswith("ours" if family.layout.ours else "its authors'")
        assert family.source in place[1] and family.checked in place[1]
    assert "none of these models was asked here" in listed


def test_serving_says_what_its_record_rests_on() -> None:
    shown = omnipilot("serve", "gta1-7b", "--dry-run")
    assert "how gta1 is asked and read" in shown.output and "2,601 answers" in shown.output and "2026-" in shown.output


def test_a_dry_run_prints_a_command_and_starts_nothing() -> None:
    shown = omnipilot("serve", "uground-v1-7b", "--dry-run", "--gpus", "2", "--", "--seed", "1")
    assert shown.exit_code == 0, shown.output
    command = re.search(r"^vllm serve osunlp/UGround-V1-7B \\\n(  --.*\n)+", shown.stdout, re.MULTILINE)
    assert command and "--tensor-parallel-size 2" in command[0] and command[0].endswith("--seed 1\n")


def test_serving_says_what_is_missing() -> None:
    for arguments, told in (
        (("serve", "uground-v7"), "UGround-V1-7B"),
        (("serve", "claude-sonnet-4-5"), "--grounder vllm"),
        (("serve", "uground-v1-7b", "--vllm", "no-such-program", "--port", str(free_port())), "no program"),
        (("serve", "uground-v1-7b", "--key-env", "NO_SUCH_VARIABLE", "--port", str(free_port())), "NO_SUCH_VARIABLE"),
    ):
        result = omnipilot(*arguments)
        assert isinstance(result.exception, ConfigError) and told in str(result.exception)


@pytest.mark.parametrize(("space", "code"), [("abs_resized", 0), ("norm1000", 1)])
def test_calibrate_fails_loudly_on_a_wrong_space(space: str, code: int) -> None:
    from dataclasses import replace

    writes = replace(get("gta1"), space=space)  # type: ignore[arg-type]
    with ChatServer(pointing(writes), models=(MODEL,), strict=True) as server:
        result = omnipilot("calibrate", "vllm", "-o", f"model={MODEL}", "-o", f"url={server.url}")
    assert result.exit_code == code, result.output
    assert ("answers look like norm1000, read as abs_resized" in result.stdout) == bool(code)
    assert len(server.requests) == 10


@pytest.mark.slow
def test_a_run_that_asks_for_it_is_refused_or_carries_the_finding(tmp_path: Path) -> None:
    tasks = ("--suite", "toy", "--tasks", "save-code", "--planner", "noop", "--grounder", "vllm", "--calibrate")
    model = ("-o", f"grounder.model={MODEL}", "--out", str(tmp_path / "run"))
    with ChatServer(pointing(get("uground-v1")), models=(MODEL,)) as server:
        refused = omnipilot("run", *tasks, *model, "-o", f"grounder.url={server.url}")
        with pytest.raises(ConfigError, match="failed its calibration"):
            calibrate_grounder(PartSpec("vllm", {"model": MODEL, "url": server.url}))
    assert isinstance(refused.exception, ConfigError) and "norm1000" in str(refused.exception)
    assert not (tmp_path / "run").exists()
    with ChatServer(pointing(get("gta1")), models=(MODEL,)) as server:
        accepted = omnipilot("run", *tasks, *model, "-o", f"grounder.url={server.url}")
    assert accepted.exit_code == 0, accepted.output
    started = next(iter(read(tmp_path / "run")))
    assert started.provenance["calibration"]["verdict"] == "ok"  # type: ignore[union-attr]
    facts = dict(map(tuple, about_run(tmp_path / "run", [started], tmp_path)["facts"]))
    assert facts["model family"] == "gta1 (evidence: logs)"


@pytest.mark.slow
def test_a_run_with_an_unverified_family_says_so_in_its_report(tmp_path: Path) -> None:
    doubtful = [family for family in families() if family.evidence == "unverified"]
    assert doubtful
    for family in (doubtful[0], get("gta1")):
        run = tmp_path / family.name
        done = omnipilot(
            *("run", "--suite", "toy", "--tasks", "save-code", "--planner", "noop", "--grounder", "vllm"),
            *("-o", f"grounder.model={family.models[0]}", "--out", str(run)),
        )
        assert done.exit_code == 0, done.output
        notes = " ".join(main_table([load_run(run)]).notes)
        doubted = f"how the model family {family.name} is prompted is unverified" in notes
        assert doubted == (family.evidence == "unverified")
        page = (run / "report.html").read_text()
        assert ("is prompted is unverified" in page) == doubted
        assert json.dumps(f"{family.name} (evidence: {family.evidence})") in page
