"""Aguvis, OpenCUA and ScaleCUA: Python that is read and never run."""

from __future__ import annotations

import pytest
from native_reading import CURSOR, at, intents, problem, thought

from omnipilot.envs import (
    Answer,
    AskUser,
    Click,
    Done,
    Drag,
    Intent,
    LongPress,
    MouseMove,
    OpenApp,
    Press,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
    Wait,
)

AGUVIS: list[tuple[str, list[Intent]]] = [
    ("pyautogui.click(x=0.1, y=0.2)", [Click(at(100, 200))]),
    ("assistantos\npyautogui.click(x=0.1, y=0.2)<|diff_marker|>", [Click(at(100, 200))]),
    ("Thought: a\nAction: Click it.\nassistantos\npyautogui.doubleClick(x=0.1, y=0.2)", [Click(at(100, 200), count=2)]),
    ("pyautogui.rightClick(x=0.1, y=0.2)", [Click(at(100, 200), "right")]),
    ("pyautogui.click(0.1, 0.2, clicks=3)", [Click(at(100, 200), count=3)]),
    ("pyautogui.click((0.1, 0.2))", [Click(at(100, 200))]),
    ("pyautogui.click()", [Click()]),
    ("pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.dragTo(x=0.3, y=0.4)", [MouseMove(at(100, 200)), Drag(at(300, 400))]),
    ("mobile.swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2])", [Swipe(None, at(500, 800), at(500, 200))]),
    ("pyautogui.scroll(page=-0.5)", [Scroll("down", CURSOR, 0.5, "page")]),
    ("pyautogui.hscroll(page=0.1)", [Scroll("right", CURSOR, 0.1, "page")]),
    ("pyautogui.write(message='a\\n')", [TypeText("a", submit=True)]),
    ("pyautogui.press(keys=['enter'])", [Press(("enter",))]),
    ("pyautogui.press(keys=['left', 'left'])", [Press(("left",)), Press(("left",))]),
    ("pyautogui.hotkey(keys=['ctrl', 'c'])", [Press(("ctrl", "c"))]),
    ("mobile.home()\nmobile.back()", [System("home"), System("back")]),
    ("time.sleep(2)", [Wait(2)]),
    ("pyautogui.click(y=0.2, x=0.1)", [Click(at(100, 200))]),
    ("mobile.open_app(app_name='Mail')", [OpenApp("Mail")]),
    ("mobile.long_press(x=0.1, y=0.2)", [LongPress(at(100, 200))]),
    ("browser.select_option(x=0.1, y=0.2, value='Red')", [Select(at(100, 200), "Red")]),
    ("terminate(status='success')", [Done()]),
    ("answer('42')", [Answer("42")]),
]
OPENCUA: list[tuple[str, list[Intent]]] = [
    (
        "# Step 1:\n## Thought:\nIt's (x).\n## Action:\nClick it.\n"
        "## Code:\n```python\npyautogui.click(x=100, y=50)\n```",
        [Click(at(100, 100))],
    ),
    ("```python\nimport pyautogui\npyautogui.click(x=100, y=50)\n```", [Click(at(100, 100))]),
    (
        "```python\nclick(1, 1)\n```\nNo:\n```python\ncomputer.triple_click(x=100, y=50)\n```",
        [Click(at(100, 100), count=3)],
    ),
    (
        "```python\npyautogui.moveTo(100, 50)\npyautogui.dragTo(200, 50, duration=1, button='left')\n```",
        [MouseMove(at(100, 100)), Drag(at(200, 100))],
    ),
    ("```python\npyautogui.scroll(5)\npyautogui.scroll(-5)", [Scroll("up", CURSOR, 5), Scroll("down", CURSOR, 5)]),
    ("```python\npyautogui.hotkey('ctrl', 'shift', 't')```", [Press(("ctrl", "shift", "t"))]),
    ("```python\npyautogui.write('C:\\dir (a)')```", [TypeText("C:\\dir (a)")]),
    ("```python\ncomputer.wait()```", [Wait(5)]),
    ("```code\ncomputer.terminate(status='failure')\n```", [Done("failure")]),
    ("pyautogui.click(x=100, y=50)", [Click(at(100, 100))]),
    # A thought that is never closed ends where the code is announced.
    (
        "<think>\nLet me.\n## Action:\nClick it\n## Code:\n```python\npyautogui.click(x=100, y=50)\n```",
        [Click(at(100, 100))],
    ),
    ("<think>\nLet me.\n```\npyautogui.click(x=100, y=50)\n```", [Click(at(100, 100))]),
    ("<think>\nLet me.\n## Action:\nClick it\n## Code:\npyautogui.click(x=100, y=50)", [Click(at(100, 100))]),
]
SCALECUA: list[tuple[str, list[Intent]]] = [
    ("<think>a</think><operation>b</operation><action>\nclick(x=100, y=50)\n</action>", [Click(at(100, 100))]),
    ("<action>click(x=100, y=50, clicks=2, button='right')</action>", [Click(at(100, 100), "right", 2)]),
    ("<action>doubleClick(100, 50)</action>", [Click(at(100, 100), count=2)]),
    ("<action>swipe(from_coord=[100, 400], to_coord=[100, 50])</action>", [Swipe(None, at(100, 800), at(100, 100))]),
    ("<action>swipe(direction='up', amount=0.5)</action>", [Swipe("up")]),
    ('<action>hotkey("ctrl", "c")</action>', [Press(("ctrl", "c"))]),
    ("<action>press(keys='enter', presses=2)</action>", [Press(("enter",), 2)]),
    # Every line of a block is an action, as its authors' parse_exec_action_list reads it; of two blocks the first.
    ("<action>write(message='x')\nwait(seconds=2)</action>", [TypeText("x"), Wait(2)]),
    (
        "<think>a</think><operation>b</operation><action>\nclick(x=100, y=50)\nwrite(message='x')\n</action>\n"
        "<action>click(x=1, y=2)</action>",
        [Click(at(100, 100)), TypeText("x")],
    ),
    ("<action>wait(seconds=2)</action>", [Wait(2)]),
    ("<action>navigate_back()\nnavigate_home()</action>", [System("back"), System("home")]),
    ("<action>response(answer='42')</action>", [Answer("42")]),
    ("<action>terminate(status='success', info='ok')</action>", [Done(text="ok")]),
    ("<action>call_user()</action>", [AskUser("I need your help to go on.")]),
    ("<action>swipe()</action>", [Swipe("up")]),
    ("<action>PyAutoGUI.Click(x=100, y=50)</action>", [Click(at(100, 100))]),
    ("<action>write(message='it's \"so\"')</action>", [TypeText('it\'s "so"')]),
    ("<action>open_app(app_name='Mail')</action>", [OpenApp("Mail")]),
    ("<action>callUser()</action>", [AskUser("I need your help to go on.")]),
    ("<action>long_press(x=100, y=50)\nopen_app(app_name='Mail')</action>", [LongPress(at(100, 100)), OpenApp("Mail")]),
]
ROWS = [(family, *row) for family, rows in
        (("aguvis", AGUVIS), ("opencua", OPENCUA), ("scalecua", SCALECUA)) for row in rows]  # fmt: skip


