"""What a check of the critic `rules` has before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.wrappers.episode_facts import Evidence, target
from omnipilot.envs import Action, Element, Observation
from omnipilot.planners import Brief


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that was typed and not yet put into effect. `field`: where, as far as it is known."""

    text: str
    field: str = ""


@dataclass
class Clip:
    """The clipboard of one environment: pastes of the last copy, and whether another screen came up since."""

    pastes: int = 0
    elsewhere: bool = False


@dataclass(frozen=True)
class Case:
    """One proposal and all that may speak against it.

    Attributes:
        drafts: by environment, what was typed and waits for its Save. clips: by environment, what was copied there.
    """

    proposal: Proposal
    situation: Situation
    brief: Brief
    evidence: Evidence
    drafts: Mapping[str, Draft]
    clips: Mapping[str, Clip]

    @property
    def env(self) -> str:
        """The environment that is to act, "" for a control verb."""
        names = tuple(self.situation.observations)
        return self.proposal.move.env or (names[0] if len(names) == 1 else "")

    @property
    def action(self) -> Action:
        """What is proposed."""
        assert self.proposal.action is not None
        return self.proposal.action

    @property
    def seen(self) -> Observation | None:
        """The screen on which it would act."""
        return self.situation.observations.get(self.env)

    @property
    def target(self) -> Element | None:
        """The control that it would operate, where it points at one."""
        return target(self.action, self.seen)
