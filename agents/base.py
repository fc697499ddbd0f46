"""The contract of agents. `begin`, `decide` and `learn` are all that any loop needs to drive one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from omnipilot.envs import Action, Modality, Observation
from omnipilot.memory import Move, Outcome, Pointed, Recalled, Turn, Usage
from omnipilot.planners import Brief, Decision, Feedback, Left


@dataclass(frozen=True, slots=True)
class Situation:
    """What an agent is given for one decision.

    Attributes:
        observations: one settled look at each environment, of every modality that any of its roles is granted;
            the agent shows each role its own part.
        look: a fresh observation of one environment; called by the agent before it grounds a later move of the
            turn. The loop records it.
        extra: what the agent's own wrappers have to show or to say to who decides: sub-goals left, a loop that was
            noticed, words that were read. Nothing that its role may not see.
    """

    turn: int
    observations: Mapping[str, Observation]
    look: Callable[[str], Observation]
    feedback: Sequence[Feedback] = ()
    left: Left = field(default_factory=Left)
    extra: Sequence[Recalled] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """One move, grounded and ready to execute, or with the reason why it is not.

    Attributes:
        action: None where a place was not found; `problem` then says so.
        seen: the observation it was grounded on; None where nothing had to be found.
    """

    move: Move
    action: Action | None
    problem: Outcome | None = None
    seen: Observation | None = None
    fresh: bool = False
    pointed: tuple[Pointed, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision and its proposals.

    Attributes:
        proposals: to be executed in order. Each is grounded only when it is asked for, after the one before was
            executed, so that it is grounded on the screen as it then is; stop asking when one fails.
    """

    decision: Decision
    proposals: Iterator[Proposal]


class Agent(Protocol):
    """Acts through somebody's loop.

    Attributes:
        modalities: what has to be captured for it, over all of its roles.
    """

    @property
    def modalities(self) -> frozenset[Modality]: ...

    def begin(self, brief: Brief) -> None:
        """A new episode; no state of the last one may remain."""
        ...

    def decide(self, situation: Situation) -> Choice:
        """One decision.

        Raises:
            MalformedReply: the planner's model answered what cannot be read, also when asked again.
            ModelUnavailable: a model did not answer.
        """
        ...

    def learn(self, turn: Turn) -> None:
        """What became of the decision; called once a turn, also after a malformed reply."""
        ...


@runtime_checkable
class Identified(Protocol):
    """A part of which more than its options can change a run's numbers."""

    def identity(self) -> Mapping[str, str]:
        """Hashes of its prompts, by name; the same for every instance with the same options."""
        ...


@runtime_checkable
class TeamFactory(Protocol):
    """What makes a team: it is called with `thinker` and `hire` in place of `planner`.

    Attributes:
        team: true; a factory that does not say makes an agent with a single planner.
        head_prompt: name of the prompt of a head that is a chat model.
    """

    team: bool
    head_prompt: str

    def __call__(self, **parts: Any) -> Agent: ...
