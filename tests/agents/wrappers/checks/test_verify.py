"""Checks of one move: what it implies, and whether it holds on what is seen next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from scripted import element, shade, view

from omnipilot.agents.wrappers.checks.implied import implied_by
from omnipilot.agents.wrappers.checks.verify import CheckFinding, ExpectationCase, verify
from omnipilot.envs import (
    Action,
    Click,
    Context,
    Element,
    Modality,
    Observation,
    OpenApp,
    OpenUrl,
    Press,
    Select,
    TypeText,
)
from omnipilot.memory import Expectation

TO = element("To", "textbox", 1, "to")
SAVE = element("Save", "button", 2, "save")
WIFI = element("Wi-Fi", "switch", 3, "wifi")
TAB = element("Alarms", "tab", 4, "tab")
SIZE = element("Size", "combobox", 5, "size")
TEXT = element("Draft", "text", 6)
FORM = (TO, SAVE, WIFI, TAB, SIZE, TEXT)


def screen(*items: Element, **more: object) -> Observation:
    return view("pc", items, **{"context": Context("Mail", "New mail"), **more})


def check(action: Action, before: Observation | None, after: Observation) -> CheckFinding:
    implied = implied_by(action, before, "pc")
    assert implied is not None
    return verify(ExpectationCase(implied.expectation, 0, before, implied.element, action), after)


def instead(old: Element, *new: Element) -> tuple[Element, ...]:
    return tuple(one for item in FORM for one in (new if item is old else (item,)))


def typed(text: str, value: str, was: str = "", **how: bool) -> str:
    before = screen(*instead(TO, replace(TO, value=was)))
    after = screen(*instead(TO, replace(TO, value=value)))
    return check(TypeText(text, TO.box.center, **how), before, after).status


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ann", "Ann"),
        ("ann", "Ann"),
        ("+4912345678", "+49 123 45678"),
        ("5551234567", "(555) 123-4567"),
        ("12.9", "12.90"),
        ("2024-12-06", "06.12.2024"),
        ("two\nlines", "two lines"),
        ("Ann", "Ann Berg <ann@example.org>"),
        ("secret", "••••••"),
        ("a long text that is cut", "a long text…"),
    ],
)
def test_a_field_that_formats_completes_or_masks_what_was_typed_holds_it(text: str, value: str) -> None:
    assert typed(text, value) == "kept"


@pytest.mark.parametrize(
    ("text", "value", "was", "how"),
    [
        ("Hello", "Helo", "", {}),
        ("Hello", "", "", {}),
        ("7394", "739", "", {}),
        ("12.9", "1.29", "", {}),
        ("new", "old", "old", {}),
        ("new", "oldnew", "old", {"clear": True}),
        ("Hello there", "Hello tere", "", {"submit": True}),
    ],
)
def test_a_lost_character_and_a_field_that_was_not_emptied_are_violations(
    text: str, value: str, was: str, how: dict[str, bool]
) -> None:
    assert typed(text, value, was, **how) == "violated"


def test_text_that_was_sent_off_is_looked_for_where_it_went() -> None:
    before = screen(TO)
    send = TypeText("Hello there", TO.box.center, submit=True)
    assert check(send, before, screen(TO, element("Hello there", "listitem", 3))).status == "kept"
    assert check(send, before, screen(TO, element("Hello tere", "listitem", 3))).status == "violated"
    assert check(send, before, screen(element("Sent", "text", 3))).status == "untold"
    assert check(send, before, before).status == "violated"


def test_a_switch_a_tab_and_a_list_take_their_new_state() -> None:
    before = screen(*FORM)
    for old, state in ((WIFI, "checked"), (TAB, "selected")):
        click = Click(old.box.center)
        on = screen(*instead(old, replace(old, states=frozenset({state}))))
        assert check(click, before, on).status == "kept"
        assert check(click, before, before).status == "violated"
    back = screen(*instead(WIFI, replace(WIFI, states=frozenset({"checked"}))))
    assert check(Click(WIFI.box.center), back, before).status == "kept"
    assert check(Click(WIFI.box.center), back, back).status == "violated"
    choose = Select(SIZE.box.center, "Large")
    assert check(choose, before, screen(*instead(SIZE, replace(SIZE, value="Large")))).status == "kept"
    assert check(choose, before, before).status == "violated"


def test_a_tab_beside_that_is_selected_instead_is_noticed_and_a_radio_button_that_asks_first_is_none() -> None:
    other = element("Timer", "tab", 7, "timer")
    wrong = screen(*FORM, replace(other, states=frozenset({"selected"})))
    assert check(Click(TAB.box.center), screen(*FORM, other), wrong).found == "it is not"
    radio = element("Northwind", "radio", 7, "net")
    asking = screen(*FORM, radio, element("Password", "textbox", 8))
    assert check(Click(radio.box.center), screen(*FORM, radio), asking).status == "untold"


def test_a_switch_that_hides_what_it_ticks_off_is_no_violation() -> None:
    gone = screen(*(item for item in FORM if item is not WIFI))
    assert check(Click(WIFI.box.center), screen(*FORM), gone).status == "untold"


def test_a_click_changes_something() -> None:
    before, click = screen(*FORM), Click(SAVE.box.center)
    missed = check(click, before, screen(*FORM))
    assert (missed.status, missed.found) == ("violated", "everything is as it was")
    assert check(click, before, screen(*FORM, element("Saved", "status", 8))).status == "kept"
    assert check(click, before, screen(*FORM, context=Context("Mail", "Inbox"))).status == "kept"


def test_what_runs_by_itself_tells_nothing() -> None:
    clock, bar = element("0:01", "timer", 8), replace(element("12:01", "text"), box=replace(TO.box, top=0, bottom=0.02))
    before = screen(*FORM, clock, bar)
    ticking = screen(*FORM, replace(clock, name="0:02"), bar)
    assert check(Click(SAVE.box.center), before, ticking).status == "untold"
    assert check(Click(SAVE.box.center), before, screen(*FORM, clock, replace(bar, name="12:02"))).status == "violated"


def test_an_app_is_in_front() -> None:
    action = OpenApp("Mail")
    assert check(action, screen(), screen(context=Context("mail", "Inbox"))).status == "kept"
    assert check(action, screen(), screen(context=Context("Files", "Home"))).found == 'it is "Files"'
    assert check(action, screen(), view("pc", ())).status == "untold"


def test_an_address_may_redirect_but_not_stay() -> None:
    at = [Context("Browser", "a", url) for url in ("https://a.org/", "https://www.b.org/home", "https://login.b.org")]
    action = OpenUrl("http://b.org")
    found = [check(action, screen(context=at[0]), screen(context=one)).status for one in at]
    assert found == ["violated", "kept", "kept"]


@pytest.mark.parametrize(
    "action",
    [
        Press(("escape",)),
        Press(("enter",)),
        Click(TO.box.center),
        Click(SAVE.box.center),
        TypeText(" ", TO.box.center),
    ],
)
def test_what_may_rightly_change_nothing_implies_nothing(action: Action) -> None:
    states = {"to": frozenset({"focused"}), "save": frozenset({"disabled"})}
    items = [replace(item, states=states.get(item.id or "", item.states)) for item in FORM]
    assert implied_by(action, screen(*items), "pc") is None


def test_without_elements_the_pictures_are_compared_and_without_both_nothing_is_told() -> None:
    click = Click(SAVE.box.center)
    pictures = [view("pc", None, screenshot=shade(shown, "pc", 0.0)) for shown in (1, 1, 2)]
    assert check(click, pictures[0], pictures[1]).status == "violated"
    found = check(click, pictures[0], pictures[2])
    assert (found.status, found.modality) == ("kept", Modality.SCREENSHOT)
    assert check(click, view("pc", None), view("pc", None)).status == "untold"
    assert check(TypeText("Ann"), view("pc", None), view("pc", None)).status == "untold"


def stated(expectation: Expectation, items: Sequence[Element] = FORM, **more: object) -> str:
    return verify(ExpectationCase(expectation, 0, None), screen(*items, **more)).status


def test_what_a_planner_states_is_checked_by_its_words() -> None:
    on = instead(WIFI, replace(WIFI, states=frozenset({"checked"})))
    assert stated(Expectation("present", "the Save button")) == "kept"
    assert stated(Expectation("present", "the Send button")) == "violated"
    assert stated(Expectation("absent", "the Save button")) == "violated"
    assert stated(Expectation("absent", "the Send button")) == "kept"
    assert stated(Expectation("checked", "Wi-Fi"), on) == "kept"
    assert stated(Expectation("unchecked", "Wi-Fi"), on) == "violated"
    assert stated(Expectation("checked", "#wifi")) == "violated"
    grey = instead(SAVE, replace(SAVE, states=frozenset({"disabled"})))
    assert [stated(Expectation("enabled", "Save"), items) for items in (FORM, grey)] == ["kept", "violated"]
    assert stated(Expectation("field", "To", "Ann"), instead(TO, replace(TO, value="Ann"))) == "kept"
    assert stated(Expectation("field", "To", "Ann")) == "violated"
    assert stated(Expectation("field", "To")) == "kept"
    assert stated(Expectation("title", value="New mail")) == "kept"
    assert stated(Expectation("title", value="Inbox")) == "violated"
    assert stated(Expectation("file", "Draft")) == "kept"
    assert stated(Expectation("file", "Budget")) == "untold"
    assert stated(Expectation("clipboard", value="7394")) == "untold"
    assert stated(Expectation("sound", value="stopped")) == "untold"


def test_a_clipboard_that_is_shown_is_compared() -> None:
    def found(shown: str | None) -> str:
        after = screen(*FORM, context=Context("Mail", clipboard=shown))
        return verify(ExpectationCase(Expectation("clipboard", value="7394"), 0, None), after).status

    assert [found(shown) for shown in ("7394", " 7394\n", "4021", "", None)] == [
        "kept",
        "kept",
        "violated",
        "violated",
        "untold",
    ]


@pytest.mark.parametrize(
    "action",
    [
        TypeText("long " * 1_500, TO.box.center),
        TypeText("long " * 1_500, TO.box.center, submit=True),
        TypeText("\u200b", TO.box.center),
        Select(SIZE.box.center, "long " * 1_500),
        Select(SIZE.box.center, ""),
        OpenUrl("long" * 2_000),
        OpenUrl(" "),
        OpenApp(" "),
        Click(SAVE.box.center),
    ],
)
def test_long_and_empty_words_are_checked_or_left_alone_but_raise_nothing(action: Action) -> None:
    longest = replace(SAVE, name="word " * 2_000)
    before = screen(*instead(SAVE, longest))
    implied = implied_by(action, before, "pc")
    if implied is not None:
        assert len(str(implied.expectation)) < 500
        for after in (before, screen(), view("pc", None), screen(*instead(TO, replace(TO, value="long " * 1_400)))):
            assert verify(ExpectationCase(implied.expectation, 0, before, implied.element, action), after).status
