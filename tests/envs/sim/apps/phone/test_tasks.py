"""Tasks: what people do with it, done through its interface."""

from __future__ import annotations

import pytest
from phone_goals import Goal, hold, instances, pick, play, reach, twins
from sim_hands import Hands, hands

from omnipilot.envs.sim.apps.phone.shared_parts import today
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.phone_data import Todo, add_days


def twin(account: Account) -> Todo:
    """One of two tasks of equal title."""
    todo: Todo = twins(tuple(todo for todo in account.todos if not todo.done), lambda todo: str(todo.title))[1]
    return todo


def undated(account: Account) -> Todo:
    todo: Todo = pick(account.todos, lambda todo: not todo.due and not todo.done)
    return todo


def add(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/tasks", "tasks/list/new")
    phone.type("tasks/edit/title", "Feed the fish")
    phone.tap("tasks/edit/due/up", "tasks/edit/due/up", "tasks/edit/list", "tasks/edit/list/errands", "tasks/edit/save")
    return ["todos/todo-25"]


def tick(phone: Hands, account: Account) -> list[str]:
    todo = twin(account)
    phone.tap("home/tasks", "tasks/list/of", f"tasks/list/of/{todo.list.lower()}")
    phone.type("tasks/list/search", todo.title)
    phone.tap(f"tasks/list/{todo.id}/done")
    return [f"todos/{todo.id}"]


def move(phone: Hands, account: Account) -> list[str]:
    todo = twin(account)
    phone.tap("home/tasks")
    phone.type("tasks/list/search", todo.title)
    target = "trip" if todo.list != "Trip" else "work"
    phone.tap(f"tasks/list/{todo.id}", "tasks/edit/list", f"tasks/edit/list/{target}", "tasks/edit/save")
    return [f"todos/{todo.id}"]


def date(phone: Hands, account: Account) -> list[str]:
    todo = undated(account)
    phone.tap("home/tasks")
    reach(phone, f"tasks/list/{todo.id}")
    phone.tap(f"tasks/list/{todo.id}", "tasks/edit/due/up", "tasks/edit/due/up", "tasks/edit/due/up", "tasks/edit/save")
    return [f"todos/{todo.id}"]


def star(phone: Hands, account: Account) -> list[str]:
    todo = pick(account.todos, lambda todo: not todo.starred and not todo.done)
    phone.tap("home/tasks")
    reach(phone, f"tasks/list/{todo.id}")
    hold(phone, f"tasks/list/{todo.id}", "star")
    phone.tap("tasks/list/starred")
    assert f"tasks/list/{todo.id}" in phone.ids()
    return [f"todos/{todo.id}"]


def clear(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/tasks", "tasks/list/done", "tasks/list/clear-done", "tasks/list/clear/yes")
    return [f"todos/{todo.id}" for todo in account.todos if todo.done]


def delete(phone: Hands, account: Account) -> list[str]:
    todo = twin(account)
    phone.tap("home/tasks")
    phone.type("tasks/list/search", todo.title)
    phone.tap(f"tasks/list/{todo.id}", "tasks/edit/bin", "tasks/edit/delete/yes")
    return [f"todos/{todo.id}"]


def reopen(phone: Hands, account: Account) -> list[str]:
    todo = pick(account.todos, lambda todo: todo.done)
    phone.tap("home/tasks", "tasks/list/done", f"tasks/list/{todo.id}/done")
    return [f"todos/{todo.id}"]


GOALS = [
    Goal("add", add, lambda old, now: any(
        (t.title, t.list, t.due) == ("Feed the fish", "Errands", add_days(today(old), 1)) for t in now.account.todos)),
    Goal("tick one of two", tick, lambda old, now: now.account.find("todos", twin(old.account).id).done),
    Goal("move", move, lambda old, now: now.account.find("todos", twin(old.account).id).list
         == ("Trip" if twin(old.account).list != "Trip" else "Work")),
    Goal("date", date, lambda old, now: now.account.find("todos", undated(old.account).id).due
         == add_days(today(old), 2)),
    Goal("star", star, lambda old, now: sum(t.starred for t in now.account.todos)
         == sum(t.starred for t in old.account.todos) + 1),
    Goal("delete all done", clear, lambda _, now: not any(todo.done for todo in now.account.todos)),
    Goal("delete one", delete, lambda old, now: now.account.find("todos", twin(old.account).id) is None),
    Goal("not done after all", reopen, lambda old, now: sum(t.done for t in now.account.todos)
         == sum(t.done for t in old.account.todos) - 1),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


def test_there_are_many_and_twins_differ_in_their_list() -> None:
    world, _, _ = hands()
    todos = world.state().account.todos
    assert len(todos) >= 20
    for instance in range(20):
        world.reset(instance)
        todos = world.state().account.todos
        assert len({(todo.title, todo.list) for todo in todos}) == len(todos)


def test_leaving_the_form_changes_nothing() -> None:
    world, phone, _ = hands()
    before = world.state().account
    todo = pick(before.todos, lambda todo: not todo.done)
    phone.tap("home/tasks")
    reach(phone, f"tasks/list/{todo.id}")
    phone.tap(f"tasks/list/{todo.id}", "tasks/edit/due/up", "tasks/edit/star", "tasks/edit/back")
    assert world.state().account == before
    phone.tap(f"tasks/list/{todo.id}")
    assert "checked" not in phone.find("tasks/edit/star").states or todo.starred
