"""Demonstrations as steps that a seat follows up to the moment where the policy takes over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.bench.synthesis.compose import Resource
from omnipilot.bench.training.demonstrations import Demonstration
from omnipilot.memory import Move
from omnipilot.planners.mini.session import MiniPrompt


@dataclass(frozen=True, slots=True)
class LeadStep:
    """A step of a demonstration: a reply; or what no reply says, because the prompt does not show it.

    Attributes:
        reply: words, with numbers that begin at 0. move, did: a move, and its words in the list of moves.
        value: one to keep before going on to the next clause.
    """

    reply: str = ""
    move: Move | None = None
    did: str = ""
    value: str | None = None


class LeadDemonstration(Demonstration):
    """A demonstration without slips that notes what it does, up to the step that solves the task.

    Attributes:
        steps: so far.
    """

    steps: list[LeadStep]

    def lead(self) -> list[LeadStep] | None:
        """All its steps; None if it does not solve the task."""
        self.steps = []
        return self.steps if self.play() else None

    def _take(self, prompt: MiniPrompt, words: Sequence[str]) -> None:
        self._note(LeadStep(" ".join(prompt.references.canonical(words))))
        super()._take(prompt, words)

    def _keep(self, output: Resource) -> None:
        before = len(self.samples)
        super()._keep(output)
        if len(self.samples) == before:
            self._note(LeadStep(value=self._value_of(output)))

    def _carry_out(self, move: Move, did: str) -> None:
        self._note(LeadStep(move=move, did=did))
        super()._carry_out(move, did)

    def _note(self, step: LeadStep) -> None:
        """A session ends as soon as its task is solved, so nothing leads on from there."""
        if self.trial.missing:
            self.steps.append(step)
