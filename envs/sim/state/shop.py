"""The shop's rules: pure functions of the account."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

from omnipilot.envs.sim.state.account import Account, fresh_id
from omnipilot.envs.sim.state.desktop_data import CartLine, Delivery, Order, Product

DELIVERIES: tuple[Delivery, ...] = get_args(Delivery)
FEES: dict[Delivery, int] = {"Standard": 490, "Express": 990, "Pick-up": 0}
DISCOUNT = 10
"""Per cent that a voucher takes off the goods."""


def money(cents: int) -> str:
    """A sum as it is shown: "12.90"."""
    return f"€{cents // 100}.{cents % 100:02d}"


def product_of(account: Account, id: str) -> Product | None:
    """The product with this id."""
    found: Product | None = account.find("products", id)
    return found


def cart(account: Account) -> tuple[tuple[Product, int], ...]:
    """What lies in the cart, with how many of each."""
    lines = [(product_of(account, line.id), line.count) for line in account.cartlines]
    return tuple((product, count) for product, count in lines if product is not None)


def set_count(account: Account, id: str, count: int) -> Account:
    """So many of a product in the cart, no more than there are; none takes its line away."""
    product = product_of(account, id)
    count = min(count, product.stock) if product else 0
    return account.put(CartLine(id, count)) if count > 0 else account.drop(CartLine(id))


def add(account: Account, id: str, count: int) -> Account:
    """So many more of a product in the cart."""
    line: CartLine | None = account.find("cartlines", id)
    return set_count(account, id, count + (line.count if line else 0))


def goods(account: Account) -> int:
    """What the goods in the cart cost, in cents."""
    return sum(product.cents * count for product, count in cart(account))


def voucher(account: Account) -> str:
    """The voucher that is valid now; the help page about vouchers names it."""
    texts = " ".join(article.text for article in account.articles)
    found = re.search(r"\bSPRING\d+\b", texts)
    return found.group() if found else ""


def total(account: Account, delivery: Delivery, code: str) -> int:
    """What the cart costs with delivery and a voucher, in cents."""
    off = goods(account) * DISCOUNT // 100 if code and code == voucher(account) else 0
    return goods(account) - off + FEES[delivery]


def place_order(
    account: Account, name: str, address: str, delivery: Delivery, code: str, time: float
) -> tuple[Account, Order]:
    """The cart becomes an order; what was bought leaves the stock."""
    lines = tuple((product.id, count) for product, count in cart(account))
    id = fresh_id("order", account.orders)
    order = Order(id, lines, name, address, delivery, code, total(account, delivery, code), time)
    for product, count in cart(account):
        account = account.put(replace(product, stock=product.stock - count))
    return replace(account, cartlines=()).put(order), order
