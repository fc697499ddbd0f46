"""docs/gates.md and the GitHub Action at the root: its inputs are used, and its shell steps do what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml  # type: ignore[import-untyped]

from omnipilot.bench.cli.commands.compare import FAILED_GATE
from omnipilot.bench.gates.rule import read_gate

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/gates.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]


def filled(text: str, given: dict[str, str]) -> str:
    """Text with the values of inputs: those given, or else their defaults."""
    values = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()} | given
    return re.sub(r"\$\{\{ inputs\.([a-z]+) \}\}", lambda found: values[found[1]], text)


def play_steps(folder: Path, **given: str) -> list[int]:
    """Run the shell steps in a folder as a runner does, with inputs substituted, until one fails: exit statuses."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    statuses = []
    for step in STEPS:
        inputs = {name: filled(value, given) for name, value in step["env"].items()}
        surroundings = {**os.environ, **inputs, "PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "step-summary")}
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(shell, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=600)
        statuses.append(done.returncode)
        if done.returncode:
            break
    return statuses


def test_every_input_is_used_and_only_through_the_environment() -> None:
    used = {name for step in STEPS for value in step["env"].values() for name in re.findall(r"inputs\.([a-z]+)", value)}
    assert used == set(ACTION["inputs"])
    for step in STEPS:
        # A value that stood in the script itself could be a command.
        assert "${{" not in step["run"] and step["shell"] == "bash"
        assert {name for name in step["env"] if f"${name}" not in step["run"]} == set()
        subprocess.run(["bash", "-n"], input=step["run"], text=True, check=True)


def test_the_page_names_every_input_and_gates_that_can_be_read() -> None:
    table = PAGE.partition("| input |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z]+)`", "".join(line.split("|")[1] for line in table.splitlines()[2:]))) == set(
        ACTION["inputs"]
    )
    for gate in (*re.findall(r"--fail-if '([^']+)'", PAGE), *re.findall(r"^ +((?:SR|CR) < .*)$", PAGE, re.MULTILINE)):
        read_gate(gate)
    assert f"status **{FAILED_GATE}**" in PAGE


def test_the_steps_of_the_action_stop_where_the_baseline_is_missing(tmp_path: Path) -> None:
    given = {"baseline": "nowhere", "install": ""}
    compare = next(step for step in STEPS if "--junit" in step["run"])
    inputs = {name: filled(value, given) for name, value in compare["env"].items()}
    marked = 'omnipilot() { printf "%s\\n" "$@"; return 5; }\n' + compare["run"]
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", marked]
    summary = {"GITHUB_STEP_SUMMARY": str(tmp_path / "s"), "GATES": "SR < -5\n\n  CR < -5\n"}
    done = subprocess.run(shell, cwd=tmp_path, env={**os.environ, **inputs, **summary}, capture_output=True, text=True)
    assert done.returncode == 5
    assert done.stdout.splitlines()[:7] == [
        *("compare", "nowhere", "omnipilot-run", "--fail-if", "SR < -5"),
        *("--fail-if", "  CR < -5"),
    ]


@pytest.mark.slow
@pytest.mark.exhibit("duet", "mini", "rules")
def test_the_action_plays_and_compares(tmp_path: Path) -> None:
    tasks = "send-message,add-alarm,tones-to-message"
    given = {"install": "", "arguments": f"--tasks {tasks}", "planner": "rules", "jobs": "1"}
    assert play_steps(tmp_path, out="base", baseline="base", **given)[:2] == [0, 0]
    given["arguments"] += " -o planner.votes=1"
    assert play_steps(tmp_path, **given | {"planner": "mini", "baseline": "base"}) == [0, 0, 0]
    root = ElementTree.parse(tmp_path / "omnipilot-junit.xml").getroot()
    assert {case.get("name") for case in root.iter("testcase")} == {*tasks.split(","), "SR < -5"}
    text = (tmp_path / "step-summary").read_text(encoding="utf-8")
    assert text.startswith("## Passed") and text == (tmp_path / "omnipilot-summary.md").read_text(encoding="utf-8")
