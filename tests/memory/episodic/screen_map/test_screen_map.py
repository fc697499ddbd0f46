"""The map of screens: pages, ways, routes and what is unexplored."""

from __future__ import annotations

import pytest

from omnipilot.envs import Box, Element
from omnipilot.memory.episodic.screen_map.screen_map import ScreenMap, Way, element_at, element_words


def button(name: str, row: int, role: str = "button") -> Element:
    return Element(role, name, Box(0.1, row * 0.1, 0.4 + 0.01 * len(name), row * 0.1 + 0.08))


def page(title: str, *names: str) -> tuple[Element, ...]:
    return (button(title, 0, "heading"), *(button(name, row) for row, name in enumerate(names, 1)))


ALARMS = page("Alarms", "Add", "Timers", "Sort alarms")
EDIT = page("Edit alarm", "Save", "Delete alarm", "Repeat")
TIMERS = page("Timers", "Start timer", "Reset", "Lap times")


def walked() -> ScreenMap:
    """Alarms, edit, alarms, timers."""
    map = ScreenMap()
    for time, (screen, at) in enumerate([(ALARMS, 1), (EDIT, 1), (ALARMS, 2), (TIMERS, None)]):
        map.see("phone", screen, float(time), time)
        if at is not None:
            map.act("phone", "click", "click", time + 0.5, (0.2, at * 0.1 + 0.04))
    return map


def test_a_page_seen_again_is_the_same_page() -> None:
    map = walked()
    assert [(one.title, one.visits) for one in map.pages()] == [("Alarms", 2), ("Edit alarm", 1), ("Timers", 1)]
    assert map.where("phone") is map.page("phone-3")
    assert map.where("desktop") is None


def test_it_knows_the_way() -> None:
    map = walked()
    route = map.route("phone-2", "phone-3")
    assert route is not None
    assert [way.action for way in route] == ['click "Save"', 'click "Timers"']
    assert map.route("phone-1", "phone-1") == ()
    assert map.route("phone-3", "phone-1") is None


def test_a_surer_way_is_preferred() -> None:
    map = ScreenMap()
    time = 0.0
    for at, screen in [(1, EDIT), (1, TIMERS), (1, TIMERS), (2, EDIT)]:
        map.see("phone", ALARMS, time, 0)
        map.act("phone", "click", "click", time + 0.1, (0.2, at * 0.1 + 0.04))
        map.see("phone", screen, time + 1, 0)
        map.act("phone", "system", "system", time + 1.1)
        time += 2
    route = map.route("phone-1", "phone-2")
    assert route is not None
    assert [way.action for way in route] == ['click "Timers"']


def test_what_was_never_operated_is_unexplored() -> None:
    map = walked()
    assert map.unexplored(map.page("phone-1")) == ["Sort alarms"]
    assert map.unexplored(map.page("phone-3")) == ["Start timer", "Reset", "Lap times"]


def test_an_unchanged_screen_changes_nothing() -> None:
    map = walked()
    here = map.page("phone-3")
    assert map.see("phone", TIMERS, 9.0, 9) is None
    assert (here.visits, here.screens, here.last) == (1, 1, 9.0)


def test_what_comes_up_by_itself_is_no_way_to_go() -> None:
    map = ScreenMap()
    map.see("phone", ALARMS, 0.0, 0)
    map.see("phone", TIMERS, 1.0, 1)
    assert map.route("phone-1", "phone-2") is None
    assert list(map.ways()) == [Way("phone-1", "phone-2", "", 1)]


def test_an_action_after_an_observation_is_not_its_cause() -> None:
    map = ScreenMap()
    map.see("phone", ALARMS, 0.0, 0)
    map.act("phone", "click", "click", 2.0, (0.2, 0.14))
    map.see("phone", TIMERS, 1.0, 0)
    map.see("phone", EDIT, 3.0, 1)
    assert [(way.origin, way.action) for way in map.ways()] == [("phone-1", ""), ("phone-2", 'click "Start timer"')]


def test_each_device_has_its_own_place() -> None:
    map = walked()
    map.see("desktop", ALARMS, 5.0, 5)
    assert map.where("phone") is map.page("phone-3")
    assert map.where("desktop") is map.page("desktop-1")


def test_an_unknown_page_is_an_error() -> None:
    for id in ("phone-9", "tablet-1", "x"):
        with pytest.raises(KeyError):
            walked().page(id)


def test_the_element_at_a_point_is_the_smallest_operable_one() -> None:
    large, small = Element("listitem", "row", Box(0, 0, 1, 0.5)), Element("checkbox", "done", Box(0.1, 0.1, 0.2, 0.2))
    text = Element("text", "words", Box(0.14, 0.14, 0.16, 0.16))
    assert element_at((large, small, text), 0.15, 0.15) is small
    assert element_at((large, small), 0.5, 0.4) is large
    assert element_at((large, small), 0.5, 0.9) is None


def test_elements_of_one_name_are_told_apart() -> None:
    upper, lower = button("Back", 1), button("Back", 9)
    assert element_words(upper, (lower, upper)) == '"Back" (1 of 2)'
    assert element_words(lower, (lower, upper)) == '"Back" (2 of 2)'
    assert element_words(button("Save", 2), (button("Save", 2), upper)) == '"Save"'


def test_a_later_move_of_a_turn_is_named_by_the_screen_that_it_was_made_on() -> None:
    map = ScreenMap()
    map.see("phone", ALARMS, 0.0, 0)
    map.act("phone", "click", "click", 0.5, (0.2, 0.14))
    map.act("phone", "click", "click", 1.5, (0.2, 0.24))
    map.see("phone", EDIT, 1.5, 0)
    map.see("phone", TIMERS, 3.0, 1)
    assert [way.action for way in map.ways()] == ['click "Add"', 'click "Delete alarm"']


def test_moves_without_a_look_between_them_are_one_way() -> None:
    map = ScreenMap()
    map.see("phone", ALARMS, 0.0, 0)
    map.act("phone", "click", "click", 0.5, (0.2, 0.14))
    map.act("phone", "system", 'system button="back"', 1.0)
    map.see("phone", TIMERS, 3.0, 1)
    assert [way.action for way in map.ways()] == ['click "Add", then system button="back"']
