"""The critic `rules`: checks without a model, based on the screen's elements and the steps so far.

If its role sees no elements, it never objects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.wrappers.critic.agent import Critic, CriticVerdict
from omnipilot.agents.wrappers.critic.case import ClipboardState, CriticCase, UncommittedText
from omnipilot.agents.wrappers.critic.clipboard import keep_clip, stale_clipboard
from omnipilot.agents.wrappers.critic.completion import doubtful_completion
from omnipilot.agents.wrappers.critic.fields import keep_draft, missing_focus, unfilled_fields
from omnipilot.agents.wrappers.episode_facts import EpisodeEvidence
from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Turn
from omnipilot.planners import Brief

Check = Callable[[CriticCase], str]


def disabled_target(case: CriticCase) -> str:
    """Object to operating a disabled control."""
    element = case.target
    if element is None or "disabled" not in element.states:
        return ""
    return f"{element.role} {element.name!r} is disabled now; first do what it waits for"


CHECKS: dict[str, Check] = {
    "focus": missing_focus,
    "disabled": disabled_target,
    "unfilled": unfilled_fields,
    "clipboard": stale_clipboard,
    "completion": doubtful_completion,
}
"""Every check by name; each returns an objection to a proposal, or ""."""


class RulesCritic(Critic):
    """Applies its checks in order; the first objection counts.

    Args:
        checks: names of the checks to apply ("disabled,completion", or a list); all if empty.

    Raises:
        ConfigError: a check is unknown.
    """

    needs: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.CONTEXT})

    def __init__(self, checks: str | Sequence[str] = ()) -> None:
        names = [name.strip() for name in checks.split(",")] if isinstance(checks, str) else list(checks)
        if strangers := [name for name in names if name not in CHECKS]:
            raise ConfigError(f"critic 'rules' has no check {', '.join(strangers)}; there are {', '.join(CHECKS)}")
        self.checks = [CHECKS[name] for name in names or CHECKS]
        self._brief = Brief("", {})
        self._evidence = EpisodeEvidence()
        self._drafts: dict[str, UncommittedText] = {}
        self._clips: dict[str, ClipboardState] = {}

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._brief, self._evidence, self._drafts, self._clips = brief, EpisodeEvidence(), {}, {}

    def check(self, proposal: Proposal, situation: Situation) -> CriticVerdict:
        """The first objection of a check."""
        self._evidence.look(situation.observations)
        case = CriticCase(proposal, situation, self._brief, self._evidence, self._drafts, self._clips)
        for check in self.checks:
            if why := check(case):
                return CriticVerdict(False, why)
        return CriticVerdict(True)

    def learn(self, turn: Turn) -> None:
        """Keep the typed and copied texts."""
        self._evidence.learn(turn)
        for step in turn.steps:
            if step.executed is None or step.proposed is None:
                continue
            names = tuple(turn.observations)
            env = step.proposed.env or (names[0] if len(names) == 1 else "")
            seen = step.seen or turn.observations.get(env)
            keep_draft(self._drafts, env, step.executed, seen)
            keep_clip(self._clips, env, step.executed, seen)
