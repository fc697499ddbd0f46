"""UI-TARS: every way in which it writes an action, and what must not be read as one."""

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
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    Noop,
    OpenApp,
    Point,
    Press,
    Screenshot,
    Scroll,
    Size,
    System,
    TypeText,
    Wait,
)
from omnipilot.planners.native.families.table import get
from omnipilot.planners.native.families.tars import with_box_tokens

ROWS: list[tuple[str, list[Intent]]] = [
    ("Thought: Save.\nAction: click(start_box='<|box_start|>(100,200)<|box_end|>')", [Click(at(100, 200))]),
    ("Action: click(start_box='(100,200)')", [Click(at(100, 200))]),
    ('Action: click(start_box="(100, 200)")', [Click(at(100, 200))]),
    ("Action：click（start_box='（100，200）'）", [Click(at(100, 200))]),
    ("Action: click(start_box='[100,200]')", [Click(at(100, 200))]),
    ("Action: click(start_box='[100,200,300,400]')", [Click(at(200, 300))]),
    ("Action: click(start_box='<bbox>100 200 300 400</bbox>')", [Click(at(200, 300))]),
    ("Action: click(point='<point>100 200</point>')", [Click(at(100, 200))]),
    ("Action: click(point='<point>100 200</point>'')", [Click(at(100, 200))]),
    ("Action: click(point='<point>1, 1<point>')", [Click(at(1, 1))]),
    ("click(start_box='(100,200)')", [Click(at(100, 200))]),
    ("I (the agent) now click(start_box='(100,200)')", [Click(at(100, 200))]),
    ("Action: left_double(start_box='(100,200)')", [Click(at(100, 200), count=2)]),
    ("Action: right_single(start_box='(100,200)')", [Click(at(100, 200), "right")]),
    ("Action: hover(start_box='(100,200)')", [MouseMove(at(100, 200))]),
    (
        "Action: drag(start_box='(100,200)', end_box='(300,400)')",
        [Drag(at(300, 400), at(100, 200))],
    ),
    ("Action: drag(end_box='(300,400)')", [Drag(at(300, 400))]),
    ("Action: scroll(start_box='(100,200)', direction='down')", [Scroll("down", at(100, 200), 5)]),
    ("Action: scroll(direction='up')", [Scroll("up", CURSOR, 5)]),
    ("Action: type(content='hello')", [TypeText("hello")]),
    (r"Action: type(content='hello\n')", [TypeText("hello", submit=True)]),
    (r"Action: type(content='a\nb\n')", [TypeText("a\nb", submit=True)]),
    (r"Action: type(content='\n')", [Press(("enter",))]),
    (r"Action: type(content='it\'s \"so\" C:\\dir \d')", [TypeText('it\'s "so" C:\\dir \\d')]),
    ("Action: type(content='it's (so) good')", [TypeText("it's (so) good")]),
    ("Action: type(content='press ('a') now')", [TypeText("press ('a') now")]),
    ("Action: type(content='你好，世界（1）')", [TypeText("你好，世界（1）")]),
    ("Action: type(content='Action: none')", [TypeText("Action: none")]),
    ("Action: hotkey(key='ctrl c')", [Press(("ctrl", "c"))]),
    ("Action: hotkey(key='ctrl+shift+t')", [Press(("ctrl", "shift", "t"))]),
    ("Action: hotkey(key='-')", [Press(("-",))]),
    ("Action: press(key='enter')", [Press(("enter",))]),
    ("Action: keydown(key='shift')\nAction: release(key='shift')", [KeyUp(("shift",))]),
    ("Action: keydown(key='shift')\n\nrelease(key='shift')", [KeyDown(("shift",)), KeyUp(("shift",))]),
    ("Action: press_home()", [System("home")]),
    ("Action: press_back()", [System("back")]),
    ("Action: open_app(app_name='Mail')", [OpenApp("Mail")]),
    ("Action: long_press(start_box='(100,200)', time='2')", [LongPress(at(100, 200), 2)]),
    ("Action: long_press(start_box='(100,200)')", [LongPress(at(100, 200))]),
    ("Action: finished(content='42')", [Answer("42"), Done()]),
    ("Action: finished()", [Done()]),
    ("Action: wait()", [Wait(5)]),
    ("Action: call_user()", [AskUser("I need your help to go on.")]),
    (
        "Action: click(start_box='(100,200)')\n\ntype(content='x')\n\nhotkey(key='enter')",
        [Click(at(100, 200)), TypeText("x"), Press(("enter",))],
    ),
    ("Action: click(start_box='(1,2)'); scroll(direction='down')", [Click(at(1, 2)), Scroll("down", at(1, 2), 5)]),
    ("<think>click(start_box='(1,1)')</think>\nAction: click(start_box='(9,9)')", [Click(at(9, 9))]),
    ("maybe click(start_box='(1,1)')</think>Action: click(start_box='(9,9)')", [Click(at(9, 9))]),
    ("Action: click(start_box='(1010,200)')", [Click(Point(0.9995, 0.2))]),
    ("Action: click(start_box='(100,200),(300,400)')", [Click(at(200, 300))]),
    ("Action: click(point='<point>100 200</point>, <point>300 400</point>')", [Click(at(200, 300))]),
    # codes/ui_tars/action_parser.py of UI-TARS adds the bracket before which the model stops.
    ("Action: click(start_box='(100,200)'", [Click(at(100, 200))]),
    ("Action: type(content='hi'", [TypeText("hi")]),
    ("Action: long_press(start_box='(100,200)', time='')", [LongPress(at(100, 200))]),
    ("<answer>Action: click(start_box='(100,200)')</answer>", [Click(at(100, 200))]),
    ("Thought: x\nAction: <answer>click(start_box='(100,200)')</answer>", [Click(at(100, 200))]),
    ("<think>It is there.\nAction: click(start_box='(100,200)')", [Click(at(100, 200))]),
    ("Action: click(start_box='(100,200)') as I said.", [Click(at(100, 200))]),
    ("Action: click(start_box='(100,200)')\nThis opens the menu.", [Click(at(100, 200))]),
]