@pytest.mark.parametrize(("family", "reply", "wanted"), ROWS, ids=lambda part: str(part)[:60])
def test_code_is_read(family: str, reply: str, wanted: list[Intent]) -> None:
    assert intents(family, reply) == wanted


BROKEN = [
    ("aguvis", "pyautogui.click(x=100, y=200)", "is outside 0..1"),
    ("aguvis", "pyautogui.click(x=0.1)", "x and y belong together"),
    ("aguvis", "pyautogui.click(y=0.1)", "x and y belong together"),
    ("aguvis", "pyautogui.click(x='a', y=0.1)", "is no place"),
    ("aguvis", "pyautogui.click(X=0.1, Y=0.1)", "does not take 'X', 'Y'"),
    ("aguvis", "pyautogui.click(x=0.1, y=0.2", "line 1: this is no Python"),
    ("aguvis", "mobile.swipe(from_coord=[0.5, 0.8])", "needs direction"),
    ("aguvis", "I would click it.", "there is no action in"),
    ("aguvis", "os.system('true')", "there is no action in"),
    ("aguvis", "pyautogui.click(x=0.1, y=0.1)\nos.system('true')", "line 2: there is no action 'os.system'"),
    ("opencua", "```python\nx = 3\npyautogui.click(x, x)\n```", "line 1: only calls with literal arguments"),
    ("opencua", "```python\npyautogui.click(*[1, 2])\n```", "arguments are literals"),
    ("opencua", "```python\npyautogui.write(f'{1}')\n```", "arguments are literals"),
    ("opencua", "```python\nfor i in range(3): pyautogui.click(1, 2)\n```", "line 1: only calls"),
    ("opencua", "```python\npyautogui.click(x=100, y=600)\n```", "is outside 0..1000, 0..500"),
    ("opencua", "```python\npyautogui.scroll(0)\n```", "an amount of 0 scrolls nothing"),
    ("opencua", "```python\n# nothing\n```", "there is no action in"),
    ("scalecua", "<action>swipe(to_coord=[1, 2])</action>", "needs from_coord"),
    ("scalecua", "<action>click(x=1, y=)</action>", "this is no Python"),
]


@pytest.mark.parametrize(("family", "reply", "told"), BROKEN, ids=lambda part: str(part)[:60])
def test_what_is_broken_is_told(family: str, reply: str, told: str) -> None:
    assert told in problem(family, reply)


def test_scrolling_is_where_the_pointer_went() -> None:
    code = "```python\npyautogui.moveTo(100, 50)\npyautogui.scroll(-3)\n```"
    assert intents("opencua", code)[1] == Scroll("down", at(100, 100), 3)
    assert intents("opencua", "```python\npyautogui.scroll(-3)\n```", cursor=None) == [Scroll("down", None, 3)]


def test_a_relative_move_needs_a_pointer() -> None:
    assert intents("opencua", "```python\npyautogui.moveRel(-100, 0)\n```") == [MouseMove(at(800, 900))]
    code = "```python\npyautogui.moveRel(500, 0)\n```"
    assert "is outside" in problem("opencua", code)


def test_other_shares_are_another_family() -> None:
    assert intents("opencua-norm1", "```python\npyautogui.click(0.1, 0.2)\n```") == [Click(at(100, 200))]


def test_the_thought_is_what_stands_before() -> None:
    said = "## Thought:\nIt is there.\n## Action:\nClick it.\n## Code:\n```python\npyautogui.click(1, 1)\n```"
    assert "It is there." in thought("opencua", said) and "Click it." in thought("opencua", said)
    assert "pyautogui" not in thought("opencua", said)
