"""Where programs are missing, tests that need them are skipped with the reason; in CI they fail with it."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import bare_machine
import pytest
from shared_folders import ROOT
from system_needs import made_here

DESKTOP = "tests/envs/desktop/test_env.py::test_a_calculator_adds_by_the_boxes_of_its_buttons"
NEED = {
    DESKTOP: r"Xvfb.* more \(get it by: make system-desktop\)",
    "tests/end_to_end/test_duet_over_adb.py::test_a_task_has_the_same_verdict_over_adb[send-message]": "not here: adb ",
    "tests/envs/web/test_profile.py::test_pages_learn_what_the_options_say": r"Chromium \(get it by: make system\)",
    "tests/envs/sim/adb/test_clients.py::test_adb_lists_it_and_runs_commands[debian]": "not here: adb ",
    "tests/attack/test_power_cuts.py::test_names_come_after_content_and_what_refers_to_them_last": "not here: strace",
}
SELF = """
import pytest

@pytest.mark.desktop
def test_one():
    pytest.skip("for a reason of its own")

def test_two():
    pytest.skip("which is fine")
"""
UNMARKED = """
import pytest

@pytest.fixture
def shared_desktop():
    pass

def test_one(shared_desktop):
    pass
"""
FOREIGN = """
import pytest

@pytest.mark.needs("PyAutoGUI")
def test_one():
    pass
"""
MIXED = """
import pytest

@pytest.mark.desktop
def test_is_skipped():
    pass

@pytest.mark.desktop("sh")
def test_runs():
    pass

@pytest.mark.desktop("sh")
def test_fails():
    assert False

@pytest.mark.desktop("sh")
def test_skips_itself():
    pytest.skip("here")
"""


def outcome(*tests: str, ci: str, plugins: tuple[str, ...] = ()) -> tuple[dict[str, int], str]:
    """How many passed, failed and were skipped on a bare machine, and all that was said."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *plugins, *tests],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            timeout=240,
            env={**bare_machine.bare(Path(folder)), "CI": ci, "PYTHONPATH": str(ROOT / "tests" / "fixtures")},
        )
    last = done.stdout.strip().splitlines()[-1]
    return {what: int(count) for count, what in re.findall(r"(\d+) (\w+)", last)}, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("ci", ["true", ""])
def test_what_needs_programs_fails_in_ci_and_is_skipped_elsewhere(ci: str) -> None:
    counts, said = outcome(*NEED, ci=ci)
    bad = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    assert counts.get("passed", 0) == 0, said
    if ci:
        assert bad >= len(NEED) and not counts.get("skipped"), said
    else:
        assert counts.get("skipped", 0) >= len(NEED) and not bad, said
        (line,) = re.findall(r"\d+ tests were skipped, because this machine lacks .*", said)
        for what in (r"Chromium \(make system\)", r"strace \(make system", r"Xvfb.* more \(make system-desktop\)"):
            assert re.search(what, line), line
    for reason in NEED.values():
        assert re.search(reason, said), said


def in_file(folder: Path, text: str) -> tuple[str, ...]:
    """Arguments that run a file of tests in a folder of its own."""
    file = folder / "test_self.py"
    file.write_text(text)
    return (str(file), f"--confcutdir={ROOT}", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"))


@pytest.mark.slow
def test_a_test_that_skips_itself_fails_in_ci_too(tmp_path: Path) -> None:
    tests, plugins = in_file(tmp_path, SELF), ("-p", "refuse_skips")
    counts, said = outcome(*tests, ci="true", plugins=plugins)
    assert counts == {"failed": 1, "skipped": 1} and "must not be skipped in CI: for a reason of its own" in said, said
    assert outcome(*tests, ci="", plugins=plugins)[0] == {"skipped": 2}


@pytest.mark.parametrize(
    ("made", "came_of_it"), [("models editors", "skipped"), ("pyautogui", "error"), (None, "error")]
)
def test_ci_does_without_the_environments_of_other_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: str | None, came_of_it: str
) -> None:
    monkeypatch.delenv("OMNIPILOT_ENVIRONMENTS", raising=False)
    if made is not None:
        monkeypatch.setenv("OMNIPILOT_ENVIRONMENTS", made)
    tests = in_file(tmp_path, FOREIGN)
    counts, said = outcome(*tests, ci="true", plugins=("-p", "system_needs", "-p", "refuse_skips"))
    assert counts == {came_of_it: 1}, said


def test_a_test_that_uses_a_desktop_has_to_say_so(tmp_path: Path) -> None:
    said = outcome(*in_file(tmp_path, UNMARKED), ci="", plugins=("-p", "system_needs"))[1]
    assert "test_one uses shared_desktop; mark it pytest.mark.desktop" in said


def test_what_runs_on_the_bare_machine_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bare_machine.main("-p", "system_needs", *in_file(tmp_path, MIXED)) == 1
    found = re.findall(r"was not skipped for want of a program: .*::(\w+)", capsys.readouterr().out)
    assert found == ["test_runs", "test_fails", "test_skips_itself"]


def test_an_environment_that_was_left_out_is_not_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".venv-outside"
    folder.mkdir()
    monkeypatch.setenv("OMNIPILOT_OUTSIDE", str(folder))
    monkeypatch.setenv("OMNIPILOT_ENVIRONMENTS", "outside")
    assert made_here("the environment cube")
    (folder / "left-out-cube").touch()
    assert not made_here("the environment cube") and made_here("the environment osworld")
