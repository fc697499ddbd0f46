"""Browser's goals, played on its sites; and how it moves between pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sim_desktop_goals import Goal, Play, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import Click, Point, Select
from omnipilot.envs.sim.apps.sites import routes
from omnipilot.envs.sim.state import shop
from omnipilot.envs.sim.state.desktop_data import Place, Product
from omnipilot.envs.sim.state.world_state import WorldState


def visit(desktop: Hands, url: str) -> None:
    desktop.type("browser/address", url, clear=True, submit=True)
    desktop.world.wait(1.0)


def product(state: WorldState, name: str) -> Product:
    return next(product for product in state.account.products if product.name == name)


def place(state: WorldState, name: str) -> Place:
    found = routes.place_of(state.account, name)
    assert found is not None
    return found


def url(state: WorldState) -> str:
    window = state.desktop.window("browser")
    assert window is not None
    return window.view.arg


def into_cart(desktop: Hands, state: WorldState, name: str, count: int = 1) -> None:
    visit(desktop, "shop.example")
    desktop.type("browser/shop/search", name.split(",")[0], clear=True)
    desktop.tap(f"browser/shop/item/{product(state, name).id}", *["browser/shop/count/more"] * (count - 1))
    desktop.tap("browser/shop/add")


def stocked(state: WorldState) -> tuple[str, str]:
    """The names of two variants of a product that can both be bought."""
    all_ = state.account.products
    return next((a.name, b.name) for a, b in zip(all_[::2], all_[1::2], strict=True) if a.stock >= 2 and b.stock >= 2)


def buys(which: int, count: int) -> Play:
    return lambda desktop, start: into_cart(desktop, start, stocked(start)[which], count)


def in_cart(start: WorldState, now: WorldState) -> dict[str, int]:
    return {product.name: count for product, count in shop.cart(now.account)}


def order(delivery: str, voucher: bool = False, really: bool = True) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        into_cart(desktop, start, stocked(start)[0], 2)
        code = ""
        if voucher:
            visit(desktop, "help.example")
            desktop.type("browser/help/search", "Vouchers")
            desktop.tap(next(id for id in desktop.ids() if id.startswith("browser/help/item/")))
            code = next(w for w in desktop.find("browser/help/article").name.split() if w.startswith("SPRING"))
            visit(desktop, "shop.example/cart")
        else:
            desktop.tap("browser/shop/cart")
        desktop.tap("browser/shop/checkout")
        desktop.type("browser/shop/name", "Ana Silva")
        desktop.type("browser/shop/address", "Mill Lane 3")
        desktop.do(Select(desktop.at("browser/shop/delivery"), delivery))
        if voucher:
            desktop.type("browser/shop/voucher", code)
        desktop.tap("browser/shop/place", f"browser/shop/order/{'yes' if really else 'no'}")

    return play


def ordered(delivery: str, off: int, fee: int) -> Callable[[WorldState, WorldState], bool]:
    def reached(start: WorldState, now: WorldState) -> bool:
        wanted = product(start, stocked(start)[0])
        goods = 2 * wanted.cents
        return any(
            one.lines == ((wanted.id, 2),)
            and (one.name, one.address, one.delivery) == ("Ana Silva", "Mill Lane 3", delivery)
            and one.cents == goods - goods * off // 100 + fee
            for one in now.account.orders
        )

    return reached


def change_cart(desktop: Hands, start: WorldState) -> None:
    first, second = stocked(start)
    into_cart(desktop, start, first, 2)
    into_cart(desktop, start, second)
    one, two = (f"browser/shop/cart/{product(start, name).id}" for name in (first, second))
    desktop.tap("browser/shop/cart", f"{one}/less", f"{two}/more", f"{one}/remove")


def save_nearest(kind: str) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        visit(desktop, "maps.example")
        desktop.type("browser/maps/search", "Hotel Fjord")
        desktop.tap(f"browser/maps/item/{place(start, 'Hotel Fjord').id}")
        desktop.do(Select(desktop.at("browser/maps/near"), kind))
        row = next(id for id in desktop.ids() if id.startswith("browser/maps/item/"))
        desktop.tap(row, "browser/maps/save")

    return play


def saved(state: WorldState) -> list[str]:
    return [place.name for place in state.account.places if place.saved]


def keep_route(mode: str, swap: bool = False) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        visit(desktop, f"maps.example/{place(start, 'Café Linden').id}")
        desktop.tap("browser/maps/there")
        desktop.type("browser/maps/from", "harbour st")
        desktop.tap(f"browser/maps/from/{place(start, 'Harbour Station').id}", f"browser/maps/mode/{mode}")
        desktop.tap(*["browser/maps/swap"] * swap, "browser/maps/keep")

    return play


def kept_route(start: WorldState, now: WorldState) -> bool:
    begin, end = place(start, "Harbour Station"), place(start, "Café Linden")
    way = (begin.id, end.id, "Bike", routes.metres(begin, end), routes.minutes(begin, end, "Bike"))
    return way in [(r.start, r.end, r.mode, r.metres, r.minutes) for r in now.account.routes]


def vote(title: str) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        visit(desktop, "help.example")
        article = next(article for article in start.account.articles if article.title == title)
        reach(desktop, f"browser/help/item/{article.id}", "browser/help/filter")
        desktop.tap(f"browser/help/item/{article.id}", "browser/help/yes")

    return play


def ask(desktop: Hands, _: WorldState) -> None:
    visit(desktop, "help.example")
    desktop.tap("browser/help/write")
    desktop.do(Select(desktop.at("browser/help/topic"), "Orders"))
    desktop.type("browser/help/text", "Where is my kettle?")
    desktop.tap("browser/help/send")


def star(desktop: Hands, start: WorldState) -> None:
    visit(desktop, f"maps.example/{place(start, 'Toy Museum').id}")
    desktop.tap("browser/star")


def clear_history(desktop: Hands, _: WorldState) -> None:
    desktop.tap("browser/history", "browser/history/clear")


GOALS = (
    Goal("two of one", buys(0, 2), lambda start, now: in_cart(start, now) == {stocked(start)[0]: 2}, buys(1, 2)),
    Goal("one of the other", buys(1, 1), lambda start, now: in_cart(start, now) == {stocked(start)[1]: 1}, buys(0, 1)),
    Goal("order by express", order("Express"), ordered("Express", 0, 990), order("Standard")),
    Goal("order with a voucher", order("Pick-up", True), ordered("Pick-up", 10, 0), order("Pick-up")),
    Goal("order for sure", order("Standard"), ordered("Standard", 0, 490), order("Standard", really=False)),
    Goal("change the cart", change_cart, lambda start, now: in_cart(start, now) == {stocked(start)[1]: 2}),
    Goal(
        "save the nearest pharmacy",
        save_nearest("Pharmacy"),
        lambda start, now: (
            saved(now) == [routes.nearest(start.account, place(start, "Hotel Fjord"), "Pharmacy")[0].name]
        ),
        save_nearest("Bakery"),
    ),
    Goal("keep a way by bike", keep_route("bike"), kept_route, keep_route("bike", swap=True)),
    Goal(
        "praise one article",
        vote("Return a gift"),
        lambda _, now: [a.title for a in now.account.articles if a.vote == "yes"] == ["Return a gift"],
        vote("Return a product"),
    ),
    Goal("write to the desk", ask, lambda _, now: "Orders" in [ticket.topic for ticket in now.account.tickets]),
    Goal(
        "bookmark the museum",
        star,
        lambda start, now: now.account.bookmarks[-1].id == f"maps.example/{place(start, 'Toy Museum').id}",
    ),
    Goal("forget the history", clear_history, lambda _, now: not now.account.visits),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "browser")


def test_back_and_forward_and_a_page_that_loads() -> None:
    world, _, desktop = hands()
    desktop.open("browser")
    desktop.tap("browser/start/help")
    assert "progressbar" in [element.role for element in desktop.env.ui_tree()]
    world.wait(1.0)
    desktop.tap("browser/help/write", "browser/back")
    assert url(world.state()) == "help.example"
    desktop.tap("browser/forward")
    assert url(world.state()) == "help.example/write"
    assert "disabled" in desktop.find("browser/forward").states
    desktop.tap("browser/back", "browser/back")
    assert desktop.find("browser/address").value == "home.example"
    assert "disabled" in desktop.find("browser/back").states
    desktop.tap("browser/mark/shop.example")
    assert "disabled" in desktop.find("browser/forward").states
    visits = [visit.url for visit in world.state().account.visits[-6:]]
    assert visits[-3:] == ["help.example", "home.example", "shop.example"]


def test_an_address_is_tidied_and_an_unknown_one_is_said() -> None:
    world, _, desktop = hands()
    desktop.open("browser")
    visit(desktop, "https://www.Shop.example/cart/")
    assert url(world.state()) == "shop.example/cart"
    visit(desktop, "elsewhere.example")
    assert "elsewhere.example was not found. Is the address right?" in [e.name for e in desktop.env.ui_tree()]


def test_a_click_on_a_pin_shows_its_place() -> None:
    world, _, desktop = hands()
    desktop.open("browser")
    visit(desktop, "maps.example")
    box, wanted = desktop.find("browser/maps/map").box, place(world.state(), "North Park")
    x = box.left + (box.right - box.left) * wanted.x / routes.WIDTH
    y = box.top + (box.bottom - box.top) * wanted.y / routes.HEIGHT
    desktop.do(Click(Point(x, y)))
    assert url(world.state()) == f"maps.example/{wanted.id}"


def test_the_checkout_wants_name_address_and_a_true_voucher() -> None:
    world, _, desktop = hands()
    desktop.open("browser")
    into_cart(desktop, world.state(), stocked(world.state())[0])
    desktop.tap("browser/shop/cart", "browser/shop/checkout", "browser/shop/place")
    assert "browser/shop/order/yes" not in desktop.ids()
    desktop.type("browser/shop/name", "A")
    desktop.type("browser/shop/address", "B")
    desktop.type("browser/shop/voucher", "SPRING0")
    desktop.tap("browser/shop/place")
    assert "This voucher is not valid" in [element.name for element in desktop.env.ui_tree()]
    assert not world.state().account.orders
    sold = next(product for product in world.state().account.products if not product.stock)
    visit(desktop, f"shop.example/{sold.id}")
    assert "disabled" in desktop.find("browser/shop/add").states
