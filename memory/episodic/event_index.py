"""An index of events in memory: by order, by time and, ranked by BM25, by words."""

from __future__ import annotations

import heapq
import math
import re
import unicodedata
from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from omnipilot.envs import Modality
from omnipilot.memory.base import Role
from omnipilot.memory.episodic.events import EventKind, TimelineEvent

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
"""Parameters of BM25, as in Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), §3.4."""
BLOCK = 64
"""Scores of which the highest is taken first where the best of many are looked for."""
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Japanese, Chinese
    "\uac00-\ud7a3"  # Korean, whose endings are written on to a word: 비밀번호, 비밀번호는
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")

_Place: TypeAlias = tuple[str, Modality | None, EventKind]


@dataclass(frozen=True, slots=True)
class Scope:
    """What a query may return: events of these environments (and of none), derived from these modalities (or none)."""

    envs: frozenset[str]
    modalities: frozenset[Modality]

    @classmethod
    def of(cls, role: Role, envs: Collection[str]) -> Scope:
        """What a role may recall of these environments."""
        return cls(frozenset(env for env in envs if role.sees(env)), role.modalities)

    def admits(self, event: TimelineEvent) -> bool:
        """Whether an event is in the scope."""
        return self.includes(event.env, event.modality)

    def includes(self, env: str, modality: Modality | None) -> bool:
        """Whether what comes from this environment and modality is in the scope; "" and None are in every scope."""
        return (not env or env in self.envs) and (modality is None or modality in self.modalities)


@dataclass(slots=True)
class _Shelf:
    """The events of one environment, modality and kind.

    Attributes:
        ids: of all of them, ascending. starts, ends: their spans, likewise.
        postings: for each word, the ids of the events that hold it, ascending.
        texts: how many of them say anything. words: how many words these hold together, each counted once in an event.
    """

    ids: array[int] = field(default_factory=lambda: array("I"))
    starts: array[float] = field(default_factory=lambda: array("d"))
    ends: array[float] = field(default_factory=lambda: array("d"))
    postings: dict[str, array[int]] = field(default_factory=dict)
    texts: int = 0
    words: int = 0


