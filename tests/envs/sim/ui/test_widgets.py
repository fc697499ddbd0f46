"""Widgets of particular apps: walls, spreadsheets, tables, sliders, pictures, consoles."""

from __future__ import annotations

import pytest
from sim_hands import Hands
from sim_shown import show

from omnipilot.envs import Click, Drag, Point, Press, Scroll
from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.render import icons
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Widget
from omnipilot.envs.sim.ui.containers import ScrollView as ScrollBox
from omnipilot.envs.sim.ui.controls import Button
from omnipilot.envs.sim.ui.grid import CellGrid, TableRow, Wall, data_table
from omnipilot.envs.sim.ui.media_widgets import ConsoleView, Picture, Slider
from omnipilot.envs.sim.ui.navigation import remember
from omnipilot.envs.sim.ui.text_field import TextField


def value(hand: Hands, key: str) -> object:
    return hand.world.state().device(hand.env.name).values.get(key)


def test_a_wall_has_equal_columns_and_leaves_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(_: Ctx) -> Widget:
        days = [Button(f"trial/{n}", str(n), remember("phone", "trial/day", n)) for n in range(1, 32)]
        return ScrollBox("trial/scroll", Wall([Gap(), Gap(), *days], 7, 4))

    phone = show(monkeypatch, {"a": view})
    first, sixth, eighth = (phone.find(f"trial/{n}").box for n in (1, 6, 8))
    assert sixth.left == pytest.approx(0.0)
    assert eighth.left == pytest.approx(first.left)
    assert eighth.top > first.bottom
    assert {round(phone.find(f"trial/{n}").box.right - phone.find(f"trial/{n}").box.left, 6) for n in range(1, 32)} == {
        round(first.right - first.left, 6)
    }
    phone.tap("trial/31")
    assert value(phone, "trial/day") == 31


def test_a_long_wall_places_only_the_rows_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(_: Ctx) -> Widget:
        tiles = [Button(f"trial/{n}", str(n), remember("phone", "trial/n", n)) for n in range(400)]
        return ScrollBox("trial/scroll", Wall(tiles, 3, height=100))

    phone = show(monkeypatch, {"a": view})
    assert len(phone.ids()) < 40
    for _ in range(40):
        phone.do(Scroll("down", at=Point(0.5, 0.5), amount=10))
    phone.tap("trial/399")
    assert value(phone, "trial/n") == 399


def test_cells_are_picked_scrolled_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [[f"item {r}", str(r * 7)] for r in range(60)]

    def view(ctx: Ctx) -> Widget:
        picked = str(ctx.value("trial/cell"))
        at = (int(picked.split(",")[0]), int(picked.split(",")[1])) if picked else None
        twice = remember("desktop", "trial/twice", True)
        return Column(
            (
                CellGrid(
                    "trial/sheet",
                    cells,
                    "ABC",
                    lambda r, c: remember("desktop", "trial/cell", f"{r},{c}"),
                    at,
                    (200, 90, 90),
                    lambda r, c: twice,
                    lambda r, c: (("Clear", remember("desktop", "trial/clear", f"{r},{c}")),),
                ),
            )
        )

    desktop = show(monkeypatch, {"a": view}, "desktop")
    cell = desktop.find("trial/sheet/B4")
    assert (cell.role, cell.name, cell.value) == ("cell", "B4", "21")
    assert [e.name for e in desktop.env.ui_tree() if e.role == "columnheader"] == ["A", "B", "C"]
    desktop.tap("trial/sheet/B4")
    assert "selected" in desktop.find("trial/sheet/B4").states
    assert desktop.find("trial/sheet/C2").value == ""
    assert "trial/sheet/A60" not in desktop.ids()
    desktop.do(Scroll("down", at=desktop.at("trial/sheet/A5"), amount=50))
    desktop.tap("trial/sheet/A60", count=2)
    assert value(desktop, "trial/cell") == "59,0"
    assert value(desktop, "trial/twice") is True
    desktop.tap("trial/sheet/A60", button="right")
    desktop.tap("trial/sheet/A60/clear")
    assert value(desktop, "trial/clear") == "59,0"


def test_a_table_sorts_opens_and_says_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(ctx: Ctx) -> Widget:
        names = sorted(("Budget", "Agenda", "Minutes"), reverse=bool(ctx.value("trial/down", False)))
        records = [
            TableRow(
                id=f"trial/{name.lower()}",
                cells=(name, "Monday", "3 kB"),
                icon="document",
                do=remember("desktop", "trial/picked", name),
                double=remember("desktop", "trial/opened", name),
                selected=ctx.value("trial/picked") == name,
            )
            for name in names
        ]
        heads = (("Name", 3), ("Changed", 2), ("Size", 1))
        return data_table("trial/files", heads, records, lambda i: remember("desktop", "trial/down", i == 0))

    desktop = show(monkeypatch, {"a": view}, "desktop")
    row = desktop.find("trial/agenda")
    assert (row.role, row.name, row.value) == ("row", "Agenda", "Monday · 3 kB")
    assert row.box.top < desktop.find("trial/minutes").box.top
    desktop.tap("trial/files/sort/name")
    assert desktop.find("trial/agenda").box.top > desktop.find("trial/minutes").box.top
    desktop.tap("trial/agenda", count=2)
    assert (value(desktop, "trial/picked"), value(desktop, "trial/opened")) == ("Agenda", "Agenda")
    assert "selected" in desktop.find("trial/agenda").states
    lefts = {round(e.box.left, 4) for e in desktop.env.ui_tree() if e.name == "Monday"}
    assert lefts == {round(desktop.find("trial/files/sort/changed").box.left, 4)}


