"""Scripts of PyAutoGUI: what they mean, and that nothing else is read."""

from __future__ import annotations

import pytest

from omnipilot.envs import (
    Answer,
    Click,
    Done,
    Drag,
    Intent,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseMove,
    MouseUp,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
    Wait,
)
from omnipilot.memory import MalformedReply
from omnipilot.planners.chat.pyautogui import script_of
from omnipilot.planners.chat.script import parse_script

SIZE = Size(1000, 500)
P = Point(0.1, 0.2)

ROWS: list[tuple[str, list[Intent]]] = [
    ("pyautogui.click(100, 100)", [Click(P)]),
    ("pyautogui.click(x=100, y=100)", [Click(P)]),
    ("click(100.0, +100.0)", [Click(P)]),
    ("pyautogui.click((100, 100))", [Click(P)]),
    ("pyautogui.click([100, 100])", [Click(P)]),
    ("pyautogui.click()", [Click()]),
    ("pyautogui.click(None, None, 2)", [Click(count=2)]),
    ("pyautogui.click(100, 100, 2, 0.25, 'right')", [Click(P, "right", 2)]),
    ("pyautogui.click(100, 100, button='secondary')", [Click(P, "right")]),
    ("pyautogui.rightClick(100, 100)", [Click(P, "right")]),
    ("pyautogui.middleClick(100, 100)", [Click(P, "middle")]),
    ("pyautogui.doubleClick(100, 100)", [Click(P, count=2)]),
    ("pyautogui.tripleClick(100, 100, interval=0.1)", [Click(P, count=3)]),
    ("pyautogui.moveTo(100, 100, duration=1)", [MouseMove(P)]),
    ("pyautogui.moveTo(200, 100)\npyautogui.move(-100, 0)", [MouseMove(Point(0.2, 0.2)), MouseMove(P)]),
    ("pyautogui.dragTo(100, 100, button='left')", [Drag(P)]),
    ("pyautogui.dragTo(100, 100, 2, button='right')", [Drag(P, button="right")]),
    ("pyautogui.scroll(10)", [Scroll("up", None, 10)]),
    ("pyautogui.scroll(-10)", [Scroll("down", None, 10)]),
    ("pyautogui.scroll(-10, x=100, y=100)", [Scroll("down", P, 10)]),
    ("pyautogui.hscroll(10)", [Scroll("right", None, 10)]),
    ("pyautogui.hscroll(-10)", [Scroll("left", None, 10)]),
    ("pyautogui.moveTo(100, 100)\npyautogui.scroll(3)", [MouseMove(P), Scroll("up", P, 3)]),
    ("pyautogui.write('Hello, #1 (it\\'s)')", [TypeText("Hello, #1 (it's)")]),
    ("pyautogui.typewrite('a', interval=0.1)", [TypeText("a")]),
    ("pyautogui.write('a\\n')", [TypeText("a", submit=True)]),
    ("pyautogui.write('a' 'b')", [TypeText("ab")]),
    ('pyautogui.write("""a\nb""")', [TypeText("a\nb")]),
    ("pyautogui.write(r'C:\\new')", [TypeText("C:\\new")]),
    ("pyautogui.write('C:\\Pictures')", [TypeText("C:\\Pictures")]),
    ("pyautogui.typewrite(['a', 'enter'])", [Press(("a",)), Press(("enter",))]),
    ("pyautogui.press('enter')", [Press(("enter",))]),
    ("pyautogui.press('tab', presses=3)", [Press(("tab",), 3)]),
    ("pyautogui.press(['left', 'up'])", [Press(("left",)), Press(("up",))]),
    ("pyautogui.hotkey('ctrl', 'c')", [Press(("ctrl", "c"))]),
    ("pyautogui.hotkey('command', 'space', interval=0.1)", [Press(("meta", "space"))]),
    ("pyautogui.keyDown('shift')\npyautogui.keyUp('shift')", [KeyDown(("shift",)), KeyUp(("shift",))]),
    ("pyautogui.mouseDown(100, 100)\npyautogui.mouseUp(button='left')", [MouseDown(P), MouseUp()]),
    ("time.sleep(2)\npyautogui.sleep(0.5)\nsleep(1)", [Wait(2), Wait(0.5), Wait(1)]),
    ("import pyautogui\nimport time, pyautogui\n\n# a comment (\npass\npyautogui.click(100, 100); sleep(1)",
     [Click(P), Wait(1)]),
    ("", []),
    ("# nothing", []),
]  # fmt: skip


@pytest.mark.parametrize(("script", "wanted"), ROWS, ids=lambda part: str(part)[:60])
def test_a_script_is_read(script: str, wanted: list[Intent]) -> None:
    assert parse_script(script, SIZE) == wanted


