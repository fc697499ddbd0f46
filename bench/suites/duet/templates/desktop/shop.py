"""Sub-tasks of `duet` in the browser's shop, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.desktop import page, site
from omnipilot.bench.suites.duet.kit.moves import fresh, on_desktop
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, Ref, Select, TypeText
from omnipilot.envs.sim.state import shop
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.desktop_data import Delivery, Product
from omnipilot.envs.sim.state.world_state import WorldState

SHOP = "shop.example"
KEY = "browser/shop"
STREETS = ("Mill Lane", "Harbour Street", "Station Road", "Oak Avenue", "Church Row", "Bridge Close")


def _product(draw: TaskSampler, state: WorldState) -> Product:
    """A product in sufficient stock; its variant, with a near-equal name, is a different product."""
    return draw.pick("products", [product for product in state.account.products if product.stock > 3])


def _seen(product: Product) -> Judge:
    return Judge("product opened", page(f"{SHOP}/{product.id}"))


def _shown(now: WorldState, product: Product) -> list[Intent]:
    return [*site(now, SHOP), Click(Ref(f"{KEY}/item/{product.id}"))]


def _price(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    product = _product(draw, state)
    price = f"{product.cents // 100}.{product.cents % 100:02d}"
    return Piece(
        JudgeGraph((_seen(product),)),
        state,
        lambda now: on_desktop(*_shown(now, product)),
        {"product": product.name},
        Resource("text/number", price, f'the price of "{product.name}" in euros (as in "12.90")'),
        lambda now: on_desktop(
            *site(now, SHOP), TypeText(product.name, Ref(f"{KEY}/search")), Click(Ref(f"{KEY}/item/{product.id}"))
        ),
    )


READ_PRICE = Template(
    "read-price",
    'on the desktop, open shop.example in Browser and look up the price of "{product}" on its page',
    "desktop",
    "browser",
    _price,
    output="text/number",
    lasts=False,
)


def _astray(case: Case, draw: TaskSampler) -> list[str]:
    """Products in the cart that no sub-task of the task involves."""
    return [line.id for line in fresh(case, "cartlines") if line.id not in draw.claimed("products")]


def _fill_cart(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    product, count = _product(draw, state), draw.choice((2, 3))

    def filled(case: Case) -> Verdict:
        line = case.state.account.find("cartlines", product.id)
        wrong = _astray(case, draw)
        hit = line is not None and line.count == count
        return Verdict(float(hit and not wrong), f"in the cart: {line and line.count}; besides: {wrong}")

    more = [Click(Ref(f"{KEY}/count/more"))] * (count - 1)
    again = [Click(Ref(f"{KEY}/cart/{product.id}/more"))] * (count - 1)
    add = Click(Ref(f"{KEY}/add"))
    return Piece(
        JudgeGraph.chain([_seen(product), Judge("in the cart", filled)]),
        state,
        lambda now: on_desktop(*_shown(now, product), *more, add),
        {"product": product.name, "count": str(count)},
        alternative=lambda now: on_desktop(*_shown(now, product), add, Click(Ref(f"{KEY}/cart")), *again),
    )


FILL_CART = Template(
    "fill-cart",
    'on the desktop, open shop.example in Browser and put {count} pieces of "{product}" into the cart',
    "desktop",
    "browser",
    _fill_cart,
)


def _buy(draw: TaskSampler, state: WorldState, address: str, delivery: Delivery, voucher: str) -> Piece:
    product, owner = _product(draw, state), state.account.owner.name
    number = 1 + len(draw.claimed("orders"))
    draw.claim("orders", f"order-{number}")

    def ordered(case: Case) -> Verdict:
        wanted = (((product.id, 1),), owner, address, delivery, voucher)
        orders = case.state.account.orders
        found = [(order.lines, order.name, order.address, order.delivery, order.voucher) for order in orders]
        hit = found.count(wanted) == 1 and len(found) <= len(draw.claimed("orders"))
        return Verdict(float(hit), f"orders: {found}")

    def carried(case: Case) -> bool:
        account: Account = case.state.account
        return account.find("cartlines", product.id) is not None

    code = [TypeText(voucher, Ref(f"{KEY}/voucher"))] if voucher else []
    return Piece(
        JudgeGraph.chain([Judge("in the cart", carried), Judge("ordered", ordered)]),
        state,
        lambda now: on_desktop(
            *_shown(now, product),
            Click(Ref(f"{KEY}/add")),
            Click(Ref(f"{KEY}/cart")),
            Click(Ref(f"{KEY}/checkout")),
            TypeText(owner, Ref(f"{KEY}/name")),
            TypeText(address, Ref(f"{KEY}/address")),
            *([Select(Ref(f"{KEY}/delivery"), delivery)] if delivery != "Standard" else []),
            *code,
            Click(Ref(f"{KEY}/place")),
            Click(Ref(f"{KEY}/order/yes")),
        ),
        {"product": product.name, "owner": owner, "delivery": delivery},
        Resource("text/code", f"order-{number}", 'the number of the order (as in "order-7")'),
    )


def _order(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    delivery = draw.choice(shop.DELIVERIES)
    return _buy(draw, state, given["address"], delivery, "")


def _street(draw: TaskSampler, _: WorldState) -> Mapping[str, str]:
    return {"address": f"{draw.randrange(2, 90)} {draw.choice(STREETS)}"}


ORDER = Template(
    "order-product",
    'on the desktop, open shop.example in Browser and order one "{product}" for "{owner}" with {address} as '
    "the address "
    'and the delivery "{delivery}"',
    "desktop",
    "browser",
    _order,
    {"address": "text"},
    "text/code",
    _street,
)


def _with_voucher(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    return _buy(draw, state, given["address"], "Pick-up", given["voucher"])


VOUCHER_ORDER = Template(
    "order-with-voucher",
    'on the desktop, open shop.example in Browser and order one "{product}" for "{owner}" with {address} as '
    "the address, "
    'the delivery "{delivery}" and {voucher} as the voucher',
    "desktop",
    "browser",
    _with_voucher,
    {"address": "text", "voucher": "text/code/voucher"},
    "text/code",
    lambda draw, state: {**_street(draw, state), "voucher": shop.voucher(state.account)},
)

TEMPLATES = (READ_PRICE, FILL_CART, ORDER, VOUCHER_ORDER)
