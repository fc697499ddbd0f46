"""Prices: an endpoint's own, litellm's, or unknown; and a cap on money that is not guessed."""

from __future__ import annotations

import sys
from random import Random

import pytest

from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.litellm.library import library
from omnipilot.memory.models.prices import cost, has_price, price_of

LOCAL = LlmEndpoint("hosted_vllm/tiny", "http://127.0.0.1:9/v1")
FREE = LlmEndpoint("hosted_vllm/tiny", "http://127.0.0.1:9/v1", price_in=0, price_out=0)
HOSTED = LlmEndpoint("openai/gpt-4o")
OWN = LlmEndpoint("openai/gpt-4o", price_in=1.0, price_out=2.0)


def test_a_price_of_ones_own_comes_first() -> None:
    assert cost(OWN, 1_000_000, 1_000_000) == pytest.approx(3.0)
    assert cost(FREE, 10**9, 10**9) == 0.0 and has_price(FREE)


def test_litellm_knows_hosted_models() -> None:
    for endpoint in (HOSTED, LlmEndpoint("anthropic/claude-sonnet-4-5"), LlmEndpoint("gemini/gemini-2.5-pro")):
        once, twice = cost(endpoint, 1000, 100), cost(endpoint, 2000, 200)
        assert once is not None and twice == pytest.approx(2 * once) and once > 0
        assert has_price(endpoint)


@pytest.mark.parametrize("model", ["hosted_vllm/tiny", "hosted_vllm/gpt-4o", "openai/no-such-model"])
def test_what_nobody_knows_is_none_and_not_nothing(model: str) -> None:
    endpoint = LlmEndpoint(model, "http://127.0.0.1:9/v1")
    assert cost(endpoint, 1000, 100) is None and not has_price(endpoint)


def test_the_list_is_added_up_as_litellm_does() -> None:
    litellm = library()
    draw = Random(5)
    flat = {"openai", "groq", "mistral", "xai", "gemini", "anthropic"}
    entries = sorted(
        (name, entry["litellm_provider"])
        for name, entry in litellm.model_cost.items()
        # Prices by the hour of the day are litellm's own matter.
        if entry.get("litellm_provider") in flat and entry.get("mode") == "chat" and "off_peak_pricing" not in entry
    )
    assert len(entries) > 100
    for _ in range(500):
        name, provider = draw.choice(entries)
        model = name if name.startswith(f"{provider}/") else f"{provider}/{name}"
        tokens = draw.randrange(400_000), draw.randrange(20_000)
        if (ours := price_of(model, *tokens)) is not None:
            theirs = litellm.cost_per_token(model=model, prompt_tokens=tokens[0], completion_tokens=tokens[1])
            assert ours == pytest.approx(sum(theirs)), (model, tokens)


def test_prices_of_servers_are_looked_up_without_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    monkeypatch.setattr("omnipilot.memory.models.prices.library", lambda: pytest.fail("litellm was imported"))
    assert not has_price(LOCAL) and cost(LOCAL, 10, 10) is None and cost(FREE, 10, 10) == 0.0
    assert price_of("openai/gpt-4o", 1_000_000, 0) == pytest.approx(2.5)
