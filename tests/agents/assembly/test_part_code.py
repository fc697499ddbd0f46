"""The code of others' parts: which edits it notices, and that nothing of ours is among it."""

from __future__ import annotations

import importlib
import shutil
import sys
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.build import PLANNERS
from omnipilot.agents.assembly.part_code import code_of, codes

FILES = {
    "own_clerk.py": "from own_words import WORD\n\n\nclass Clerk:\n    pass\n",
    "own_words.py": "import own_deep.inner\nWORD = 'x'\n",
    "own_deep/__init__.py": "",
    "own_deep/inner.py": "VALUE = 1\n",
    "own_stranger.py": "VALUE = 1\n",
    "own_package/__init__.py": "from own_package.parts.clerk import Clerk as Clerk\n",
    "own_package/parts/__init__.py": "",
    "own_package/parts/clerk.py": "class Clerk:\n    pass\n",
    "own_package/notes.txt": "said",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Modules and packages of somebody's own, which can be imported."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("edited", "module", "noticed"),
    [
        ("own_clerk.py", "own_clerk", True),
        ("own_words.py", "own_clerk", True),
        ("own_deep/inner.py", "own_clerk", True),
        ("own_stranger.py", "own_clerk", False),
        ("own_package/parts/clerk.py", "own_package", True),
        ("own_package/__init__.py", "own_package.parts.clerk", True),
        ("own_package/notes.txt", "own_package", False),
        ("own_clerk.py", "own_package", False),
    ],
)
def test_an_edit_is_noticed_where_it_is_of_the_part(folder: Path, edited: str, module: str, noticed: bool) -> None:
    before = code_of(f"{module}:Clerk")
    assert before and before == code_of(f"{module}:Clerk")
    (folder / edited).write_text(FILES[edited] + "# edited\n")
    assert (code_of(f"{module}:Clerk") != before) is noticed


def test_it_does_not_depend_on_where_the_files_lie(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_of("own_clerk:Clerk")
    other = folder / "elsewhere"
    shutil.copytree(folder, other, ignore=lambda *_: ["elsewhere", "own_package"])
    monkeypatch.setattr(sys, "path", [str(other), *(one for one in sys.path if one != str(folder))])
    importlib.invalidate_caches()
    assert code_of("own_clerk:Clerk") == before


def test_what_is_imported_counts_until_it_is_imported_anew(folder: Path) -> None:
    clerk = importlib.import_module("own_clerk")
    try:
        before = code_of("own_clerk:Clerk")
        (folder / "own_clerk.py").write_text(FILES["own_clerk.py"] + "# edited\n")
        assert code_of("own_clerk:Clerk") == before, "this process still has the code of before"
        importlib.reload(clerk)
        assert code_of("own_clerk:Clerk") != before
    finally:
        for name in [one for one in sys.modules if one.startswith("own_")]:
            del sys.modules[name]


def test_an_installed_package_counts_by_its_version() -> None:
    assert code_of("numpy:array") == f"numpy {version('numpy')}"
    assert packages_distributions()["numpy"] == ["numpy"]


@pytest.mark.parametrize(
    "target", ["omnipilot.planners.baselines.noop:NoopPlanner", "json:loads", "noop", "not_there:X"]
)
def test_what_is_ours_pythons_or_not_there_has_none(target: str) -> None:
    assert code_of(target) == ""


def test_a_class_of_the_session_counts_by_its_methods(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def defined(content: str) -> str:
        (folder / "own_session.py").write_text(content)
        session = importlib.import_module("own_session")
        session.Clerk.__module__ = "__main__"
        monkeypatch.setitem(sys.modules, "__main__", session)
        del sys.modules["own_session"]
        importlib.invalidate_caches()
        return code_of("__main__:Clerk")

    text = "TRIALS = {}\n\n\nclass Clerk:\n    def plan(self):\n        return {}\n"
    before = defined(text.format(1, 1))
    assert before and defined(text.format(12, 1)) == before, "a line elsewhere of a script is no part of the planner"
    assert defined(text.format(1, 12)) != before


def test_parts_inside_of_others_count_too(folder: Path) -> None:
    whole = PartSpec("blind", inner=(PartSpec("own_clerk:Clerk"), PartSpec("noop")))
    assert codes([(whole, PLANNERS)]) == {"planner own_clerk:Clerk": code_of("own_clerk:Clerk")}
