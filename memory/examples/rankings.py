"""Ways to rank examples: by words, by meaning, and by the letters of the words, which needs no model."""

from __future__ import annotations

import math
import re
import sqlite3
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from omnipilot.memory.messages import Usage
from omnipilot.memory.models.embeddings import Embeddings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHORTEST, LONGEST = 3, 5
"""Characters of the shortest and of the longest pieces that `LetterRanking` compares."""
_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    "a an and at by for from i in into is it its my of on or so that the then this to with your".split()
)
"""Words that say nothing of a task."""


class Ranking(ABC):
    """How near each of some examples is to a task."""

    @abstractmethod
    def values(self, instruction: str) -> NDArray[np.float32]:
        """How near each example is, shape (examples,): the larger, the nearer; -inf for one that is not found at all.

        Raises:
            ModelUnavailable, ConfigError: as of `Embeddings.embed`, where it asks a model.
        """

    @abstractmethod
    def why(self, instruction: str, number: int, value: float) -> str:
        """Why an example was found, in words.

        Args:
            value: of it, as `values` gave it.
        """

    def identity(self) -> Mapping[str, str]:
        """What of it can change a run's numbers, by name."""
        return {}

    def prepare(self) -> Usage:
        """Make what every question needs, and return what it cost.

        Raises:
            ModelUnavailable, ConfigError: as of `values`.
        """
        return Usage()


class WordRanking(Ranking):
    """By the words that a task shares with the texts (BM25), one stem being one word.

    Args:
        texts: of the examples: instruction, applications and verbs.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._index.execute("CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize='porter unicode61')")
        self._index.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))

    def values(self, instruction: str) -> NDArray[np.float32]:
        """See `Ranking`; texts without a word of the task are not found."""
        import numpy as np

        found = np.full(len(self._texts), -np.inf, np.float32)
        match = " OR ".join(f'"{word}"' for word in _words(instruction))
        if match:
            rows = self._index.execute("SELECT rowid, bm25(texts) FROM texts WHERE texts MATCH ?", (match,)).fetchall()
            if rows:
                numbers, values = zip(*rows, strict=True)
                found[list(numbers)] = -np.array(values)
        return found

    def why(self, instruction: str, number: int, value: float) -> str:  # noqa: ARG002
        """The words that they share."""
        has = set(_WORD.findall(self._texts[number].casefold()))
        shared = [word for word in _words(instruction) if word in has][:6]
        return f"similar task: {', '.join(shared or ['words of one stem'])}"


class MeaningRanking(Ranking):
    """By the cosine of embeddings.

    Args:
        instructions: of the examples; embedded once, at the first question.
    """

    def __init__(self, instructions: Sequence[str], embeddings: Embeddings) -> None:
        self._instructions = instructions
        self._embeddings = embeddings

    def values(self, instruction: str) -> NDArray[np.float32]:
        """See `Ranking`; in -1..1, and every example is found."""
        import numpy as np

        if not self._instructions:
            return np.zeros(0, np.float32)
        (asked,), _ = self._embeddings.embed([instruction])
        cosines: NDArray[np.float32] = self._embedded[0] @ asked
        return cosines

    def why(self, instruction: str, number: int, value: float) -> str:  # noqa: ARG002
        """The cosine."""
        return f"near the task in meaning ({value:.2f})"

    def identity(self) -> Mapping[str, str]:
        """That of the embeddings."""
        return self._embeddings.identity()

    def prepare(self) -> Usage:
        """Embed the examples."""
        return self._embedded[1]

    @cached_property
    def _embedded(self) -> tuple[NDArray[np.float32], Usage]:
        """The vectors of the instructions, shape (examples, dimensions), and what they cost."""
        return self._embeddings.embed(self._instructions)


class LetterRanking(Ranking):
    """By TF-IDF over runs of three to five characters, so that "Emails" is near "email": cosine of unit vectors.

    The weights are those of scikit-learn's `TfidfVectorizer(analyzer="char", ngram_range=(3, 5), sublinear_tf=True)`.
    Upper and lower case are one, and so is white space of any kind.

    Args:
        instructions: of the examples.
    """

    def __init__(self, instructions: Sequence[str]) -> None:
        import numpy as np

        self._size = len(instructions)
        known: dict[str, int] = {}
        columns: list[int] = []
        counts: list[int] = []
        lengths: list[int] = []
        for text in instructions:
            pieces = Counter(_pieces(text))
            columns += [known.setdefault(piece, len(known)) for piece in pieces]
            counts += pieces.values()
            lengths.append(len(pieces))
        self._known = known
        column, documents = np.array(columns, np.int64), np.repeat(np.arange(self._size), lengths)
        held = np.bincount(column, minlength=len(known))
        self._rarity = np.log((1 + self._size) / (1 + held)) + 1
        weights = (1 + np.log(np.array(counts, np.float64))) * self._rarity[column]
        norms = np.sqrt(np.bincount(documents, weights**2, minlength=self._size))
        weights /= norms[documents]
        # By piece: the examples that hold it and its weight in each, so that a question reads only its own pieces.
        order = np.argsort(column, kind="stable")
        self._documents = documents[order].astype(np.int32)
        self._weights = weights[order].astype(np.float32)
        self._starts = np.concatenate([[0], np.cumsum(held)])

    def values(self, instruction: str) -> NDArray[np.float32]:
        """See `Ranking`; in 0..1, and what shares no piece with the task is not found."""
        import numpy as np

        asked = {self._known[one]: count for one, count in Counter(_pieces(instruction)).items() if one in self._known}
        found = np.zeros(self._size, np.float32)
        weights = {one: (1 + math.log(count)) * float(self._rarity[one]) for one, count in asked.items()}
        norm = math.sqrt(sum(weight**2 for weight in weights.values()))
        for one, weight in weights.items():
            held = slice(int(self._starts[one]), int(self._starts[one + 1]))
            found[self._documents[held]] += self._weights[held] * np.float32(weight / norm)
        found[found == 0] = -np.inf
        return found

    def why(self, instruction: str, number: int, value: float) -> str:  # noqa: ARG002
        """The cosine."""
        return f"like the task in its letters ({value:.2f})"


def _words(instruction: str) -> list[str]:
    """The words of a task that say something of it, each once."""
    found = dict.fromkeys(_WORD.findall(instruction.casefold()))
    return [word for word in found if word not in _COMMON]


def _pieces(text: str) -> Iterator[str]:
    """The runs of characters of a text."""
    line = " ".join(text.lower().split())
    for length in range(SHORTEST, LONGEST + 1):
        for at in range(len(line) - length + 1):
            yield line[at : at + length]
