"""What the system, a file or a plug-in refuses is one line that names the cure, and never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import omnipilot

TOY = ("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--planner", "oracle")


def refused(*arguments: str) -> str:
    """The one line that a command ends with."""
    done = omnipilot(*arguments)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    *before, line = done.stderr.strip().splitlines()
    assert line.startswith("omnipilot: ") and "Traceback" not in done.stderr, before
    return line


def test_an_out_that_is_a_file_or_below_one(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("mine")
    assert "there is a file of this name" in refused(*TOY, "--out", str(file))
    assert "a part of the path is a file" in refused(*TOY, "--out", str(file / "run"))
    assert file.read_text() == "mine"


def test_an_out_that_cannot_be_made(tmp_path: Path):
    assert "check the path" in refused(*TOY, "--out", "/proc/omnipilot/run")
    assert "shorter name" in refused(*TOY, "--out", str(tmp_path / ("x" * 300)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("jobs = 1.5", "jobs must be a whole number"),
        ("jobs = 10000000", "at most 1024"),
        ("modalities = [1]", "modalities must be a list of names"),
        ("limits = {seconds = nan}", "limit seconds must be 0 (no limit) or more"),
        ("limits = {cost = inf}", "limit cost must be 0 (no limit) or more"),
        ("limits = 3", "limits must be a table"),
        ("instances = 1000000000000", "instances must be at most 1,000,000"),
        ("trials = 99999999999999999999", "trials must be at most 1,000,000"),
        ("trials = true", "trials must be a whole number"),
        ("suite = 3", "suite must be a name"),
        ("planner = {name = 3}", "planner must be a name"),
        ("x = " + "[" * 5_000 + "]" * 5_000, "nested too deeply"),
        ("x = 1\nx = 2", "is not valid TOML"),
        ("trials = " + "9" * 10_000, "is not valid TOML"),
        ("\0", "is not valid TOML"),
    ],
)
def test_settings_of_the_wrong_kind(text: str, told: str, tmp_path: Path):
    file = tmp_path / "settings.toml"
    given = "" if text.startswith("suite") else 'suite = "toy_suite:ToySuite"\n'
    given += "" if text.startswith("planner") else 'planner = "oracle"\n'
    file.write_text(given + text)
    assert told in refused("run", "--config", str(file), "--out", str(tmp_path / "run"))


def test_settings_in_another_encoding(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_bytes(b'suite = "\xff\xfe"')
    assert "is not valid TOML" in refused("run", "--config", str(file))
    assert "cannot read" in refused("run", "--config", str(tmp_path))


@pytest.mark.parametrize("planner", ["opneai/gpt-4o", "nope/model", "hosted_vlm/x"])
def test_a_misspelt_provider(planner: str, tmp_path: Path):
    told = refused(*TOY[:-1], planner, "--out", str(tmp_path / "run"))
    assert f"no provider {planner.partition('/')[0]!r}" in told
    if planner.startswith("opneai"):
        assert "did you mean openai" in told


def test_a_plug_in_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "broken_plugin.py").write_text("import a_module_that_nobody_has\n")
    (tmp_path / "raising_plugin.py").write_text("raise RuntimeError('not today')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, why in (("broken_plugin:Suite", "a_module_that_nobody_has"), ("raising_plugin:Suite", "not today")):
        told = refused("run", "--suite", name, "--planner", "oracle", "--out", str(tmp_path / "run"))
        assert name.partition(":")[0] in told and why in told


def started(*arguments: str, before: str, out: Path) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, with a limit of the shell before it."""
    line = f"{before}; exec {sys.executable} -m omnipilot.bench.cli.app " + " ".join(arguments)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=120, check=False, env=environment, cwd=out
    )


@pytest.mark.slow
def test_too_few_open_files(tmp_path: Path):
    done = started(*TOY, "--jobs", "0", "--out", "run", before="ulimit -n 5", out=tmp_path)
    assert done.returncode == 2 and "ulimit -n" in done.stderr and "Traceback" not in done.stderr, done.stderr[-900:]


@pytest.mark.slow
def test_a_file_that_may_not_grow_loses_nothing_that_ended(tmp_path: Path):
    done = started(*TOY, "--instances", "50", "--jobs", "0", "--out", "run", before="ulimit -f 40", out=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr[-900:]
    again = omnipilot(*TOY, "--instances", "50", "--out", str(tmp_path / "run"))
    assert again.returncode == 0 and "50/50" in again.stdout