BROKEN = [
    ("Action: click(start_box='')", "start_box is no place"),
    ("Action: click(start_box='[]')", "start_box is no place"),
    ("Action: click(start_box='(1.1)')", "start_box is no place"),
    ("Action: click(start_box='(1,2,3)')", "start_box is no place"),
    ("Action: click(start_box='(1,')", "start_box is no place"),
    ("Action: click(point='100 200 300 400')", "is one place, not four numbers"),
    ("Action: click(point='<point>100 200</point><point>300 400</point>')", "holds two points; write one"),
    ("Action: click(start_box='_payload()')", "start_box is no place"),
    ("Action: click()", "needs start_box"),
    ("Action: click(start_bx='(1,2)')", "does not take 'start_bx'"),
    ("Action: click(start_box='(100,2000)')", "is outside 0..1000"),
    ("Action: click(start_box='(100,200", "is not closed"),
    ("Action: type(content='(100,200)", "is not closed"),
    ("Action: scroll(start_box='(1,2)', direction='sideways')", "direction is one of up, down"),
    ("Action: scroll(start_box='(1,2)')", "needs direction"),
    ("Action: drag(start_box='(1,2)')", "needs end_box"),
    ("Action: drag(start_box='', end_box='(1,2)')", "start_box is no place"),
    ("Action: hotkey(key='ctrl+nokey')", "unknown key 'nokey'"),
    ("Action: explode(start_box='(1,2)')", "there is no action 'explode'; there are click,"),
    ("Action: click(start_box='(1,2)') then wait()", "expected an action"),
    ("Action: wait() then wait()", "expected an action"),
    ("Thought: I am not sure.", "there is no action"),
    ("<think>click(start_box='(1,1)')", "there is no action"),
    ("", "there is no action"),
    ("Action: wait(time='-5')", "wait.seconds must be a number"),
]


@pytest.mark.parametrize(("reply", "wanted"), ROWS, ids=lambda part: str(part)[:60])
def test_an_action_is_read(reply: str, wanted: list[Intent]) -> None:
    assert intents("ui-tars", reply) == wanted


