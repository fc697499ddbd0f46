"""Goals of the phone's apps: played through the interface, and what they change in the account, no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from sim_hands import Hands, hands

from omnipilot.envs.actions import LongPress, Swipe
from omnipilot.envs.sim.account import Account
from omnipilot.envs.sim.state import WorldState


@dataclass(frozen=True)
class Goal:
    """Something a person wants.

    Attributes:
        moves: plays it; gets the hands on the phone and the account at the start, returns the ids of the records
            that it may change ("todos/todo-3").
        done: whether it is reached, from the state before and the one after.
    """

    name: str
    moves: Callable[[Hands, Account], list[str]]
    done: Callable[[WorldState, WorldState], bool]


def changed(before: Account, after: Account) -> set[str]:
    """Every record that is new, gone or different: "todos/todo-3"; a lone record by its name: "timer"."""
    found = set()
    for field in fields(before):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if isinstance(old, tuple):
            olds, news = ({getattr(item, "id", None) or item.contact: item for item in items} for items in (old, new))
            keys = {*olds, *news}
            found |= {f"{field.name}/{key}" for key in keys if olds.get(key) != news.get(key)}
        elif old != new:
            found.add(field.name)
    return found


def play(goal: Goal, instance: int) -> None:
    """The goal is not there at the start, its moves reach it, and they change nothing else."""
    world, phone, _ = hands(instance)
    before = world.state()
    assert not goal.done(before, before), "it is already so at the start"
    expected = goal.moves(phone, before.account)
    after = world.state()
    assert goal.done(before, after)
    assert changed(before.account, after.account) == set(expected)


def miss(goal: Goal, wrong: Callable[[Hands, Account], object], instance: int) -> None:
    """Moves near to the goal's must not count."""
    world, phone, _ = hands(instance)
    before = world.state()
    wrong(phone, before.account)
    assert not goal.done(before, world.state()), f"{goal.name}: the wrong way counts, instance {instance}"


def reach(phone: Hands, id: str) -> None:
    """Swipe up, and then down, until the element is in sight, as far as it goes."""
    for way in [*["up"] * 20, *["down"] * 40]:
        found = phone.env.ui_tree().by_id(id)
        if found is not None and 0.06 < found.box.center.y < 0.93 and found.box.bottom - found.box.top > 0.02:
            return
        phone.do(Swipe("up" if way == "up" else "down"))
    raise AssertionError(f"no {id} on the whole screen: {phone.ids()}")


def hold(phone: Hands, id: str, item: str) -> None:
    """A long press, and the item of the menu that opens."""
    phone.do(LongPress(phone.at(id)))
    phone.tap(f"{id}/{item}")


def pick(items: tuple[Any, ...], wanted: Callable[[Any], bool]) -> Any:
    """The first item for which it holds."""
    return next(item for item in items if wanted(item))


def twins(items: tuple[Any, ...], name: Callable[[Any], str]) -> tuple[Any, Any]:
    """The first two items of one name."""
    for i, one in enumerate(items):
        for other in items[i + 1 :]:
            if name(one) == name(other):
                return one, other
    raise AssertionError("there are no twins")


def instances(goals: list[Goal]) -> list[tuple[Goal, int]]:
    """Each goal on an instance of its own."""
    return [(goal, 3 + n) for n, goal in enumerate(goals)]
