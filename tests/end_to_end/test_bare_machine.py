"""On a machine without any program, the tests that need them skip with the reason; in CI they fail with it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared_folders import ROOT

NEED = {
    "tests/envs/desktop/test_env.py::test_a_calculator_adds_by_the_boxes_of_its_buttons": "apt install xfwm4",
    "tests/end_to_end/test_duet_over_adb.py::test_a_task_has_the_same_verdict_over_adb[send-message]": "adb",
    "tests/envs/web/test_profile.py::test_pages_learn_what_the_options_say": "Chromium",
    "tests/envs/sim/adb/test_clients.py::test_adb_lists_it_and_runs_commands[debian]": "adb",
}
SELF = """
import pytest

@pytest.mark.desktop
def test_one():
    pytest.skip("for a reason of its own")

def test_two():
    pytest.skip("which is fine")
"""


def outcome(*tests: str, ci: str, plugin: str = "bare_machine") -> tuple[dict[str, int], str]:
    """How many passed, failed and were skipped, and all that was said."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", plugin, *tests],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=120,
        env={**os.environ, "CI": ci, "PYTHONPATH": str(ROOT / "tests" / "fixtures"), "OMNIPILOT_CHROMIUM": ""},
    )
    last = done.stdout.strip().splitlines()[-1]
    return {what: int(count) for count, what in re.findall(r"(\d+) (\w+)", last)}, done.stdout + done.stderr


@pytest.mark.parametrize("ci", ["true", ""])
def test_what_needs_programs_fails_in_ci_and_is_skipped_elsewhere(ci: str) -> None:
    counts, said = outcome(*NEED, ci=ci)
    bad = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    assert counts.get("passed", 0) == 0, said
    if ci:
        assert bad >= len(NEED) and not counts.get("skipped"), said
    else:
        assert counts.get("skipped", 0) >= len(NEED) and not bad, said
    for reason in NEED.values():
        assert re.search(reason, said), said


def test_a_test_that_skips_itself_fails_in_ci_too(tmp_path: Path) -> None:
    file = tmp_path / "test_self.py"
    file.write_text(SELF)
    tests = (str(file), f"--confcutdir={ROOT}", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"))
    counts, said = outcome(*tests, ci="true", plugin="refuse_skips")
    assert counts == {"failed": 1, "skipped": 1} and "must not be skipped in CI: for a reason of its own" in said, said
    assert outcome(*tests, ci="", plugin="refuse_skips")[0] == {"skipped": 2}
