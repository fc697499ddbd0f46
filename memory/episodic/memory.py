"""The memory `episodic`: recalls what was seen, heard and done, whenever it was, by what matters now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from omnipilot.envs import AudioClip, Image, Observation, VideoClip
from omnipilot.memory.base import Budget, Recalled, Role
from omnipilot.memory.episodic.companion import Companion
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.readings import Readings
from omnipilot.memory.episodic.screen_map.companion import MapCompanion
from omnipilot.memory.episodic.timeline import Scope, Timeline
from omnipilot.memory.messages import Part
from omnipilot.memory.store.media_store import MediaStore
from omnipilot.memory.trajectory import Turn

CANDIDATES = 200


class EpisodicMemory:
    """Keeps a timeline of everything that its roles may see, and recalls by full text and recency.

    Args:
        images, clips: most pictures and clips of one recall. tokens: most tokens of text.
        map: whether a map of the screens is kept, and told to roles that may see elements.
    """

    def __init__(self, images: int = 2, clips: int = 2, tokens: int = 1_500, map: bool = False) -> None:
        self.budget = Budget(images=images, clips=clips, tokens=tokens)
        self.timeline = Timeline()
        self._store: MediaStore | None = None
        self._own = MediaStore()
        self._drained = 0
        self._watched: set[int] = set()
        self._now = 0
        self._readings = Readings(self._own)
        self._companions: list[Companion] = [MapCompanion()] if map else []

    def take_store(self, store: MediaStore) -> None:
        """Keep captures in the run's store."""
        self._store = store
        self._readings = Readings(store)

    def clear(self) -> None:
        """Forget everything."""
        self.timeline.clear()
        self._own = MediaStore()
        self._readings = Readings(self._store or self._own)
        self._drained, self._watched, self._now = 0, set(), 0
        for companion in self._companions:
            companion.clear()

    def watch(self, turn: int, observations: Mapping[str, Observation], told: Sequence[Recalled] = ()) -> None:
        """Take in the observations on which a turn will be decided."""
        if turn in self._watched:
            return
        self._watched.add(turn)
        self._now = turn
        for seen in observations.values():
            self._append(self._readings.of_observation(seen, turn))
            for companion in self._companions:
                self.timeline.extend(companion.observe(seen, turn))
        self._append(self._readings.of_told(told))

    def record(self, turn: Turn) -> None:
        """Keep a completed turn."""
        self.watch(turn.index, turn.observations)
        self._append(self._readings.of_turn(turn))
        self._now = turn.index + 1

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events appended since the last call."""
        found = tuple(self.timeline.get(id) for id in range(self._drained + 1, len(self.timeline) + 1))
        self._drained = len(self.timeline)
        return found

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """The parts that matter most for `query`, oldest first."""
        scope = Scope.of(role, envs)
        scored: dict[int, _Candidate] = {}
        for rank, (event, _) in enumerate(self.timeline.search(query, scope, CANDIDATES)):
            scored[event.id] = _Candidate(event, 1 / (rank + 1), "words of the task")
        for rank, event in enumerate(self.timeline.latest(scope, CANDIDATES)):
            before = scored.get(event.id, _Candidate(event, 0.0, ""))
            why = ", ".join(filter(None, (before.why, "recent")))
            scored[event.id] = _Candidate(event, before.score + 1 / (rank + 1), why)
        past = [one for one in scored.values() if one.event.turn < self._now]
        found = self._packed(sorted(past, key=lambda one: -one.score), budget)
        left = budget.characters - sum(len(one.part) for one in found if isinstance(one.part, str))
        added = (one for companion in self._companions for one in companion.recall(query, scope, left))
        return (*found, *added)

    def _append(self, events: Iterable[TimelineEvent]) -> None:
        """Append events, and what the companions make of each."""
        for event in events:
            appended = self.timeline.append(event)
            for companion in self._companions:
                self.timeline.extend(companion.take(appended))

    def _packed(self, candidates: Sequence[_Candidate], budget: Budget) -> tuple[Recalled, ...]:
        """As many as fit into the budget, best first, in order of time."""
        texts, images, clips, characters = budget.texts, budget.images, budget.clips, budget.characters
        if budget.tokens is not None:
            characters = min(characters, 4 * budget.tokens)
        kept: list[tuple[TimelineEvent, Recalled]] = []
        for one in candidates:
            part = self._part(one.event)
            if isinstance(part, str):
                if texts < 1 or len(part) > characters or not part:
                    continue
                texts, characters = texts - 1, characters - len(part)
            elif isinstance(part, Image):
                if images < 1:
                    continue
                images -= 1
            else:
                if clips < 1:
                    continue
                clips -= 1
            event = one.event
            kept.append((event, Recalled(part, event.kind, event.env, max(0.0, event.start), event.turn, one.why)))
        kept.sort(key=lambda pair: (pair[0].start, pair[0].id))
        return tuple(recalled for _, recalled in kept)

    def _part(self, event: TimelineEvent) -> Part:
        if event.media is None or event.kind not in ("screen", "audio", "video"):
            return event.text
        media = self._readings.store.get(event.media)
        assert isinstance(media, Image | AudioClip | VideoClip)
        return media


@dataclass(frozen=True, slots=True)
class _Candidate:
    event: TimelineEvent
    score: float
    why: str
