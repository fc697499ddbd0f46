"""Grounding is a type: mypy rejects an action whose places are still described."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MYPY = [sys.executable, "-m", "mypy", "--strict", "--namespace-packages", "--explicit-package-bases"]
MYPY += ["--config-file=", "--no-error-summary"]

HEAD = """\
from omnipilot.envs.actions import Action, Click, Described, Drag, Intent, Press, Ref, Swipe, TypeText, resolve
from omnipilot.envs.base import Env
from omnipilot.envs.geometry import Point


def locate(place: Described) -> Point:
    return Point(0.5, 0.5)


def run(env: Env, intent: Intent, action: Action) -> None:
"""

PASSES = """\
    env.act(Click(Point(0.5, 0.5)))
    env.act(Click())
    env.act(Press(("ctrl", "s")))
    env.act(Drag(Point(0, 0), Point(1, 1), (Point(0.5, 0.5),)))
    env.act(resolve(intent, locate))
    proposed: Intent = action
    described: Intent = Click("the Save button")
    marked: Intent = TypeText("x", Ref("7"))
"""

FAILS = [
    'env.act(Click("the Save button"))',
    'env.act(Click(Ref("7")))',
    'env.act(TypeText("hello", at="the search box"))',
    'env.act(Drag(Point(0, 0), "the file"))',
    'env.act(Drag(Point(0, 0), path=("here", "there")))',
    'env.act(Swipe(start=Point(0, 0), end="the top"))',
    "env.act(intent)",
]


@pytest.fixture(scope="module")
def typed() -> Path:
    """The folder through which type checkers see the rooms as one package."""
    link = ROOT / "build" / "typed" / "omnipilot"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.exists():
        link.symlink_to(Path("..", ".."), target_is_directory=True)
    return link.parent


def check(typed: Path, folder: Path, text: str) -> tuple[int, list[str]]:
    """What mypy says about a snippet: its exit status, and its lines."""
    snippet = folder / "snippet.py"
    snippet.write_text(text)
    done = subprocess.run(
        [*MYPY, "--cache-dir", str(folder / "cache"), str(snippet)],
        env={**os.environ, "MYPYPATH": str(typed)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.slow
def test_mypy_lets_grounded_actions_through_and_no_others(typed: Path, tmp_path: Path) -> None:
    status, told = check(typed, tmp_path, HEAD + PASSES)
    assert (status, told) == (0, [])

    status, told = check(typed, tmp_path, HEAD + "".join(f"    {line}\n" for line in FAILS))
    first = HEAD.count("\n") + 1
    errors = {
        int(match[1]): match[2] for line in told if (match := re.match(r"snippet\.py:(\d+): error: .*\[(.+)\]", line))
    }
    assert errors == {first + number: "arg-type" for number in range(len(FAILS))}, "\n".join(told)
