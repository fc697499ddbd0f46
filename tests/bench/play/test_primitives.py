"""From raw touches, mouse and keys to verbs: each threshold from both sides, and what holds for any events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.play import PlayedPrimitive, RawEvent, Thresholds, primitives_of, read_raw_events
from omnipilot.envs import (
    Answer,
    AskUser,
    Browser,
    Click,
    ConfigError,
    Done,
    Drag,
    Intent,
    LongPress,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.planners import Verbs

PHONE = Verbs(
    "phone", frozenset({"click", "long_press", "swipe", "drag", "scroll", "type", "press"}), size=Size(400, 800)
)
DESK = Verbs("desktop", frozenset({"click", "drag", "scroll", "type", "press", "long_press"}), size=Size(1000, 500))
SCREENS = {"phone": PHONE, "desk": DESK}
JUST = 1e-6


def touch(
    at: tuple[float, float],
    to: tuple[float, float] | None = None,
    start: float = 1.0,
    held: float = 0.1,
    button: str = "touch",
    env: str = "phone",
    keys: tuple[str, ...] = (),
    rest: float = 0.0,
) -> list[RawEvent]:
    """Down, a move if it ends elsewhere, and up."""
    end = to or at
    made = [RawEvent("down", start, env, Point(*at), button, keys)]
    if to is not None:
        made.append(RawEvent("move", start + rest, env, Point(*to), button))
    return [*made, RawEvent("up", start + held, env, Point(*end), button)]


def key(name: str, time: float, text: str = "", env: str = "desk", held: tuple[str, ...] = ()) -> RawEvent:
    return RawEvent("key", time, env, keys=(*held, name), text=text)


def typed(text: str, start: float = 1.0, step: float = 0.2) -> list[RawEvent]:
    return [key(letter.lower(), start + number * step, letter) for number, letter in enumerate(text)]


def intents(events: Sequence[RawEvent]) -> list[Intent]:
    return [one.move.intent for one in primitives_of(events, SCREENS)]


A, B = (0.5, 0.5), (0.5, 0.25)


@pytest.mark.parametrize(
    ("events", "found"),
    [
        (touch(A), [Click(Point(*A))]),
        (touch(A, held=0.5 - JUST), [Click(Point(*A))]),
        (touch(A, held=0.5), [LongPress(Point(*A), 0.5)]),
        (touch(A, held=90.0), [LongPress(Point(*A), 60.0)]),
        # 2 % of the shorter side of 400 are 8 pixels: 0.02 of the width, 0.01 of the height.
        (touch(A, (0.5 + 0.02 - JUST, 0.5)), [Click(Point(*A))]),
        (touch(A, (0.52, 0.5)), [Swipe(start=Point(*A), end=Point(0.52, 0.5))]),
        (touch(A, (0.5, 0.51 - JUST)), [Click(Point(*A))]),
        (touch(A, (0.5, 0.51)), [Swipe(start=Point(*A), end=Point(0.5, 0.51))]),
        # The axis is that of pixels: 0.2 of the width are 80, 0.1 of the height are 80, too, and vertical wins.
        (touch(A, (0.7, 0.6)), [Swipe(start=Point(*A), end=Point(0.5, 0.6))]),
        (touch(A, (0.71, 0.6)), [Swipe(start=Point(*A), end=Point(0.71, 0.5))]),
        (touch(A, B, held=0.8, rest=0.5 - JUST), [Swipe(start=Point(*A), end=Point(*B))]),
        (touch(A, B, held=0.8, rest=0.5), [Drag(Point(*B), Point(*A))]),
        # Two taps: 0.3 s between them, and no more; at one place, and no other; never three of a finger.
        ([*touch(A), *touch(A, start=1.4 - JUST)], [Click(Point(*A), count=2)]),
        ([*touch(A), *touch(A, start=1.4 + 1e-3)], [Click(Point(*A)), Click(Point(*A))]),
        ([*touch(A), *touch(B, start=1.2)], [Click(Point(*A)), Click(Point(*B))]),
        ([*touch(A), *touch(A, start=1.2), *touch(A, start=1.4)], [Click(Point(*A), count=2), Click(Point(*A))]),
        ([*touch(A), *touch(A, start=1.2, held=0.6)], [Click(Point(*A)), LongPress(Point(*A), 0.6)]),
        # A mouse: buttons, modifiers, three clicks, drags without rest, and a slop of 0.5 % of 500 pixels.
        (touch(A, button="right", env="desk"), [Click(Point(*A), "right")]),
        (touch(A, button="right", env="desk", held=2.0), [Click(Point(*A), "right")]),
        (touch(A, button="left", env="desk", keys=("ctrl",)), [Click(Point(*A), modifiers=("ctrl",))]),
        (touch(A, (0.5025 - JUST, 0.5), button="left", env="desk"), [Click(Point(*A))]),
        (touch(A, (0.5025 + JUST, 0.5), button="left", env="desk"), [Drag(Point(0.5025 + JUST, 0.5), Point(*A))]),
        (touch(A, B, button="middle", env="desk"), [Drag(Point(*B), Point(*A), button="middle")]),
        (
            [event for start in (1.0, 1.2, 1.4, 1.6) for event in touch(A, start=start, button="left", env="desk")],
            [Click(Point(*A), count=3), Click(Point(*A))],
        ),
        ([*touch(A, button="left", env="desk"), *touch(A, start=1.2)], [Click(Point(*A)), Click(Point(*A))]),
        # Keys.
        (typed("Hello"), [TypeText("Hello")]),
        ([*typed("Hi"), key("enter", 1.5)], [TypeText("Hi", submit=True)]),
        ([*typed("ab"), key("backspace", 1.5), *typed("c", 1.6)], [TypeText("ac")]),
        ([*typed("ab"), key("backspace", 1.5), key("backspace", 1.6)], []),
        ([*typed("a"), key("enter", 1.2, held=("shift",)), *typed("b", 1.4)], [TypeText("a\nb")]),
        ([*typed("a"), *typed("b", 2.5 - JUST)], [TypeText("ab")]),
        ([*typed("a"), *typed("b", 2.5)], [TypeText("a"), TypeText("b")]),
        ([key("enter", 1.0)], [Press(("enter",))]),
        ([key("backspace", 1.0), key("backspace", 1.2)], [Press(("backspace",), 2)]),
        ([key("s", 1.0, held=("ctrl",))], [Press(("ctrl", "s"))]),
        ([*typed("a"), key("s", 1.2, held=("ctrl",))], [TypeText("a"), Press(("ctrl", "s"))]),
        ([key("tab", 1.0), *typed("x", 1.2)], [Press(("tab",)), TypeText("x")]),
        ([key("shift", 1.0)], []),
        ([RawEvent("text", 1.0, "desk", text="a b\nc")], [TypeText("a b\nc")]),
        ([*typed("ab"), *touch(A, start=1.5)], [TypeText("ab"), Click(Point(*A))]),
        # A wheel.
        (
            [RawEvent("wheel", t, "desk", Point(*A), down=1.0) for t in (1.0, 1.25, 1.5)],
            [Scroll("down", Point(*A), 3.0)],
        ),
        (
            [RawEvent("wheel", 1.0, "desk", Point(*A), down=1.0), RawEvent("wheel", 1.5, "desk", Point(*A), down=1.0)],
            [Scroll("down", Point(*A), 1.0)] * 2,
        ),
        (
            [RawEvent("wheel", 1.0, "desk", Point(*A), down=1.0), RawEvent("wheel", 1.1, "desk", Point(*A), down=-2.0)],
            [Scroll("down", Point(*A), 1.0), Scroll("up", Point(*A), 2.0)],
        ),
        ([RawEvent("wheel", 1.0, "desk", Point(*A), across=-1.5)], [Scroll("left", Point(*A), 1.5)]),
        # Buttons around the screens; a wait for each clip that was let pass.
        ([RawEvent("system", 1.0, "phone", text="back")], [System("back")]),
        ([RawEvent("app", 1.0, "phone", text="Clock")], [OpenApp("Clock")]),
        ([RawEvent("browser", 1.0, "desk", text="reload")], [Browser("reload")]),
        ([RawEvent("url", 1.0, "desk", text="example.org")], [OpenUrl("example.org")]),
        ([RawEvent("wait", 1.0, seconds=2.0), RawEvent("wait", 1.1, seconds=3.0)], [Wait(2.0), Wait(3.0)]),
        ([RawEvent("answer", 1.0, text="42")], [Answer("42")]),
        ([RawEvent("ask", 1.0, text="Which?")], [AskUser("Which?")]),
        ([RawEvent("done", 1.0, text="failure")], [Done("failure")]),
        ([RawEvent("done", 1.0)], [Done()]),
        # What never ended, or never began, is nothing.
        (touch(A)[:1], []),
        (touch(A)[1:], []),
        (touch(A, B)[1:2], []),
    ],
)
def test_each_threshold_from_both_sides(events: list[RawEvent], found: list[Intent]) -> None:
    assert intents(events) == found


def test_a_device_without_the_verb_gets_the_nearest() -> None:
    bare = {"phone": replace(PHONE, kinds=frozenset({"click", "swipe"}))}
    pressed = primitives_of(touch(A, held=0.7), bare)
    assert [one.move.intent for one in pressed] == [Click(Point(*A))]
    dragged = primitives_of(touch(A, B, held=0.9, rest=0.6), bare)
    assert [one.move.intent for one in dragged] == [Swipe(start=Point(*A), end=Point(*B))]
    turned = primitives_of([RawEvent("wheel", 1.0, "phone", Point(*A), down=1.0)], bare)
    assert [one.move.intent for one in turned] == [Swipe("up", start=Point(*A))]


def test_thresholds_can_be_others() -> None:
    slow = Thresholds(tap=1.0)
    assert [one.move.intent for one in primitives_of(touch(A, held=0.9), SCREENS, slow)] == [Click(Point(*A))]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="on 'car', and there are phone, desk"):
        primitives_of([RawEvent("system", 1.0, "car", text="back")], SCREENS)
    with pytest.raises(ValueError, match="earlier than the one before"):
        primitives_of([*touch(A, start=2.0), *touch(A)], SCREENS)
    with pytest.raises(ValueError, match="system"):
        primitives_of([RawEvent("system", 1.0, "phone", text="self-destruct")], SCREENS)


PLACES = st.builds(Point, st.floats(0, 1), st.floats(0, 1))
GAPS = st.sampled_from([0.0, 0.05, 0.2, 0.3, 0.49, 0.5, 1.0, 1.5, 3.0])
LETTERS = st.sampled_from("abcXYZ 1é漢")


@st.composite
def streams(draw: st.DrawFn) -> list[RawEvent]:
    """Any events in any order, as long as their times are in order."""
    made: list[RawEvent] = []
    time = 0.0
    for kind in draw(st.lists(st.sampled_from(["down", "move", "up", "wheel", "letter", "key", "wait", "system"]))):
        time += draw(GAPS)
        env = draw(st.sampled_from(["phone", "desk"]))
        button = "touch" if env == "phone" else draw(st.sampled_from(["left", "right"]))
        if kind == "letter":
            letter = draw(LETTERS)
            made.append(key(letter.lower(), time, letter, env))
        elif kind == "key":
            made.append(key(draw(st.sampled_from(["enter", "backspace", "tab", "up"])), time, "", env))
        elif kind == "wait":
            made.append(RawEvent("wait", time, seconds=1.0))
        elif kind == "system":
            made.append(RawEvent("system", time, "phone", text="home"))
        elif kind == "wheel":
            made.append(RawEvent("wheel", time, env, draw(PLACES), down=draw(st.sampled_from([-1.0, 1.0, 0.5]))))
        else:
            made.append(RawEvent(kind, time, env, draw(PLACES), button))  # type: ignore[arg-type]
    return made


@given(streams())
def test_every_verb_comes_of_its_own_events_in_order(events: list[RawEvent]) -> None:
    """Ranges of events lie apart, but for what was done while a finger was down."""
    found = primitives_of(events, SCREENS)
    touch, last = -1, -1
    for one in sorted(found, key=lambda one: one.first):
        touches = events[one.first].kind == "down"
        assert one.first > (touch if touches else last)
        assert one.first <= one.last < len(events)
        assert one.start == events[one.first].time and one.end == events[one.last].time
        if one.move.env:
            assert one.move.env == events[one.first].env
        touch, last = (one.last, last) if touches else (touch, one.last)


@given(streams())
def test_no_written_letter_and_no_wait_is_lost(events: list[RawEvent]) -> None:
    found = primitives_of(events, SCREENS)
    waits = [one for one in found if isinstance(one.move.intent, Wait)]
    assert len(waits) == sum(event.kind == "wait" for event in events)
    if not any(event.keys == ("backspace",) for event in events):
        for env in SCREENS:
            written = "".join(e.text for e in events if e.kind == "key" and e.env == env)
            verbs = [one.move.intent for one in found if one.move.env == env]
            assert "".join(verb.text for verb in verbs if isinstance(verb, TypeText)) == written


@given(streams())
def test_events_survive_their_record(events: list[RawEvent]) -> None:
    again = read_raw_events([event.to_json() for event in events])
    assert list(again) == events
    assert primitives_of(again, SCREENS) == primitives_of(events, SCREENS)


@given(streams(), streams())
def test_a_long_pause_separates(first: list[RawEvent], second: list[RawEvent]) -> None:
    """What is done after a pause stands by itself, unless a touch was left open."""
    shift = (first[-1].time if first else 0.0) + 10.0
    moved = [replace(event, time=event.time + shift) for event in second]
    ends = {"up", "wheel", "key", "wait", "system"}
    if first and first[-1].kind not in ends:
        return

    def verbs(found: Sequence[PlayedPrimitive]) -> list[object]:
        return [one.move for one in found]

    whole = verbs(primitives_of([*first, *moved], SCREENS))
    open_touch = _ends_down(first)
    if not open_touch:
        assert whole == verbs(primitives_of(first, SCREENS)) + verbs(primitives_of(moved, SCREENS))


def _ends_down(events: Sequence[RawEvent]) -> bool:
    down = False
    for event in events:
        down = event.kind == "down" or (down and event.kind != "up")
    return down


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({}, "a list"),
        ([1], "event 0 cannot be read: it is no object"),
        ([{"kind": "fly", "time": 1}], "no event is of the kind 'fly'"),
        ([{"kind": "wait", "time": "now"}], "time is a number"),
        ([{"kind": "wait", "time": float("nan")}], "time is a number"),
        ([{"kind": "wait", "time": -1}], "from 0"),
        ([{"kind": "down", "time": 1, "at": [0.5, 0.5]}], "names the device"),
        ([{"kind": "down", "time": 1, "env": "a"}], "has a place"),
        ([{"kind": "down", "time": 1, "env": "a", "at": [0.5, 1.5]}], "outside 0..1"),
        ([{"kind": "down", "time": 1, "env": "a", "at": "here"}], "at is"),
        ([{"kind": "key", "time": 1, "env": "a"}], "names its key"),
        ([{"kind": "key", "time": 1, "env": "a", "keys": "enter"}], "list of names"),
        ([{"kind": "text", "time": 1, "env": "a", "text": 3}], "text is a text"),
        ([{"kind": "wait", "time": 2, "seconds": 1}, {"kind": "wait", "time": 1, "seconds": 1}], "earlier"),
    ],
)
def test_events_that_cannot_be_read_are_named(value: object, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_raw_events(value)
