"""The wheel in an empty environment, away from the checkout: one line to install, one to the demo's true table, and a
bundle of a run that this checkout made is derived again there.

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
PACKED = {
    "sounds": "--suite duet --planner rules --tasks spoken-code-to-log,stop-message-at-beep,doors-to-network",
    "varied": "--suite duet --planner oracle --vary dark+zoom+names+reworded --tasks price-to-sheet,pause-tram",
    "guarded": "--suite lures --planner gullible --memory episodic --policy own-device --tasks clip-note,past-wrong",
    "past": "--suite duet-memory --planner from-memory --memory episodic --tasks changed-code-10",
    "learnt": "--suite duet --planner mini --tasks price-to-sheet -o planner.votes=1",
}
"""Runs that are packed here, with sound, film, other words and other pictures, a guard, harms, a past, and weights."""
STRANGER = {"TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "77", "USER": "stranger"}
"""How the environment of whoever verifies differs from that of whoever packed."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.exhibit("duet", "duet-memory", "lures", "rules", "mini"),
    pytest.mark.timeout(900),
]


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


def outside(*command: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A command in an empty folder, with nothing of this checkout in its environment, and some variables more."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OMNIPILOT", "VIRTUAL"))
    }
    done = subprocess.run([*map(str, command)], cwd=cwd, env=kept | more, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def build(folder: Path) -> None:
        source = copy_checkout(folder / "source")
        outside(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ".", cwd=source)

    (made,) = made_once(tmp_path_factory, "wheel", build).glob("*.whl")
    return made


def install(version: str, wheel: Path, factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an empty environment of a Python, with nothing but the wheel and what it needs."""
    python = find_python(version)

    def make(folder: Path) -> None:
        outside(python, "-m", "venv", "empty", cwd=folder)
        pip = (folder / "empty/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        outside(*pip, wheel, cwd=folder)

    return made_once(factory, f"installed-{version}", make) / "empty/bin"


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of bundles, with the root hash of each beside it."""

    def make(folder: Path) -> None:
        omnipilot = Path(sys.executable).parent / "omnipilot"
        for name, arguments in PACKED.items():
            run = ("run", *arguments.split(), "--media", "none", "--jobs", "0", "--out", name)
            outside(omnipilot, *run, cwd=folder)
            told = outside(omnipilot, "pack", name, "--out", f"{name}.tar.xz", cwd=folder).stdout
            (folder / f"{name}.root").write_text(told.partition("root: ")[2].split()[0])

    return made_once(tmp_path_factory, "bundles", make)


def check_demo(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    lines = done.stdout.strip().splitlines()
    assert lines[0] == FIRST, done.stdout
    # Of a single suite, the table does not say which.
    solved = re.findall(r"^(\w+) .* (\d+/24) ", done.stdout, re.MULTILINE)
    assert solved == [("oracle", "24/24"), ("rules", "21/24"), ("mini", "21/24"), ("noop", "0/24")], done.stdout
    assert done.stdout.count("───  ") > 3 and len(re.findall("^───", done.stdout, re.MULTILINE)) == 1, "one table"
    assert (folder / "runs/demo/report.html").exists()


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_runs_the_demo(
    version: str, wheel: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    programs = install(version, wheel, tmp_path_factory)
    where = outside(programs / "python", "-c", "import omnipilot.bench; print(omnipilot.bench.__file__)", cwd=tmp_path)
    assert where.stdout.startswith(str(programs.parent))
    check_demo(outside(programs / "omnipilot", "demo", cwd=tmp_path), tmp_path)


@pytest.mark.parametrize("version", PYTHONS)
def test_a_bundle_is_derived_again_elsewhere(
    version: str, wheel: Path, bundles: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    verify = (install(version, wheel, tmp_path_factory) / "omnipilot", "verify")
    for name in PACKED:
        given = (bundles / f"{name}.tar.xz", "--root", (bundles / f"{name}.root").read_text())
        said = outside(*verify, *given, cwd=tmp_path, HOME=str(tmp_path), **STRANGER).stdout
        assert "(as published)" in said and said.endswith("derived again: no differences\n"), (name, said)
        assert ("1 weights as installed here" in said) == (name == "learnt"), said
    assert not list(tmp_path.iterdir())


@pytest.mark.needs("uvx")
def test_one_line_is_enough(wheel: Path, tmp_path: Path) -> None:
    command = (SITE / "uvx", "--python", sys.executable, "--from", wheel, "omnipilot", "list", "planners")
    assert "oracle" in outside(*command, cwd=tmp_path).stdout
