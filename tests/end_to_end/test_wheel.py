"""The wheel in an empty environment, away from the checkout: one line to install, one to the demo's true table.

`make test-wheel` asks for each Python that the package is for; without it, only this interpreter's.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from shared_folders import copy_checkout, made_once
from system_needs import SITE

THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTHONS = os.environ.get("OMNIPILOT_WHEEL_PYTHONS", THIS).split()
FIRST = "Of 24 episodes of duet, solved: rules 21, noop 0; told what agents have to find out: oracle 24, mini 21."
"""What the core alone comes to, without the extras `ocr` and `web`."""
pytestmark = [pytest.mark.slow, pytest.mark.exhibit("duet", "rules", "mini"), pytest.mark.timeout(900)]


def find_python(version: str) -> str:
    """The interpreter of a version, such as "3.12"; skips where there is none."""
    if version == THIS:
        return sys.executable
    known = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    found = str(known[-1]) if known else shutil.which(f"python{version}")
    works = found is not None and subprocess.run([found, "-c", "import venv"], check=False).returncode == 0
    if found is None or not works:
        pytest.skip(f"no Python {version} is here")
    return found


def outside(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command in an empty folder, with nothing of this checkout in its environment."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OMNIPILOT", "VIRTUAL"))
    }
    done = subprocess.run([*map(str, command)], cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def build(folder: Path) -> None:
        source = copy_checkout(folder / "source")
        outside(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ".", cwd=source)

    (made,) = made_once(tmp_path_factory, "wheel", build).glob("*.whl")
    return made


def check_demo(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    lines = done.stdout.strip().splitlines()
    assert lines[0] == FIRST, done.stdout
    solved = re.findall(r"^duet +(\w+) .* (\d+/24) ", done.stdout, re.MULTILINE)
    assert solved == [("oracle", "24/24"), ("rules", "21/24"), ("mini", "21/24"), ("noop", "0/24")], done.stdout
    assert done.stdout.count("───  ") > 3 and len(re.findall("^───", done.stdout, re.MULTILINE)) == 1, "one table"
    assert (folder / "runs/demo/report.html").exists()


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_runs_the_demo(version: str, wheel: Path, tmp_path: Path) -> None:
    outside(find_python(version), "-m", "venv", "empty", cwd=tmp_path)
    python = tmp_path / "empty/bin/python"
    outside(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    where = outside(python, "-c", "import omnipilot.bench; print(omnipilot.bench.__file__)", cwd=tmp_path).stdout
    assert where.startswith(str(tmp_path / "empty"))
    check_demo(outside(tmp_path / "empty/bin/omnipilot", "demo", cwd=tmp_path), tmp_path)


@pytest.mark.needs("uvx")
def test_one_line_is_enough(wheel: Path, tmp_path: Path) -> None:
    command = (SITE / "uvx", "--python", sys.executable, "--from", wheel, "omnipilot", "list", "planners")
    assert "oracle" in outside(*command, cwd=tmp_path).stdout
