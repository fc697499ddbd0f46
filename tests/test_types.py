"""Grounding is a type: mypy rejects an action whose places are still described.

Every snippet is a file of its own and a test of its own; all are checked by one mypy.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared_folders import ROOT, made_once

MYPY = [sys.executable, "-m", "mypy", "--strict", "--namespace-packages", "--explicit-package-bases"]
MYPY += ["--config-file=", "--no-error-summary"]

HEAD = """\
from omnipilot.envs.types.actions import Action, Click, Described, Drag, Intent, Press, Ref, Swipe, TypeText, resolve
from omnipilot.envs.base import Env
from omnipilot.envs.types.geometry import Point


def locate(place: Described) -> Point:
    return Point(0.5, 0.5)


def run(env: Env, intent: Intent, action: Action) -> None:
"""

PASSES = [
    "env.act(Click(Point(0.5, 0.5)))",
    "env.act(Click())",
    'env.act(Press(("ctrl", "s")))',
    "env.act(Drag(Point(0, 0), Point(1, 1), (Point(0.5, 0.5),)))",
    "env.act(resolve(intent, locate))",
    "proposed: Intent = action",
    'described: Intent = Click("the Save button")',
    'marked: Intent = TypeText("x", Ref("7"))',
]
FAILS = [
    'env.act(Click("the Save button"))',
    'env.act(Click(Ref("7")))',
    'env.act(TypeText("hello", at="the search box"))',
    'env.act(Drag(Point(0, 0), "the file"))',
    'env.act(Drag(Point(0, 0), path=("here", "there")))',
    'env.act(Swipe(start=Point(0, 0), end="the top"))',
    "env.act(intent)",
]
SNIPPETS = [*PASSES, *FAILS]
LINE = HEAD.count("\n") + 1
"""Where a snippet stands in its file."""


def check_all(folder: Path) -> None:
    """Let mypy check every snippet, and keep what it says in `told`."""
    files = [f"snippet_{number}.py" for number in range(len(SNIPPETS))]
    for file, snippet in zip(files, SNIPPETS, strict=True):
        (folder / file).write_text(f"{HEAD}    {snippet}\n", encoding="utf-8")
    done = subprocess.run(
        [*MYPY, "--cache-dir", str(folder / "cache"), *files],
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert not done.stderr, done.stderr
    assert done.returncode == 1, done.stdout
    (folder / "told").write_text(done.stdout, encoding="utf-8")


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What mypy says about all snippets, line by line."""
    return (made_once(tmp_path_factory, "types", check_all) / "told").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_mypy_lets_grounded_actions_through_and_no_others(snippet: str, told: list[str]) -> None:
    mine = [line for line in told if line.startswith(f"snippet_{SNIPPETS.index(snippet)}.py:")]
    errors = [
        (int(match[1]), match[2]) for line in mine if (match := re.match(r"[\w.]+:(\d+): error: .*\[(.+)\]", line))
    ]
    assert errors == ([(LINE, "arg-type")] if snippet in FAILS else []), "\n".join(mine)


def test_mypy_finds_fault_with_nothing_but_the_snippets(told: list[str]) -> None:
    others = [line for line in told if not line.startswith("snippet_")]
    assert not others, "\n".join(others)
