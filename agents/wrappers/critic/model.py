"""The critic `model`: a chat model that looks at the screen on which a move would be executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.wrappers.base import claims_success
from omnipilot.agents.wrappers.critic.agent import Critic, CriticVerdict
from omnipilot.agents.wrappers.episode_facts import place_of, target
from omnipilot.agents.wrappers.model_question import StructuredQuestion
from omnipilot.envs import Answer
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import Turn
from omnipilot.memory.messages import Part
from omnipilot.memory.quoting import plain, quote
from omnipilot.memory.window import verb_text
from omnipilot.planners.chat.render import outcome_words, recalled_parts, seen_parts

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"why": {"type": "string", "maxLength": 500}, "ok": {"type": "boolean"}},
    "required": ["why", "ok"],
    "additionalProperties": False,
}
REMEMBERED = 20
"""Number of last steps of the episode shown to the model."""


@dataclass(eq=False)
class ModelCritic(StructuredQuestion, Critic):
    """Asks a chat model, given the task, the steps so far and the screen, whether a move should be executed.

    An unreadable answer counts as no objection: no move is vetoed without a reason.

    Attributes:
        only: moves to check: "completion" (claims of success and answers), or "all" moves except waiting.
    """

    only: str = "all"

    own_prompt: ClassVar[str] = "omnipilot.agents.wrappers.critic:critic"
    asks_as: ClassVar[str] = "critic"

    def begin(self, brief: Any) -> None:
        """Forget the last episode."""
        super().begin(brief)
        self._done: list[str] = []

    def check(self, proposal: Proposal, situation: Situation) -> CriticVerdict:
        """Ask the model.

        Raises:
            ModelUnavailable: it did not answer.
        """
        intent = proposal.move.intent
        final = claims_success(intent) or isinstance(intent, Answer)
        if not final and (self.only == "completion" or intent.kind in CONTROL_VERBS):
            return CriticVerdict(True)
        answer, spent = self.ask(tuple(self._parts(proposal, situation, final)), SCHEMA, _verdict)
        return CriticVerdict(True, usage=spent) if answer is None else CriticVerdict(answer.ok, answer.why, spent)

    def learn(self, turn: Turn) -> None:
        """Keep the executed steps."""
        for step in turn.steps:
            if step.proposed is not None:
                where = f" on {step.proposed.env}" if step.proposed.env else ""
                self._done.append(f"- {verb_text(step.proposed.intent)}{where}: {outcome_words(step.outcome)}")

    def _parts(self, proposal: Proposal, situation: Situation, final: bool) -> Iterator[Part]:
        move = proposal.move
        names = tuple(situation.observations)
        env = move.env or (names[0] if len(names) == 1 else "")
        seen = {name: one for name, one in situation.observations.items() if final or name == env}
        yield from recalled_parts(situation.extra, situation.turn)
        yield from seen_parts(seen)
        yield f"The task: {self._brief.instruction}"
        done = self._done[-REMEMBERED:]
        yield "\n".join(["Steps so far:", *done]) if done else "No steps so far."
        where = f" on {env}" if env else ""
        yield f"The next action: {verb_text(move.intent)}{where}{self._target_words(proposal, situation, env)}"

    def _target_words(self, proposal: Proposal, situation: Situation, env: str) -> str:
        """The element at the place where the move would act, in words."""
        element = target(proposal.action, proposal.seen or situation.observations.get(env))
        if element is not None:
            return f", which is the {plain(element.role)} {quote(element.name)}"
        point = place_of(proposal.action)
        return "" if point is None else f", at {point.x:.3f} of the width and {point.y:.3f} of the height"


def _verdict(said: Mapping[str, Any]) -> CriticVerdict:
    ok, why = said["ok"], str(said.get("why", "")).strip()
    if not isinstance(ok, bool):
        raise ValueError("ok must be true or false")
    if not ok and not why:
        raise ValueError("an objection needs a reason")
    return CriticVerdict(ok, why)
