"""Differences of two states are exact, and say which field of which item."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.inventory import kinds_by_name


def test_added_removed_and_changed_items_are_told() -> None:
    state = initial_world(1)
    first, second, *_ = state.account.todos
    account = state.account.drop(first).put(replace(second, done=not second.done), replace(first, id="todo-999"))
    found = {(change.signature, change.id) for change in changes(state, state.own(account))}
    assert found == {("+todos", "todo-999"), ("-todos", first.id), ("~todos.done", second.id)}


def test_what_is_only_on_the_screen_is_no_difference() -> None:
    state = initial_world(1)
    assert changes(state, state.on("phone", home=False, focus="x")) == []
    (change,) = changes(state, state.on("phone", clipboard="text"))
    assert (change.signature, change.after) == ("~phone.clipboard", "text")


def test_a_field_that_takes_the_time_is_a_stamp() -> None:
    state = initial_world(1)
    document = state.account.documents[0]
    later = replace(state.own(state.account.put(replace(document, saved=7.0))), time=8.0)
    (change,) = changes(replace(state, time=6.0), later)
    assert change.stamp


def test_files_have_their_kind_by_id_and_by_path() -> None:
    account = initial_world(1).account
    document = account.documents[0]
    kinds = kinds_by_name(account)
    assert kinds[document.id] == kinds[document.path] == "documents"
    assert kinds[document.folder] == "dirs"