def slider(ctx: Ctx) -> Widget:
    device = ctx.device.name
    level = ctx.number("trial/level", 3)
    set = lambda n: remember(device, "trial/level", n)  # noqa: E731
    return PaddedBox(Column((Slider("trial/s", "Volume", level, 10, set),)), (50, 50))


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_a_slider_is_set_by_tap_drag_and_keys(monkeypatch: pytest.MonkeyPatch, device: str) -> None:
    hand = show(monkeypatch, {"a": slider}, device)
    box = hand.find("trial/s").box
    assert (hand.find("trial/s").role, hand.find("trial/s").value) == ("slider", "3 of 10")

    def along(share: float) -> Point:
        wide = box.right - box.left
        inset = 10 / hand.world.state().device(hand.env.name).size.width
        return Point(box.left + inset + (wide - 2 * inset) * share, box.center.y)

    for share in (0.0, 0.32, 0.5, 0.8, 1.0):
        hand.do(Click(along(share)))
        assert value(hand, "trial/level") == int(share * 10 + 0.5)
    hand.do(Drag(along(0.4), start=along(1.0)))
    assert value(hand, "trial/level") == 4
    hand.do(Drag(Point(0.99, 0.9), start=along(0.4)))
    assert value(hand, "trial/level") == 10
    hand.do(Click(along(0.5)), Press(("right",), repeat=2), Press(("left",)))
    assert value(hand, "trial/level") == 6
    hand.do(Press(("end",)), Press(("right",)))
    assert value(hand, "trial/level") == 10
    hand.do(Press(("home",)))
    assert hand.find("trial/s").value == "0 of 10"


def test_a_slider_that_is_not_enabled_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(_: Ctx) -> Widget:
        off = Slider("trial/s", "Volume", 3, 10, lambda n: remember("phone", "trial/level", n), enabled=False)
        return Column((off,))

    phone = show(monkeypatch, {"a": view})
    phone.tap("trial/s")
    phone.do(Drag(Point(0.9, 0.5), start=phone.at("trial/s")))
    assert value(phone, "trial/level") is None
    assert "disabled" in phone.find("trial/s").states


def test_a_picture_is_looked_at_or_tapped_where_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def put(state: WorldState, x: int, y: int) -> WorldState:
        return remember("phone", "trial/pin", f"{x} {y}")(state)

    def draw(p: object, x: int, y: int, w: int, h: int) -> None:
        p.rect(x, y, w, h, (255, 255, 255))  # type: ignore[attr-defined]

    def view(_: Ctx) -> Widget:
        still = Picture("trial/still", "Still", draw)
        door = Picture("trial/door", "Door", draw, do=remember("phone", "trial/door", True), selected=True)
        return Column((still, door, Picture("trial/map", "Map", draw, 200, tap_at=put)))

    phone = show(monkeypatch, {"a": view})
    assert {e.role for e in phone.env.ui_tree() if e.id and e.id.startswith("trial/")} == {"image"}
    phone.tap("trial/still")
    assert value(phone, "trial/door") is None
    phone.tap("trial/door")
    assert value(phone, "trial/door") is True
    box = phone.find("trial/map").box
    phone.do(Click(Point(box.left + 0.25 * (box.right - box.left), box.top + 0.75 * (box.bottom - box.top))))
    x, y = map(int, str(value(phone, "trial/pin")).split())
    assert abs(x - 250) <= 3
    assert abs(y - 750) <= 6


def test_a_console_shows_its_end_and_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(_: Ctx) -> Widget:
        lines = [f"line {n}" for n in range(200)]
        return Column((ConsoleView("trial/out", lines), TextField("trial/prompt", "$")))

    desktop = show(monkeypatch, {"a": view}, "desktop")
    texts = [e.name for e in desktop.env.ui_tree() if e.role == "text"]
    assert texts[-1] == "line 199"
    assert "line 10" not in texts
    desktop.do(Scroll("up", at=desktop.at("trial/out"), amount=100))
    texts = [e.name for e in desktop.env.ui_tree() if e.role == "text"]
    assert texts[0] == "line 0"
    assert desktop.find("trial/out").role == "log"


def test_every_icon_has_ink_and_differs_from_every_other() -> None:
    masks = {name: icons.draw(name, 24) for name in icons.ICONS}
    assert len(masks) >= 90
    assert all(mask.sum() > 20 * 256 for mask in masks.values())
    assert len({mask.tobytes() for mask in masks.values()}) == len(masks)