REJECTED = [
    ("x = 1", "line 1: only calls with literal arguments"),
    ("click(1, 1)\nx = 1", "line 2: only calls with literal arguments"),
    ("import os", "line 1: only calls"),
    ("import pyautogui as os", "line 1: only calls"),
    ("from os import system", "line 1: only calls"),
    ("\n\nos.system('true')", "line 3: there is no action 'os.system'"),
    ("__import__('os').system('true')", "line 1: only plain functions"),
    ("open('a', 'w')", "line 1: there is no action 'open'"),
    ("eval('1')", "line 1: there is no action 'eval'"),
    ("pyautogui.screenshot()", "line 1: there is no action 'pyautogui.screenshot'"),
    ("pyautogui.a.click(1, 1)", "line 1: only plain functions"),
    ("pyautogui.click(1 + 1, 1)", "line 1: arguments are literals"),
    ("pyautogui.click(x, 1)", "line 1: arguments are literals (numbers, text, lists), not Name"),
    ("pyautogui.click(*a)", "line 1: arguments are literals"),
    ("pyautogui.click(**{'x': 1})", "line 1: pyautogui.click: ** is not allowed"),
    ("pyautogui.write(f'{open}')", "line 1: arguments are literals"),
    ("pyautogui.write(b'a')", "line 1: arguments are literals"),
    ("pyautogui.write(1j)", "line 1: arguments are literals"),
    ("pyautogui.write(open('a').read())", "line 1: arguments are literals"),
    ("if True: pyautogui.click(1, 1)", "line 1: only calls"),
    ("lambda: 1", "line 1: only calls"),
    ("pyautogui.click(1, 1", "line 1: this is no Python"),
    ("pyautogui.write('a", "line 1: a text is not closed"),
    ("click(1, 1)\n  click(1, 1)", "line 2: this is no Python"),
    ("pyautogui.click(1)", "line 1: pyautogui.click: x and y belong together"),
    ("pyautogui.click(1, None)", "line 1: pyautogui.click: x and y belong together"),
    ("pyautogui.click('there')", "line 1: pyautogui.click: x and y belong together"),
    ("pyautogui.click(1, 1, X=2)", "line 1: pyautogui.click: does not take 'X'"),
    ("pyautogui.click(1, 1, x=2)", "line 1: pyautogui.click: x is given twice"),
    ("pyautogui.click(1, 1, 9)", "line 1: pyautogui.click: click.count must be"),
    ("pyautogui.click(2000, 1)", "line 1: pyautogui.click: (2000, 1) is outside 0..1000, 0..500"),
    ("pyautogui.click(1, 1, button='fourth')", "button is one of"),
    ("pyautogui.move(1, 1)", "where the cursor is is not known"),
    ("pyautogui.dragTo()", "needs x and y"),
    ("pyautogui.scroll()", "needs clicks"),
    ("pyautogui.press('nokey')", "unknown key 'nokey'"),
    ("pyautogui.press('a', presses=1.5)", "presses is a whole number"),
    ("pyautogui.write()", "needs message"),
    ("time.sleep(100000)", "wait.seconds must be a number"),
    ("done()", "line 1: there is no action 'done'"),
    ("click(1, 1)\n" * 201, "more than 200 actions"),
    ("# " + "a" * 20_000, "the code has 20002 characters"),
    ("f(" * 50 + ")" * 50, "nested more than 12 deep"),
    ("write('\\x')", "line 1: this is no Python"),
    ("\0", "this is no Python"),
]


@pytest.mark.parametrize(("script", "told"), REJECTED, ids=lambda part: repr(part)[:60])
def test_anything_else_is_rejected_with_its_line(script: str, told: str) -> None:
    with pytest.raises(MalformedReply) as caught:
        parse_script(script, SIZE)
    assert told in str(caught.value)


def test_the_end_is_only_called_where_it_may_be() -> None:
    assert parse_script("answer('42')\ndone()", SIZE, ends=True) == [Answer("42"), Done()]
    assert parse_script("fail()", SIZE, ends=True) == [Done("failure")]


def test_the_script_is_the_last_block_of_a_reply() -> None:
    assert script_of("First:\n```\na()\n```\nBetter:\n```python\nb()\n```\nSo.")[1] == "b()\n"
    assert script_of("click(1, 1)") == ("", "click(1, 1)")
    assert script_of("<think>a()</think>Go.\n```python\nb()")[1] == "b()"
    assert script_of("<think>Hm.</think>Go.\n```python\nb()")[0] == "Hm.\nGo."
