"""Every command that `omnipilot list presets` prints: runs are dry-run, and scores are of a run that was made."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench.run import preset as presets
from omnipilot.bench.scoring.benchmark import MINIATURES

COMMANDS = [(name, command) for name in presets.names() for command in presets.load(name).commands]
RUNS = [(name, command) for name, command in COMMANDS if command.startswith("omnipilot run ")]
SCORES = {command: name for name, command in COMMANDS if command.startswith("omnipilot score ")}
"""With one of the presets whose runs it scores."""
WORLD = '[devices.ubuntu]\nkind = "phone"\n\n[devices.android]\nkind = "phone"\n'
CRAB = {
    "description": 'Write "Tea" into a new note in Keep.',
    "tasks": [{"task": "eb92a1e6-4c86-4d56-baac-95fc8397732e", "attribute": {"content": "Tea"}, "output": None}],
    "adjlist": "0",
    "id": "tea",
}
"""A task in CRAB's own sub-tasks, which miniature data does not have: those are for the embedded world."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small data of each benchmark that a preset names, in its own folder, and a world file."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "world.toml").write_text(WORLD, encoding="utf-8")
    for suite in sorted({suite for name, command in RUNS if "DIR" in command and (suite := suite_of(command, name))}):
        (folder / suite).mkdir()
        if suite != "crab":
            MINIATURES.load(suite)(folder / suite)
    MINIATURES.load("crab")(folder / "embedded-crab")
    (folder / "crab" / "tea.json").write_text(json.dumps(CRAB), encoding="utf-8")
    return folder


def suite_of(command: str, name: str) -> str:
    """The suite that a command of a preset runs: that of the command, or else the preset's own."""
    named = re.search(r"--suite (\S+)", command)
    own: Any = presets.load(name).settings.suite
    return named[1] if named else own["name"] if isinstance(own, dict) else str(own)


def words_of(command: str, name: str, data: Path) -> list[str]:
    """The arguments of a preset's command, with DIR and FILE filled in."""
    put = {"DIR": str(data / suite_of(command, name)), "FILE": str(data / "world.toml")}
    return [put.get(word, word) for word in shlex.split(command)[1:]]


def test_each_preset_is_run_by_one_command_and_scored_by_one() -> None:
    assert [name for name, _ in RUNS] == list(presets.names())
    listed = [line.strip() for line in omnipilot("list", "presets").stdout.splitlines()]
    assert all(command in listed for _, command in COMMANDS)
    assert all(command.split()[2:4] == ["--preset", name] for name, command in RUNS)
    of_papers = [name for name, _ in RUNS if presets.load(name).paper]
    assert len(COMMANDS) == len(RUNS) + len(of_papers)
    assert all(command in SCORES for _, command in set(COMMANDS) - set(RUNS))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "command"), RUNS, ids=[name for name, _ in RUNS])
def test_each_run_can_be_begun(name: str, command: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(key, "none-is-sent")
    told = omnipilot(*words_of(command, name, data), "--dry-run")
    if re.search(r"there is no \w+ 'mini-(eyes|ears)'|no\s+(eyes|ears)\s+can\s+be\s+read\s+here", told.stderr):
        pytest.skip("the eyes and ears of mini are not in this package")
    if told.returncode and "is not installed" in told.stderr:
        # What it needs is large; the message says how to do without, and that is a run.
        cure = re.search(r"do without: .*?(-o \S+)", told.stderr)
        assert cure is not None, told.stderr
        told = omnipilot(*words_of(command, name, data), *shlex.split(cure[1]), "--dry-run")
    assert told.returncode == 0, told.stderr
    assert "nothing was run" in told.stdout + told.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("command", "name"), SCORES.items(), ids=list(SCORES))
def test_each_score_is_one_of_a_run(command: str, name: str, data: Path, tmp_path: Path) -> None:
    command_of_run = next(one for preset, one in RUNS if preset == name)
    # Options of the planner go with it; and the judges of CRAB's own sub-tasks need real devices.
    run = words_of(re.sub(r"-o planner\.\S+|--world FILE", "", command_of_run), name, data)
    run = [str(data / "embedded-crab") if word == str(data / "crab") else word for word in run]
    changes = ("--planner", "noop", "--grounder", "elements", "--agent", "single", "--examples", "0")
    changes += ("--perception", "none", "--sample", "1", "--turns", "1")
    played = omnipilot(*run, *changes, "--out", str(tmp_path / "run"))
    assert played.returncode == 0, played.stderr
    scored = omnipilot(*(str(tmp_path / "run") if word == "RUN" else word for word in words_of(command, name, data)))
    assert scored.returncode == 0, scored.stderr
