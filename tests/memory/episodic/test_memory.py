"""The memory `episodic`."""

from __future__ import annotations

from functools import partial

import pytest

from omnipilot.envs import ConfigError
from omnipilot.memory import check_memory
from omnipilot.memory.episodic import EpisodicMemory


def test_it_keeps_the_contract_of_memories() -> None:
    check_memory(EpisodicMemory)


@pytest.mark.parametrize("signal", ["text", "recency", "device", "kind", "anchors"])
def test_it_keeps_the_contract_with_any_signal_alone(signal: str) -> None:
    check_memory(partial(EpisodicMemory, use=signal))


def test_it_keeps_the_contract_in_the_order_of_omnigui() -> None:
    check_memory(partial(EpisodicMemory, order="omnigui"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"use": "text,smell"}, "unknown signal 'smell' in use; choose from text, recency"),
        ({"use": ""}, "take the memory none"),
        ({"order": "size"}, "order must be time or omnigui"),
        ({"images": -1}, "images must be at least 0"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        EpisodicMemory(**options)  # type: ignore[arg-type]
