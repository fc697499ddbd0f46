"""The index of examples: what an agent did in earlier episodes, found by the words of a task and by their meaning."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from omnipilot.memory.base import Recalled
from omnipilot.memory.models.embeddings import Embeddings
from omnipilot.memory.quoting import quote
from omnipilot.memory.rank_fusion import fuse_ranks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SOURCE = "example"
"""The source of recalled parts that are examples."""
_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    "a an and at by for from i in into is it its my of on or so that the then this to with your".split()
)
"""Words that say nothing of a task."""


@dataclass(frozen=True, slots=True)
class Example:
    """One earlier episode, as its agent saw it.

    Attributes:
        task: its id. templates: what must not be shared with a task that it is given for.
        instruction: what was asked. solved: whether every sub-goal was reached.
        steps: what was proposed, in words, each with its outcome where it did not succeed.
        run: the name of the run it is from. key: the episode in it.
        demonstration: whether a part that knows the solution took part.
    """

    task: str
    templates: frozenset[str]
    instruction: str
    solved: bool
    steps: tuple[str, ...]
    run: str
    key: str
    demonstration: bool = False

    def describe(self, characters: int) -> str:
        """In words, in at most so many characters: later steps are left out first; "" where not even the task fits."""
        what = "a demonstration" if self.demonstration else "solved" if self.solved else "not solved"
        text = f"Earlier task ({what}): {quote(self.instruction)}"
        if len(text) > characters:
            return ""
        for number, step in enumerate(self.steps, 1):
            left = len(self.steps) - number + 1
            more = f"\n… and {left} more" if left else ""
            line = f"\n{number}. {step}"
            if len(text) + len(line) + (len(more) if left > 1 else 0) > characters:
                return text + more if len(text) + len(more) <= characters else text
            text += line
        return text


class ExampleIndex:
    """Examples by the words of their instructions, applications and verbs (BM25).

    Args:
        examples: in any order; equal sets give equal indexes.
        meaning: ranks them by how near in meaning their instructions are, too; the two rankings are joined by
            reciprocal rank fusion. None for the words alone.
    """

    def __init__(self, examples: Collection[Example], meaning: Embeddings | None = None) -> None:
        self.examples = sorted(examples, key=_line)
        self.meaning = meaning
        self._index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._index.execute("CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize='porter unicode61')")
        rows = ((number, f"{one.instruction} {' '.join(one.steps)}") for number, one in enumerate(self.examples))
        self._index.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)

    @property
    def digest(self) -> str:
        """SHA-256 of what the examples say, whatever runs they are from, and of the weights that rank them."""
        told = sorted(_line(one) for one in self.examples)
        if self.meaning is not None:
            told += [f"{name} {what}" for name, what in sorted(self.meaning.identity().items())]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()

    def find(
        self, instruction: str, count: int, barred: Collection[str] = (), characters: int = 2_000
    ) -> tuple[Recalled, ...]:
        """The examples most like a task, the best last.

        Args:
            barred: templates of the task: an example that shares one is not given. characters: of all together, which
                they share evenly; what one leaves is for the next.

        Raises:
            ModelUnavailable, ConfigError: as of `Embeddings.embed`, where there is a meaning.
        """
        if count < 1:
            return ()
        words = [word for word in dict.fromkeys(_WORD.findall(instruction.casefold())) if word not in _COMMON]
        cosines = self._cosines(instruction)
        by_words = self._by_words(words)
        barred = frozenset(barred)
        chosen: dict[str, tuple[int, Example]] = {}
        for number in by_words if cosines is None else _fused(by_words, cosines):
            one = self.examples[number]
            if not one.templates & barred:
                chosen.setdefault(one.instruction, (number, one))
            if len(chosen) == count:
                break
        found: list[Recalled] = []
        for left, (number, one) in zip(range(len(chosen), 0, -1), chosen.values(), strict=True):
            if text := one.describe(characters // left):
                characters -= len(text)
                why = [f"similar task: {', '.join(_shared(words, one))}"] if number in by_words else []
                if cosines is not None:
                    why.append(f"near the task in meaning ({cosines[number]:.2f})")
                why.append(f"{one.key} of run {one.run}")
                found.append(Recalled(text, SOURCE, "", 0.0, -1, "; ".join(why)))
        return tuple(reversed(found))

    def _by_words(self, words: Sequence[str]) -> list[int]:
        """The numbers of the examples that hold a word, the best first."""
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid"
        return [number for (number,) in self._index.execute(sql, (match,))] if words else []

    def _cosines(self, instruction: str) -> NDArray[np.float32] | None:
        """How near in meaning each example is to a task, shape (examples,), in -1..1; None where none is asked for."""
        if self.meaning is None or not self.examples:
            return None
        (asked,), _ = self.meaning.embed([instruction])
        cosines: NDArray[np.float32] = self._vectors @ asked
        return cosines

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        """Of the instructions, shape (examples, dimensions)."""
        assert self.meaning is not None
        return self.meaning.embed([one.instruction for one in self.examples])[0]


def _fused(by_words: Sequence[int], cosines: NDArray[np.float32]) -> list[int]:
    """The numbers of all examples, the best by words and meaning first."""
    values = fuse_ranks(by_words, (-cosines).argsort(kind="stable").tolist())
    return sorted(values, key=lambda number: (-values[number], number))


def _shared(words: Sequence[str], one: Example) -> list[str]:
    has = set(_WORD.findall(f"{one.instruction} {' '.join(one.steps)}".casefold()))
    return [word for word in words if word in has][:6] or ["words of one stem"]


def _line(one: Example) -> str:
    """What an example says, without where it is from."""
    return json.dumps(
        [one.task, sorted(one.templates), one.instruction, one.solved, one.steps, one.demonstration], sort_keys=True
    )
