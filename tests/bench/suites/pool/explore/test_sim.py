"""The embedded world as one that can be explored: what can be done, what it changes, and the way back."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.pool.explore.general_ids import fill, general_id
from omnipilot.bench.suites.pool.explore.sim import SimExplorable
from omnipilot.bench.suites.pool.records import Operation
from omnipilot.envs import ConfigError


def started(app: str) -> SimExplorable:
    world = SimExplorable()
    world.start(app, 1)
    return world


def test_a_screen_offers_one_control_of_each_kind() -> None:
    operations = started("phone/tasks").operations()
    ticks = [one for one in operations if one.control.endswith("/done") and one.control.startswith("tasks/list/todo")]
    assert 1 <= len(ticks) <= 3
    assert {one.verb for one in operations} >= {"click", "menu", "option", "type", "scroll", "back"}


@pytest.mark.parametrize("instance", [0, 1, 2, 3])
def test_the_conversation_in_which_something_is_unread_is_among_those_that_are_tried(instance: int) -> None:
    world = SimExplorable()
    world.start("phone/messages", instance)
    unread = {f"messages/threads/{one.contact}" for one in world.world.state().account.threads if one.unread}
    opened = {one.control for one in world.operations() if one.verb == "click"}
    assert unread & opened
    assert len([one for one in opened if one not in ("messages/threads/new",)]) <= 3


def test_a_word_that_a_file_holds_is_typed_before_the_file() -> None:
    world = started("desktop/terminal")
    lines = [one.text for one in world.operations() if one.text.startswith("grep -c ")]
    (held,) = [line.split() for line in lines if "/" in line.split()[-1] and len(line.split()) == 4][-1:]
    texts = [one.text for one in world.world.state().account.documents if one.path == held[3]]
    assert texts and held[2] in texts[0]


def test_an_effect_is_what_changed_and_going_back_undoes_it() -> None:
    world = started("phone/tasks")
    before = world.mark()
    (tick,) = [
        one
        for one in world.operations()
        if one.verb == "click" and one.control.endswith("/done") and "todo-" in one.control
    ][:1]
    (general,), bindings = world.generalise([tick])
    assert general.control == "tasks/list/{todo}/done"
    assert fill(general, bindings) == tick
    assert world.do(tick)
    assert world.effect(before, world.mark()) == {"~todos.done"}
    world.back(before)
    assert world.effect(before, world.mark()) == frozenset()


def test_what_the_world_refuses_changes_nothing() -> None:
    world = started("phone/tasks")
    before = world.mark()
    assert not world.do(Operation("click", "phone", "tasks/list/nowhere"))
    assert world.mark() == before


def test_a_draft_is_another_situation_of_the_same_page() -> None:
    world = started("phone/tasks")
    assert world.do(Operation("click", "phone", "tasks/list/new"))
    empty = world.situation()
    (field, *_) = [one for one in world.operations() if one.verb == "type"]
    assert world.do(field)
    typed = world.situation()
    assert typed.page == empty.page
    assert typed.id != empty.id
    assert typed.drafts == (field.control,)


def test_folders_in_ids_count_as_one_segment() -> None:
    assert general_id("files/tree/Reports/2024", {"Reports": "dirs", "Reports/2024": "dirs"}) == "files/tree/<dir>"
    assert general_id("calendar/month/2026-03-04", {}) == "calendar/month/<day>"


def test_an_unknown_application_is_named() -> None:
    with pytest.raises(ConfigError, match="phone/messages"):
        SimExplorable().start("phone/nowhere")