@pytest.mark.parametrize(("reply", "told"), BROKEN, ids=lambda part: str(part)[:60])
def test_what_is_broken_is_told_and_never_a_click(reply: str, told: str) -> None:
    assert told in problem("ui-tars", reply)


def test_more_actions_than_anybody_means_are_refused() -> None:
    assert "more than 50 actions" in problem("ui-tars", "Action: wait()" + "\n\nwait()" * 60)


def test_the_pixels_of_1_5_are_those_of_the_image_it_was_sent() -> None:
    (click,) = get("ui-tars-1.5").parse("Action: click(start_box='(197,525)')", Size(1932, 1092), Size(1920, 1080))[0]
    assert isinstance(click, Click) and isinstance(click.at, Point)
    x, y = click.at.to_pixels(Size(1920, 1080))
    # The example of UI-TARS' README_coordinates.md.
    assert (round(x, 1), round(y, 1)) == (195.8, 519.2)


def test_the_thought_is_kept_without_its_label() -> None:
    assert thought("ui-tars", "Thought: Save it.\nAction: wait()") == "Save it."
    assert thought("ui-tars", "<think>Hm.</think>Thought: Save it.\nAction: wait()") == "Hm.\nSave it."


def test_a_reply_is_replayed_with_box_tokens() -> None:
    plain = "Thought: x (1,2)\nAction: drag(start_box='(1,2)', end_box='(3,4)')"
    told = with_box_tokens(plain)
    assert told.endswith("drag(start_box='<|box_start|>(1,2)<|box_end|>', end_box='<|box_start|>(3,4)<|box_end|>')")
    assert with_box_tokens(told) == told
    assert intents("ui-tars", told) == intents("ui-tars", plain)


SEED: list[tuple[str, list[Intent]]] = [
    (
        "<gui_think>Save.</gui_think><seed:tool_call><function=click><parameter=point><point>100 200</point>"
        "</parameter></function></seed:tool_call>",
        [Click(at(100, 200))],
    ),
    (
        "<seed:tool_call><function name='scroll'><parameter name='direction'>down</parameter></function>"
        "</seed:tool_call>",
        [Scroll("down", CURSOR, 5)],
    ),
    (
        "<think_never_used_51bce>a</think_never_used_51bce><seed:tool_call>\n<function=type>\n"
        "<parameter=content>\nhi\n\n</parameter>\n</function>\n</seed:tool_call>",
        [TypeText("hi", submit=True)],
    ),
    ("<seed:tool_call></seed:tool_call>", [Noop()]),
    (
        "<seed:tool_call><function=move_to><parameter=point><point>1 2</point></parameter></function>"
        "<function=mouse_down></function></seed:tool_call>",
        [MouseMove(at(1, 2)), MouseDown()],
    ),
    ("<seed:tool_call><function=wait><parameter=time>3</parameter></function></seed:tool_call>", [Wait(3)]),
    ("<seed:tool_call><function=take_screenshot></function></seed:tool_call>", [Screenshot()]),
    ("<seed:tool_call><function=hotkey><parameter=key>ctrl v</parameter></function>", [Press(("ctrl", "v"))]),
    ("Thought: x\nAction: click(point='<point>1 2</point>')", [Click(at(1, 2))]),
]


@pytest.mark.parametrize(("reply", "wanted"), SEED, ids=lambda part: str(part)[:60])
def test_an_action_in_xml_is_read(reply: str, wanted: list[Intent]) -> None:
    assert intents("ui-tars-2", reply) == wanted


def test_broken_xml_is_told() -> None:
    assert "point is not closed" in problem("ui-tars-2", "<seed:tool_call><function=click><parameter=point>1 2")
    assert "point is no place" in problem(
        "ui-tars-2", "<seed:tool_call><function=click><parameter=point></parameter></function></seed:tool_call>"
    )
    assert "has no <function" in problem("ui-tars-2", "<seed:tool_call>click</seed:tool_call>")
