"""A desktop through PyAutoGUI, for real: an X server without a window manager, and a program that is typed into."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from read_screens import ShadeSource
from scripted import agent, brief, play
from scripted_model import ScriptedModel, says
from system_needs import PYAUTOGUI

from omnipilot.agents import episode
from omnipilot.agents.wrappers import PerceivingAgent
from omnipilot.envs import (
    Absent,
    ActionRejected,
    Click,
    Drag,
    Modality,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
)
from omnipilot.envs.desktop.pyautogui.env import PyAutoGuiEnv
from omnipilot.envs.desktop.pyautogui.input import INTERPRETER
from omnipilot.envs.desktop.pyautogui.world import PyAutoGuiWorld
from omnipilot.planners import ScriptPlanner
from omnipilot.planners.chat.script import parse_script

ROOT = Path(__file__).parents[4]
WINDOW = """
import sys
from Xlib import X, display
shown = display.Display(sys.argv[1])
window = shown.screen().root.create_window(0, 0, 800, 600, 0, shown.screen().root_depth, X.CopyFromParent,
    background_pixel=0x336699, event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask)
window.map()
shown.set_input_focus(window, X.RevertToParent, X.CurrentTime)
shown.sync()
print("ready", flush=True)
while True:
    event = shown.next_event()
    if event.type == X.KeyPress:
        keysym = shown.keycode_to_keysym(event.detail, int(bool(event.state & X.ShiftMask)))
        print("key", event.state, chr(keysym) if 32 < keysym < 127 else keysym, flush=True)
    elif event.type in (X.ButtonPress, X.ButtonRelease):
        kind = "down" if event.type == X.ButtonPress else "up"
        print(kind, event.detail, event.root_x, event.root_y, flush=True)
        window.change_attributes(background_pixel=0x993366 if kind == "down" else 0x336699)
        window.clear_area(0, 0, 0, 0)
        shown.sync()
"""
"""A window that writes down what it receives, and changes colour while a button is down."""

SHIFT, RETURN = "65505", "65293"
"""Their keysyms."""

pytestmark = [pytest.mark.desktop("Xvfb"), pytest.mark.needs("PyAutoGUI")]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server of our own."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        yield f":{told.readline().strip()}"
    server.terminate()
    server.wait()


@pytest.fixture
def env(display: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[PyAutoGuiEnv]:
    """The environment on it."""
    monkeypatch.setenv(INTERPRETER, PYAUTOGUI)
    env = PyAutoGuiEnv(display=display)
    yield env
    env.close()


@pytest.fixture
def window(display: str, env: PyAutoGuiEnv) -> Iterator[subprocess.Popen[str]]:
    """The window that writes down what it receives."""
    program = subprocess.Popen([sys.executable, "-c", WINDOW, display], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    yield program
    program.kill()
    program.wait()
    program.stdout.close()


def _lines(window: subprocess.Popen[str], number: int) -> list[str]:
    assert window.stdout is not None
    return [window.stdout.readline().strip() for _ in range(number)]


def test_what_is_done_arrives_where_it_was_meant(env, window):
    assert env.size == Size(800, 600)
    env.act(Click(Point(0.25, 0.5), count=2))
    assert _lines(window, 4) == ["down 1 200 300", "up 1 200 300"] * 2
    env.act(Drag(Point(0.5, 0.5), start=Point(0.1, 0.1)))
    assert _lines(window, 2) == ["down 1 80 60", "up 1 400 300"]
    env.act(Scroll("up", Point(0.5, 0.5), 2))
    assert [line.split()[:2] for line in _lines(window, 4)] == [["down", "4"], ["up", "4"]] * 2
    env.act(TypeText("a<B>"))
    assert [line.split()[-1] for line in _lines(window, 7)] == ["a", SHIFT, "<", SHIFT, "B", SHIFT, ">"]
    env.act(Press(("ctrl", "s")))
    assert _lines(window, 2)[-1] == "key 4 s"


def test_a_script_is_played_as_it_is_written(env, window):
    lines = ("moveTo(100, 150)", "click()", "press('enter')", "rightClick(x=400, y=450)")
    script = "\n".join(f"pyautogui.{line}" for line in lines)
    for action in parse_script(script, env.size):
        env.act(action)
    assert _lines(window, 5) == ["down 1 100 150", "up 1 100 150", f"key 0 {RETURN}", "down 3 400 450", "up 3 400 450"]


def test_what_it_sees(env, window):
    seen = env.observe(set(Modality), 0.0)
    assert seen.screenshot.array()[300, 200].tolist() == [0x33, 0x66, 0x99]
    assert seen.screenshot.size == env.size
    assert {seen.elements, seen.audio, seen.video} == {Absent("unsupported")}
    assert seen.has(Modality.CONTEXT)
    assert not env.observe((), 0.0).has(Modality.SCREENSHOT)
    with pytest.raises(ActionRejected, match="cannot do 'open_url'; it can: click"):
        env.act(OpenUrl("http://127.0.0.1"))


def test_a_model_that_sees_no_picture_writes_a_script_from_what_is_read_off_the_screen(display, window, monkeypatch):
    monkeypatch.setenv(INTERPRETER, PYAUTOGUI)
    model = ScriptedModel(says("```python\npyautogui.click(400, 300)\npyautogui.press('enter')\ndone()\n```"))
    world = PyAutoGuiWorld(display=display)
    try:
        single = agent(
            ScriptPlanner.over(model), planner_sees=frozenset({Modality.ELEMENTS}), grounder_sees=frozenset()
        )
        steps, ending = play(episode(world, PerceivingAgent(single, ShadeSource()), brief(world, "Press the window")))
    finally:
        world.close()
    assert _lines(window, 3) == ["down 1 400 300", "up 1 400 300", f"key 0 {RETURN}"]
    assert ending.reason == "done" and [step.outcome.result for step in steps[:2]] == ["done"] * 2
    (asked,) = model.asked
    assert asked.media == () and 'text "shade 51 of Press the window" at (400, 300)' in asked.words
