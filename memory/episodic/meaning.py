"""The events of a timeline by what their texts mean: each line as a vector, compared with a question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnipilot.memory.episodic.event_index import Scope
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.excerpts import JOINT
from omnipilot.memory.episodic.timeline import Timeline
from omnipilot.memory.messages import Usage
from omnipilot.memory.models.embeddings import Embeddings
from omnipilot.memory.models.exchange import in_role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class NearEvent:
    """An event, how near it is to a question, as a cosine in -1..1, and which of its lines is that near."""

    event: TimelineEvent
    cosine: float
    line: str


class MeaningIndex:
    """Vectors of the lines of one timeline's events; each distinct line is embedded once, when it is first asked for.

    A screen says many things, and a vector of all of them is near none. So an event is as near to a question as its
    nearest line: MaxP of Dai and Callan, "Deeper text understanding for IR with contextual neural language modeling",
    2019.

    Args:
        embeddings: makes the vectors.
    """

    def __init__(self, embeddings: Embeddings) -> None:
        self.embeddings = embeddings
        self._usage = Usage()
        self.clear()

    def clear(self) -> None:
        """Forget the texts of the episode."""
        import numpy as np

        self._rows: dict[str, int] = {}
        self._vectors: NDArray[np.float32] = np.zeros((0, 1), np.float32)
        self._turns: dict[int, int] = {}
        # Pairs of an event and one of its lines.
        self._events: NDArray[np.intp] = np.zeros(0, np.intp)
        self._lines: NDArray[np.intp] = np.zeros(0, np.intp)

    def __len__(self) -> int:
        """Distinct texts that were embedded: lines, and questions."""
        return len(self._rows)

    def drain_usage(self) -> Usage:
        """What embeddings have cost since the last call of this."""
        spent, self._usage = self._usage, Usage()
        return spent

    def search(
        self, timeline: Timeline, query: str, scope: Scope, limit: int, kinds: Collection[EventKind], before: int
    ) -> list[NearEvent]:
        """The events nearest in meaning to a question, best first; of equally near ones, the newer first.

        Args:
            kinds: only these. before: only events of turns before this one.

        Raises:
            ModelUnavailable, ConfigError: as of `Embeddings.embed`.
        """
        import numpy as np

        ids = timeline.index.latest(scope, len(timeline), kinds)
        asked = self._take(timeline, [id for id in ids if id not in self._turns], query)
        scores = np.full(len(timeline) + 1, -np.inf, np.float32)
        cosines = (self._vectors @ asked)[self._lines]
        np.maximum.at(scores, self._events, cosines)
        past = np.array([id for id in ids if self._turns[id] < before and scores[id] > -np.inf], np.intp)
        best = past[np.argsort(-scores[past], kind="stable")][: max(0, limit)]
        texts = list(self._rows)
        found = []
        for event in timeline.events(best.tolist()):
            (pairs,) = np.nonzero(self._events == event.id)
            line = texts[self._lines[pairs[cosines[pairs].argmax()]]]
            found.append(NearEvent(event, float(scores[event.id]), line))
        return found

    def _take(self, timeline: Timeline, ids: list[int], query: str) -> NDArray[np.float32]:
        """Take in events; returns the vector of a question."""
        import numpy as np

        taken = timeline.events(ids)
        lines_of = {event.id: [line for line in event.text.split(JOINT) if line] for event in taken}
        missing = dict.fromkeys((query, *(line for lines in lines_of.values() for line in lines)))
        if new := [text for text in missing if text not in self._rows]:
            with in_role("memory"):
                vectors, usage = self.embeddings.embed(new)
            self._usage += usage
            first = len(self._rows)
            self._rows |= {text: first + at for at, text in enumerate(new)}
            self._vectors = np.concatenate([self._vectors, vectors]) if first else vectors
        self._turns |= {event.id: event.turn for event in taken}
        pairs = [(id, self._rows[line]) for id, lines in lines_of.items() for line in lines]
        if pairs:
            events, rows = np.array(pairs, np.intp).T
            self._events = np.concatenate([self._events, events])
            self._lines = np.concatenate([self._lines, rows])
        asked: NDArray[np.float32] = self._vectors[self._rows[query]]
        return asked
