"""The memory `gold`: everything that was done, and each fact that the task needs, from the truth."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from omnipilot.envs import ConfigError
from omnipilot.memory.allowance import Allowance, estimate_tokens
from omnipilot.memory.base import Budget, Recalled, Role
from omnipilot.memory.truth import CandidateValue, TakesTruth
from omnipilot.memory.window import WindowMemory

ALL = 10_000
"""Turns that it keeps: more than an episode has."""


class GoldMemory(TakesTruth, WindowMemory):
    """Recalls every turn in words, and the facts from before the episode that the task needs: a perfect recall.

    A fact is told in words, with the place and the time at which it was seen or heard. Of a task that states no facts
    it recalls what was done, and nothing else.

    Args:
        images, clips: as in the memory `window`.
    """

    part = "memory 'gold'"

    def __init__(self, images: int = 1, clips: int = 0) -> None:
        super().__init__(ALL, images, clips)

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """The facts first, then the turns, oldest first, as far as the budget reaches."""
        told = Allowance(budget)
        facts = tuple(one for one in self._facts() if told.take(one.part))
        texts = [str(one.part) for one in facts]
        left = replace(
            budget,
            texts=max(0, budget.texts - len(texts)),
            characters=max(0, budget.characters - sum(map(len, texts))),
            tokens=None if budget.tokens is None else max(0, budget.tokens - sum(map(estimate_tokens, texts))),
        )
        return (*facts, *super().recall(query, left, role, envs))

    def _facts(self) -> Iterator[Recalled]:
        try:
            needed = self._truth.facts()
        except ConfigError:
            # Most tasks state none.
            return
        for fact in needed:
            for env, time, words in _told(fact.right):
                yield Recalled(f"{fact.name} is {fact.value}. {words}".rstrip(), "note", env, time, -1)


def _told(right: CandidateValue) -> Iterator[tuple[str, float, str]]:
    """Where and when a value was shown or heard, and the words that tell it, of the first way that words can tell."""
    way = next((one for one in right.ways if all(part.words for part in one)), right.ways[0] if right.ways else ())
    for one in way:
        yield one.env, one.start, " ".join(one.words)
