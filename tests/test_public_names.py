"""What users import: the names that rooms and packages offer, and that offering them costs nothing."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from shared_folders import ROOT, SOURCES

import omnipilot

LIST = Path(__file__).parent / "public_names.txt"
"""One line a package: its name, a colon, and its names. A name that goes or is renamed breaks somebody's code."""
PACKAGES = sorted(
    "omnipilot." + path.parent.relative_to(ROOT).as_posix().replace("/", ".")
    for room in SOURCES
    for path in (ROOT / room).rglob("__init__.py")
)
HIDING = {"omnipilot.bench": {"run"}}
"""Names that a package within has, too; `lazy_exports` puts them in its place."""
OFFERING = [name for name in PACKAGES if hasattr(importlib.import_module(name), "__all__")]


@pytest.fixture(params=OFFERING)
def package(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def test_the_names_are_those_of_the_list() -> None:
    lines = [f"{name}: {' '.join(importlib.import_module(name).__all__)}" for name in OFFERING]
    assert LIST.read_text(encoding="utf-8").splitlines() == lines


def test_every_name_is_there(package: ModuleType) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))


def test_no_name_hides_a_module(package: ModuleType) -> None:
    folder = Path(str(package.__file__)).parent
    beside = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert (beside & set(package.__all__)) - HIDING.get(package.__name__, set()) == set()


def test_the_function_run_is_that_of_the_command_however_its_namesake_is_imported() -> None:
    script = "import omnipilot.bench.run.labels\nfrom omnipilot.bench import run\nprint(run.__module__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "omnipilot.bench.python.commands"


def test_what_is_not_offered_is_an_attribute_error(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        package.no_such_name  # noqa: B018


def test_importing_every_package_imports_no_module() -> None:
    script = (
        f"import sys\nfor name in {PACKAGES!r}: __import__(name)\n"
        f"print(*sorted(m for m in sys.modules if m.startswith('omnipilot.') and m not in {PACKAGES!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["omnipilot.bench.python.commands", "omnipilot.envs.lazy"]


def test_the_root_offers_the_rooms_and_a_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert omnipilot.__version__ == project["version"]
    assert set(omnipilot.__all__) == {"Session", "SessionPool", "__version__", *SOURCES}
    assert set(omnipilot.__all__) <= set(dir(omnipilot))
    assert omnipilot.envs.Click is importlib.import_module("omnipilot.envs").Click
    assert omnipilot.Session is importlib.import_module("omnipilot.bench.session").Session
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        omnipilot.no_such_name  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_root_imports_nothing_of_ours() -> None:
    script = "import sys, omnipilot\nprint(*(m for m in sys.modules if m.startswith('omnipilot.')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []
