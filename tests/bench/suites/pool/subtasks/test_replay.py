"""A path can be played although another one left another day, list or search on its app's first screen."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.duet.kit.play import try_move
from omnipilot.bench.suites.pool.records import Operation
from omnipilot.bench.suites.pool.subtasks.replay import PathRehearsal, put_back
from omnipilot.envs import Click, OpenApp, Ref, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.loading import is_loading, load
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.memory import Move


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("Calendar", [Click(Ref("calendar/month/next"))]),
        ("Tasks", [Click(Ref("tasks/list/done"))]),
        ("Contacts", [TypeText("zzz", Ref("contacts/list/search"))]),
    ],
)
def test_a_first_screen_is_put_back(title: str, left: list[Click | TypeText]) -> None:
    start = initial_world(0)
    fresh, used = SimWorld(), SimWorld()
    for world in (fresh, used):
        world.prepare(lambda _: start)
        assert try_move(world, Move("phone", OpenApp(title)))
    before = {(one.id, one.value) for one in fresh.envs["phone"].ui_tree()}
    assert all(try_move(used, Move("phone", intent)) for intent in left)
    assert {(one.id, one.value) for one in used.envs["phone"].ui_tree()} != before
    rehearsal = PathRehearsal.begin(used.state())
    assert put_back(rehearsal, Operation("open_app", "phone", title), start)
    assert {(one.id, one.value) for one in rehearsal.world.envs["phone"].ui_tree()} == before
    assert rehearsal.world.state().account == used.state().account
    again = PathRehearsal.begin(rehearsal.world.state())
    assert not put_back(again, Operation("open_app", "phone", title), start)


def test_a_path_is_played_only_as_far_as_something_is_chosen() -> None:
    path = [
        Operation("open_app", "phone", "Contacts"),
        Operation("click", "phone", "contacts/list/{contact}"),
        Operation("click", "phone", "contacts/contact/edit"),
    ]
    rehearsal = PathRehearsal.begin(initial_world(0))
    assert rehearsal.bind(path, lambda _hole, offers: "ana-silva" if "ana-silva" in offers else None) == 1
    assert rehearsal.bindings == {"contact": "ana-silva"}
    assert [move.intent for move in rehearsal.moves] == [OpenApp("Contacts")]
    assert rehearsal.bind(path, lambda _hole, _offers: None) == 0


def test_what_loads_is_told_by_the_state_as_by_the_screen() -> None:
    world = SimWorld()
    world.prepare(lambda _: load("phone", "settings/wifi/joining", 2.0)(initial_world(0)))
    assert all(
        try_move(world, Move("phone", intent)) for intent in (OpenApp("Settings"), Click(Ref("settings/main/wifi")))
    )
    for loads in (True, False):
        assert is_loading(world.state(), "phone") is loads
        assert any(one.role == "progressbar" for one in world.envs["phone"].ui_tree()) is loads
        assert not is_loading(world.state(), "desktop")
        world.wait(2.0)
