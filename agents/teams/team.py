"""The common part of teams: a head that instructs workers in words, and moves that are grounded lazily."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from omnipilot.agents.base import Situation
from omnipilot.agents.teams.base import GroundedAgent
from omnipilot.envs import Noop
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.grounders import Grounder
from omnipilot.memory import AgentPart, Budget, MalformedReply, Memory, Move, Outcome, Role, Usage
from omnipilot.memory.models.exchange import in_role
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief, Decision, Feedback, Planner, Request, Thinker, Thought
from omnipilot.planners.base import plan_with

Hire = Callable[[str, frozenset[str]], Planner]
"""Creates a worker from its job ("tool_agent", "device_agent" or "root_agent") and the control verbs it may use."""
WHOLE = CONTROL_VERBS - {"noop", "screenshot"}
"""Control verbs that concern the whole task and world: only one role of a team has them."""


class Team(GroundedAgent):
    """The part of a team that does not depend on how its work is divided.

    Args:
        thinker: the head of the team. hire: creates its workers.
        planner_role, grounder_role: what the head and the grounder may see.
        budget: how much may be recalled from memory per decision of the head.
    """

    team: ClassVar[bool] = True
    jobs: ClassVar[tuple[tuple[str, frozenset[str]], ...]] = ()
    """Jobs of its workers, each with its control verbs."""

    def __init__(
        self,
        thinker: Thinker,
        hire: Hire,
        grounder: Grounder,
        memory: Memory,
        planner_role: Role,
        grounder_role: Role,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(grounder, memory, planner_role, grounder_role, budget)
        self.thinker = thinker
        self.hire = hire
        self._ready: dict[str, Planner] = {}

    def identity(self) -> dict[str, str]:
        """Hashes of the prompts of the head and of each job."""
        parts: dict[str, AgentPart] = {"head": self.thinker}
        parts |= {job: self.hire(job, control) for job, control in self.jobs}
        return {job: told for job, part in parts.items() if (told := ".".join(part.identity().values()))}

    def warm_up(self) -> None:
        """Warm up the head, the grounder, the memory, and the first worker of each job."""
        warm_up(self.thinker)
        super().warm_up()
        for job, control in self.jobs:
            if job not in self._ready:
                self._ready[job] = self.hire(job, control)
            warm_up(self._ready[job])

    def begin(self, brief: Brief) -> None:
        """Forget the last episode and read the brief."""
        self._forget(brief)
        self.thinker.begin(self._brief)

    def _worker_for(self, job: str, control: frozenset[str]) -> Planner:
        """An unused worker: the one that was warmed up for the job, or a new one."""
        return self._ready.pop(job, None) or self.hire(job, control)

    def _think(self, situation: Situation) -> Thought:
        """The head's thought on everything it may see."""
        request = self._whole_request(situation)
        with in_role("main agent"):
            return self.thinker.think(request)


def worker_brief(brief: Brief, worker: Planner, envs: Sequence[str], control: frozenset[str]) -> Brief:
    """The brief of a worker: the verbs of its environments, without the task unless it is one that knows it."""
    kept = {name: verbs for name, verbs in brief.envs.items() if name in envs}
    return replace(
        brief,
        instruction="",
        intent="",
        envs=kept,
        control=control,
        task=brief.instruction if worker.knows_task else "",
    )


def worker_decision(worker: Planner, request: Request, spent: Usage, who: str) -> Decision:
    """A worker's decision.

    Raises:
        MalformedReply: its reply cannot be read; the usage includes what the turn had cost before.
    """
    try:
        with in_role(who.removeprefix("the ")):
            return plan_with(worker, request)
    except MalformedReply as error:
        raise MalformedReply(f"{who}: {error}", spent + error.usage) from None


def feedback_on_form(feedback: Sequence[Feedback]) -> tuple[Feedback, ...]:
    """Feedback for a worker that sees nothing: problems with its calls, without anything from a screen."""
    return tuple(
        told
        if told.outcome.result in ("malformed", "rejected", "denied")
        else replace(told, outcome=replace(told.outcome, message=""))
        for told in feedback
    )


def skips(move: Move) -> bool:
    """Whether a worker's move is to do nothing, which counts as no step and no action of the team."""
    return isinstance(move.intent, Noop)


def skip_feedback(moves: Sequence[Move]) -> tuple[Feedback, ...]:
    """Feedback on skipped turns: nothing happened, as intended."""
    return tuple(Feedback(move, Outcome("control")) for move in moves)
