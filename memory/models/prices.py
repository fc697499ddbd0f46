"""Token prices: an endpoint's own price, else litellm's price list. An unknown price is None, never 0.

Where litellm is not installed, only an endpoint's own price is known. What a model that litellm asks has cost is
litellm's own sum over the same list, which knows rebates by the hour of the day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.litellm.library import library, present
from omnipilot.memory.models.price_list import price_list
from omnipilot.memory.models.providers import LITELLM, provider_of

_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


def price_of(model: str, tokens_in: int, tokens_out: int) -> float | None:
    """Dollars for these token counts by the price list; None if it has no price.

    A model whose price rises with the length of the prompt ("above 200k tokens") costs the higher one for the whole
    request, as its provider bills it.

    Args:
        model: "provider/name".
    """
    entry = _entry(model)
    if entry is None or (price_in := entry.get("input_cost_per_token")) is None:
        return None
    price_out = entry.get("output_cost_per_token") or 0.0
    for limit in sorted(int(found[1]) for key in entry if (found := _TIER.fullmatch(key))):
        if tokens_in > limit * 1000:
            price_in = entry.get(f"input_cost_per_token_above_{limit}k_tokens") or price_in
            price_out = entry.get(f"output_cost_per_token_above_{limit}k_tokens") or price_out
    return float(price_in * tokens_in + price_out * tokens_out)


def price_of_sound(model: str, seconds: float) -> float | None:
    """Dollars for so many seconds of sound by the price list; None if it has no price by the second.

    Args:
        model: "provider/name".
    """
    entry = _entry(model)
    price = None if entry is None else entry.get("input_cost_per_second")
    return None if price is None else float(price * seconds)


def has_price(endpoint: LlmEndpoint) -> bool:
    """Whether the endpoint has a price: its own, or one in the list.

    Raises:
        MissingExtra: it has none of its own, and litellm, which would ask it, is not installed.
    """
    if endpoint.price_in is not None:
        return True
    if _asked_by_litellm(endpoint):
        present()
    return price_of(endpoint.model, 0, 0) is not None


def cost(endpoint: LlmEndpoint, tokens_in: int, tokens_out: int) -> float | None:
    """Dollars for input and output tokens; None if the price is unknown.

    Raises:
        MissingExtra: the endpoint has no price of its own, and litellm, which asks it, is not installed.
    """
    if endpoint.price_in is not None and endpoint.price_out is not None:
        return (endpoint.price_in * tokens_in + endpoint.price_out * tokens_out) / 1e6
    listed = price_of(endpoint.model, tokens_in, tokens_out)
    if listed is None or not _asked_by_litellm(endpoint):
        return listed
    given, made = library().cost_per_token(model=endpoint.model, prompt_tokens=tokens_in, completion_tokens=tokens_out)
    return float(given + made)


def _asked_by_litellm(endpoint: LlmEndpoint) -> bool:
    return provider_of(endpoint.model).client_for(endpoint) == LITELLM


def _same(listed: str, provider: str) -> bool:
    """Whether a provider of the price list is this one ("vertex_ai-language-models" is vertex_ai)."""
    return listed == provider or listed.startswith(f"{provider}_") or listed.startswith(f"{provider}-")


def _entry(model: str) -> Mapping[str, Any] | None:
    provider, _, name = model.partition("/")
    listed = price_list()
    entry = listed.get(model) or listed.get(name)
    return entry if entry is not None and _same(str(entry.get("litellm_provider", "")), provider) else None
