"""How fast the nearest of OmniACT's training split are found, by each ranking."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from omnipilot.memory import Usage
from omnipilot.memory.examples import Example, ExampleIndex
from omnipilot.memory.models.embeddings import Embeddings

EXAMPLES, QUESTIONS, FOUND = 6_789, 200, 5
"""As many as OmniACT's training split has; the questions that are asked; the examples wanted of each."""
DIMENSIONS = 384
"""Of MiniLM."""
_VERBS = "open close click select search find show hide play pause scroll type write send delete move copy zoom".split()
_THINGS = (
    "inbox email tab window menu settings profile picture song album playlist cart product price flight hotel city "
    "calendar event note folder file page link button map route weather news article video volume bookmark history "
    "filter table cell column chart layer brush colour background contact message reply draft attachment reminder"
).split()
_PLACES = (
    "from the top|in the sidebar|on the right|with the keyboard shortcut|of the current page|at the bottom"
).split("|")


class RandomVectors(Embeddings):
    """Vectors of MiniLM's size without the model, whose own time is not the index's."""

    def embed(self, texts: Sequence[str]) -> tuple[Any, Usage]:
        """See `Embeddings`."""
        rng = np.random.default_rng(len(texts))
        vectors = rng.standard_normal((len(texts), DIMENSIONS), np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True), Usage()


@dataclass(frozen=True, slots=True)
class Nearest:
    """Of one ranking: seconds to make the index, and of the processor for a question, as median and 95th percentile."""

    made: float
    typical: float
    slow: float


def instructions(number: int, seed: int) -> list[str]:
    """Tasks of the length of OmniACT's, of words that many of them share."""
    draw = random.Random(seed)
    return [
        f"{draw.choice(_VERBS).capitalize()} the {draw.choice(_THINGS)} {draw.choice(_THINGS)} "
        f"'{draw.choice(_THINGS)} {draw.randrange(1000)}' {draw.choice(_PLACES)} and {draw.choice(_VERBS)} "
        f"the {draw.choice(_THINGS)}"
        for _ in range(number)
    ]


def nearest_seconds(way: Any, embeddings: Embeddings | None = None) -> Nearest:
    """Ask an index of as many examples as OmniACT trains on, a fifth of them of the barred screen."""
    lines = ("pyautogui.click(12,40)", 'pyautogui.write("lamp")')
    examples = [
        Example(str(n), frozenset({f"screen {n % 5}"}), text, True, lines, "train", str(n), True, (), True)
        for n, text in enumerate(instructions(EXAMPLES, 0))
    ]
    began = time.process_time()
    index = ExampleIndex(examples, embeddings, (way,))
    index.prepare()
    made = time.process_time() - began
    taken = []
    for asked in instructions(QUESTIONS, 1):
        # Of this thread: a product of 10 MB is shared with others, which spin when they wait for a busy processor.
        began = time.thread_time()
        found = index.find(asked, FOUND, {"screen 0"}, 4_000)
        taken.append(time.thread_time() - began)
        assert len(found) == FOUND
    return Nearest(made, median(taken), sorted(taken)[len(taken) * 95 // 100])
