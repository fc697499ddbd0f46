"""The memory `episodic`."""

from __future__ import annotations

from omnipilot.memory import check_memory
from omnipilot.memory.episodic import EpisodicMemory


def test_it_keeps_the_contract_of_memories() -> None:
    check_memory(EpisodicMemory)
