"""The contracts of environments and worlds, and the capabilities that judges look for."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from omnipilot.envs.types.actions import Action, Answer, AskUser, Done
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements, Modality, Observation

Platform: TypeAlias = Literal["phone", "desktop", "browser"]
"""What an environment is: it decides which verbs and keys make sense there."""
SoundKind: TypeAlias = Literal["speech", "digits", "melody", "alarm", "ringtone", "chime", "tone", "noise", "effect"]
"""What sounds, as a transcript says it; see `Heard`."""


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


class Capability(StrEnum):
    """What not every world or environment can do; each names what works in those that say so in `capabilities`.

    Judges and evaluators look there before they ask. An agent is given neither worlds nor environments.
    """

    STATE = "state"
    """`World.state`"""
    SNAPSHOTS = "snapshots"
    """`World.snapshot` and `World.restore`"""
    FORKS = "forks"
    """`World.fork`: another world in the same state, which goes on by itself"""
    ENDS = "ends"
    """`World.ended`: it can end the episode itself (a page is finished, a time limit is reached)"""
    HEARS = "hears"
    """`World.hear`: what the agent says reaches it, so that answers and endings can be judged"""
    RECORDED = "recorded"
    """`World.take`: it continues as recorded, whatever the agent does, so a loop on it is teacher-forced"""
    TOGETHER = "together"
    """`World.observe_together` captures several devices at one moment, rather than one after the other"""
    UI_TREE = "ui_tree"
    """`Env.ui_tree`"""
    TRANSCRIPT = "transcript"
    """`Env.transcript`"""
    WRITTEN_TEXTS = "written_texts"
    """`Env.written_texts`"""
    FILES = "files"
    """`Inspectable.read_file`"""
    SHELL = "shell"
    """`Inspectable.shell`"""


ENV_CAPABILITIES = frozenset(
    {
        Capability.UI_TREE,
        Capability.TRANSCRIPT,
        Capability.WRITTEN_TEXTS,
        Capability.FILES,
        Capability.SHELL,
    }
)
"""Those that environments have."""


class Inspectable:
    """What judges may ask of a world and of an environment alike, if it has the capability.

    Attributes:
        capabilities: those of its optional methods that work. A wrapper says those of what it wraps.
    """

    capabilities: frozenset[Capability] = frozenset()

    def read_file(self, path: str) -> bytes:  # noqa: ARG002
        """Content of a file (`FILES`); raises FileNotFoundError if there is none."""
        raise self._without(Capability.FILES)

    def shell(self, command: str, timeout: float) -> str:  # noqa: ARG002
        """Standard output of a command (`SHELL`)."""
        raise self._without(Capability.SHELL)

    def _without(self, lacking: Capability) -> NotImplementedError:
        return NotImplementedError(
            f"{type(self).__name__} has not the capability {lacking.value!r}: look for it in `capabilities` first"
        )


class Env(Inspectable, ABC):
    """One device or page.

    An environment has what stands here without a body, and the attributes. Everything else is optional: the bodies are
    those of an environment that says nothing of itself and has no capabilities.

    Attributes:
        name: unique name in its world.
        size: of the screen in screenshot pixels.
        verbs: kinds of the supported verbs, without control verbs.
        custom: the environment's custom verbs, by name.
    """

    if TYPE_CHECKING:
        # Not so when it runs: an environment may compute them, or have them as attributes.
        @property
        @abstractmethod
        def name(self) -> str: ...
        @property
        @abstractmethod
        def platform(self) -> Platform: ...
        @property
        @abstractmethod
        def size(self) -> Size: ...
        @property
        @abstractmethod
        def verbs(self) -> frozenset[str]: ...
        @property
        @abstractmethod
        def custom(self) -> Mapping[str, CustomVerb]: ...

    @abstractmethod
    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """One settled observation. Pure between actions: called twice, it returns the same.

        Args:
            modalities: what to capture; all others are absent as `unasked`.
            since: start of the clips in seconds on the world's clock; they end now.

        Raises:
            EnvLost: the device is gone.
        """

    @abstractmethod
    def act(self, action: Action) -> None:
        """Execute one grounded action and return when the screen has settled or a deadline has passed.

        Raises:
            ActionRejected: this environment cannot do that; nothing has changed, and the message says what it can do.
            EnvLost: the device is gone.
        """

    @abstractmethod
    def close(self) -> None:
        """Release the device. May be called twice."""

    @property
    def description(self) -> str:
        """What it is, for the planner: one sentence or a few words; "" for none."""
        return ""

    @property
    def applications(self) -> Sequence[str]:
        """Names of the programs that it is meant to be used with, for the planner."""
        return ()

    @property
    def installed(self) -> Sequence[str]:
        """The programs that are on it, by the names that `open_app` takes; none if it does not say."""
        return ()

    def ui_tree(self) -> Elements:
        """All elements, without a cap, for judges (`UI_TREE`), whatever the agent was granted."""
        raise self._without(Capability.UI_TREE)

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:  # noqa: ARG002
        """What is audible from `start` to `end`, in seconds on the world's clock, by start, for judges (`TRANSCRIPT`).

        A word, a dialled digit or a note belongs to the interval in which it ends: transcripts of adjacent intervals
        hold each of them once, and none before it has been heard. Any other sound is in every interval in which it is
        audible.
        """
        raise self._without(Capability.TRANSCRIPT)

    def written_texts(self) -> Elements:
        """The texts that are drawn and visible, for judges (`WRITTEN_TEXTS`): elements of role `text` in reading order;
        an accessible name that is drawn nowhere is none."""
        raise self._without(Capability.WRITTEN_TEXTS)


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


class World(Inspectable, ABC):
    """Named environments on one clock.

    A world has what stands here without a body, and the attributes. Everything else is optional: the bodies are those
    of a world that goes on for ever and has no capabilities.

    Attributes:
        envs: the environments by name.
        now: seconds since the last reset.
    """

    if TYPE_CHECKING:
        # Not so when it runs: a world may compute them, or have them as attributes.
        @property
        @abstractmethod
        def envs(self) -> Mapping[str, Env]: ...
        @property
        @abstractmethod
        def now(self) -> float: ...

    @abstractmethod
    def reset(self, instance: int) -> None:
        """Start over; `instance` is the seed of the content. Equal instances give equal worlds."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Let time pass for every environment (the `Wait` verb)."""

    @abstractmethod
    def think(self, measured: float) -> None:
        """Account for a decision that took `measured` seconds of wall time, according to the world's `Thinking`."""

    @abstractmethod
    def close(self) -> None:
        """Release everything. May be called twice."""

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterable[str]:  # noqa: ARG003
        """What is wrong with options beyond their types, before one is made, and what to write instead; each begins
        with the option's name. Nothing is started.

        Args:
            options: those that were given, of the right types, as a file writes them: sizes and paths are texts.
        """
        return ()

    @staticmethod
    def conditions(options: Mapping[str, Any], shown: frozenset[Modality]) -> Mapping[str, str]:  # noqa: ARG004
        """What a device with these options will find on this machine that can change the results of a run, by name; it
        belongs to the run's identity. Nothing is started.

        Args:
            shown: the modalities that are asked of it.

        Raises:
            MissingExtra, ConfigError: what it cannot do without is not installed.
        """
        return {}

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        """One settled observation of each environment that `since` names, by its name; at one moment if the world can
        (`TOGETHER`), otherwise one after the other.

        Args:
            modalities, since: as in `Env.observe`; `since` by environment.

        Raises:
            EnvLost: a device is gone; the message names it.
        """
        envs = self.envs
        return {name: envs[name].observe(modalities, start) for name, start in since.items()}

    def ended(self) -> str:
        """Why the world has ended the episode (`ENDS`), or "" while it goes on."""
        return ""

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Take in what the agent says: an answer, a question to the user, or that it is done (`HEARS`).

        It is called when such a move is carried out, before judges are asked. A question is answered by the user of the
        run, not here.

        Raises:
            ActionRejected: the world cannot take it in; nothing has changed, and the agent is told why.
            EnvLost: the device is gone.
        """

    @property
    def most(self) -> int | None:
        """Of a recording (`RECORDED`): maximum number of moves taken from a decision; None for all."""
        return None

    def take(self, actions: Sequence[Action], problem: str) -> Passage:  # noqa: ARG002
        """Record what the agent would have done at this moment of a recording, and advance to the next (`RECORDED`).

        Args:
            actions: grounded actions; empty if nothing could be executed. problem: why not, "" otherwise.
        """
        raise self._without(Capability.RECORDED)

    def state(self) -> Any:
        """An immutable record of the world's state, for judges (`STATE`); each world documents its own."""
        raise self._without(Capability.STATE)

    def lasting_part(self, state: Any) -> Any:
        """What of a state lasts, which is what a task can be about: data and settings, without what a screen happens
        to show. The whole state, unless a world says otherwise (`STATE`)."""
        return state

    def snapshot(self) -> object:
        """The whole state, for `restore` (`SNAPSHOTS`)."""
        raise self._without(Capability.SNAPSHOTS)

    def restore(self, snapshot: Any) -> None:  # noqa: ARG002
        """Restore a snapshot of this world exactly (`SNAPSHOTS`)."""
        raise self._without(Capability.SNAPSHOTS)

    def fork(self) -> World:
        """Another world in exactly the state that this one is in; neither notices what is done in the other (`FORKS`).
        The caller closes it."""
        raise self._without(Capability.FORKS)
