"""Verbs through PyAutoGUI, in a process of its own: against a module that writes down its calls, and for real."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from omnipilot.envs import (
    ActionRejected,
    Click,
    ConfigError,
    Drag,
    EnvLost,
    KeyDown,
    LongPress,
    MouseDown,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
)
from omnipilot.envs.desktop.pyautogui.input import PyAutoGuiInput

RECORDER = """
import json, os, sys, types
KEYS = ("moveTo", "mouseDown", "mouseUp", "scroll", "hscroll", "keyDown", "keyUp", "write")
def note(name):
    def call(*arguments):
        with open(os.environ["CALLS"], "a") as file:
            file.write(json.dumps([name, *arguments]) + "\\n")
        if list(arguments) == json.loads(os.environ.get("FAILS", "null")):
            raise ValueError("no such thing")
        if os.environ.get("DIES") == name:
            os._exit(1)
        if os.environ.get("HANGS") == name:
            import time
            time.sleep(60)
    return call
globals().update({name: note(name) for name in KEYS})
def size(): return 1000, 500
def isShiftCharacter(key): return key.isupper() or key in '~!@#$%^&*()_+{}|:"<>?'
print("a library may print")
"""
BACKEND = """
class _display:
    @staticmethod
    def keysym_to_keycodes(keysym):
        return [(94, 0)] if chr(keysym) in "<" else [(keysym, int(chr(keysym).isupper() or chr(keysym) in "!#>"))]
keyboardMapping = {}
"""


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., PyAutoGuiInput]]:
    """Makes inputs over the recorder."""
    package = tmp_path / "pyautogui"
    package.mkdir()
    (package / "__init__.py").write_text(RECORDER)
    (package / "_pyautogui_x11.py").write_text(BACKEND)
    made: list[PyAutoGuiInput] = []

    def make(timeout: float = 20.0, **environment: str) -> PyAutoGuiInput:
        surroundings = {**os.environ, "PYTHONPATH": str(tmp_path), "CALLS": str(tmp_path / "calls"), **environment}
        made.append(PyAutoGuiInput(surroundings, sys.executable, timeout))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def calls(tmp_path: Path) -> Callable[[], list[list[Any]]]:
    """The calls since the last look."""

    def read() -> list[list[Any]]:
        file = tmp_path / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.write_text("")
        return [json.loads(line) for line in lines]

    return read


def test_pointing(made, calls):
    hands = made()
    assert hands.size == Size(1000, 500)
    hands.click(Click(Point(0.5, 0.1), "right", 2, ("ctrl",)))
    press = [["mouseDown", None, None, "right"], ["mouseUp", None, None, "right"]]
    assert calls() == [["moveTo", 500, 50], ["keyDown", "ctrl"], *press, *press, ["keyUp", "ctrl"]]
    hands.long_press(LongPress(Point(0.1, 0.2), 0.1))
    assert calls() == [["moveTo", 100, 100], ["mouseDown", None, None, "left"], ["mouseUp", None, None, "left"]]
    hands.drag(Drag(Point(0.2, 0.2)))
    *_, start, down = (found := calls())[:2]
    assert (start, down) == (["moveTo", 100, 100], ["mouseDown", None, None, "left"])
    assert [call[1] for call in found[2:-1]] == [120, 140, 160, 180, 200], "a drag passes through places on its way"
    assert found[-1] == ["mouseUp", None, None, "left"]
    hands.scroll(Scroll("down", Point(0.5, 0.5)))
    hands.scroll(Scroll("right", amount=250, unit="px"))
    assert [call for call in calls() if call[0] != "moveTo"] == [["scroll", -3], ["hscroll", 2]]


def test_typing(made, calls):
    hands = made()
    hands.type(TypeText("Ab #1", Point(0.5, 0.5), clear=True, submit=True))
    assert [call[0] for call in calls()] == [
        *("moveTo", "mouseDown", "mouseUp", "keyDown", "keyDown", "keyUp", "keyUp", "keyDown", "keyUp"),
        *("write", "keyDown", "keyUp"),
    ]
    hands.press(Press(("meta", "shift", "t"), repeat=2))
    once = [["keyDown", key] for key in ("win", "shift", "t")] + [["keyUp", key] for key in ("t", "shift", "win")]
    assert calls() == once * 2
    with pytest.raises(ActionRejected, match="no key 'ü'"):
        hands.press(Press(("ü",)))
    with pytest.raises(ActionRejected, match="no key '<'"):
        hands.press(Press(("<",)))


def test_what_is_held_is_released_after_an_error_and_at_the_end(made, calls):
    hands = made(FAILS='["enter"]')
    hands.key_down(KeyDown(("shift",)))
    hands.mouse_down(MouseDown(Point(0, 0), "middle"))
    with pytest.raises(ActionRejected, match="no such thing"):
        hands.press(Press(("ctrl", "enter")))
    ups = [call for call in calls() if call[0].endswith("Up")]
    assert ["keyUp", "ctrl"] in ups
    assert ["mouseUp", None, None, "middle"] in ups
    assert ["keyUp", "shift"] in ups
    hands.key_down(KeyDown(("alt",)))
    hands.close()
    assert calls()[-1] == ["keyUp", "alt"]
    hands.close()


@pytest.mark.parametrize("how", ["DIES", "HANGS"])
def test_a_child_that_dies_or_hangs_is_a_lost_device(made, how):
    hands = made(timeout=1.0, **{how: "write"})
    with pytest.raises(EnvLost, match="ended" if how == "DIES" else "not answered for 1 s"):
        hands.type(TypeText("hello"))


def test_what_is_missing_is_said_with_its_cure(tmp_path):
    with pytest.raises(ConfigError, match=r"pip install 'omnipilot\[pyautogui\]'"):
        PyAutoGuiInput({**os.environ, "PYTHONPATH": ""}, sys.executable)
    with pytest.raises(ConfigError, match="must name a Python interpreter"):
        PyAutoGuiInput({}, str(tmp_path / "none"))
