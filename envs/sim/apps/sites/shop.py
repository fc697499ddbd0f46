"""shop.example in the browser: catalogue, products, cart, checkout, orders."""

from __future__ import annotations

from typing import get_args

from omnipilot.envs.sim.apps.base import Ctx, typed_text
from omnipilot.envs.sim.apps.question import ask, question
from omnipilot.envs.sim.apps.sites.browsing import visit
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state import shop
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.desktop_data import CartLine, Delivery, Product
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, IconButton, Tile
from omnipilot.envs.sim.ui.decoys import Sign, offer
from omnipilot.envs.sim.ui.display_widgets import Divider, Label
from omnipilot.envs.sim.ui.grid import Wall
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.media_widgets import Picture
from omnipilot.envs.sim.ui.navigation import both, forget, remember
from omnipilot.envs.sim.ui.panels import card, empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.sim.words.desktop import CATEGORIES

SITE = "shop.example"
KEY = "browser/shop"
NAME, ADDRESS, CODE = f"{KEY}/name", f"{KEY}/address", f"{KEY}/voucher"
DELIVERY, PROBLEM, COUNT, ORDER = f"{KEY}/delivery", f"{KEY}/problem", f"{KEY}/count", f"{KEY}/order"
STEPS = ("1  Goods", "2  Details", "3  Thanks")
ORDERS = ("Name", "Price, low first", "Price, high first", "Stars")
ICONS = {"Kitchen": "gift", "Light": "lamp", "Paper": "note", "Sound": "volume", "Travel": "pin"}


def title(account: Account, path: str) -> str:
    """The title of a page."""
    product = shop.product_of(account, path)
    named = {"": "Lakeside Shop", "cart": "Cart", "checkout": "Checkout", "orders": "Orders"}
    return product.name if product else named.get(path, "Shop")


def _delivery(ctx: Ctx) -> Delivery:
    chosen = ctx.value(DELIVERY, "Standard")
    return next((one for one in get_args(Delivery) if one == chosen), "Standard")


