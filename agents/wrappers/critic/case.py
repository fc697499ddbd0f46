"""The input to a check of the critic `rules`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.wrappers.episode_facts import EpisodeEvidence, target
from omnipilot.envs import Action, Element, Observation
from omnipilot.planners import Brief


@dataclass(frozen=True, slots=True)
class UncommittedText:
    """A text that was typed but not yet committed. `field`: the field it was typed into, if known."""

    text: str
    field: str = ""


@dataclass
class ClipboardState:
    """The clipboard of one environment: pastes since the last copy, and whether the screen changed since."""

    pastes: int = 0
    elsewhere: bool = False


@dataclass(frozen=True)
class CriticCase:
    """One proposal and the evidence for checking it.

    Attributes:
        drafts: typed but uncommitted text, by environment. clips: copied text, by environment.
    """

    proposal: Proposal
    situation: Situation
    brief: Brief
    evidence: EpisodeEvidence
    drafts: Mapping[str, UncommittedText]
    clips: Mapping[str, ClipboardState]

    @property
    def env(self) -> str:
        """The environment of the move, "" for a control verb."""
        names = tuple(self.situation.observations)
        return self.proposal.move.env or (names[0] if len(names) == 1 else "")

    @property
    def action(self) -> Action:
        """The proposed action."""
        assert self.proposal.action is not None
        return self.proposal.action

    @property
    def seen(self) -> Observation | None:
        """The screen on which the action would be executed."""
        return self.situation.observations.get(self.env)

    @property
    def target(self) -> Element | None:
        """The control that the action would operate, if it points at one."""
        return target(self.action, self.seen)
