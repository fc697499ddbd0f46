"""The command line as a user meets it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.cli.commands import doctor
from omnipilot.bench.cli.commands.list import KINDS

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")


def omnipilot_process(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    code = "from omnipilot.bench.cli.app import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **variables},
    )


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_a_run_prints_its_table_and_writes_its_report(tmp_path: Path) -> None:
    run = tmp_path / "x"
    arguments = ("run", "--suite", "duet", "--planner", "oracle", "--tasks", "send-message,dismiss-alarm")
    first = omnipilot_process(*arguments, "--instances", "2", "--jobs", "2", "--out", str(run))
    assert first.returncode == 0, first.stderr
    assert "4/4  100.0" in first.stdout and "send-message" in first.stdout
    assert (run / "report.html").exists()
    again = omnipilot(*arguments, "--instances", "2", "--out", str(run))
    assert again.returncode == 0
    assert again.stdout == first.stdout
    report = omnipilot("report", str(run))
    assert report.stdout == first.stdout
    other = omnipilot_process(*arguments, "--instances", "2", "--turns", "3", "--out", str(run))
    assert other.returncode == 2
    assert "limits.turns: not given there, 3 asked for" in other.stderr


def test_a_run_without_a_directory_has_one_that_its_settings_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("run", "--suite", "toy", "--planner", "oracle", "--tasks", "save-code")
    first, again = omnipilot(*arguments), omnipilot(*arguments)
    assert first.returncode == again.returncode == 0, first.stderr + again.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("toy-single-oracle-")
    assert first.stdout == again.stdout
    assert omnipilot(*arguments, "--trials", "2").returncode == 0
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_several_runs_make_one_table(tmp_path: Path) -> None:
    for planner in ("oracle", "noop"):
        done = omnipilot(
            *(
                "run",
                "--suite",
                "toy",
                "--tasks",
                "save-code",
                "--planner",
                planner,
                "--out",
                str(tmp_path / planner),
            )
        )
        assert done.returncode == 0, done.stderr
    table = omnipilot("report", str(tmp_path), "--out", str(tmp_path / "all.html")).stdout
    assert "oracle" in table and "noop" in table and (tmp_path / "all.html").exists()
    release = omnipilot("report", str(tmp_path), "--variant", "release").stdout
    assert "as CRAB's release has them" in release and "release" not in table
    assert omnipilot("report", str(tmp_path), "--variant", "mine").returncode == 2


@pytest.mark.parametrize(
    "what",
    [
        "agents",
        "planners",
        "grounders",
        "memories",
        "critics",
        "progress",
        "loops",
        "stops",
        "skills",
        "readers",
        "checks",
        "gates",
        "verbs",
        "envs",
        "suites",
    ],
)
def test_everything_can_be_listed(what: str) -> None:
    listed = omnipilot("list", what)
    assert listed.returncode == 0, listed.stderr
    for name in KINDS[what].names():
        assert name in listed.stdout
        assert what == "suites" or KINDS[what].summary(name).split()[0] in listed.stdout
    assert listed.stdout.count("[knows the truth]") == {
        "planners": 7,
        "grounders": 2,
        "memories": 1,
        "critics": 1,
        "stops": 1,
        "readers": 1,
    }.get(what, 0)


@pytest.mark.exhibit("duet", "rules")
def test_tasks_are_listed_with_their_environments() -> None:
    listed = omnipilot("list", "tasks", "--suite", "duet").stdout
    assert "mail-code-to-message" in listed and "desktop+phone" in listed
    assert "120 tasks (dev 40, test 80)" in omnipilot("list", "tasks", "--suite", "duet").stderr
    assert omnipilot("list", "tasks").returncode == 2


@pytest.mark.exhibit("duet", "rules")
def test_tasks_are_chosen_by_what_is_known_of_them(tmp_path: Path) -> None:
    listed = omnipilot("list", "tasks", "--suite", "duet", "--where", "level=AV-critical", "--where", "env=phone")
    assert "tones-to-message" in listed.stdout and "send-message" not in listed.stdout
    chosen = ("--where", "template=dismiss-alarm", "--where", "nodes=1", "--where", "split=dev")
    run = omnipilot(*("run", "--suite", "duet", "--planner", "oracle", *chosen), "--out", str(tmp_path / "x"))
    assert run.returncode == 0, run.stderr
    assert "dismiss-alarm" in run.stdout and "add-alarm" not in run.stdout


def test_the_doctor_lists_each_extra_and_program() -> None:
    told = omnipilot("doctor")
    assert told.returncode == 0, told.stderr
    lines = [line.split() for line in told.stdout.splitlines()]
    assert ["✓", "python"] in [line[:2] for line in lines]
    for name in (*(extra.name for extra in doctor.EXTRAS), "chromium"):
        assert any(line[0] in "✓○" and line[1] == name for line in lines if len(line) > 1), name


def test_the_doctor_says_how_to_get_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = doctor.Extra("web", "web pages", ("omnipilot", "no-such-package"))
    monkeypatch.setattr(doctor, "EXTRAS", (lacking,))
    monkeypatch.setattr(doctor, "core", lambda: ["no-core-package"])
    told = doctor.render(doctor.examine())
    assert "○ web" in told and "no-such-package missing" in told
    assert "→ pip install 'omnipilot[web]'" in told
    assert re.search("✗ no-core-package +missing", told)


def test_a_driver_of_browsers_that_lacks_a_library_is_named_with_its_cure(tmp_path: Path) -> None:
    driver = tmp_path / "node"
    driver.write_text("#!/bin/sh\necho 'node: cannot open shared object file: libatomic.so.1' >&2; exit 127\n")
    driver.chmod(0o755)
    told = omnipilot_process("doctor", PATH=str(tmp_path), OMNIPILOT_CHROMIUM="", PLAYWRIGHT_NODEJS_PATH=str(driver))
    assert told.returncode == 0 and "Traceback" not in told.stderr, told.stderr
    assert "libatomic.so.1" in told.stdout and "apt install libatomic1" in told.stdout


@pytest.mark.web
def test_a_chromium_that_is_not_on_the_path_is_told_with_how_to_name_it(tmp_path: Path, chromium_path: str) -> None:
    assert chromium_path
    if not Path("/usr/bin/chromium").exists():
        pytest.skip("the Chromium of this machine is no program of the system")
    told = omnipilot_process("doctor", PATH=str(tmp_path), OMNIPILOT_CHROMIUM="")
    lines = [line for line in told.stdout.splitlines() if "but not on PATH" in line]
    assert len(lines) == 1 and "/usr/bin/chromium" in lines[0], told.stdout
    assert "set OMNIPILOT_CHROMIUM=/usr/bin/chromium" in told.stdout


def test_the_doctor_knows_the_extras_that_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        name: tuple(re.split(r"[\[><=]", line)[0] for line in lines)
        for name, lines in project["optional-dependencies"].items()
    }
    described = {extra.name: extra.packages for extra in doctor.EXTRAS}
    groups = {"all", "dev"}
    assert {name: found for name, found in declared.items() if name not in groups} == described
    assert project["optional-dependencies"]["all"] == [f"omnipilot[{','.join(doctor.ALL)}]"]
    assert {"numpy", "pydantic"} <= set(doctor.core())


@pytest.mark.exhibit("duet", "rules")
def test_every_install_line_names_an_extra_that_there_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = [ROOT / "Makefile", ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    files += [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    named = {
        name
        for path in files
        for names in re.findall(r"(?:omnipilot|\.)\[([a-z,]+)\]'", path.read_text(encoding="utf-8"))
        for name in names.split(",")
    }
    required = {
        extra
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for extra in re.findall(r'\brequire\("[\w.]+", "(\w+)"\)', path.read_text(encoding="utf-8"))
    }
    assert {"web", "llm"} <= named and {"detect", "hub"} <= required
    assert named | required <= set(project["optional-dependencies"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "--suite", "toy", "--planner", "orcale", "--out", "x"), "did you mean oracle"),
        (("run", "--suite", "toy", "--planner", "noop", "--out", "x", "--modalities", "smell"), "unknown modality"),
        (("list", "things"), "cannot list 'things'; choose from agents"),
        (("list", "suites", "--where", "level=x"), "not for `list suites`"),
        (("run", "--suite", "not_installed:Suite", "--out", "x"), "PYTHONPATH"),
        (("report", "nowhere"), "no run in nowhere"),
    ],
)
def test_a_mistake_is_one_line_with_its_cure(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    check_mistake(arguments, message, tmp_path)


@pytest.mark.exhibit("duet", "omnigui", "rules")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "--suite", "duett", "--out", "x"), "did you mean duet"),
        (("run", "--suite", "duet", "--tasks", "send-mesage", "--out", "x"), "did you mean send-message"),
        (("run", "--suite", "duet", "--out", "x", "-o", "planner.turn=3"), "planner 'rules'"),
        (("list", "suites", "--suite", "omnigiu"), "did you mean omnigui"),
        (("list", "tasks", "--suite", "omnigui", "-o", "suite.dat=x"), "did you mean data"),
        (("run", "--suite", "screenspot-pro", "--out", "x"), "omnipilot ground --suite screenspot-pro"),
        (("ground", "--suite", "omnigui"), "omnipilot run --suite omnigui"),
        (("list", "tasks", "--suite", "duet", "--where", "levle=AV-critical"), "did you mean level"),
        (("run", "--suite", "duet", "--out", "x", "--where", "level=AV-critcal"), "did you mean AV-critical"),
        (("run", "--suite", "duet", "--out", "x", "--tasks", "add-alarm", "--where", "nodes=9"), "no nodes '9'"),
        (("run", "--suite", "duet", "--out", "x", "-o", "suite.split=tset"), "did you mean test"),
        (("run", "--suite", "duet", "--out", "x", "--data", "here"), "suite 'duet' needs no data"),
        (("list", "tasks", "--suite", "duet", "--data", "here"), "suite 'duet' needs no data"),
        (("ablate", "--suite", "duet", "--out", "x", "--by", "levle"), "did you mean level"),
        (("ablate", "--suite", "duet", "--out", "x", "--by", "foo", "--dry-run"), "no tag of a task 'foo'"),
    ],
)
def test_a_mistake_about_a_suite_is_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    check_mistake(arguments, message, tmp_path)


def check_mistake(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    arguments = tuple(str(tmp_path / "x") if a == "x" else a for a in arguments)
    told = omnipilot(*arguments)
    assert told.returncode == 2
    assert message in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.exhibit("duet", "rules")
def test_a_run_says_which_tasks_its_split_leaves_out(tmp_path: Path) -> None:
    said = "duet: 40 of 120 tasks, those of split dev; choose others with -o suite.split=test or all"
    few = ("--planner", "oracle", "--where", "template=dismiss-alarm", "--where", "nodes=1")
    told = omnipilot("run", "--suite", "duet", *few, "--out", str(tmp_path / "x"))
    assert told.returncode == 0 and said in told.stderr, told.stderr
    for command in ("sweep", "ablate"):
        assert said in omnipilot(command, "--suite", "duet", *few, "--dry-run", "--out", str(tmp_path / "y")).stderr
    for chosen in (("--tasks", "dismiss-alarm"), ("-o", "suite.split=dev", *few[2:])):
        told = omnipilot("run", "--suite", "duet", *few[:2], *chosen, "--out", str(tmp_path / chosen[0]))
        assert told.returncode == 0 and "of split" not in told.stderr, told.stderr


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize("part", ["planner", "critic"])
def test_a_package_that_a_model_needs_is_missed_before_anything_is_written(part: str, tmp_path: Path) -> None:
    missing = (
        "import importlib.util as of; real = of.find_spec\n"
        "of.find_spec = lambda name, *more: None if name == 'litellm' else real(name, *more)\n"
        "from omnipilot.bench.cli.app import main; main()"
    )
    arguments = ("run", "--suite", "duet", f"--{part}", "openai/m", "--out", str(tmp_path / "x"))
    done = subprocess.run(
        [sys.executable, "-c", missing, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, "pip install 'omnipilot[llm]'" in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.exhibit("duet", "rules")
def test_a_part_without_what_it_looks_at_is_warned_of(tmp_path: Path) -> None:
    told = omnipilot(
        *("run", "--suite", "duet", "--tasks", "send-message", "--modalities", "screenshot,audio,video"),
        *("--out", str(tmp_path / "x")),
    )
    assert told.returncode == 0, told.stderr
    assert "warning: grounder 'elements' cannot point without elements" in told.stderr


def test_the_version_is_that_of_the_package() -> None:
    told = omnipilot("--version")
    assert (told.returncode, told.stdout) == (0, f"omnipilot {metadata.version('omnipilot')}\n")
    assert "--version" in omnipilot("--help").stdout


def test_the_package_can_be_run_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "omnipilot", "show", "nowhere"], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr.startswith("omnipilot: there is no run in nowhere")) == (2, True), done.stderr


def test_a_folder_of_runs_in_place_of_a_run_is_told_with_its_runs(tmp_path: Path) -> None:
    for name in ("sweep/a", "sweep/b", "loose/c"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "spec.json").write_text("{}")
    (tmp_path / "sweep/sweep.json").write_text("{}")
    for folder, kind, runs in (("sweep", "is a sweep", ("a", "b")), ("loose", "holds other", ("c",))):
        told = omnipilot("verify", str(tmp_path / folder))
        assert told.returncode == 2 and kind in told.stderr and "--out" not in told.stderr
        assert all(str(tmp_path / folder / run) in told.stderr for run in runs)
