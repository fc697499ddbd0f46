"""Demonstrations of duet-memory: a fact that is recalled is typed, and one that is not is given up."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.training.data import tasks_of, training_suite
from omnipilot.bench.training.remembered import MOST_RECALLED, MemoryDemonstration, demonstrate_memory
from omnipilot.envs import ConfigError

TASK = "changed-code-10"


@pytest.fixture(scope="module")
def suite() -> DuetMemory:
    return DuetMemory("all")


def test_a_fact_that_is_recalled_is_typed(suite: DuetMemory) -> None:
    played = MemoryDemonstration(suite, TASK, 105, 0.0, "episodic", 6)
    samples = played.play()
    assert samples[-1].reply == "done" and {one.suite for one in samples} == {"duet-memory"}
    (fact,) = played.facts
    spelt = [f"{' '.join(fact.value)} {one.reply.split()[-1]}" for one in samples]
    (typed,) = [one for one, words in zip(samples, spelt, strict=True) if words in one.prompt]
    assert typed.reply.startswith("type")


@pytest.mark.parametrize("memory", ["none", "window"])
def test_a_fact_that_is_not_recalled_is_given_up(suite: DuetMemory, memory: str) -> None:
    played = MemoryDemonstration(suite, TASK, 105, 0.0, memory, 6)
    samples = played.play()
    assert samples[-1].reply == "infeasible" and all(one.reply != "done" for one in samples)
    assert not any(" ".join(fact.value) in one.prompt for one in samples for fact in played.facts)


def test_a_prompt_shows_some_lines_of_what_was_recalled(suite: DuetMemory) -> None:
    first = MemoryDemonstration(suite, TASK, 105, 0.0, "episodic", 6).play()[0].prompt
    lines = first[first.index(" recalled ") : first.index(" did ")]
    assert 2 <= lines.count(" ;") <= MOST_RECALLED


def test_a_demonstration_is_the_same_again(suite: DuetMemory) -> None:
    assert demonstrate_memory(suite, TASK, 106) == demonstrate_memory(suite, TASK, 106)


@pytest.mark.parametrize(("task", "instance", "why"), [(TASK, 99, "measuring"), ("price-seen-10", 105, "test split")])
def test_what_must_not_be_trained_on_is_refused(suite: DuetMemory, task: str, instance: int, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        demonstrate_memory(suite, task, instance)


def test_development_tasks_alone_are_demonstrated(suite: DuetMemory) -> None:
    found = tasks_of(training_suite("duet-memory"), 100)
    assert len(found) == 10 and {suite.split_of(task) for task in found} == {"dev"}
    with pytest.raises(ConfigError, match="duet-memory"):
        training_suite("duet-memori")
