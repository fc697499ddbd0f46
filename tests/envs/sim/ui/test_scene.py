"""Picture, element tree and hit test come from one layout and never disagree."""

from __future__ import annotations

import random

import pytest
from sim_hands import Hands, hands
from sim_screens import screens

from omnipilot.envs import Click, Drag, Point, Scroll, Size, Swipe
from omnipilot.envs.sim.render.display_list import Op
from omnipilot.envs.sim.render.rasterizer import IncrementalRenderer, bounds, damaged_area
from omnipilot.envs.sim.shell.screen import make_scene
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.containers import ScrollView as ScrollBox
from omnipilot.envs.sim.ui.controls import Button, Switch, TabBar, Tile
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.navigation import remember
from omnipilot.envs.sim.ui.pointer import activate
from omnipilot.envs.sim.ui.scene import Do, Scene

REACTING = {"button", "listitem", "treeitem", "textbox", "switch", "checkbox", "tab", "menuitem", "option", "combobox"}
REACTING |= {"titlebar", "article"}


def scene_of(hand: Hands) -> Scene:
    return make_scene(hand.world.state(), hand.env.name)


def test_the_middle_of_every_listed_control_hits_it() -> None:
    checked = 0
    for name, hand in screens():
        scene = scene_of(hand)
        listed = [e for e in scene.elements if e.role in REACTING]
        assert len({e.id for e in listed}) == len(listed), f"{name}: ids repeat"
        for element in listed:
            hit = scene.hit(*element.box.center.to_pixel(scene.size))
            assert hit is not None and hit.id == element.id, f"{name}: {element.id} is behind {hit and hit.id}"
            checked += 1
    assert checked > 200


def test_what_is_not_listed_is_not_hit_by_its_name() -> None:
    """Every control that a pixel can reach in its middle is listed."""
    for name, hand in screens():
        scene = scene_of(hand)
        listed = {e.id for e in scene.elements}
        for control in scene.controls:
            x, y = (control.rect[0] + control.rect[2]) // 2, (control.rect[1] + control.rect[3]) // 2
            if control.id and scene.hit(x, y) is control:
                assert control.id in listed, f"{name}: {control.id}"


def test_every_listed_text_is_drawn_inside_the_screen() -> None:
    for name, hand in screens():
        scene = scene_of(hand)
        drawn = " ".join(op[3] for op in scene.ops if op[0] == "text")
        for element in scene.elements:
            assert element.name, f"{name}: a nameless {element.role}"
            if element.role in ("text", "heading") and element.id != "home/day":
                assert all(word in drawn for word in element.name.split()), f"{name}: {element.name}"


def test_a_tap_on_nothing_changes_nothing() -> None:
    world, phone, _ = hands()
    before = world.state()
    phone.do(Click(Point(0.5, 0.9)))
    after = world.state()
    assert (after.phone, after.desktop, after.account) == (before.phone, before.desktop, before.account)


def test_painting_only_the_difference_gives_the_same_pixels() -> None:
    for device in ("phone", "desktop"):
        lists = [scene_of(hand).ops for _, hand in screens() if hand.env.name == device]
        size = hands()[1 if device == "phone" else 2].env.size
        renderer = IncrementalRenderer(size, device)
        dice = random.Random(7)
        for ops in [*lists, *(dice.choice(lists) for _ in range(30))]:
            assert renderer.paint(ops, 0.0) == IncrementalRenderer(size, device).paint(ops, 0.0)


def test_a_change_of_clips_paints_everything() -> None:
    whole = (0, 0, 100, 100)
    rect: Op = ("rect", 1, 2, 3, 4, (0, 0, 0), 0, None)
    assert damaged_area((rect,), (rect,), whole) is None
    assert damaged_area((), (rect,), whole) == (1, 2, 4, 6)
    assert damaged_area((rect,), (("clip", 0, 0, 5, 5), rect), whole) == whole
    clipped: tuple[Op, ...] = (("clip", 0, 0, 50, 5), rect, ("unclip",))
    assert damaged_area((), clipped, whole) == (0, 0, 50, 6)


def test_nothing_is_drawn_outside_the_bounds_of_an_operation() -> None:
    size = Size(200, 120)
    ops: list[Op] = [
        *(("text", 20, 40, "Wjgy Åbf", (0, 0, 0), s, w, None) for s in (11, 14, 18, 40) for w in ("regular", "bold")),
        ("text", 20, 40, "A text that is cut", (0, 0, 0), 14, "regular", 60),
        ("circle", 60, 60, 30, (0, 0, 0)),
        ("line", 30, 30, 90, 70, (0, 0, 0), 5),
        ("line", 30, 90, 90, 90, (0, 0, 0), 4),
        ("icon", "bell", 40, 40, 22, (0, 0, 0)),
        ("shadow", 50, 40, 80, 40, 8),
        ("rect", 20, 20, 60, 40, (0, 0, 0), 12, (9, 9, 9)),
    ]
    blank = IncrementalRenderer(size, "").paint((), 0.0).array()
    for op in ops:
        picture = IncrementalRenderer(size, "").paint((op,), 0.0).array()
        box = bounds(op)
        assert box is not None
        changed = (picture != blank).any(axis=2)
        assert changed.any(), op
        changed[max(box[1], 0) : box[3], max(box[0], 0) : box[2]] = False
        assert not changed.any(), op


