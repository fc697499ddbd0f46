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
"""Discount of a voucher on the goods, in percent."""


def money(cents: int) -> str:
    """A formatted amount: "12.90"."""
    return f"€{cents // 100}.{cents % 100:02d}"


def product_of(account: Account, id: str) -> Product | None:
    """The product with this id."""
    found: Product | None = account.find("products", id)
    return found


def cart(account: Account) -> tuple[tuple[Product, int], ...]:
    """The products in the cart, with their counts."""
    lines = [(product_of(account, line.id), line.count) for line in account.cartlines]
    return tuple((product, count) for product, count in lines if product is not None)


def set_count(account: Account, id: str, count: int) -> Account:
    """Set the count of a product in the cart, limited by the stock; 0 removes it."""
    product = product_of(account, id)
    count = min(count, product.stock) if product else 0
    return account.put(CartLine(id, count)) if count > 0 else account.drop(CartLine(id))


def add(account: Account, id: str, count: int) -> Account:
    """Add a number of a product to the cart."""
    line: CartLine | None = account.find("cartlines", id)
    return set_count(account, id, count + (line.count if line else 0))


def goods(account: Account) -> int:
    """The price of the goods in the cart, in cents."""
    return sum(product.cents * count for product, count in cart(account))


def voucher(account: Account) -> str:
    """The currently valid voucher, which the help page about vouchers names."""
    texts = " ".join(article.text for article in account.articles)
    found = re.search(r"\bSPRING\d+\b", texts)
    return found.group() if found else ""


def total(account: Account, delivery: Delivery, code: str) -> int:
    """The total of the cart with delivery and a voucher, in cents."""
    off = goods(account) * DISCOUNT // 100 if code and code == voucher(account) else 0
    return goods(account) - off + FEES[delivery]


def place_order(
    account: Account, name: str, address: str, delivery: Delivery, code: str, time: float
) -> tuple[Account, Order]:
    """Turn the cart into an order and reduce the stock."""
    lines = tuple((product.id, count) for product, count in cart(account))
    id = fresh_id("order", account.orders)
    order = Order(id, lines, name, address, delivery, code, total(account, delivery, code), time)
    for product, count in cart(account):
        account = account.put(replace(product, stock=product.stock - count))
    return replace(account, cartlines=()).put(order), order
