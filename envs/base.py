"""The contracts of environments and worlds, and the capabilities that judges use."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements, Modality, Observation

Platform: TypeAlias = Literal["phone", "desktop", "browser"]
SoundKind: TypeAlias = Literal["speech", "digits", "melody", "alarm", "ringtone", "chime", "tone", "noise", "effect"]


@dataclass(frozen=True, slots=True)
class Heard:
    """One sound in a transcript, as far as it was heard.

    Attributes:
        words: what is said or dialled; otherwise what sounds: its name, its notes ("C4 E4 G4"), its pitch ("880 Hz").
        start, end: seconds on the world's clock; of a sound that goes on, the end of the transcript.
        voice: who speaks, "" for other sounds.
        continues: whether it goes on after the transcript's end.
    """

    kind: SoundKind
    words: str
    start: float
    end: float
    voice: str = ""
    continues: bool = False

    def __post_init__(self) -> None:
        if self.kind not in get_args(SoundKind) or not self.words:
            raise ValueError(f"a sound needs words and a kind of {', '.join(get_args(SoundKind))}, not {self}")
        if not 0 <= self.start < self.end < math.inf:
            raise ValueError(f"a sound must end after its start, and start at 0 s or later, not {self}")


@dataclass(frozen=True, slots=True)
class Passage:
    """The recorded step at one moment: environment, actions, and the recording's own words for them, if any."""

    env: str
    actions: tuple[Action, ...]
    words: str = ""


class Env(Protocol):
    """One device or page.

    Attributes:
        name: unique name in its world.
        size: of the screen in screenshot pixels.
        verbs: kinds of the supported verbs, without control verbs.
        custom: the environment's custom verbs, by name.
    """

    @property
    def name(self) -> str: ...
    @property
    def platform(self) -> Platform: ...
    @property
    def size(self) -> Size: ...
    @property
    def verbs(self) -> frozenset[str]: ...
    @property
    def custom(self) -> Mapping[str, CustomVerb]: ...

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """One settled observation. Pure between actions: called twice, it returns the same.

        Args:
            modalities: what to capture; all others are absent as `unasked`.
            since: start of the clips in seconds on the world's clock; they end now.

        Raises:
            EnvLost: the device is gone.
        """
        ...

    def act(self, action: Action) -> None:
        """Execute one grounded action and return when the screen has settled or a deadline has passed.

        Raises:
            ActionRejected: this environment cannot do that; nothing has changed, and the message says what it can do.
            EnvLost: the device is gone.
        """
        ...

    def close(self) -> None:
        """Release the device. May be called twice."""
        ...


@dataclass(frozen=True, slots=True)
class Thinking:
    """Whether the world runs while models think: `frozen`, `fixed` (each decision takes `seconds`), `measured`."""

    mode: Literal["frozen", "fixed", "measured"] = "frozen"
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.mode not in ("frozen", "fixed", "measured"):
            raise ConfigError(f"thinking must be frozen, fixed:SECONDS or measured, not {self.mode!r}")
        if not (0 < self.seconds < math.inf if self.mode == "fixed" else self.seconds == 0):
            raise ConfigError("thinking 'fixed' needs seconds above 0 (such as fixed:2.5), the other modes take none")

    @classmethod
    def parse(cls, text: str) -> Thinking:
        """From "frozen", "fixed:SECONDS" or "measured".

        Raises:
            ConfigError: anything else.
        """
        mode, _, seconds = text.partition(":")
        try:
            return cls(mode, float(seconds) if seconds else 0.0)  # type: ignore[arg-type]
        except ValueError:
            raise ConfigError(f"thinking must be frozen, fixed:SECONDS or measured, not {text!r}") from None

    def __str__(self) -> str:
        return f"fixed:{self.seconds:g}" if self.mode == "fixed" else self.mode

    def elapsed(self, measured: float) -> float:
        """Seconds that pass in a simulated world for a decision that took `measured` seconds of wall time."""
        return {"frozen": 0.0, "fixed": self.seconds, "measured": measured}[self.mode]


class World(Protocol):
    """Named environments on one clock."""

    @property
    def envs(self) -> Mapping[str, Env]: ...
    @property
    def now(self) -> float:
        """Seconds since the last reset."""
        ...

    def reset(self, instance: int) -> None:
        """Start over; `instance` is the seed of the content. Equal instances give equal worlds."""
        ...

    def wait(self, seconds: float) -> None:
        """Let time pass for every environment (the `Wait` verb)."""
        ...

    def think(self, measured: float) -> None:
        """Account for a decision that took `measured` seconds of wall time, according to the world's `Thinking`."""
        ...

    def close(self) -> None:
        """Release everything. May be called twice."""
        ...


