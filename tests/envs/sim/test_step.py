"""What a device will not do is refused with a message that helps, and changes nothing."""

from __future__ import annotations

import pytest
from sim_hands import hands

from omnipilot.envs import (
    Action,
    ActionRejected,
    Browser,
    Click,
    Custom,
    Drag,
    KeyDown,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.sim.durations import duration
from omnipilot.envs.types import VERBS

MIDDLE = Point(0.5, 0.5)

REFUSED: list[tuple[str, Action, str]] = [
    ("phone", MouseMove(MIDDLE), "it can click"),
    ("phone", KeyDown(("ctrl",)), "it can click"),
    ("phone", OpenUrl("http://a.example"), "open_app"),
    ("phone", Browser("back"), "it can"),
    ("phone", Wait(1.0), "it can"),
    ("phone", Click(), "where to tap"),
    ("phone", Click(MIDDLE, button="right"), "long_press"),
    ("phone", Drag(MIDDLE), "where the drag starts"),
    ("phone", Press(("ctrl", "c")), "single keys"),
    ("phone", Press(("f5",)), "single keys"),
    ("phone", System("recents"), "back and home"),
    ("phone", OpenApp("Mail"), "Messages, Clock, Notes"),
    ("phone", TypeText("x"), "none is on the screen"),
    ("phone", TypeText("x", at=MIDDLE), "none is on the screen"),
    ("phone", Scroll("left"), "up or down"),
    ("phone", Custom("reboot"), "set_clipboard"),
    ("phone", Custom("set_clipboard", {"words": "x"}), "set_clipboard"),
    ("phone", Custom("set_clipboard", {"text": 7}), "must be a string"),
    ("desktop", Swipe("up"), "it can click"),
    ("desktop", LongPress(MIDDLE), "it can click"),
    ("desktop", System("back"), "it can click"),
    ("desktop", Custom("set_clipboard", {"text": "x"}), "it can click"),
    ("desktop", Click(MIDDLE, button="middle"), "left or right"),
    ("desktop", Click(MIDDLE, modifiers=("ctrl",)), "shift"),
    ("desktop", MouseDown(MIDDLE, button="right"), "left"),
    ("desktop", MouseUp(MIDDLE, button="middle"), "left"),
    ("desktop", Drag(MIDDLE, button="right"), "left"),
    ("desktop", OpenApp("Clock"), "Mail, Text Editor, Signals"),
    ("desktop", Select(MIDDLE, "Oldest first"), "none"),
]


@pytest.mark.parametrize(("device", "action", "cure"), REFUSED, ids=lambda value: getattr(value, "kind", ""))
def test_refusals_change_nothing_and_help(device: str, action: Action, cure: str) -> None:
    world, *_ = hands()
    before, since = world.state(), world.now
    with pytest.raises(ActionRejected, match=cure):
        world.envs[device].act(action)
    assert world.state() is before
    assert world.now == since


def test_typing_without_focus_names_the_fields() -> None:
    _, phone, desktop = hands()
    phone.open("notes")
    with pytest.raises(ActionRejected, match="Search notes"):
        phone.do(TypeText("x"))
    desktop.open("mail")
    desktop.tap("mail/compose", "mail/compose/discard", "mail/compose")
    desktop.tap("window/mail/minimise", "taskbar/mail")
    with pytest.raises(ActionRejected, match="To, Subject"):
        desktop.do(TypeText("x"))


def test_selecting_what_is_not_offered_names_what_is() -> None:
    _, _, desktop = hands()
    desktop.open("mail")
    with pytest.raises(ActionRejected, match="Newest first, Oldest first"):
        desktop.do(Select(desktop.at("mail/order"), "By size"))


def test_devices_declare_what_they_do() -> None:
    world, phone, desktop = hands()
    assert set(world.envs) == {"phone", "desktop"}
    for device in (phone, desktop):
        assert device.env.verbs <= set(VERBS)
        assert device.env.name == device.env.platform
    assert "set_clipboard" in phone.env.custom
    assert "clipboard" in phone.env.custom["set_clipboard"].description
    assert dict(desktop.env.custom) == {}


@pytest.mark.parametrize(
    ("action", "seconds"),
    [
        (Click(MIDDLE), 0.3),
        (Click(MIDDLE, count=2), 0.4),
        (LongPress(MIDDLE, seconds=2), 2.2),
        (Swipe("up"), 0.5),
        (TypeText("abcd"), 0.4),
        (TypeText("abcd", at=MIDDLE, submit=True), 0.8),
        (Press(("enter",), repeat=3), 0.3),
        (Press(("enter",), seconds=1.5), 1.6),
        (OpenApp("Notes"), 0.8),
    ],
)
def test_verbs_take_their_time(action: Action, seconds: float) -> None:
    assert duration(action) == pytest.approx(seconds)


def test_acting_moves_the_clock() -> None:
    world, phone, _ = hands()
    phone.open("Notes")
    phone.type("notes/notes/search", "tea")
    assert world.now == pytest.approx(0.8 + 0.2 + 0.15 + 0.3)


def test_a_press_that_leaves_the_control_is_no_click() -> None:
    world, _, desktop = hands()
    desktop.open("mail")
    target = desktop.at("mail/compose")
    desktop.do(MouseDown(target), MouseMove(Point(0.99, 0.5)), MouseUp())
    assert world.state().desktop.front.view.name == "inbox"  # type: ignore[union-attr]
    desktop.do(MouseDown(target), MouseUp())
    assert world.state().desktop.front.view.name == "compose"  # type: ignore[union-attr]


def test_a_short_press_is_a_tap() -> None:
    world, phone, _ = hands()
    phone.do(LongPress(phone.at("home/notes"), seconds=0.2))
    assert world.state().phone.front.app == "notes"  # type: ignore[union-attr]


def test_a_click_without_a_place_is_at_the_cursor() -> None:
    world, _, desktop = hands()
    desktop.do(MouseMove(desktop.at("taskbar/mail")), Click())
    assert world.state().desktop.front.app == "mail"  # type: ignore[union-attr]


def test_a_finger_that_drags_scrolls_by_as_much() -> None:
    world, phone, _ = hands()
    phone.open("messages")
    phone.tap("messages/threads/new")
    phone.do(Drag(Point(0.5, 0.4), start=Point(0.5, 0.5)))
    assert world.state().phone.scrolls["messages/new/scroll"] == 92
    phone.do(Swipe(start=Point(0.5, 0.4), end=Point(0.5, 0.45)))
    assert world.state().phone.scrolls["messages/new/scroll"] == 46