def _art(product: Product, height: int) -> Widget:
    def draw(p: Painter, x: int, y: int, w: int, h: int) -> None:
        p.rect(x, y, w, h, (236, 239, 244), 8)
        p.circle(x + w // 2, y + h // 2, h * 2 // 5, theme.avatar_color(product.name.split(",")[0]))
        size = h * 2 // 5
        p.icon(ICONS.get(product.category, "tag"), x + (w - size) // 2, y + (h - size) // 2, size, (255, 255, 255))

    return Picture(f"{KEY}/picture/{product.id}", product.name, draw, height)


def _stars(product: Product) -> str:
    return f"{product.stars} of 5 stars"


def _head(ctx: Ctx) -> Widget:
    count = sum(count for _, count in shop.cart(ctx.account))
    return Row(
        (
            Label("Lakeside Shop", 22, "bold", role="heading", flex=1),
            Button(f"{KEY}/catalogue", "Catalogue", visit(SITE)),
            Button(f"{KEY}/orders", "Orders", visit(f"{SITE}/orders")),
            Button(f"{KEY}/cart", f"Cart ({count})", visit(f"{SITE}/cart"), "cart", "outline"),
        ),
        8,
    )


def _catalogue(ctx: Ctx) -> Widget:
    wanted = ctx.typed(f"{KEY}/search").strip().lower()
    chosen, order = str(ctx.value(f"{KEY}/category", "All")), str(ctx.value(f"{KEY}/sort", ORDERS[0]))
    found = [
        product
        for product in ctx.account.products
        if wanted in f"{product.name} {product.text}".lower() and chosen in ("All", product.category)
    ]
    found.sort(key=lambda p: {ORDERS[1]: p.cents, ORDERS[2]: -p.cents, ORDERS[3]: -p.stars}.get(order, 0))
    found = sorted(found, key=lambda p: p.name) if order == ORDERS[0] else found
    tiles: list[Widget] = []
    for product in found:
        price = Row((Label(shop.money(product.cents), 16, "bold", flex=1), Label(_stars(product), 12)))
        parts = (_art(product, 80), Label(product.name, 14, role=None), price)
        content = card(Column(parts, 6), 10)
        tiles.append(Tile(f"{KEY}/item/{product.id}", product.name, content, visit(f"{SITE}/{product.id}"), "link"))
    filters = Row(
        (
            TextField(f"{KEY}/search", "Search the shop", flex=1),
            Dropdown(
                f"{KEY}/category",
                "Category",
                chosen,
                [(c, remember("desktop", f"{KEY}/category", c)) for c in CATEGORIES],
            ),
            Dropdown(f"{KEY}/sort", "Sort", order, [(o, remember("desktop", f"{KEY}/sort", o)) for o in ORDERS]),
        ),
        10,
    )
    return Column((filters, Wall(tiles, 4, 12) if tiles else empty("No product was found")), 14)


def _product(ctx: Ctx, product: Product) -> Widget:
    count = ctx.number(COUNT, 1)

    def add(state: WorldState) -> WorldState:
        return forget("desktop", COUNT)(state.own(shop.add(state.account, product.id, count)))

    amount = Row(
        (
            IconButton(f"{COUNT}/less", "minus", "Less", remember("desktop", COUNT, max(1, count - 1))),
            Label(str(count), 16, "bold", id=COUNT),
            IconButton(f"{COUNT}/more", "plus", "More", remember("desktop", COUNT, min(count + 1, product.stock or 1))),
            Button(f"{KEY}/add", "Add to cart", add, "cart", "filled", product.stock > 0),
        ),
        8,
    )
    stock = f"{product.stock} in stock" if product.stock else "Sold out"
    line: CartLine | None = ctx.account.find("cartlines", product.id)
    facts: list[Widget] = [
        Label(product.name, 22, "bold", role="heading", wrapped=True),
        Label(f"{product.category}   ·   {_stars(product)}", 14, color=theme.MUTED),
        Label(shop.money(product.cents), 28, "bold"),
        Label(stock, 14, color=theme.MUTED if product.stock else theme.DANGER),
        Label(product.text, 14, wrapped=True),
        amount,
    ]
    if line:
        facts.append(Label(f"{line.count} in your cart", 14, color=theme.ACCENT, role="status"))
    if other := goes_with(ctx, product, f"{KEY}/offer"):
        facts.append(other)
    return Row((PaddedBox(_art(product, 240), width=280), Column(facts, 10, flex=1)), 24, align="top")


def _count(id: str, count: int) -> Do:
    return lambda state: state.own(shop.set_count(state.account, id, count))


def _cart(ctx: Ctx) -> Widget:
    lines: list[Widget] = []
    for product, count in shop.cart(ctx.account):
        own = f"{KEY}/cart/{product.id}"
        parts = (
            Label(product.name, 16, flex=1),
            IconButton(f"{own}/less", "minus", f"One {product.name} less", _count(product.id, count - 1)),
            Label(str(count), 16, "bold", id=f"{own}/count"),
            IconButton(f"{own}/more", "plus", f"One {product.name} more", _count(product.id, count + 1)),
            PaddedBox(Label(shop.money(product.cents * count), 16, align="right"), width=90),
            IconButton(f"{own}/remove", "trash", f"Remove {product.name}", _count(product.id, 0)),
        )
        lines += [Row(parts, 8), Divider()]
    if not lines:
        return empty("Your cart is empty")
    check = Button(f"{KEY}/checkout", "Checkout", visit(f"{SITE}/checkout"), style="filled")
    foot = Row((Label(f"Goods {shop.money(shop.goods(ctx.account))}", 16, "bold", flex=1), check))
    return Column((*lines, Gap(4), foot), 8)


def _order(state: WorldState) -> WorldState:
    name, address, code = (typed_text(state, "desktop", key).strip() for key in (NAME, ADDRESS, CODE))
    chosen = state.desktop.values.get(DELIVERY, "Standard")
    delivery = next(one for one in shop.DELIVERIES if one == chosen)
    account, order = shop.place_order(state.account, name, address, delivery, code, state.time)
    state = forget("desktop", NAME, ADDRESS, CODE, DELIVERY, PROBLEM)(state.own(account))
    return visit(f"{SITE}/{order.id}")(state)


def _check(state: WorldState) -> WorldState:
    name, address, code = (typed_text(state, "desktop", key).strip() for key in (NAME, ADDRESS, CODE))
    problem = ""
    if code and code != shop.voucher(state.account):
        problem = "This voucher is not valid"
    if not name or not address:
        problem = "Please fill in name and address"
    done = both(remember("desktop", PROBLEM, problem), both() if problem else ask("desktop", ORDER))
    return done(state)


def _checkout(ctx: Ctx) -> Widget:
    if not ctx.account.cartlines:
        return empty("Your cart is empty")
    delivery, code = _delivery(ctx), ctx.typed(CODE).strip()
    sum_ = shop.total(ctx.account, delivery, code)
    choices = [(one, remember("desktop", DELIVERY, one)) for one in shop.DELIVERIES]
    valid = bool(code) and code == shop.voucher(ctx.account)
    rows: list[Widget] = [
        steps(1),
        Label("Checkout", 18, "bold", role="heading"),
        TextField(NAME, "Name of the receiver"),
        TextField(ADDRESS, "Address"),
        Row((Label("Delivery", 14, role=None), Dropdown(DELIVERY, "Delivery", delivery, choices)), 12),
        TextField(CODE, "Voucher (if you have one)"),
        Label(f"Goods {shop.money(shop.goods(ctx.account))}", 14),
        Label(f"{delivery} {shop.money(shop.FEES[delivery])}", 14),
        *([Label(f"Voucher {shop.DISCOUNT} % off", 14, color=theme.ACCENT)] if valid else []),
        Label(f"Total {shop.money(sum_)}", 18, "bold", id=f"{KEY}/total"),
    ]
    if ctx.value(PROBLEM):
        rows.append(Label(str(ctx.value(PROBLEM)), 14, color=theme.DANGER, role="alert"))
    rows.append(Row((Button(f"{KEY}/place", "Place order", _check, style="filled"),)))
    return Row((Column(rows, 10, flex=2), Gap(flex=1)), align="top")


def _orders(ctx: Ctx) -> Widget:
    lines: list[Widget] = [
        Tile(
            f"{KEY}/orders/{order.id}",
            order.id,
            Row((Label(order.id, flex=1), Label(order.delivery), Label(shop.money(order.cents), 16, "bold")), 16),
            visit(f"{SITE}/{order.id}"),
            "link",
        )
        for order in reversed(ctx.account.orders)
    ]
    return Column(lines or [empty("You have no orders")], 12)


def _receipt(ctx: Ctx, id: str) -> Widget:
    order = ctx.account.find("orders", id)
    if order is None:
        return empty("This page was not found")
    lines: list[Widget] = [Label(f"Thank you. Your order is {order.id}.", 18, "bold", role="heading")]
    for key, count in order.lines:
        product = shop.product_of(ctx.account, key)
        lines.append(Label(f"{count} x {product.name if product else key}", 14))
    lines += [Label(f"To {order.name}, {order.address}, {order.delivery}", 14)]
    return Column((*lines, Label(f"Total {shop.money(order.cents)}", 18, "bold")), 8)


def page(ctx: Ctx, path: str) -> Widget:
    """A page of the shop."""
    product = shop.product_of(ctx.account, path)
    pages = {"": _catalogue, "cart": _cart, "checkout": _checkout, "orders": _orders}
    body = _product(ctx, product) if product else pages[path](ctx) if path in pages else _receipt(ctx, path)
    return Column((_head(ctx), Divider(), body), 14)


def ordering(page: Widget, ctx: Ctx) -> Widget:
    """The page with the confirmation dialog for placing an order."""
    text = f"You pay {shop.money(shop.total(ctx.account, _delivery(ctx), ctx.typed(CODE).strip()))}."
    return question(page, ctx, ORDER, "Place the order?", text, "Order", _order, danger=False)


def goes_with(ctx: Ctx, product: Product, id: str) -> Widget | None:
    """A card that offers the next product of the same category, with a button labelled like the page's own."""
    alike = [one for one in ctx.account.products if one.category == product.category and (one.stock or one == product)]
    other = alike[(alike.index(product) + 1) % len(alike)]
    if other == product:
        return None
    key = other.id
    text = f"{other.name} for {shop.money(other.cents)}"
    return offer(id, "You may also like", text, "Add to cart", lambda s: s.own(shop.add(s.account, key, 1)), "gift")


def steps(now: int) -> Widget:
    """The steps of an order with the current one marked; they are not interactive."""
    return Row(tuple(Sign(text, style="filled" if i == now else "outline") for i, text in enumerate(STEPS)), 8)
