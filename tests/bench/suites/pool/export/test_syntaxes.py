"""What is written in a family's syntax is read back by the family's own reader to the same action."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.pool.export.syntaxes import NATIVE, Unsayable, same_action
from omnipilot.envs import (
    Action,
    Click,
    Done,
    Drag,
    LongPress,
    OpenApp,
    Point,
    Press,
    Scroll,
    Select,
    Size,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.types import Frame
from omnipilot.planners.native.families.table import get

AT, TO = Point(0.2511, 0.7373), Point(0.871, 0.128)
ACTIONS: tuple[Action, ...] = (
    Click(AT),
    Click(TO, count=2),
    Click(AT, button="right"),
    LongPress(AT),
    LongPress(AT, 2.5),
    Drag(TO, AT),
    Scroll("down", AT, 5),
    Scroll("left", None, 5),
    TypeText("Lunch is at noon"),
    TypeText('She said: "it\'s (not) over", \\ and more, done='),
    TypeText("one\ntwo"),
    TypeText("[x]"),
    Press(("enter",)),
    Press(("ctrl", "a")),
    Press(("ctrl", "shift", "t")),
    Press(("page_down",)),
    Wait(5),
    Wait(2.5),
    OpenApp("Text Editor"),
    System("back"),
    System("home"),
    Done(),
    Done("infeasible"),
    Select(AT, "Orders"),
    Click(AT, modifiers=("ctrl",)),
    TypeText("x", AT),
)
SIZES = (Size(412, 916), Size(1280, 800))
UNSAID = {
    "ui-tars": 4,
    "ui-tars-1.5": 4,
    "ui-tars-2": 4,
    "os-atlas-pro": 7,
}
"""How many of these a family has no action for."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", list(NATIVE))
def test_every_action_is_read_back_or_refused(name: str, size: Size) -> None:
    record = get(name)
    sent = record.resize.size(size)
    frame = Frame(size, sent, record.space, record.order)
    unsaid = 0
    for action in ACTIONS:
        try:
            reply = NATIVE[name].write(action, "It is next.", frame)
        except Unsayable:
            unsaid += 1
            continue
        read, thought = record.parse(reply, sent, size)
        assert len(read) == 1, reply
        assert same_action(action, read[0], frame), (reply, read)
        assert thought == "It is next."
    assert unsaid == UNSAID[name]


def test_another_place_text_or_verb_is_not_the_same() -> None:
    frame = Frame(SIZES[0], SIZES[0], "norm1000")
    assert not same_action(Click(AT), Click(Point(0.26, 0.7373)), frame)
    assert not same_action(Click(AT), Click(AT, count=2), frame)
    assert not same_action(TypeText("a"), TypeText("b"), frame)
    assert not same_action(Click(AT), LongPress(AT), frame)
    assert not same_action(Scroll("down", AT, 5), Scroll("up", AT, 5), frame)
    assert not same_action(Scroll("down", AT, 5), Scroll("down", TO, 5), frame)
    assert same_action(Scroll("down", AT, 5), Scroll("down", None, 5), frame)
