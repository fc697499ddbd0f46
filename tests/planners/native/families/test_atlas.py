"""OS-Atlas-Pro and CogAgent: actions in capitals."""

from __future__ import annotations

import pytest
from native_reading import CURSOR, at, intents, problem, thought

from omnipilot.envs import (
    Click,
    Done,
    Intent,
    KeyDown,
    KeyUp,
    LongPress,
    MouseMove,
    OpenApp,
    OpenUrl,
    Press,
    Scroll,
    System,
    TypeText,
    Wait,
)
from omnipilot.planners.native.families.atlas import atlas_done, cogagent_done

ATLAS: list[tuple[str, list[Intent]]] = [
    ("thoughts:\nClick it.\nactions:\nCLICK <point>[[100,200]]</point>", [Click(at(100, 200))]),
    ("CLICK <point>[[100, 200]]</point>", [Click(at(100, 200))]),
    ("actions: DOUBLECLICK [[100,200]]", [Click(at(100, 200), count=2)]),
    ("actions:\nRIGHTCLICK <point>[[100,200]]</point>", [Click(at(100, 200), "right")]),
    ("actions:\nLONG_PRESS <point>[[100,200]]</point>", [LongPress(at(100, 200))]),
    ("actions:\nSCROLL [UP]", [Scroll("up", CURSOR, 5)]),
    ("actions:\nTYPE [a [b] c]", [TypeText("a [b] c")]),
    ("actions:\nTYPE [one\nCLICK me\ntwo]", [TypeText("one\nCLICK me\ntwo")]),
    ("actions:\nENTER", [Press(("enter",))]),
    ("actions:\nPRESS_TAB", [Press(("tab",))]),
    ("actions:\nHOTKEY [CTRL+A]", [Press(("ctrl", "a"))]),
    ("actions:\nOPEN_APP [Mail]", [OpenApp("Mail")]),
    ("actions:\nPRESS_BACK\nPRESS_HOME\nPRESS_RECENT", [System("back"), System("home"), System("recents")]),
    ("actions:\nWAIT", [Wait(5)]),
    ("actions:\nCOMPLETE", [Done()]),
    ("actions:\nIMPOSSIBLE", [Done("infeasible")]),
    ("actions:\n```\nCLICK <point>[[1,2]]</point>\n```<|im_end|>", [Click(at(1, 2))]),
]
COG: list[tuple[str, list[Intent]]] = [
    (
        "Action: Click the button.\nGrounded Operation: CLICK(box=[[100,200,300,400]], element_type='button', "
        "element_info='Save (all)')",
        [Click(at(200, 300))],
    ),
    ("Grounded Operation: CLICK(box=[[100,200,300,400]])\n", [Click(at(200, 300))]),
    ("Grounded Operation：DOUBLE_CLICK(box=[[100,200,300,400]])", [Click(at(200, 300), count=2)]),
    ("Grounded Operation: RIGHT_CLICK(box=[[100,200,300,400]])", [Click(at(200, 300), "right")]),
    ("Grounded Operation: HOVER(box=[[100,200,300,400]])", [MouseMove(at(200, 300))]),
    (
        "Grounded Operation: SCROLL_DOWN(box=[[000,000,999,999]], step_count=3)",
        [Scroll("down", at(499.5, 499.5), 3)],
    ),
    ("Grounded Operation: SCROLL_UP(box=[[0,0,1000,1000]])", [Scroll("up", at(500, 500), 5)]),
    (
        "Grounded Operation: TYPE(box=[[100,200,300,400]], text='it's', element_info='field')",
        [Click(at(200, 300)), TypeText("it's")],
    ),
    ("Grounded Operation: TYPE(text='a\\n')", [TypeText("a", submit=True)]),
    ("Grounded Operation: KEY_PRESS(key='Return')", [Press(("enter",))]),
    (
        "Grounded Operation: GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='A'), KEY_UP(key='Lcontrol')])",
        [KeyDown(("ctrl",)), Press(("a",)), KeyUp(("ctrl",))],
    ),
    ("Grounded Operation: LAUNCH(app='Mail', url='None')", [OpenApp("Mail")]),
    ("Grounded Operation: LAUNCH(app='', url='https://a.org')", [OpenUrl("https://a.org")]),
    ("Grounded Operation: END()", [Done()]),
]
ROWS = [*(("os-atlas-pro", *row) for row in ATLAS), *(("cogagent", *row) for row in COG)]


@pytest.mark.parametrize(("family", "reply", "wanted"), ROWS, ids=lambda part: str(part)[:60])
def test_an_action_is_read(family: str, reply: str, wanted: list[Intent]) -> None:
    assert intents(family, reply) == wanted


BROKEN = [
    ("os-atlas-pro", "actions:\nCLICK", "needs point"),
    ("os-atlas-pro", "actions:\nCLICK <point>[[100]]</point>", "point is no place"),
    ("os-atlas-pro", "actions:\nCLICK <point>[[100,2000]]</point>", "is outside"),
    ("os-atlas-pro", "actions:\nTYPE hello", "write TYPE [text]"),
    ("os-atlas-pro", "actions:\nTYPE [hello", "is not closed with ]"),
    ("os-atlas-pro", "actions:\nSCROLL [SIDE]", "direction is one of"),
    ("os-atlas-pro", "actions:\nCOMPLETE now", "COMPLETE takes nothing"),
    ("os-atlas-pro", "actions:\nFLY", "there is no action 'FLY'"),
    ("os-atlas-pro", "actions:\nPRESS_NOSUCH", "unknown key 'nosuch'"),
    ("os-atlas-pro", "actions:\nclick it", "expected an action"),
    ("os-atlas-pro", "actions:\n", "there is no action"),
    ("cogagent", "Action: Click [[100,200,300,400]]", "there is no action"),
    ("cogagent", "Grounded Operation: CLICK()", "needs box"),
    ("cogagent", "Grounded Operation: CLICK(box=[[100,200,300]])", "box is no place"),
    ("cogagent", "Grounded Operation: CLICK(box=None)", "says that it is not there"),
    ("cogagent", "Grounded Operation: SCROLL_DOWN(box=[[1,2,3,4]], step_count=many)", "step_count is a number"),
    ("cogagent", "Grounded Operation: GESTURE(actions=KEY_PRESS)", "actions is a list"),
    ("cogagent", "Grounded Operation: QUOTE_TEXT(box=[[1,2,3,4]])", "there is no action 'QUOTE_TEXT'"),
]


@pytest.mark.parametrize(("family", "reply", "told"), BROKEN, ids=lambda part: str(part)[:60])
def test_what_is_broken_is_told(family: str, reply: str, told: str) -> None:
    assert told in problem(family, reply)


def test_a_reply_as_the_history_tells_it() -> None:
    reply = "Action: Click the\nbutton.\nGrounded Operation: CLICK(box=[[1,2,3,4]])"
    assert cogagent_done(reply) == "CLICK(box=[[1,2,3,4]])\tClick the button."
    assert atlas_done("thoughts:\na\nactions:\nCLICK <point>[[1,2]]</point>\n") == "CLICK <point>[[1,2]]</point>"


def test_the_thought_is_kept() -> None:
    assert thought("os-atlas-pro", "thoughts:\nClick it.\nactions:\nENTER") == "Click it."
    assert thought("cogagent", "Action: End it.\nGrounded Operation: END()") == "Action: End it."