@runtime_checkable
class Snapshots(Protocol):
    """A world whose state can be saved and restored exactly."""

    def snapshot(self) -> object:
        """The whole state, for `restore`."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Restore a snapshot of this world."""
        ...


@runtime_checkable
class Ends(Protocol):
    """A world that can end the episode itself (a page is finished, a time limit is reached)."""

    def ended(self) -> str:
        """Why the episode has ended, or "" while it goes on."""
        ...


@runtime_checkable
class ObservesTogether(Protocol):
    """A world of several devices that are captured at one moment, rather than one after the other."""

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        """One settled observation of each environment that `since` names, by its name.

        Args:
            modalities, since: as in `Env.observe`; `since` by environment.

        Raises:
            EnvLost: a device is gone; the message names it.
        """
        ...


def observe_all(world: World, modalities: Collection[Modality], since: Mapping[str, float]) -> dict[str, Observation]:
    """One settled observation of each environment: together where the world can, otherwise one after the other.

    Args:
        since: start of the clips by environment, in seconds on the world's clock.

    Raises:
        EnvLost: a device is gone.
    """
    if isinstance(world, ObservesTogether):
        return dict(world.observe_together(modalities, since))
    return {name: env.observe(modalities, since[name]) for name, env in world.envs.items()}


@runtime_checkable
class Introduced(Protocol):
    """An environment that says in words what it is, for the planner.

    Attributes:
        description: one sentence or a few words; "" for none.
        applications: names of the programs that it is meant to be used with.
    """

    @property
    def description(self) -> str: ...
    @property
    def applications(self) -> Sequence[str]: ...


@runtime_checkable
class ListsPrograms(Protocol):
    """An environment that says which programs are on it, by the names that `open_app` takes."""

    @property
    def installed(self) -> Sequence[str]: ...


@runtime_checkable
class Recorded(Protocol):
    """A world that continues as recorded, whatever the agent does: a loop on it is teacher-forced.

    Attributes:
        most: maximum number of moves taken from a decision; None for all.
    """

    @property
    def most(self) -> int | None: ...

    def take(self, actions: Sequence[Action], problem: str) -> Passage:
        """Record what the agent would have done at this moment, and advance to the next.

        Args:
            actions: grounded actions; empty if nothing could be executed. problem: why not, "" otherwise.
        """
        ...


@runtime_checkable
class State(Protocol):
    """Judges may read the world's state (never agents)."""

    def state(self) -> Any:
        """An immutable record of the world's state; each world documents its own."""
        ...


@runtime_checkable
class UiTree(Protocol):
    """Judges may read an environment's full element tree, whatever the agent was granted."""

    def ui_tree(self) -> Elements:
        """All elements, without a cap."""
        ...


@runtime_checkable
class Transcript(Protocol):
    """Judges may read what an environment sounds, in words, whatever the agent was granted."""

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        """What is audible from `start` to `end`, in seconds on the world's clock, by start.

        A word, a dialled digit or a note belongs to the interval in which it ends: transcripts of adjacent intervals
        hold each of them once, and none before it has been heard. Any other sound is in every interval in which it is
        audible.
        """
        ...


@runtime_checkable
class WrittenTexts(Protocol):
    """Judges may read what is written on an environment's screen, whatever the agent was granted."""

    def written_texts(self) -> Elements:
        """The texts that are drawn and visible, as elements of role `text` in reading order; an accessible name that
        is drawn nowhere is none."""
        ...


@runtime_checkable
class Files(Protocol):
    """Judges may read an environment's files."""

    def read_file(self, path: str) -> bytes:
        """Content of a file; raises FileNotFoundError if there is none."""
        ...


@runtime_checkable
class Shell(Protocol):
    """Judges may run a command in an environment."""

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command."""
        ...


@runtime_checkable
class ChecksOptions(Protocol):
    """A class of worlds can tell what is wrong with its options before one is made, beyond their types."""

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterable[str]:
        """What is wrong, and what to write instead; each begins with the option's name. Nothing is started.

        Args:
            options: those that were given, of the right types, as a file writes them: sizes and paths are texts.
        """
        ...