def lay(widget: object, w: int = 412, h: int = 300) -> tuple[Painter, WorldState]:
    state = hands()[0].state()
    painter = Painter(state, state.phone)
    widget.place(painter, 0, 0, w, h)  # type: ignore[attr-defined]
    return painter, state


def test_rows_and_columns_share_what_is_left() -> None:
    row = Row((Label("A", flex=1), Gap(50), Label("B", flex=3)), gap=5)
    painter, _ = lay(row, 400, 40)
    boxes = {name: r for _, name, r, *_ in painter.raw}
    assert (boxes["A"][0], boxes["A"][2]) == (0, 85)
    assert (boxes["B"][0], boxes["B"][2]) == (145, 400)
    column = Column((Label("top"), Gap(flex=1), Label("end")))
    painter, _ = lay(column, 400, 200)
    boxes = {name: r for _, name, r, *_ in painter.raw}
    assert boxes["top"][1] == 0
    assert boxes["end"][3] == 200


def acts(widget: Widget, *clicks: tuple[int, int, int]) -> WorldState:
    """The state after clicks (x, y, count) on a widget that fills the top of the phone."""
    painter, state = lay(widget)
    scene = painter.finish()
    for x, y, count in clicks:
        state = activate(state, "phone", scene, x, y, count)
    return state


def test_controls_carry_what_they_do() -> None:
    def keep(name: str) -> Do:
        return remember("phone", name, True)

    tabs = TabBar([("t/a", "First", keep("a")), ("t/b", "Second", keep("b"))], "t/a")
    assert dict(acts(tabs, (300, 20, 1)).phone.values) == {"b": True}
    painter, _ = lay(tabs)
    assert [(name, "selected" in states) for _, name, _, states, *_ in painter.raw] == [
        ("First", True),
        ("Second", False),
    ]
    box = Switch("c", "Agree", True, keep("c"), box=True)
    painter, _ = lay(box)
    assert painter.raw[0][0] == "checkbox"
    assert painter.raw[0][3] == {"checked"}
    assert dict(acts(box, (20, 20, 1)).phone.values) == {"c": True}
    tile = Tile("d", "Row", Gap(40), keep("once"), double=keep("twice"))
    assert dict(acts(tile, (20, 20, 1)).phone.values) == {"once": True}
    assert dict(acts(tile, (20, 20, 2)).phone.values) == {"once": True, "twice": True}
    assert dict(acts(Button("e", "Off", keep("e"), enabled=False), (20, 20, 1)).phone.values) == {}


def test_what_is_scrolled_away_is_not_listed() -> None:
    tall = ScrollBox("s", Column([PaddedBox(Label(f"row {i}"), (0, 15)) for i in range(40)]))
    painter, _ = lay(tall)
    names = [item[1] for item in painter.raw]
    assert names == [f"row {i}" for i in range(6)]
    assert painter.scrollers[0].most == 40 * 50 - 300


@pytest.mark.parametrize("verb", [Scroll("down", at=Point(0.5, 0.5), amount=100), Swipe("up")])
def test_scrolling_stops_at_the_end_and_shows_the_last_row(verb: Scroll[Point] | Swipe[Point]) -> None:
    world, phone, _ = hands()
    phone.open("messages")
    phone.tap("messages/threads/new")
    last = max(world.state().account.contacts, key=lambda contact: contact.name)
    assert f"messages/new/{last.id}" not in phone.ids()
    for _ in range(5):
        phone.do(verb)
    assert f"messages/new/{last.id}" in phone.ids()
    before = phone.look().screenshot
    phone.do(verb)
    assert phone.look().screenshot == before
    phone.do(Scroll("up", amount=3, unit="page"))
    first = min(world.state().account.contacts, key=lambda contact: contact.name)
    assert f"messages/new/{first.id}" in phone.ids()


def test_nothing_scrolls_behind_what_covers_it() -> None:
    world, _, desktop = hands()
    desktop.open("mail")
    place = desktop.at(f"mail/list/{world.state().account.folder('inbox')[4].id}")
    desktop.open("signals")
    desktop.do(Drag(Point(place.x, 0.2), start=desktop.at("window/signals/title")))
    before = world.state().desktop.scrolls
    desktop.do(Scroll("down", at=place))
    assert world.state().desktop.scrolls == before
    desktop.tap("window/signals/close")
    desktop.do(Scroll("down", at=place))
    assert world.state().desktop.scrolls != before


def test_a_long_list_of_rows_alike_is_laid_out_as_any_other() -> None:
    for offset in (0, 30, 333, 10_000):
        found = []
        for alike in (False, True):
            rows = [PaddedBox(Label(f"row {i}"), (0, 15)) for i in range(100)]
            state = hands()[0].state()
            state = state.on("phone", scrolls=state.phone.scrolls.set("s", offset))
            painter = Painter(state, state.phone)
            ScrollBox("s", Column(rows, 7, alike=alike)).place(painter, 0, 40, 412, 300)
            found.append((painter.ops, painter.raw, painter.scrollers))
        assert found[0] == found[1]
