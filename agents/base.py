"""The contract of agents: a loop drives one through `begin`, `decide` and `learn`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from omnipilot.agents.verbs.base import VerbSet
from omnipilot.envs import Action, Box, ConfigError, Modality, Observation
from omnipilot.grounders.sources import FoundElements
from omnipilot.memory import AgentPart, Move, Origin, Outcome, Pointed, Recalled, Turn, Usage
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.gate import Gate, GateDecision
from omnipilot.planners import Brief, Decision, Feedback, Left


@dataclass(frozen=True, slots=True)
class Situation:
    """The input to one decision of an agent.

    Attributes:
        observations: one settled observation per environment, with every modality granted to any of the agent's
            roles; the agent shows each role only its share.
        look: takes a fresh observation of one environment; the agent calls it before grounding a later move of the
            turn. The loop records it.
        extra: notes from the agent's wrappers for the planner: sub-goals left, a detected loop, recognised text.
            Nothing its role may not see.
    """

    turn: int
    observations: Mapping[str, Observation]
    look: Callable[[str], Observation]
    feedback: Sequence[Feedback] = ()
    left: Left = field(default_factory=Left)
    extra: Sequence[Recalled] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """One move, grounded and ready to execute, or the reason why it is not.

    Attributes:
        action: None if a place was not found; `problem` then says why.
        seen: the observation it was grounded on; None if the move names no place.
        marked: whether the grounder numbers what is on the screen for the planner, so that a number may mean a mark.
        candidates: the boxes that it showed the planner (`omnipilot.grounders.Grounder.candidates`); None for none.
        asked: the planner's own move, where this one is a part of the program that stands for it; None otherwise. All
            parts of a program have the same object.
    """

    move: Move
    action: Action | None
    problem: Outcome | None = None
    seen: Observation | None = None
    fresh: bool = False
    pointed: tuple[Pointed, ...] = ()
    usage: Usage = field(default_factory=Usage)
    marked: bool = False
    candidates: tuple[Box, ...] | None = None
    asked: Move | None = None


@dataclass(frozen=True, slots=True)
class StopNote:
    """What a stopping rule found in a turn.

    Attributes:
        rule: its name. why: it ends the episode, in words; "" where it goes on.
        evidence: the numbers that it went by, by their names.
    """

    rule: str
    why: str = ""
    evidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision and its proposals.

    Attributes:
        proposals: to be executed in order. The iterator is lazy: each proposal is grounded when it is requested,
            after the previous one was executed, and so on the current screen. Stop iterating when one fails.
        told: the notes of wrappers that the planner was shown for it.
        recalled: what was given from memory for it, each with the name of the role that it was given to.
        gated: what a gate decided on the sound and film of the turn.
        replayed: of a decision that was taken from a record, how many seconds it took then; None for one made now.
        perceived: the elements that were read from the screens of the turn in place of their trees, by environment.
        stopping: what a stopping rule found; None without one. Where it ends the episode, that is the only proposal.
    """

    decision: Decision
    proposals: Iterator[Proposal]
    told: tuple[Recalled, ...] = ()
    recalled: tuple[tuple[str, Recalled], ...] = ()
    gated: tuple[GateDecision, ...] = ()
    replayed: float | None = None
    perceived: Mapping[str, FoundElements] = field(default_factory=dict)
    stopping: StopNote | None = None


class Agent(AgentPart, ABC):
    """Decides and learns; a loop does the observing and executing.

    An agent has `modalities`, `begin`, `decide` and `learn`. Everything else is optional: the bodies here are those of
    an agent without a memory of its own and without a gate.

    Attributes:
        modalities: modalities to capture for it, over all of its roles.
        team: whether the class is made with `thinker` and `hire` in place of `planner`.
        head_prompt: of a team: name of the prompt of a head that is a chat model.
    """

    team: ClassVar[bool] = False
    head_prompt: ClassVar[str] = ""

    if TYPE_CHECKING:
        # Not so when it runs: an agent may compute them, or have them as an attribute.
        @property
        @abstractmethod
        def modalities(self) -> frozenset[Modality]: ...

    @abstractmethod
    def begin(self, brief: Brief) -> None:
        """Start a new episode; no state of the previous one may remain."""

    @abstractmethod
    def decide(self, situation: Situation) -> Choice:
        """Make one decision.

        Raises:
            MalformedReply: the planner's model gave unreadable replies, retries included.
            ModelUnavailable: a model did not answer.
        """

    @abstractmethod
    def learn(self, turn: Turn) -> None:
        """Take in the result of the decision; called once per turn, also after a malformed reply."""

    def take_gate(self, gate: Gate) -> None:  # noqa: ARG002
        """Let a gate decide which sound and film of a turn its planner gets. Called once, before any episode.

        Raises:
            ConfigError: it takes none.
        """
        raise ConfigError(f"{type(self).__name__} takes no gate; leave out --gate, or choose agent 'single'")

    def origins(self) -> Iterable[Origin] | None:
        """Where each value that its memory knows came from; None of an agent without such a memory."""
        return None

    def take_verbs(self, verbs: VerbSet) -> None:  # noqa: ARG002
        """Let a verb set change what its planners are offered, and carry out what devices have not got. Called once,
        before any episode.

        Raises:
            ConfigError: it takes none.
        """
        raise ConfigError(f"{type(self).__name__} takes no verbs; leave out --verbs, or choose agent 'single'")

    @property
    def gated(self) -> tuple[GateDecision, ...]:
        """What its gate decided in the turn, also where no decision came of it."""
        return ()

    @property
    def perceived(self) -> Mapping[str, FoundElements]:
        """What was read from the screens of the turn in place of their trees, also where no decision came of it."""
        return {}

    def take_past(self, turn: Turn, told: Sequence[Recalled] = ()) -> None:  # noqa: ARG002
        """Remember a turn of the past; called after `begin` and before the first decision, oldest first.

        What counts the turns of the episode, or judges them, takes no part: only memory does. An agent that makes no
        difference between past and present learns from it.

        Args:
            turn: with a negative index. told: what readers tell of its observations in words.
        """
        self.learn(turn)

    def conclude(self) -> None:
        """Keep what was held back because it might have gone on, such as a sound. Called once, after the last turn."""

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """What its memory or wrappers kept of the episode since the last call, in order; it goes to the journal."""
        return ()
