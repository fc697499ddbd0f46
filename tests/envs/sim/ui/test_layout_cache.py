"""Screens of which pieces are kept: always what they would be if everything was laid out anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from sim_hands import Hands, hands
from speed_sim import work

from omnipilot.envs import Drag, LongPress, Modality, MouseMove, Point, Press, Scroll
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.move_memo import MoveMemo
from omnipilot.envs.sim.shell.screen import make_scene
from omnipilot.envs.sim.state.dependency_tracking import Watched, ask
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.sim.state.world_state import DeviceName, Field, WorldState
from omnipilot.envs.sim.ui.layout_cache import LayoutCache
from omnipilot.envs.sim.ui.scene import Scene

DEVICES: tuple[DeviceName, ...] = ("phone", "desktop")


def facts(scene: Scene) -> tuple[Any, ...]:
    """Everything about a scene that can be compared: of what controls do, whether they do it."""
    controls = [
        (
            (c.id, c.rect, c.name, c.window, c.enabled, c.hint, c.payload, c.menu == (), c.options == ()),
            [text for text, _ in (*c.menu, *c.options)],
            [do is None for do in (c.tap, c.double, c.drag, c.drop, c.tap_at, c.area)],
        )
        for c in scene.controls
    ]
    return scene.ops, scene.raw, controls, scene.scrollers, sorted(scene.shortcuts), scene.modal, scene.until


class Both:
    """Makes each scene with pieces kept and without, and compares."""

    def __init__(self) -> None:
        self.kept = {device: LayoutCache() for device in DEVICES}

    def check(self, state: WorldState) -> None:
        for device in DEVICES:
            assert facts(make_scene(state, device, self.kept[device])) == facts(make_scene(state, device))


def test_what_is_kept_is_what_would_be_made() -> None:
    world, both = SimWorld(), Both()
    world.reset(0)
    for name, action in work(120):
        world.envs[name].act(action)
        both.check(world.state())


def test_menus_tooltips_drags_and_dialogs_are_made_anew() -> None:
    world, phone, desktop = hands()
    both = Both()
    desktop.open("Mail")
    desktop.open("Text Editor")
    phone.open("Messages")
    both.check(world.state())
    title = desktop.at("window/editor/title")
    for env, action in (
        (desktop, MouseMove(desktop.at("window/editor/close"))),
        (desktop, MouseMove(Point(0.5, 0.99))),
        (desktop, Drag(title, Point(title.x + 0.1, title.y + 0.1))),
        (phone, LongPress(phone.at(next(id for id in phone.ids() if id.startswith("messages/threads/"))))),
        (phone, Press(("esc",))),
        (phone, Scroll("down")),
        (desktop, Press(("ctrl", "n"))),
    ):
        env.env.act(action)
        both.check(world.state())
    before = world.state()
    both.check(before.looking(Look("dark")))
    both.check(before.looking(Look("light", "large")))
    world.wait(3600.0)
    both.check(world.state())
    both.check(before)


def test_a_film_is_the_same_with_pieces_kept() -> None:
    world, _, desktop = hands()
    desktop.open("Signals")
    both = Both()
    desktop.tap("signals/ball/play")
    desktop.tap("signals/lamp/start")
    for tenth in range(40):
        both.check(replace(world.state(), time=world.now + tenth / 10))


def test_pieces_are_kept_at_all_and_their_number_does_not_grow() -> None:
    world = SimWorld()
    world.reset(0)
    hand, kept = Hands(world, "desktop"), LayoutCache()
    hand.open("Mail")
    hand.open("Text Editor")
    first = make_scene(world.state(), "desktop", kept)
    world.wait(0.5)
    second = make_scene(world.state(), "desktop", kept)
    assert second.layout is first.layout
    hand.env.act(Press(("tab",)))
    third = make_scene(world.state(), "desktop", kept)
    shared = [piece for piece in third.layout.pieces if any(piece is other for other in first.layout.pieces)]
    assert 0 < len(shared) < len(third.layout.pieces)
    sizes = []
    for _ in range(3):
        for name, action in work(60):
            if name == "desktop":
                hand.env.act(action)
            make_scene(world.state(), "desktop", kept)
        sizes.append(len(kept))
    assert sizes[1] == sizes[2] < 100


def test_a_world_that_is_put_back_shows_what_it_showed() -> None:
    world, _, desktop = hands()
    desktop.open("Mail")
    put_aside = world.snapshot()
    seen = desktop.env.observe(set(Modality), 0.0)
    for name, action in work(40):
        world.envs[name].act(action)
    world.restore(put_aside)
    again = desktop.env.observe(set(Modality), 0.0)
    assert (again.screenshot, again.elements, again.video) == (seen.screenshot, seen.elements, seen.video)


def test_a_new_world_keeps_nothing_of_the_old_one() -> None:
    world, _, desktop = hands()
    desktop.open("Mail")
    desktop.look()
    assert desktop.env._capture._kept
    world.reset(0)
    assert not desktop.env._capture._kept and not desktop.env._capture._past


def test_worlds_that_share_pieces_take_turns_and_do_what_they_would_do_alone() -> None:
    memo = MoveMemo(8, pieces=4)
    together, alone = [SimWorld(memo=memo), SimWorld(memo=memo)], [SimWorld(), SimWorld()]
    for seed in (0, 1):
        for world in (together[seed], alone[seed]):
            world.reset(seed)
    for name, action in work(60):
        for one, other in zip(together, alone, strict=True):
            one.envs[name].act(action)
            other.envs[name].act(action)
            assert one.state() == other.state()
            for device in DEVICES:
                assert one.envs[device].ui_tree() == other.envs[device].ui_tree()
                assert one.envs[device].out_of_sight() == other.envs[device].out_of_sight()
    fork = together[0].fork()
    fork.wait(1.0)
    shared = fork.envs["desktop"].scene().layout
    assert shared is together[0].envs["desktop"].scene().layout, "the fork laid out anew what another one had shown"
    piece = memo.layouts("desktop")
    assert piece is not None and piece.laid_out is together[0].state()


@pytest.fixture
def state() -> WorldState:
    world = SimWorld()
    world.reset(0)
    return world.state()


def watched(state: WorldState) -> tuple[Watched, WorldState]:
    seen = Watched(state)
    return seen, cast(WorldState, seen)


def test_only_what_was_read_counts(state: WorldState) -> None:
    seen, read = watched(state)
    assert read.account.contact("nobody") is None
    assert read.device("phone").fields.get("a") is None
    seen.close()
    assert seen.same(replace(state, time=5.0))
    assert seen.same(state.own(replace(state.account, mails=())))
    assert seen.same(state.on("phone", fields=state.phone.fields.set("b", Field("x"))))
    assert seen.same(state.on("desktop", focus="x"))
    assert not seen.same(state.own(replace(state.account, contacts=())))
    assert not seen.same(state.on("phone", fields=state.phone.fields.set("a", Field("x"))))


def test_a_table_that_was_read_as_a_whole_counts_as_a_whole(state: WorldState) -> None:
    seen, read = watched(state)
    assert list(read.phone.fields) == []
    assert len(read.desktop.values.set("k", 1)) == 1
    seen.close()
    assert not seen.same(state.on("phone", fields=state.phone.fields.set("b", Field("x"))))
    assert not seen.same(state.on("desktop", values=state.desktop.values.set("k", 1)))


def test_of_a_question_the_answer_counts(state: WorldState) -> None:
    seen, read = watched(state)
    assert read.clock() == state.clock()
    assert ask(read, lambda now, least: now.time >= least, 30.0) is False
    seen.close()
    assert seen.same(replace(state, time=20.0))
    assert not seen.same(replace(state, time=40.0))
    assert not seen.same(replace(state, time=60.0))


def test_a_changed_copy_is_of_the_record_itself(state: WorldState) -> None:
    seen, read = watched(state)
    assert read.account.mails == state.account.mails
    assert read.own(read.account.changed(mails=())) == state.own(replace(state.account, mails=()))
    assert type(read.on("phone", focus="x").phone) is type(state.phone)
    with pytest.raises(TypeError, match="should be called on dataclass instances"):
        replace(read, time=1.0)
    seen.close()
    assert not seen.same(replace(state, time=1.0))


def test_what_is_read_late_is_read_of_the_last_state(state: WorldState) -> None:
    seen, read = watched(state)
    account = read.account
    assert account.mails
    seen.close()
    later = replace(state.own(replace(state.account, contacts=())), time=7.0)
    assert seen.same(later)
    seen.rebind(later)
    assert (read.time, account.contacts, account.mails) == (7.0, (), state.account.mails)
    assert seen.same(state)
