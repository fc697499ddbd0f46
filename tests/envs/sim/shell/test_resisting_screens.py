"""Screens that resist: launchers, dialogs that come up, banners, tooltips, spinners, decoys."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from sim_hands import Hands, hands
from sim_shown import show

from omnipilot.envs import ActionRejected, Click, MouseMove, Point, Press, Scroll, Swipe, System, TypeText
from omnipilot.envs.sim.apps import registry as apps
from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.loading import load, when_loaded
from omnipilot.envs.sim.apps.question import ask, question, question_subject
from omnipilot.envs.sim.shell.arrivals import NoticeArrives, PopupArrives, dialog_answer
from omnipilot.envs.sim.state.world_state import View
from omnipilot.envs.sim.ui.containers import Column, Widget
from omnipilot.envs.sim.ui.controls import Button
from omnipilot.envs.sim.ui.decoys import Sign, offer
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.navigation import both, remember

UPDATE = PopupArrives("phone", "Update", "Install version 12 now?", ("Later", "Install"), "update")


def arrives(hand: Hands, effect: object, seconds: float = 0.1) -> None:
    hand.world.prepare(lambda s: s.later(seconds, effect))  # type: ignore[arg-type]
    hand.world.wait(seconds)


def crowd(monkeypatch: pytest.MonkeyPatch, device: str, count: int) -> None:
    for i in range(count):
        app = App(f"extra{i}", f"Extra {i}", "star", (90, 90, 200), device, {"a": lambda _: Label("Extra")})  # type: ignore[arg-type]
        monkeypatch.setitem(apps.APPS, app.name, app)


def test_every_app_of_the_phone_starts_from_its_home_screen() -> None:
    _, phone, _ = hands()
    for app in apps.apps_of("phone"):
        phone.do(System("home"))
        phone.tap(f"home/{app.name}")
        front = phone.world.state().phone.front
        assert front is not None
        assert front.app == app.name


def test_the_home_screen_has_four_columns_and_scrolls_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    _, phone, _ = hands()
    homes = [e for e in phone.env.ui_tree() if e.id and e.id.startswith("home/") and e.role == "button"]
    assert len({round(e.box.left, 3) for e in homes}) == min(4, len(homes))
    crowd(monkeypatch, "phone", 24)
    phone.world.wait(0.1)
    assert "home/extra23" not in phone.ids()
    phone.do(Swipe("up"))
    phone.tap("home/extra23")
    assert phone.look().context.app == "Extra 23"  # type: ignore[union-attr]


def test_an_icon_says_that_there_is_something_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(apps.APPS, "clock", replace(apps.APPS["clock"], news=lambda s: s.time > 5))
    _, phone, _ = hands()
    before = phone.look().screenshot
    phone.world.wait(6)
    at = phone.find("home/clock").box
    dot = Point(at.center.x + 0.063, at.top + 0.014).to_pixel(phone.env.size)
    assert before.array()[dot[1], dot[0]].tolist() != phone.look().screenshot.array()[dot[1], dot[0]].tolist()  # type: ignore[union-attr]


def test_every_app_of_the_desktop_starts_from_the_start_menu() -> None:
    _, _, desktop = hands()
    for app in apps.apps_of("desktop"):
        desktop.tap("taskbar/start")
        assert "launcher" in desktop.ids()
        desktop.tap(f"launcher/{app.name}")
        front = desktop.world.state().desktop.front
        assert front is not None
        assert front.app == app.name
        assert "launcher" not in desktop.ids()
        desktop.tap(f"window/{app.name}/close")


def test_the_start_menu_closes_and_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd(monkeypatch, "desktop", 30)
    _, _, desktop = hands()
    desktop.tap("taskbar/start")
    assert "expanded" in desktop.find("taskbar/start").states
    assert "launcher/terminal" not in desktop.ids()
    desktop.do(Scroll("down", at=desktop.at("launcher"), amount=20))
    desktop.tap("launcher/signals")
    for close in (Press(("esc",)), Click(Point(0.9, 0.1)), Click(desktop.at("taskbar/start"))):
        desktop.tap("taskbar/start")
        desktop.do(close)
        assert "launcher" not in desktop.ids()
    assert "window/signals/title" in desktop.ids()


def test_the_task_bar_shows_pinned_apps_and_running_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd(monkeypatch, "desktop", 14)
    _, _, desktop = hands()
    pinned = {f"taskbar/{app.name}" for app in apps.apps_of("desktop") if app.name in apps.PINNED}
    always = {"taskbar/start", "taskbar/clock"}
    assert {id for id in desktop.ids() if id.startswith("taskbar/")} == pinned | always
    desktop.open("extra3")
    assert {id for id in desktop.ids() if id.startswith("taskbar/")} == pinned | always | {"taskbar/extra3"}
    desktop.tap("taskbar/extra3")
    assert "window/extra3/title" not in desktop.ids()
    for i in range(14):
        desktop.open(f"extra{i}")
    boxes = [e.box for e in desktop.env.ui_tree() if e.id and e.id.startswith("taskbar/")]
    boxes.sort(key=lambda box: box.left)
    assert all(a.right <= b.left + 1e-9 for a, b in pairwise(boxes))


def test_a_dialog_of_the_system_stops_everything_until_it_is_answered() -> None:
    world, phone, _ = hands()
    phone.open("messages")
    phone.tap("messages/threads/new")
    phone.type("messages/new/search", "An")
    arrives(phone, UPDATE)
    assert set(phone.ids()) == {"alert/update/later", "alert/update/install"}
    with pytest.raises(ActionRejected):
        phone.do(TypeText("a"))
    before = world.state()
    phone.do(Click(Point(0.5, 0.2)), Swipe("up"))
    assert world.state().phone.front == before.phone.front
    assert world.state().phone.scrolls == before.phone.scrolls
    assert dialog_answer(world.state(), "phone", "update") == ""
    phone.tap("alert/update/install")
    assert dialog_answer(world.state(), "phone", "update") == "Install"
    phone.do(TypeText("a"))
    assert world.state().phone.fields["messages/new/search"].text == "Ana"


def test_back_and_escape_take_the_first_button_and_dialogs_queue() -> None:
    world, phone, desktop = hands()
    arrives(phone, UPDATE)
    arrives(phone, PopupArrives("phone", "Low battery", "7 % are left."))
    phone.do(System("back"))
    assert dialog_answer(world.state(), "phone", "update") == "Later"
    phone.tap("alert/low-battery/ok")
    assert world.state().phone.alerts == ()
    arrives(desktop, PopupArrives("desktop", "Sign in", "Sign in again.", ("Not now", "Sign in")))
    desktop.do(Press(("esc",)))
    assert dialog_answer(world.state(), "desktop", "sign-in") == "Not now"


def test_a_dialog_dims_what_is_behind_it_and_closes_menus() -> None:
    world, phone, desktop = hands()
    desktop.tap("taskbar/start")
    bright = phone.look().screenshot.array().astype(int)  # type: ignore[union-attr]
    arrives(phone, UPDATE)
    dim = phone.look().screenshot.array().astype(int)  # type: ignore[union-attr]
    assert (dim[:300] == bright[:300] * (256 - 104) // 256).all()
    arrives(desktop, PopupArrives("desktop", "Hello", "There."))
    assert "launcher" not in desktop.ids()
    assert not world.state().desktop.launcher


def test_wide_buttons_of_a_dialog_stand_in_a_column() -> None:
    _, phone, _ = hands()
    arrives(phone, PopupArrives("phone", "A", "B", ("Remind me in ten minutes", "Turn the saver on now"), "a"))
    first, second = phone.find("alert/a/remind-me-in-ten-minutes"), phone.find("alert/a/turn-the-saver-on-now")
    assert first.box.left == second.box.left
    assert second.box.bottom < first.box.top
    assert first.box.right <= 1


def test_a_banner_of_an_app_opens_it() -> None:
    world, phone, desktop = hands()
    arrives(phone, NoticeArrives("phone", "clock", "Timer", "Tea is ready"))
    assert phone.find("banner").name == "Timer: Tea is ready"
    phone.tap("banner")
    assert world.state().phone.front.app == "clock"  # type: ignore[union-attr]
    mail = world.state().account.folder("inbox")[2]
    arrives(desktop, NoticeArrives("desktop", "mail", "Reminder", mail.subject, View("inbox", mail.id)))
    assert world.state().desktop.sounds[-1].name == "chime"
    desktop.tap("banner")
    assert desktop.find("mail/read/subject").name == mail.subject
    arrives(desktop, NoticeArrives("desktop", "mail", "Reminder", "Gone in a moment"))
    world.wait(5)
    assert "banner" not in desktop.ids()


def test_a_pointer_that_rests_on_an_icon_brings_up_its_tooltip() -> None:
    _, phone, desktop = hands()
    desktop.open("mail")
    assert "tooltip" not in desktop.ids()
    desktop.do(MouseMove(desktop.at("taskbar/signals")))
    tip = desktop.find("tooltip")
    assert (tip.role, tip.name) == ("tooltip", "Signals")
    assert "tooltip" in desktop.ids()
    texts = [op[3] for op in desktop.env._capture.scene(desktop.world.state()).ops if op[0] == "text"]
    assert "Signals" in texts
    desktop.do(MouseMove(desktop.at("mail/compose")))
    assert "tooltip" not in desktop.ids()
    desktop.do(MouseMove(desktop.at("window/mail/close")))
    assert desktop.find("tooltip").name == "Close Mail"
    desktop.do(Click())
    assert "tooltip" not in desktop.ids()
    phone.open("messages")
    phone.tap("messages/threads/new")
    assert "tooltip" not in phone.ids()


def test_a_page_loads_for_as_long_as_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(ctx: Ctx) -> Widget:
        start = both(load("phone", "trial/loading", 2), remember("phone", "trial/page", 1))
        page = Label(f"Page {ctx.number('trial/page')}", role="heading", id="trial/page")
        return Column((Button("trial/go", "Go", start), when_loaded(ctx, "trial/loading", lambda: page)))

    phone = show(monkeypatch, {"a": view})
    assert phone.find("trial/page").name == "Page 0"
    phone.tap("trial/go")
    assert "progressbar" in {e.role for e in phone.env.ui_tree()}
    assert "trial/page" not in phone.ids()
    began = phone.world.now
    phone.world.wait(1.6)
    video = phone.look(began).video
    assert len({frame.digest for frame in video.frames}) >= 8  # type: ignore[union-attr]
    assert "trial/page" not in phone.ids()
    phone.world.wait(0.2)
    assert phone.find("trial/page").name == "Page 1"


def test_a_question_is_asked_before_something_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(ctx: Ctx) -> Widget:
        page = Column((Button("trial/delete", "Delete", ask("phone", "trial/sure", "file-7")),))
        doomed = question_subject(ctx, "trial/sure")
        gone = remember("phone", "trial/gone", doomed)
        return question(page, ctx, "trial/sure", "Delete it?", f"{doomed} will be gone.", "Delete", gone)

    phone = show(monkeypatch, {"a": view})
    for no in (lambda: phone.tap("trial/sure/no"), lambda: phone.do(System("back"))):
        phone.tap("trial/delete")
        assert "trial/delete" not in phone.ids()
        no()
        assert "trial/delete" in phone.ids()
        assert "trial/gone" not in phone.world.state().phone.values
    phone.tap("trial/delete")
    phone.tap("trial/sure/yes")
    assert phone.world.state().phone.values["trial/gone"] == "file-7"
    assert "trial/delete" in phone.ids()


def test_decoys_look_like_controls_and_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(_: Ctx) -> Widget:
        real = Button("trial/pay", "Pay", remember("phone", "trial/paid", True), style="filled")
        advert = offer("trial/offer", "Club", "Save more", "Pay", remember("phone", "trial/club", True))
        return Column((real, Sign("Pay", style="filled"), advert))

    phone = show(monkeypatch, {"a": view})
    same = [e for e in phone.env.ui_tree() if e.name == "Pay"]
    assert [e.role for e in same] == ["button", "text", "button"]
    picture = phone.look().screenshot.array()  # type: ignore[union-attr]
    real, sign = (e.box.to_pixels(phone.env.size) for e in same[:2])
    crops = [picture[round(t) : round(b), round(left) : round(r)] for left, t, r, b in (real, sign)]
    assert (crops[0] == crops[1]).all()
    before = phone.world.state().phone
    phone.do(Click(same[1].box.center))
    assert phone.world.state().phone == before
    phone.tap("trial/offer")
    assert dict(phone.world.state().phone.values) == {"trial/club": True}


def test_the_shop_offers_another_product_in_the_words_of_its_own_button() -> None:
    world, _, desktop = hands()
    wanted, *_ = (one for one in world.state().account.products if one.stock)
    desktop.open("browser")
    desktop.type("browser/address", f"shop.example/{wanted.id}", clear=True)
    desktop.do(Press(("enter",)))
    world.wait(5)
    own, other = (e for e in desktop.env.ui_tree() if e.name == "Add to cart")
    assert own.id == "browser/shop/add" and other.id == "browser/shop/offer"
    desktop.tap("browser/shop/offer")
    assert [line.id for line in world.state().account.cartlines] not in ([], [wanted.id])
