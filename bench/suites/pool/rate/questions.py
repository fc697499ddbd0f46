"""What raters are asked about each task, and which tasks they are asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

QUESTIONS: Mapping[str, str] = {
    "clear": "Is it clear what is to be done?",
    "one goal": "Does it all serve one goal?",
    "possible": "Can it be done in the world that is shown?",
    "order kept": "Do the words say which part needs what another part yields, and no more?",
    "judged rightly": "Would its judges accept every right way, and no wrong one?",
}
"""By the reason that a "no" stands for. The paper gives acceptance alone; the questions are ours."""


def draw_sample(tasks: Sequence[T], sample: int, seed: int) -> list[T]:
    """A sample of tasks, the same for each rater, in the order of the pool; all where `sample` is 0."""
    if not sample or sample >= len(tasks):
        return list(tasks)
    chosen = set(Random(seed).sample(range(len(tasks)), sample))
    return [task for number, task in enumerate(tasks) if number in chosen]
