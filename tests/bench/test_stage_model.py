"""Models that stages ask: one beside another is of the same budget."""

from __future__ import annotations

import pytest
from chat_server import Answer, ChatServer

from omnipilot.bench import BudgetSpent, StageModel
from omnipilot.memory.models import ModelOptions

SCHEMA = {"type": "object"}


def test_models_beside_each_other_spend_one_budget() -> None:
    with ChatServer([Answer("{}")]) as server:
        # Eleven tokens read and three written: a call costs $0.000014.
        options = ModelOptions("openai-compatible/one", url=server.url, price_in=1, price_out=1)
        one = StageModel(options, 0.00002)
        two = one.beside("openai-compatible/two")
        assert one.ask_parts("", ("?",), SCHEMA, dict) == two.ask_parts("", ("?",), SCHEMA, dict) == {}
        for model in (one, two):
            with pytest.raises(BudgetSpent, match=r"is spent \(\$0.00\)"):
                model.ask_parts("", ("?",), SCHEMA, dict)
        assert [request.json["model"] for request in server.requests] == ["one", "two"]
        assert (one.usage.calls, two.usage.calls) == (1, 1)
