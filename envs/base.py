"""The contracts of environments and worlds, and what a judge may ask of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements, Modality, Observation

Platform: TypeAlias = Literal["phone", "desktop", "browser"]


@dataclass(frozen=True, slots=True)
class Passage:
    """What was done when a moment was recorded: where, the actions, and the words of the recording for them, if any."""

    env: str
    actions: tuple[Action, ...]
    words: str = ""


class Env(Protocol):
    """One device or page.

    Attributes:
        name: unique in its world.
        size: of the screen in screenshot pixels.
        verbs: kinds of the verbs it can do, control verbs apart.
        custom: verbs that it adds, by name.
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
        """One settled look, pure between actions: asked twice it answers the same.

        Args:
            modalities: what to capture; the rest is absent, `unasked`.
            since: start of the clips, seconds on the world's clock; they end now.

        Raises:
            EnvLost: the device is gone.
        """
        ...

    def act(self, action: Action) -> None:
        """Carry out one grounded action and return when the screen has settled or a deadline has passed.

        Raises:
            ActionRejected: this environment cannot do that; nothing was changed, the message says what it can do.
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
            raise ConfigError(f"thinking is frozen, fixed:SECONDS or measured, not {self.mode!r}")
        if not (0 < self.seconds < math.inf if self.mode == "fixed" else self.seconds == 0):
            raise ConfigError("thinking 'fixed' needs seconds above 0 (write fixed:2.5), the others take none")

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
            raise ConfigError(f"thinking is frozen, fixed:SECONDS or measured, not {text!r}") from None

    def __str__(self) -> str:
        return f"fixed:{self.seconds:g}" if self.mode == "fixed" else self.mode

    def elapsed(self, measured: float) -> float:
        """Seconds that pass in a simulated world while a decision took `measured` seconds on the wall."""
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
        """Start anew; `instance` is the seed of the content. Equal instances give equal worlds."""
        ...

    def wait(self, seconds: float) -> None:
        """Let time pass for every environment (the `Wait` verb)."""
        ...

    def think(self, measured: float) -> None:
        """Account for a decision that took `measured` seconds on the wall, by the world's `Thinking`."""
        ...

    def close(self) -> None:
        """Release everything. May be called twice."""
        ...


@runtime_checkable
class Snapshots(Protocol):
    """A world that can be put back exactly."""

    def snapshot(self) -> object:
        """The whole state, to be given back to `restore`."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Put the world back to a snapshot of its own."""
        ...


@runtime_checkable
class Ends(Protocol):
    """A world that can end the episode by itself (a page that is over, a time that ran out)."""

    def ended(self) -> str:
        """Why the episode is over, or "" while it goes on."""
        ...


@runtime_checkable
class Recorded(Protocol):
    """A world that goes on as it once did, whatever the agent does: a loop on it is teacher-forced.

    Attributes:
        most: how many moves of a decision are taken; None for all.
    """

    @property
    def most(self) -> int | None: ...

    def take(self, actions: Sequence[Action], problem: str) -> Passage:
        """Note what the agent would have done at this moment, and go on to the next.

        Args:
            actions: grounded; none where nothing could be carried out. problem: why, "" otherwise.
        """
        ...


@runtime_checkable
class State(Protocol):
    """Judges may read the world's state (never agents)."""

    def state(self) -> Any:
        """An immutable record of the world's state, documented by the world."""
        ...


@runtime_checkable
class UiTree(Protocol):
    """Judges may read an environment's full element tree, whatever the agent was granted."""

    def ui_tree(self) -> Elements:
        """The elements, without cap."""
        ...


@runtime_checkable
class Files(Protocol):
    """Judges may read an environment's files."""

    def read_file(self, path: str) -> bytes:
        """Content of a file; FileNotFoundError where there is none."""
        ...


@runtime_checkable
class Shell(Protocol):
    """Judges may run a command in an environment."""

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command."""
        ...
