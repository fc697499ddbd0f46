"""OmniACT's scripts and verbs: each line by hand, and both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, score_sample
from omnipilot.bench.suites.omniact.script import BROKEN, actions_of, respell, script_of
from omnipilot.envs import (
    Action,
    Answer,
    Click,
    Done,
    Drag,
    KeyDown,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Noop,
    OpenApp,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
    Wait,
)

SIZE = Size(1000, 500)
AT = Point.from_pixels(120, 40.5, SIZE)
TABLE: list[tuple[Action, list[str]]] = [
    (Click(AT), ["pyautogui.click(120,40.5)"]),
    (Click(), ["pyautogui.click()"]),
    (Click(AT, count=2), ["pyautogui.doubleClick(120,40.5)"]),
    (Click(AT, count=3), ["pyautogui.tripleClick(120,40.5)"]),
    (Click(AT, "right"), ["pyautogui.rightClick(120,40.5)"]),
    (Click(AT, "right", 2), ['pyautogui.click(120,40.5,clicks=2,button="right")']),
    (
        Click(AT, modifiers=("shift",)),
        ['pyautogui.keyDown("shift")', "pyautogui.click(120,40.5)", 'pyautogui.keyUp("shift")'],
    ),
    (MouseMove(AT), ["pyautogui.moveTo(120,40.5)"]),
    (Drag(Point(1, 1), AT), ["pyautogui.moveTo(120,40.5)", "pyautogui.dragTo(1000,500)"]),
    (Drag(Point(1, 1), button="right"), ['pyautogui.dragTo(1000,500,button="right")']),
    (MouseDown(AT), ["pyautogui.mouseDown(120,40.5)"]),
    (MouseUp(), ["pyautogui.mouseUp()"]),
    (Scroll("down", amount=10), ["pyautogui.scroll(-10)"]),
    (Scroll("up"), ["pyautogui.scroll(3)"]),
    (Scroll("right", amount=0.2), ["pyautogui.hscroll(1)"]),
    (Press(("enter",)), ['pyautogui.press("enter")']),
    (Press(("tab",), repeat=3), ['pyautogui.press("tab",presses=3)']),
    (Press(("ctrl", "c")), ['pyautogui.hotkey("ctrl","c")']),
    (KeyDown(("meta",)), ['pyautogui.keyDown("command")']),
    (TypeText('say "hi"'), ['pyautogui.write("say \\"hi\\"")']),
    (
        TypeText("hi", AT, clear=True, submit=True),
        [
            "pyautogui.click(120,40.5)",
            'pyautogui.hotkey("ctrl","a")',
            'pyautogui.press("backspace")',
            'pyautogui.write("hi")',
            'pyautogui.press("enter")',
        ],
    ),
    (Wait(2.0), ["time.sleep(2)"]),
    (OpenApp("Mail"), ["pyautogui.open_app()"]),
    (Done(), []),
    (Answer("42"), []),
    (Noop(), []),
]


@pytest.mark.parametrize(("action", "lines"), TABLE, ids=lambda value: type(value).__name__)
def test_a_verb_as_lines(action: Action, lines: list[str]) -> None:
    assert script_of([action], SIZE).split("\n") == (lines or [""])


def test_a_long_press_is_held() -> None:
    lines = ["pyautogui.mouseDown(120,40.5)", "time.sleep(1.5)", "pyautogui.mouseUp(120,40.5)"]
    assert script_of([LongPress(AT, 1.5)], SIZE).split("\n") == lines


def test_what_could_not_be_carried_out_never_matches() -> None:
    gold = "pyautogui.click(120,40.5)"
    task = OmniActSample(f"Task: t\nOutput Script:\n{gold}", ((110, 30, 130, 51),), script_of([Click(AT)], SIZE))
    assert score_sample(task).action == 1
    script = script_of([Click(AT)], SIZE, "the second place was not found")
    assert script.split("\n")[-1] == BROKEN
    for variant in ("release", "uground", "paper", "fixed"):
        found = score_sample(OmniActSample(task.task, task.boxes, script), variant)  # type: ignore[arg-type]
        assert not found.matched
    assert script_of([], SIZE, "nothing was proposed") == ""


def test_the_recorded_spelling_is_kept_where_it_means_the_same() -> None:
    gold = 'pyautogui.hotkey("win", "d")\npyautogui.click(1,2,clicks=2)\npyautogui.typewrite("a")\npyautogui.press("x")'
    actions = actions_of(gold, SIZE)
    assert actions is not None
    ours = script_of([*actions[:3], Press(("y",))], SIZE)
    assert ours.startswith('pyautogui.hotkey("command","d")\npyautogui.doubleClick(1,2)\npyautogui.write("a")')
    assert respell(ours, gold, SIZE) == gold.replace('press("x")', 'press("y")')
    assert respell(f"{gold}\npyautogui.click(5,5)", gold, SIZE).endswith("click(5,5)")


@pytest.mark.parametrize("script", ["pyautogui.click(x, y)", "for i in range(3): pyautogui.click(1, 1)", "import os"])
def test_a_script_that_is_no_plain_calls_has_no_verbs(script: str) -> None:
    assert actions_of(script, SIZE) is None


halves = st.integers(0, 1998).map(lambda n: n / 2)
keys = st.sampled_from(("enter", "tab", "esc", "ctrl", "a", "f5", "pagedown"))
verbs = st.one_of(
    st.builds(lambda x, y, n: Click(Point.from_pixels(x, y, Size(1000, 1000)), count=n), halves, halves, st.just(2)),
    st.builds(lambda x, y: MouseMove(Point.from_pixels(x, y, Size(1000, 1000))), halves, halves),
    st.builds(lambda text: TypeText(text), st.text("ab'\"\\ ", min_size=1, max_size=8)),
    st.builds(lambda pair: Press(tuple(pair)), st.lists(keys, min_size=1, max_size=3)),
    st.builds(lambda way, n: Scroll(way, amount=float(n)), st.sampled_from(("up", "down")), st.integers(1, 50)),
)


@given(st.lists(verbs, min_size=1, max_size=6))
def test_what_is_written_reads_back(actions: list[Action]) -> None:
    size = Size(1000, 1000)
    script = script_of(actions, size)
    read = actions_of(script, size)
    assert read is not None
    assert script_of(read, size) == script
