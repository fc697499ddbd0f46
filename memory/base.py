"""The contract of memories, and roles: who may see what."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from omnipilot.envs import Modality, NotFound, Observation
from omnipilot.envs.types import ALL_MODALITIES, OriginKind
from omnipilot.memory.agent_part import AgentPart
from omnipilot.memory.messages import Part, Usage
from omnipilot.memory.trajectory import Turn

if TYPE_CHECKING:
    from omnipilot.memory.episodic.events import TimelineEvent
    from omnipilot.memory.store.media_store import MediaStore

TRANSCRIPT, TEXTS, MOTION = "transcript", "texts", "motion"
"""Sources of what readers tell: what was heard, what is written on the screen, and what moved in film, in words."""
ANCHOR = "anchor"
"""Source of the recalled parts that list anchors, one a part: `@code-1 = "7394" ("door code"; heard; at 12.3 s)`."""


@dataclass(frozen=True, slots=True)
class Role:
    """A part of an agent and its permissions to see.

    Attributes:
        name: planner, grounder, tool agent, critic, …
        modalities: granted modalities. envs: granted environments; None for all.
    """

    name: str
    modalities: frozenset[Modality] = ALL_MODALITIES
    envs: frozenset[str] | None = None

    def sees(self, env: str) -> bool:
        """Whether the role is granted this environment."""
        return self.envs is None or env in self.envs


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one recall.

    Attributes:
        texts, images, clips: numbers of parts; a clip is a sound or a video.
        characters: of all texts together. tokens: of all texts together, by
            `omnipilot.memory.allowance.estimate_tokens`; None for no limit.
        audio_seconds, video_seconds: of all sounds, and of all videos together.
    """

    texts: int = 100
    images: int = 4
    clips: int = 2
    characters: int = 8_000
    tokens: int | None = None
    audio_seconds: float = 60.0
    video_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Recalled:
    """One recalled part with its origin.

    Attributes:
        source: where it comes from: "thought", "action", "outcome", "screenshot", "audio", … or a reader's name.
        time: seconds on the world's clock. turn: index of the turn it belongs to; turns before the episode's first,
            which the suite played, are negative.
        why: why it was chosen, in words; "" where the policy has nothing to say.
        origin: where its words come from, such as `mail:ann@example.org`; several are joined by "; ", and "" is said
            where nobody knows or the agent itself wrote them.
    """

    part: Part
    source: str
    env: str
    time: float
    turn: int
    why: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from, each time that it was met.

    Attributes:
        value: as it was written, or understood, there.
        source: the kind of its origin. env: environment; "" for the agent's own note.
        who, app: of its origin, as of `omnipilot.envs.types.WordsOrigin`.
        turn: index of the turn in which it was met; None where nobody knows.
        heard: whether it was heard, whatever said it. words: whether it is a stretch of words, each of which counts.
    """

    value: str
    source: OriginKind
    env: str
    who: str = ""
    app: str = ""
    turn: int | None = None
    heard: bool = False
    words: bool = False


class Memory(AgentPart, ABC):
    """Records turns and recalls what is relevant now.

    A memory has `clear`, `record` and `recall`. Everything else is optional: the bodies here are those of a memory that
    keeps nothing but turns and calls no model.

    Attributes:
        order: of the parts of a recall; "time" is oldest first.
        budget: how much its options allow to be recalled for one decision; None if they do not limit it.
        keeps_timeline: whether it keeps typed events, which the runner writes to the journal.
    """

    order: str = "time"
    budget: Budget | None = None
    keeps_timeline: ClassVar[bool] = False

    @abstractmethod
    def clear(self) -> None:
        """Forget everything; called before each episode."""

    @abstractmethod
    def record(self, turn: Turn) -> None:
        """Record a completed turn."""

    @abstractmethod
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """Parts relevant to `query`, from `envs` only, and nothing that `role` may not see.

        Returns:
            Within `budget` in every respect, oldest first; a memory with another `order` than "time" may order them in
            another way.
        """

    def watch(self, turn: int, observations: Mapping[str, Observation], told: Sequence[Recalled] = ()) -> None:
        """Take in the observations on which a turn will be decided, before it is asked: the turn's own sounds, texts
        and entities. Called once a turn, before `recall`.

        Args:
            told: what readers tell of them in words.
        """

    def conclude(self) -> None:
        """Keep what was held back because it might have gone on, such as a sound. Called once, after the last turn."""

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events appended to its timeline since the last call, in order; the runner writes them to the journal."""
        return ()

    def take_events(self, events: Iterable[TimelineEvent]) -> None:
        """Keep what others than itself have found out, such as checks: events, each with the modality that it was
        derived from."""

    def take_store(self, store: MediaStore) -> None:
        """Keep captures in this store, which outlives the memory, and refer to them by their content. Called once,
        before any episode."""

    def drain_usage(self) -> Usage:
        """What the models that it calls have cost since the last call of this."""
        return Usage()

    @property
    def knows_anchors(self) -> bool:
        """Whether it gives entities stable names, which planners may use in what they type. Without them, what looks
        like an anchor is typed as it stands."""
        return False

    def fill_anchor(self, name: str, role: Role) -> str:  # noqa: ARG002
        """The value of an anchor, such as "code-1", that the role may see.

        Raises:
            NotFound: there is none; the message gives the near names.
        """
        raise NotFound(f"there is no anchor {name!r}; this memory gives none")

    def origins(self) -> Iterable[Origin] | None:
        """Where each value that it knows came from, whatever role may see it: for a guard, which asks before what one
        device showed is entered as a secret of another. None of a memory that does not keep this."""
        return None
