"""The kind of device `pyautogui`: named in a world file, against a module in PyAutoGUI's place."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from omnipilot.envs import Click, ConfigError, MissingExtra, Modality, Point, Size, check_env
from omnipilot.envs.composite import open_world
from omnipilot.envs.composite.machine import missing_requirements
from omnipilot.envs.desktop.pyautogui.input import INTERPRETER
from omnipilot.envs.desktop.pyautogui.world import PyAutoGuiWorld

FAKE = """
import json, os
def note(name):
    def call(*arguments):
        with open(os.environ["CALLS"], "a") as file:
            file.write(json.dumps([name, *arguments]) + "\\n")
    return call
NAMES = ("moveTo", "mouseDown", "mouseUp", "scroll", "hscroll", "keyDown", "keyUp", "write")
globals().update({name: note(name) for name in NAMES})
def size(): return 100, 50
def isShiftCharacter(key): return key.isupper()
def getActiveWindowTitle(): return "Letter"
"""
BACKEND = """
class _display:
    @staticmethod
    def keysym_to_keycodes(keysym): return [(keysym, int(chr(keysym).isupper()))]
keyboardMapping = {}
"""
WORLD = {"devices": {"mine": {"kind": "pyautogui", "still": 0.01, "settle": 0.05}}}


class Screens:
    """In the place of `mss.MSS`: a dark screen of 100 by 50 pixels."""

    monitors = (None, "main")

    def grab(self, monitor: object) -> SimpleNamespace:
        return SimpleNamespace(width=100, height=50, rgb=bytes(100 * 50 * 3))

    def close(self) -> None: ...


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the faked PyAutoGUI writes down what is called."""
    package = tmp_path / "pyautogui"
    package.mkdir()
    (package / "__init__.py").write_text(FAKE)
    (package / "_pyautogui_x11.py").write_text(BACKEND)
    mss = ModuleType("mss")
    mss.MSS = Screens  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mss", mss)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv(INTERPRETER, sys.executable)
    return tmp_path / "calls"


@pytest.fixture
def world(calls: Path) -> Iterator[PyAutoGuiWorld]:
    made = PyAutoGuiWorld(still=0.01, settle=0.05)
    yield made
    made.close()


def test_a_world_file_names_it_and_its_mouse_is_moved(calls: Path) -> None:
    world = open_world(WORLD)
    try:
        world.reset(0)
        assert list(world.envs) == ["mine"]
        seen = world.observe_together({Modality.SCREENSHOT, Modality.CONTEXT}, {"mine": 0.0})["mine"]
        assert seen.size == Size(100, 50) and seen.context.title == "Letter"
        world.envs["mine"].act(Click(Point(0.5, 0.5)))
    finally:
        world.close()
    made = [json.loads(line) for line in calls.read_text().splitlines()]
    assert made == [["moveTo", 50, 25], ["mouseDown", None, None, "left"], ["mouseUp", None, None, "left"]]


def test_it_keeps_the_contract_of_worlds(calls: Path) -> None:
    check_env(lambda: PyAutoGuiWorld(still=0.01, settle=0.05), live=True)


def test_without_the_package_it_says_what_to_install(calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_requirements(WORLD) == []
    monkeypatch.delenv("PYTHONPATH")
    with pytest.raises(ConfigError, match=r"has no PyAutoGUI: pip install 'omnipilot\[pyautogui\]'"):
        PyAutoGuiWorld()
    monkeypatch.delenv(INTERPRETER)
    (told,) = missing_requirements(WORLD)
    assert told.startswith("device 'mine': ") and "pip install 'omnipilot[pyautogui]'" in told
    monkeypatch.setenv(INTERPRETER, "/nowhere/python")
    assert missing_requirements(WORLD) == [
        f"device 'mine': {INTERPRETER} must name a Python interpreter: there is no program /nowhere/python"
    ]
    monkeypatch.setitem(sys.modules, "mss", None)
    with pytest.raises(MissingExtra, match=r"omnipilot\[pyautogui\]"):
        PyAutoGuiWorld()
