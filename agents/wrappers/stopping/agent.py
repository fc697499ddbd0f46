"""An agent whose episodes end when a rule says that another turn is not worth it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.agents.base import Agent, Choice, Situation, StopNote
from omnipilot.agents.wrappers.base import Wrapper, add_note, final_choice, situation_for, turn_for
from omnipilot.agents.wrappers.progress.agent import ProgressAgent
from omnipilot.agents.wrappers.stopping.base import StopRule, StopVerdict
from omnipilot.agents.wrappers.stopping.features import FactCounter, TurnFacts
from omnipilot.envs import Done, Modality
from omnipilot.memory import Role, Turn, Usage
from omnipilot.planners import Brief


class StoppingAgent(Wrapper):
    """Ends an episode by a rule; each turn, the journal keeps the numbers that the rule went by.

    The end takes a turn, as the agent's own would. The agent may always end the episode itself.

    Args:
        role: what the rule is shown.
        name: the rule's, for the journal.
        progress: the agent's own list of sub-goals, if it keeps one.
    """

    def __init__(
        self, agent: Agent, rule: StopRule, role: Role, name: str = "", progress: ProgressAgent | None = None
    ) -> None:
        super().__init__(agent)
        self.rule = self.part = rule
        self.role = role
        self.name = name or type(rule).__name__
        self.progress = progress
        self._facts = FactCounter()

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent and of the rule."""
        return self.agent.modalities | self.role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._facts = FactCounter()
        self.rule.begin(brief)
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, or the end."""
        shown = situation_for(situation, self.role)
        facts = self._facts.look(shown, self._goals())
        first = self.rule.before(facts, shown)
        if first.stop:
            return self._end(facts, first, first.usage)
        choice = super().decide(add_note(situation, self.rule.advice, "advice") if self.rule.advice else situation)
        decision = replace(choice.decision, usage=choice.decision.usage + first.usage)
        self._facts.decided(decision.moves, decision.notes, choice.told)
        ends = any(isinstance(move.intent, Done) for move in decision.moves)
        second = StopVerdict() if ends else self.rule.after(facts, decision)
        second = replace(second, evidence={**first.evidence, **second.evidence})
        if second.stop:
            return self._end(facts, second, decision.usage + second.usage, decision.thought)
        return replace(choice, decision=decision, stopping=self._note(facts, second.evidence))

    def learn(self, turn: Turn) -> None:
        """Pass the turn on to the rule and the wrapped agent."""
        self.rule.learn(turn_for(turn, self.role))
        super().learn(turn)

    def _goals(self) -> float:
        """Share of the own sub-goals that are reached, as of the turn before."""
        listed = self.progress.list if self.progress is not None else []
        return sum(goal.reached for goal in listed) / len(listed) if listed else 0.0

    def _note(self, facts: TurnFacts, evidence: Mapping[str, float], why: str = "") -> StopNote:
        return StopNote(self.name, why, {**facts.numbers(), **evidence})

    def _end(self, facts: TurnFacts, verdict: StopVerdict, spent: Usage, thought: str = "") -> Choice:
        """The end of the episode; the claim is the rule's, the cost is what the turn took so far."""
        why = f"{self.name}: {verdict.why}"
        done = final_choice(Done("success" if verdict.solved else "failure", why[:500]), thought or why)
        decision = replace(done.decision, usage=spent)
        return replace(done, decision=decision, stopping=self._note(facts, verdict.evidence, why))
