"""What a shop puts in the way: another product with the same button, and steps that look like buttons."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.state import shop
from omnipilot.envs.sim.state.desktop_data import Product
from omnipilot.envs.sim.ui.containers import Row, Widget
from omnipilot.envs.sim.ui.decoys import Sign, offer

STEPS = ("1  Goods", "2  Details", "3  Thanks")


def goes_with(ctx: Ctx, product: Product, id: str) -> Widget | None:
    """A card that offers the next product of the same category, with a button of the same words as the page's own."""
    alike = [one for one in ctx.account.products if one.category == product.category and (one.stock or one == product)]
    other = alike[(alike.index(product) + 1) % len(alike)]
    if other == product:
        return None
    key = other.id
    text = f"{other.name} for {shop.money(other.cents)}"
    return offer(id, "You may also like", text, "Add to cart", lambda s: s.own(shop.add(s.account, key, 1)), "gift")


def steps(now: int) -> Widget:
    """The steps of an order, of which one is the present one; none of them reacts."""
    return Row(tuple(Sign(text, style="filled" if i == now else "outline") for i, text in enumerate(STEPS)), 8)
