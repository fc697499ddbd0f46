"""Claude, OpenAI, Gemini, GLM-V and UI-Venus: hosted computer tools, and calls with boxes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from native_reading import CURSOR, SCREEN, SENT, at, intents, problem, thought

from omnipilot.envs import (
    Answer,
    AskUser,
    Box,
    Browser,
    Click,
    Done,
    Drag,
    Intent,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    OpenApp,
    OpenUrl,
    Press,
    Screenshot,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.planners.native import NativeFamily
from omnipilot.planners.native.families.table import families, find, get

Said = str | tuple[tuple[str, str], ...]


def tool(name: str = "computer", **arguments: Any) -> tuple[tuple[str, str], ...]:
    return ((name, json.dumps(arguments)),)


XY = {"x": 100, "y": 100}
PLACE = {"coordinate": [100, 100]}
CLAUDE: list[tuple[Said, list[Intent]]] = [
    (tool(action="left_click", **PLACE), [Click(at(100, 200))]),
    (tool(action="left_click", coordinate="[100, 100]"), [Click(at(100, 200))]),
    (tool(action="left_click"), [Click()]),
    (tool(action="left_click", text="ctrl+shift", **PLACE), [Click(at(100, 200), modifiers=("ctrl", "shift"))]),
    (tool(action="triple_click", **PLACE), [Click(at(100, 200), count=3)]),
    (tool(action="mouse_move", **PLACE), [MouseMove(at(100, 200))]),
    (tool(action="left_click_drag", start_coordinate=[1, 1], **PLACE), [Drag(at(100, 200), at(1, 2))]),
    (tool(action="left_mouse_down"), [MouseDown()]),
    (tool(action="scroll", scroll_direction="down", scroll_amount=3, **PLACE), [Scroll("down", at(100, 200), 3)]),
    (
        tool(action="scroll", scroll_direction="up", scroll_amount=3, text="ctrl"),
        [KeyDown(("ctrl",)), Scroll("up", CURSOR, 3), KeyUp(("ctrl",))],
    ),
    (tool(action="type", text="a\n"), [TypeText("a", submit=True)]),
    (tool(action="key", text="ctrl+s"), [Press(("ctrl", "s"))]),
    (tool(action="key", text="Down Page_Down"), [Press(("down",)), Press(("pagedown",))]),
    (tool(action="key", text="Tab", repeat=3), [Press(("tab",), 3)]),
    (tool(action="hold_key", text="shift", duration=2), [Press(("shift",), seconds=2)]),
    (tool(action="wait", duration=3), [Wait(3)]),
    (tool(action="zoom", region=[100, 100, 200, 200]), [Screenshot(Box(0.1, 0.2, 0.2, 0.4))]),
    (tool(action="screenshot"), [Screenshot()]),
    ("The total is 42.", [Answer("The total is 42."), Done()]),
]
OPENAI: list[tuple[Said, list[Intent]]] = [
    (tool(type="click", button="left", **XY), [Click(at(100, 200))]),
    (tool(type="click", button="wheel", **XY), [Click(at(100, 200), "middle")]),
    (tool(type="click", button="back", **XY), [Browser("back")]),
    (tool(type="click", keys=["CTRL"], **XY), [Click(at(100, 200), modifiers=("ctrl",))]),
    (tool(type="double_click", **XY), [Click(at(100, 200), count=2)]),
    (tool(type="move", **XY), [MouseMove(at(100, 200))]),
    (
        tool(type="drag", path=[{"x": 1, "y": 1}, {"x": 2, "y": 2}, {"x": 3, "y": 3}]),
        [Drag(at(3, 6), at(1, 2), (at(2, 4),))],
    ),
    (tool(type="drag", path=[[1, 1], [3, 3]]), [Drag(at(3, 6), at(1, 2))]),
    (tool(type="scroll", scroll_x=0, scroll_y=200, **XY), [Scroll("down", at(100, 200), 200, "px")]),
    (
        tool(type="scroll", scroll_x=-20, scroll_y=-200, **XY),
        [Scroll("up", at(100, 200), 200, "px"), Scroll("left", at(100, 200), 20, "px")],
    ),
    (tool(type="type", text="a"), [TypeText("a")]),
    (tool(type="keypress", keys=["CTRL", "A"]), [Press(("ctrl", "a"))]),
    (tool(type="keypress", keys=["ARROWLEFT"]), [Press(("left",))]),
    (tool(type="wait"), [Wait(2)]),
    (tool(type="screenshot"), [Screenshot()]),
    (tool(action={"type": "click", **XY}), [Click(at(100, 200))]),
    (tool(actions=[{"type": "click", **XY}, {"type": "type", "text": "a"}]), [Click(at(100, 200)), TypeText("a")]),
    ("Done.", [Answer("Done."), Done()]),
]
GEMINI: list[tuple[Said, list[Intent]]] = [
    (tool("click_at", x=100, y=200), [Click(at(100, 200))]),
    (tool("web_agent_api:click_at", x=100, y=200), [Click(at(100, 200))]),
    (tool("hover_at", x=100, y=200), [MouseMove(at(100, 200))]),
    (tool("type_text_at", x=100, y=200, text="a"), [TypeText("a", at(100, 200), clear=True)]),
    (
        tool("type_text_at", x=100, y=200, text="a", press_enter=True, clear_before_typing=False),
        [TypeText("a", at(100, 200), submit=True)],
    ),
    (tool("scroll_document", direction="down"), [Scroll("down", None, 1, "page")]),
    (tool("scroll_at", x=1, y=2, direction="down", magnitude=500), [Scroll("down", at(1, 2), 500, "px")]),
    (tool("scroll_at", x=1, y=2, direction="left", magnitude=500), [Scroll("left", at(1, 2), 1000, "px")]),
    (tool("drag_and_drop", x=1, y=2, destination_x=3, destination_y=4), [Drag(at(3, 4), at(1, 2))]),
    (tool("key_combination", keys="control+c"), [Press(("ctrl", "c"))]),
    (tool("navigate", url="https://a.org"), [OpenUrl("https://a.org")]),
    (tool("go_back") + tool("go_forward"), [Browser("back"), Browser("forward")]),
    (tool("wait_5_seconds"), [Wait(5)]),
]
GLM: list[tuple[Said, list[Intent]]] = [
    (
        "I see it.\nAction: <|begin_of_box|>left_click(start_box='[500,499]', element_info='OK (it's)')<|end_of_box|>\n"
        "Memory:\n[{'a': 1}]",
        [Click(at(500_000 / 999, 499_000 / 999))],
    ),
    ("<think>left_click(start_box='[1,1]')</think>Action: right_click(start_box='[0,0]')", [Click(at(0, 0), "right")]),
    ("Action: left_double_click(start_box='[0,0]')", [Click(at(0, 0), count=2)]),
    ("Action: hover(start_box='[0,0]')", [MouseMove(at(0, 0))]),
    ("Action: left_drag(start_box='[0,0]', end_box='[0,0]', element_info='')", [Drag(at(0, 0), at(0, 0))]),
    ("Action: scroll(start_box='[0,0]', direction='down', step=7)", [Scroll("down", at(0, 0), 7)]),
    ("Action: scroll(start_box='[0,0]', direction='up')", [Scroll("up", at(0, 0), 5)]),
    ("Action: key(keys='ctrl+c')", [Press(("ctrl", "c"))]),
    ("Action: type(content='a')", [TypeText("a")]),
    ("Action: WAIT()", [Wait(5)]),
    ("Action: <|begin_of_box|>DONE()<|end_of_box|>", [Done()]),
    ("FAIL()", [Done("infeasible")]),
]
VENUS: list[tuple[Said, list[Intent]]] = [
    ("<think>a</think><action>Click(box=(100, 200))</action><conclusion>b</conclusion>", [Click(at(100, 200))]),
    ("<action>LongPress(box=(100, 200))</action>", [LongPress(at(100, 200))]),
    ("<action>Drag(start=(1, 2), end=(3, 4))</action>", [Drag(at(3, 4), at(1, 2))]),
    ("<action>Scroll(start=(500, 800), end=(500, 200))</action>", [Swipe(None, at(500, 800), at(500, 200))]),
    ("<action>Scroll(direction='down')</action>", [Scroll("down", CURSOR, 5)]),
    ("<action>Type(content='a')</action>", [TypeText("a")]),
    ("<action>Hotkey(keys=['ctrl', 'c'])</action>", [Press(("ctrl", "c"))]),
    ("<action>Launch(app='Mail')</action>", [OpenApp("Mail")]),
    ("<action>Launch(app='', url='https://a.org')</action>", [OpenUrl("https://a.org")]),
    ("<action>PressBack()</action>", [System("back")]),
    ("<action>PressEnter()</action>", [Press(("enter",))]),
    ("<action>CallUser(content='Which?')</action>", [AskUser("Which?")]),
    ("<action>Finished(content='42')</action>", [Answer("42"), Done()]),
]
TABLES = {"claude": CLAUDE, "openai": OPENAI, "gemini": GEMINI, "glm-v": GLM, "ui-venus-1.5": VENUS}


@pytest.mark.parametrize(
    ("family", "said", "wanted"),
    [(family, *row) for family, rows in TABLES.items() for row in rows],
    ids=lambda part: str(part)[:60],
)
def test_an_action_is_read(family: str, said: Said, wanted: list[Intent]) -> None:
    assert intents(family, said) == wanted


BROKEN: list[tuple[str, Said, str]] = [
    ("claude", tool(action="left_click", coordinate="there"), "coordinate is no place"),
    ("claude", tool(action="left_click", coordinate=[100, 900]), "is outside"),
    ("claude", tool(action="cursor_position"), "there is no action 'cursor_position'"),
    ("claude", tool(action="scroll", **PLACE), "needs scroll_direction"),
    ("claude", tool(action="left_click", text="a", **PLACE), "modifiers"),
    ("claude", (("computer", '{"action": '),), "this is no JSON"),
    ("claude", "", "the reply is empty"),
    ("openai", tool(type="click", x=100), "x and y belong together"),
    ("openai", tool(type="click", button="left"), "needs x and y"),
    ("openai", tool(type="drag", path=[{"x": 1, "y": 1}]), "two places or more"),
    ("openai", tool(type="drag", path="there"), "path is a list"),
    ("openai", tool(type="drag", path=[[1, 1]] * 200), "at most 100 places"),
    ("openai", tool(type="scroll", scroll_x=0, scroll_y=0, **XY), "an amount of 0"),
    ("gemini", tool("click_at", x=100), "x and y belong together"),
    ("gemini", tool("fly_to", x=100), "there is no action 'fly_to'"),
    ("glm-v", "Action: left_click(start_box='[500]')", "start_box is no place"),
    ("glm-v", "Action: left_click(element_info='OK')", "needs start_box"),
    ("ui-venus-1.5", "<action>Click(box=[-100,-1])</action>", "is outside"),
    ("ui-venus-1.5", "<action>Click(box=[-1,-1])</action>", "not there"),
    ("ui-venus-1.5", "<action>Click()</action>", "needs box"),
    ("ui-venus-1.5", "<action>Scroll(start=(1, 2))</action>", "needs end"),
    ("ui-tars", tool("click", point="1 2"), "tool calls are not read"),
]


@pytest.mark.parametrize(("family", "said", "told"), BROKEN, ids=lambda part: str(part)[:60])
def test_what_is_broken_is_told(family: str, said: Said, told: str) -> None:
    assert told in problem(family, said)


def test_the_image_that_claude_sees_is_not_shrunk_again() -> None:
    for size in (Size(1920, 1080), Size(3840, 2160), Size(1080, 2400), Size(1280, 800)):
        sent = get("claude").resize.size(size)
        assert max(sent.width, sent.height) <= 1568
        assert -(-sent.width // 28) * -(-sent.height // 28) <= 1568
        assert abs(sent.width / sent.height - size.width / size.height) < 0.01
    assert get("claude").resize.size(Size(1024, 768)) == Size(1024, 768)
    assert get("openai").resize.size(Size(1920, 1080)) == Size(1440, 810)


def test_a_thought_goes_with_the_end() -> None:
    assert thought("claude", "<think>All is there.</think>Done.") == "All is there."


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_record_is_whole(family: NativeFamily) -> None:
    assert family.source and family.note and family.models
    assert get(family.name) is family and find("hosted_vllm/" + family.models[0]) is family
    assert set(family.actions) == {name.lower() for name in family.actions}
    family.resize.size(SCREEN), family.resize.size(SENT)
    sent = family.resize.size(Size(1080, 2400))
    assert sent.width < sent.height
