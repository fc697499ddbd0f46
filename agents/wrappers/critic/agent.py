"""The critic: a second look at each proposed action and each claimed completion, before it is carried out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import Wrapper, claims_success, proposal_for, situation_for, turn_for, veto
from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import AgentPart, Budget, Memory, Move, Recalled, Role, Turn, Usage
from omnipilot.planners import Brief

RECALLED = Budget(texts=8, images=0, clips=0, tokens=400)
"""What a critic is given from memory for one decision."""


@dataclass(frozen=True, slots=True)
class CriticVerdict:
    """A critic's verdict on a proposal; `why`, addressed to the planner, is set if it is not ok."""

    ok: bool
    why: str = ""
    usage: Usage = field(default_factory=Usage)


class Critic(AgentPart, ABC):
    """Checks proposals against the instruction and the screen; it sees what its role may see, and never a judge."""

    @abstractmethod
    def begin(self, brief: Brief) -> None:
        """Start a new episode; no state of the previous one may remain."""

    @abstractmethod
    def check(self, proposal: Proposal, situation: Situation) -> CriticVerdict:
        """Whether a grounded proposal should be carried out now.

        Args:
            situation: has the observations on which the proposal was grounded, or fresh ones after an earlier move of
                the turn; `extra` is what memory recalls of what the critic may see.

        Raises:
            ModelUnavailable: its model did not answer.
        """

    @abstractmethod
    def learn(self, turn: Turn) -> None:
        """Take in a completed turn."""


class CriticAgent(Wrapper):
    """An agent whose moves are checked by a critic.

    A vetoed move is not executed, costs no action, and ends the turn; the agent is told why. A move that the agent
    insists on is eventually executed, because the critic may be wrong.

    Args:
        patience: consecutive vetoes of the same move, across turns, after which it is let through.
        memory: the agent's, of which the critic is given what its own role may see, if it states a budget; or None.

    Attributes:
        vetoes: the vetoes of this episode, each with its reason.
    """

    def __init__(
        self, agent: Agent, critic: Critic, role: Role, patience: int = 2, memory: Memory | None = None
    ) -> None:
        if patience < 1:
            raise ConfigError(f"critic: patience must be at least 1, not {patience}; to allow all moves, use none")
        super().__init__(agent)
        self.critic = self.part = critic
        self.role = role
        self.memory = memory if memory is not None and memory.budget is not None else None
        self._instruction = ""
        self.patience = patience
        self.vetoes: list[tuple[Move, str]] = []
        self._insisted: dict[Move, int] = {}

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent and of the critic."""
        return self.agent.modalities | self.role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.vetoes, self._insisted = [], {}
        self._instruction = brief.instruction
        self.critic.begin(brief)
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, with each move checked when the loop requests it."""
        choice = super().decide(situation)
        recalled = self._recalled(situation)
        given = (*choice.recalled, *((self.role.name, one) for one in recalled))
        return replace(choice, proposals=self._check_each(choice.proposals, situation, recalled), recalled=given)

    def learn(self, turn: Turn) -> None:
        """Pass the turn on to the critic and the wrapped agent."""
        self.critic.learn(turn_for(turn, self.role))
        super().learn(turn)

    def _recalled(self, situation: Situation) -> tuple[Recalled, ...]:
        """What memory tells the critic in words, of what its role may see; the planner's thoughts may tell of more."""
        if self.memory is None:
            return ()
        found = self.memory.recall(self._instruction, RECALLED, self.role, tuple(situation.observations))
        return tuple(one for one in found if one.env)

    def _check_each(
        self, proposals: Iterator[Proposal], situation: Situation, recalled: tuple[Recalled, ...]
    ) -> Iterator[Proposal]:
        now = replace(situation_for(situation, self.role), extra=recalled)
        for number, proposal in enumerate(proposals):
            if proposal.action is None:
                yield proposal
                continue
            verdict = self.critic.check(proposal_for(proposal, self.role), _situation_before(now, proposal, number > 0))
            proposal = replace(proposal, usage=proposal.usage + verdict.usage)
            if verdict.ok:
                self._insisted.pop(proposal.move, None)
            elif self._insisted.get(proposal.move, 0) < self.patience:
                self._insisted[proposal.move] = self._insisted.get(proposal.move, 0) + 1
                self.vetoes.append((proposal.move, verdict.why))
                yield veto(proposal, verdict.why)
                return
            yield proposal


def _situation_before(situation: Situation, proposal: Proposal, later: bool) -> Situation:
    """The situation just before a proposal; for a later move of the turn, on its grounding or fresh observations.

    A claim of completion concerns all environments, any other move only its own.
    """
    if not later:
        return situation
    names = tuple(situation.observations)
    if claims_success(proposal.move.intent):
        return replace(situation, observations={name: situation.look(name) for name in names})
    if proposal.move.intent.kind in CONTROL_VERBS:
        return situation
    env = proposal.move.env or (names[0] if len(names) == 1 else "")
    if env not in names:
        return situation
    now = proposal.seen if proposal.fresh and proposal.seen is not None else situation.look(env)
    return replace(situation, observations={**situation.observations, env: now})
