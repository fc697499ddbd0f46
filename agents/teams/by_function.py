"""Two roles: a main agent that sees and thinks, and a blind tool agent that turns its words into tool calls."""

from __future__ import annotations

from omnipilot.agents.base import Choice, Situation
from omnipilot.agents.teams.team import Team, feedback_on_form, skip_feedback, skips, worker_brief, worker_decision
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import Move
from omnipilot.planners import Brief, Decision, Feedback, Planner, Request


class ByFunctionAgent(Team):
    """Multi-agent by function: the main agent sees and answers in words, the tool agent turns them into calls.

    The tool agent knows neither the task nor the screens. Its feedback says whether its last calls were executed and
    what was wrong with their form; everything else reaches it through the main agent.
    """

    head_prompt = "main_function"
    jobs = (("tool_agent", CONTROL_VERBS),)
    _worker: Planner | None = None
    _worker_brief = Brief("", {})
    _skipped: tuple[Move, ...] = ()

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        super().begin(brief)
        if self._worker is None:
            self._worker = self._worker_for(*self.jobs[0])
        self._skipped = ()
        self._worker_brief = worker_brief(self._brief, self._worker, tuple(brief.envs), CONTROL_VERBS)
        self._worker.begin(self._worker_brief)

    def _choose(self, situation: Situation) -> Choice:
        """Call the main agent, then the tool agent; each move is grounded when the loop requests it."""
        assert self._worker is not None, "begin comes first"
        thought = self._think(situation)
        feedback = self._last_feedback(situation)
        request = Request(self._worker_brief, situation.turn, {}, feedback=feedback, message=thought.words)
        decision = worker_decision(self._worker, request, thought.usage, "the tool agent")
        moves = tuple(move for move in decision.moves if not skips(move))
        self._skipped = tuple(filter(skips, decision.moves))
        spent = thought.usage + decision.usage
        whole = Decision(moves, thought.words, decision.notes, decision.expectations, spent)
        return Choice(whole, self._ground_all(moves, situation))

    def _last_feedback(self, situation: Situation) -> tuple[Feedback, ...]:
        """Feedback on the tool agent's last calls; unreadable replies were already answered in their own turn."""
        calls = tuple(told for told in situation.feedback if told.move is not None)
        return (*feedback_on_form(calls), *skip_feedback(self._skipped))
