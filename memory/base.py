"""The contract of memories, and roles: who may see what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from omnipilot.envs import Modality, Observation
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory.messages import Part, Usage
from omnipilot.memory.trajectory import Turn

if TYPE_CHECKING:
    from omnipilot.memory.episodic.events import TimelineEvent
    from omnipilot.memory.store.media_store import MediaStore

TRANSCRIPT, TEXTS = "transcript", "texts"
"""Sources of what readers tell: what was heard, and what is written on the screen, in words."""
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
    """

    part: Part
    source: str
    env: str
    time: float
    turn: int
    why: str = ""


@runtime_checkable
class Reads(Protocol):
    """A part of an agent that says which modalities it looks at. A part that does not say may look at all of them."""

    @property
    def reads(self) -> frozenset[Modality]: ...


@runtime_checkable
class Identified(Protocol):
    """A part of which more than its options can change a run's numbers."""

    def identity(self) -> Mapping[str, str]:
        """By name, hashes of its prompts, and what it chose by what this machine has, such as a precision; the same for
        every instance with the same options on one machine."""
        ...


@runtime_checkable
class UsesPackages(Protocol):
    """A part of an agent that uses packages which need not be installed, depending on what it is shown.

    A part that always needs them raises when it is made. None goes on without in silence: two runs of one identity
    would then have other results. What a part does without is asked for by an option, which is part of the identity.

    Attributes:
        optional: options that do without a package if they are false, each with what the part then does not do, as
            the end of a sentence.
    """

    optional: ClassVar[Mapping[str, str]]

    def check_packages(self, shown: frozenset[Modality]) -> None:
        """Check, before anything is run, that what it would use is installed; nothing is imported.

        Args:
            shown: the modalities that it is granted and that there are.

        Raises:
            MissingExtra: something is not; the message says what installs it, and which option does without.
        """
        ...


@runtime_checkable
class Needs(Protocol):
    """A part of an agent that cannot work without some modalities. A part that does not say needs none."""

    @property
    def needs(self) -> frozenset[Modality]: ...


class Memory(Protocol):
    """Records turns and recalls what is relevant now."""

    def clear(self) -> None:
        """Forget everything; called before each episode."""
        ...

    def record(self, turn: Turn) -> None:
        """Record a completed turn."""
        ...

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """Parts relevant to `query`, from `envs` only, and nothing that `role` may not see.

        Returns:
            Within `budget` in every respect, oldest first; a memory with an attribute `order` other than "time" may
            order them in another way.
        """
        ...


@runtime_checkable
class Watches(Protocol):
    """A memory that takes in what is observed before it is asked: the turn's own sounds, texts and entities."""

    def watch(self, turn: int, observations: Mapping[str, Observation], told: Sequence[Recalled] = ()) -> None:
        """Take in the observations on which a turn will be decided. Called once a turn, before `recall`.

        Args:
            told: what readers tell of them in words.
        """
        ...


@runtime_checkable
class KeepsTimeline(Protocol):
    """A memory that keeps typed events, which the runner writes to the journal."""

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events appended since the last call, in order."""
        ...


@runtime_checkable
class Concludes(Protocol):
    """What takes in, at an episode's end, what it held back because it might have gone on, such as a sound."""

    def conclude(self) -> None:
        """Keep what was held. Called once, after the last turn."""
        ...


@runtime_checkable
class TakesEvents(Protocol):
    """A memory that also keeps what others than itself have found out, such as checks."""

    def take_events(self, events: Iterable[TimelineEvent]) -> None:
        """Append events, each with the modality that it was derived from."""
        ...


@runtime_checkable
class TakesStore(Protocol):
    """A memory that refers to captures by their content. Without a store it keeps them in memory itself."""

    def take_store(self, store: MediaStore) -> None:
        """Keep captures in this store, which outlives the memory. Called once, before any episode."""
        ...


@runtime_checkable
class StatesBudget(Protocol):
    """A memory whose options limit what may be recalled for one decision."""

    @property
    def budget(self) -> Budget: ...


@runtime_checkable
class Spends(Protocol):
    """A memory that calls models."""

    def drain_usage(self) -> Usage:
        """What its calls have cost since the last call of this."""
        ...


@runtime_checkable
class KnowsAnchors(Protocol):
    """A memory that gives entities stable names, which planners may use in what they type."""

    @property
    def knows_anchors(self) -> bool:
        """Whether it does so: an option may withhold them. Without them, what looks like an anchor is typed as it
        stands."""
        ...

    def fill_anchor(self, name: str, role: Role) -> str:
        """The value of an anchor, such as "code-1", that the role may see.

        Raises:
            NotFound: there is none; the message gives the near names.
        """
        ...
