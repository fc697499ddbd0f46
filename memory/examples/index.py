"""The index of examples: what an agent did in earlier episodes, found by the words of a task (BM25)."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from omnipilot.memory.base import Recalled
from omnipilot.memory.quoting import quote

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
    """Examples by the words of their instructions, applications and verbs.

    Args:
        examples: in any order; equal sets give equal indexes.
    """

    def __init__(self, examples: Collection[Example]) -> None:
        self.examples = sorted(examples, key=_line)
        self._index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._index.execute("CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize='porter unicode61')")
        rows = ((number, f"{one.instruction} {' '.join(one.steps)}") for number, one in enumerate(self.examples))
        self._index.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)

    @property
    def digest(self) -> str:
        """SHA-256 of what the examples say, whatever runs they are from."""
        told = sorted(_line(one) for one in self.examples)
        return hashlib.sha256("\n".join(told).encode()).hexdigest()

    def find(
        self, instruction: str, count: int, barred: Collection[str] = (), characters: int = 2_000
    ) -> tuple[Recalled, ...]:
        """The examples most like a task, the best last.

        Args:
            barred: templates of the task: an example that shares one is not given. characters: of all together, which
                they share evenly; what one leaves is for the next.
        """
        words = [word for word in dict.fromkeys(_WORD.findall(instruction.casefold())) if word not in _COMMON]
        if not words or count < 1:
            return ()
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid"
        barred = frozenset(barred)
        chosen: dict[str, Example] = {}
        for (number,) in self._index.execute(sql, (match,)):
            one = self.examples[number]
            if not one.templates & barred:
                chosen.setdefault(one.instruction, one)
            if len(chosen) == count:
                break
        found: list[Recalled] = []
        for left, one in zip(range(len(chosen), 0, -1), chosen.values(), strict=True):
            if text := one.describe(characters // left):
                characters -= len(text)
                why = f"similar task: {', '.join(_shared(words, one))}; {one.key} of run {one.run}"
                found.append(Recalled(text, SOURCE, "", 0.0, -1, why))
        return tuple(reversed(found))


def _shared(words: Sequence[str], one: Example) -> list[str]:
    has = set(_WORD.findall(f"{one.instruction} {' '.join(one.steps)}".casefold()))
    return [word for word in words if word in has][:6] or ["words of one stem"]


def _line(one: Example) -> str:
    """What an example says, without where it is from."""
    return json.dumps(
        [one.task, sorted(one.templates), one.instruction, one.solved, one.steps, one.demonstration], sort_keys=True
    )
