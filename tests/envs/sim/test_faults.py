"""Faults of the observed element tree: as many as asked, always the same ones, none by default."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from sim_hands import Hands, hands
from sim_screens import screens

from omnipilot.envs import Element, Elements, Modality, Swipe
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.faults import Faults, faulty, near
from omnipilot.envs.sim.shell.screen import beyond, make_scene

Counted = Callable[[Elements, tuple[Element, ...], Elements], tuple[int, int]]


@cache
def trees() -> list[tuple[Elements, tuple[Element, ...]]]:
    found = []
    for _, hand in screens():
        state = hand.world.state()
        found.append((make_scene(state, hand.env.name).elements, beyond(state, hand.env.name)))
    return found


def share(faults: Callable[[int], Faults], counted: Counted) -> float:
    """Over every screen and forty seeds: counted faults by what could have had one."""
    hit = of = 0
    for seed in range(40):
        for elements, others in trees():
            h, o = counted(elements, others, faulty(elements, others, faults(seed)))
            hit, of = hit + h, of + o
    return hit / of


@pytest.mark.parametrize("asked", [0.1, 0.5])
def test_rates_are_as_asked(asked: float) -> None:
    def nameless(whole: Elements, _: tuple[Element, ...], seen: Elements) -> tuple[int, int]:
        return sum(not e.name for e in seen), sum(bool(e.id) for e in whole)

    def misread(whole: Elements, _: tuple[Element, ...], seen: Elements) -> tuple[int, int]:
        return sum(a.role != b.role for a, b in zip(whole, seen, strict=True)), len(whole)

    def ghosts(whole: Elements, others: tuple[Element, ...], seen: Elements) -> tuple[int, int]:
        return len(seen) - len(whole), len(others)

    assert share(lambda s: Faults(names=asked, seed=s), nameless) == pytest.approx(asked, abs=0.02)
    assert share(lambda s: Faults(roles=asked, seed=s), misread) == pytest.approx(asked, abs=0.02)
    assert share(lambda s: Faults(beyond=asked, seed=s), ghosts) == pytest.approx(asked, abs=0.02)


@pytest.mark.parametrize("asked", [0.1, 0.5, 1.0])
def test_neighbours_are_merged_as_often_as_asked(asked: float) -> None:
    merged = pairs = 0
    for seed in range(40):
        for elements, _ in trees():
            seen = faulty(elements, (), Faults(merged=asked, seed=seed)).items
            merged += len(elements) - len(seen)
            # Each element that begins a pair was asked once; those swallowed by a pair were not.
            left = list(elements.items)
            while left:
                first = left.pop(0)
                if left and near(first, left[0]):
                    pairs += 1
                    if first not in seen:
                        left.pop(0)
    assert merged / pairs == pytest.approx(asked, abs=0.03)


def test_a_merged_element_covers_both_and_says_both() -> None:
    for elements, _ in trees():
        seen = faulty(elements, (), Faults(merged=1.0)).items
        assert len(seen) < len(elements) or len(elements) == 1
        words = " ".join(e.name for e in elements).split()
        assert " ".join(e.name for e in seen).split() == words


def faulty_world(faults: Faults) -> tuple[SimWorld, Hands, Hands]:
    world = SimWorld(faults=faults)
    world.reset(3)
    return world, Hands(world, "phone"), Hands(world, "desktop")


def seen(hand: Hands) -> Elements:
    found = hand.env.observe({Modality.ELEMENTS}, hand.world.now).elements
    assert isinstance(found, Elements)
    return found


def test_there_are_none_by_default() -> None:
    _, phone, desktop = hands()
    for hand in (phone, desktop):
        hand.open("messages" if hand is phone else "mail")
        assert seen(hand) == hand.env.ui_tree()


def test_they_are_observed_and_neither_hit_nor_judged() -> None:
    faults = Faults(names=1.0, roles=1.0, beyond=1.0, seed=5)
    world, phone, _ = faulty_world(faults)
    clean, whole, _ = hands()
    for hand in (phone, whole):
        hand.open("messages")
        hand.tap("messages/threads/new")
    assert phone.env.ui_tree() == whole.env.ui_tree()
    assert world.state().phone == clean.state().phone
    found = seen(phone)
    assert not any(e.name for e in found if e.id)
    ghosts = [e for e in found if e.id and not phone.env.ui_tree().by_id(e.id)]
    assert ghosts
    assert {e.id for e in ghosts} < {f"messages/new/{c.id}" for c in world.state().account.contacts}


def test_they_stay_with_their_element() -> None:
    runs = []
    for _ in range(2):
        _, phone, _ = faulty_world(Faults(names=0.4, roles=0.4, seed=2))
        phone.open("messages")
        phone.tap("messages/threads/new")
        before = seen(phone)
        phone.do(Swipe("up"))
        after = seen(phone)
        both = [(e, after.by_id(e.id)) for e in before if e.id and after.by_id(e.id)]
        assert len(both) > 2
        assert all((a.name, a.role) == (b.name, b.role) for a, b in both if b)
        runs.append((before, after))
    assert runs[0] == runs[1]
    other = faulty_world(Faults(names=0.4, roles=0.4, seed=3))[1]
    other.open("messages")
    other.tap("messages/threads/new")
    assert seen(other) != runs[0][0]


def test_what_is_beyond_lies_on_the_screen_and_exists() -> None:
    assert sum(len(others) for _, others in trees()) > 50
    for elements, others in trees():
        assert not {e.id for e in elements} & {e.id for e in others}


def test_shares_are_shares() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Faults(names=1.2)