class EventIndex:
    """Ids of events, found by order, by time and by words; the n-th event that is added has the id n.

    Events stand on *shelves*, one for each environment, modality and kind. A query looks at the shelves that it admits
    and at no other: what a scope does not admit can neither slow a search down, nor take the place of what is admitted,
    nor change its score.
    """

    def __init__(self) -> None:
        self._shelves: dict[_Place, _Shelf] = {}
        self._sizes = array("I", [0])

    def __len__(self) -> int:
        return len(self._sizes) - 1

    def add(self, event: TimelineEvent) -> None:
        """Add an event; its id is the next one."""
        id = len(self._sizes)
        shelf = self._shelves.setdefault((event.env, event.modality, event.kind), _Shelf())
        shelf.ids.append(id)
        shelf.starts.append(event.start)
        shelf.ends.append(event.end)
        words = set(terms_of(event.text)) if event.text else ()
        self._sizes.append(len(words))
        if words:
            shelf.texts += 1
            shelf.words += len(words)
        for word in words:
            if (holders := shelf.postings.get(word)) is None:
                holders = shelf.postings[word] = array("I")
            holders.append(id)

    def between(
        self, scope: Scope, start: float, end: float, kinds: Collection[EventKind] = (), limit: int = -1
    ) -> list[int]:
        """Ids of the events that overlap `start`..`end`, by start, then by id; see `Timeline.between`."""
        import numpy as np

        found: list[NDArray[Any]] = []
        for shelf in self._admitted(scope, kinds):
            starts, ends = np.frombuffer(shelf.starts), np.frombuffer(shelf.ends)
            at = np.flatnonzero((starts < end) & ((ends > start) | (starts >= start)))
            found.append(np.stack([starts[at], np.frombuffer(shelf.ids, np.uint32)[at]]))
        if not found:
            return []
        starts, ids = np.concatenate(found, axis=1)
        order = np.lexsort((ids, starts))[: None if limit < 0 else limit]
        return [int(id) for id in ids[order]]

    def latest(self, scope: Scope, limit: int, kinds: Collection[EventKind] = ()) -> list[int]:
        """Ids of the events added last, newest first."""
        newest = (reversed(shelf.ids[-limit:]) for shelf in self._admitted(scope, kinds))
        return list(islice(heapq.merge(*newest, reverse=True), limit)) if limit > 0 else []

    def search(
        self, query: str, scope: Scope, limit: int, kinds: Collection[EventKind] = ()
    ) -> list[tuple[int, float]]:
        """Ids of the events that hold words of the query, best first, each with its score; see `Timeline.search`."""
        import numpy as np

        # How rare a word is does not depend on the kinds that are asked for.
        every = list(self._admitted(scope, ()))
        shelves = list(self._admitted(scope, kinds)) if kinds else every
        texts, words = sum(shelf.texts for shelf in every), sum(shelf.words for shelf in every)
        # Ids are dense: a sum for each event is faster than joining the lists of the words.
        scores: NDArray[np.float32] = np.zeros(len(self._sizes), np.float32)
        for word in dict.fromkeys(terms_of(query)):
            number = sum(len(shelf.postings.get(word, ())) for shelf in every)
            holders = [np.frombuffer(shelf.postings[word], np.uint32) for shelf in shelves if word in shelf.postings]
            if holders:
                scores[np.concatenate(holders, dtype=np.intp)] += np.float32(
                    math.log(1 + (texts - number + 0.5) / (number + 0.5))
                )
        if limit <= 0 or not words:
            return []
        # For all of them at once: to pick out those that hold a word takes longer.
        lengths = np.frombuffer(self._sizes, np.uint32).astype(np.float32)
        lengths *= np.float32(K1 * B * texts / words)
        lengths += np.float32(1 + K1 * (1 - B))
        scores *= np.float32(K1 + 1)
        scores /= lengths
        best = _best(scores, limit)
        return list(zip(best.tolist(), scores[best].tolist(), strict=True))

    def _admitted(self, scope: Scope, kinds: Collection[EventKind]) -> Iterator[_Shelf]:
        for (env, modality, kind), shelf in self._shelves.items():
            if (not kinds or kind in kinds) and scope.includes(env, modality):
                yield shelf


def _best(scores: NDArray[Any], limit: int) -> NDArray[Any]:
    """The places of the highest scores above 0, highest first; of equal ones, those that stand last come first."""
    import numpy as np

    # As many blocks as are wanted have a score of this or more, so nothing below it can be among the best.
    blocks = len(scores) // BLOCK
    least = np.float32(0.0)
    if blocks > limit:
        highest = scores[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
        least = np.partition(highest, -limit)[-limit]
    places = np.flatnonzero((scores >= least) & (scores > 0))
    if len(places) > limit:
        found = scores[places]
        least = np.partition(found, -limit)[-limit]
        above, equal = places[found > least], places[found == least]
        # Many may be equal: only as many of them are sorted as are wanted.
        places = np.concatenate([above, equal[len(above) - limit :]])
    return places[np.lexsort((places, scores[places]))[::-1]]


def terms_of(text: str) -> list[str]:
    """The words of a text in the form in which they are indexed and looked for, in order.

    Case, accents and forms of one letter do not count, nor does an English plural (the S-stemmer of Harman, "How
    Effective is Suffixing?", 1991). What is written without spaces, or with endings on its words, is taken letter by
    letter: Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer.
    """
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        # Composed again, since Korean syllables fall apart into letters, too.
        text = unicodedata.normalize("NFC", "".join(one for one in plain if not unicodedata.combining(one)))
    return [_stem(word) if word[-1] == "s" else word for word in _WORD.findall(text.casefold())]


def _stem(word: str) -> str:
    """A word that ends in s, without the ending of a plural."""
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies") and word[-4] not in "ea":
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] not in "aeo":
        return word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]
