"""Demonstrations in which a fact of the past is needed."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.training.demonstrations import FIRST_INSTANCE
from omnipilot.bench.training.remembered import MemoryDemonstration, demonstrate_memory
from omnipilot.envs import ConfigError

TASK, INSTANCE = "code-beside-noise-10", 101


@pytest.fixture(scope="module")
def suite() -> DuetMemory:
    return DuetMemory("all")


def test_test_tasks_and_measured_instances_are_refused(suite: DuetMemory) -> None:
    with pytest.raises(ConfigError, match="test split"):
        demonstrate_memory(suite, "spoken-for-phone-10", FIRST_INSTANCE)
    with pytest.raises(ConfigError, match="kept for measuring"):
        demonstrate_memory(suite, TASK, FIRST_INSTANCE - 1)


def test_a_recalled_fact_is_typed(suite: DuetMemory) -> None:
    played = MemoryDemonstration(suite, TASK, INSTANCE, 0.0, memory="episodic", distance=6)
    samples = played.play()
    assert samples[-1].reply == "done" and {one.suite for one in samples} == {"duet-memory"}
    (fact,) = played.facts
    spelt = " ".join(fact.value)
    typed = next(one for one in reversed(samples) if one.reply.startswith("type"))
    number = typed.reply.split()[-1]
    assert f"{spelt} . {number}" in typed.prompt and " recalled " in typed.prompt


@pytest.mark.parametrize("memory", ["none", "window"])
def test_a_fact_that_is_not_recalled_is_given_up_and_not_invented(suite: DuetMemory, memory: str) -> None:
    played = MemoryDemonstration(suite, TASK, INSTANCE, 0.0, memory=memory, distance=12)
    samples = played.play()
    (fact,) = played.facts
    assert samples[-1].reply == "infeasible"
    assert not any(" ".join(fact.value) in one.prompt for one in samples)


def test_a_demonstration_is_the_same_again(suite: DuetMemory) -> None:
    first, second = (demonstrate_memory(suite, TASK, INSTANCE) for _ in range(2))
    assert first == second and first
