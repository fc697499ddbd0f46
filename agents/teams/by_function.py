"""Two roles: a main agent that sees and thinks, and a tool agent that turns its words into calls and sees nothing."""

from __future__ import annotations

from omnipilot.agents.base import Choice, Situation
from omnipilot.agents.teams.team import Team, feedback_on_form, skip_feedback, skips, worker_brief, worker_decision
from omnipilot.envs.types.actions import CONTROL
from omnipilot.memory import Move
from omnipilot.planners import Brief, Decision, Feedback, Planner, Request


class ByFunctionAgent(Team):
    """The main agent is shown everything and answers in words; the tool agent gets these words alone and calls tools.

    The tool agent is told neither the task nor what is on a screen. Of its last calls it learns whether they were
    carried out, and what was wrong with their form; everything else reaches it by way of the main agent.
    """

    head_prompt = "main_function"
    jobs = (("tool_agent", CONTROL),)
    _worker: Planner | None = None
    _told = Brief("", {})
    _skipped: tuple[Move, ...] = ()

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        super().begin(brief)
        if self._worker is None:
            self._worker = self._worker_for(*self.jobs[0])
        self._skipped = ()
        self._told = worker_brief(brief, tuple(brief.envs), CONTROL)
        self._worker.begin(self._told)

    def decide(self, situation: Situation) -> Choice:
        """Ask the main agent, then the tool agent; its moves are grounded one by one as the loop asks for them."""
        assert self._worker is not None, "begin comes first"
        thought = self._think(situation)
        request = Request(self._told, situation.turn, {}, feedback=self._became(situation), message=thought.words)
        decision = worker_decision(self._worker, request, thought.usage, "the tool agent")
        moves = tuple(move for move in decision.moves if not skips(move))
        self._skipped = tuple(filter(skips, decision.moves))
        spent = thought.usage + decision.usage
        whole = Decision(moves, thought.words, decision.notes, decision.expectations, spent)
        return Choice(whole, self._ground_all(moves, situation))

    def _became(self, situation: Situation) -> tuple[Feedback, ...]:
        """What became of the tool agent's last calls. A reply that could not be read was answered in its own turn."""
        calls = tuple(told for told in situation.feedback if told.move is not None)
        return (*feedback_on_form(calls), *skip_feedback(self._skipped))
