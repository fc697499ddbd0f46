"""What teams share: a head that is shown what its role may see, words that reach others, moves that get grounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.ground import ground
from omnipilot.agents.wrapper import prompt_hashes
from omnipilot.envs.actions import CONTROL, Noop
from omnipilot.envs.observation import Modality, Observation
from omnipilot.grounders.base import Grounder, shown_by
from omnipilot.memory.base import Budget, Memory, Recalled, Role
from omnipilot.memory.trace import Move, Outcome, Turn
from omnipilot.memory.transcript import MalformedReply, Usage
from omnipilot.planners.base import Brief, Decision, Feedback, Planner, Request, Thinker, Thought

Hire = Callable[[str, frozenset[str]], Planner]
"""Makes a worker: its job ("tool_agent", "device_agent" or "root_agent") and the control verbs that it may use."""
WHOLE = CONTROL - {"noop", "screenshot"}
"""Control verbs that concern the whole task and the whole world: one role of a team has them."""


class Team:
    """The part of a team that is the same however its work is divided.

    Args:
        thinker: the head. hire: makes those who work for it.
        planner_role, grounder_role: what the head and the grounder may see.
        budget: how much memory may recall for a decision of the head.
    """

    team: ClassVar[bool] = True
    head_prompt: ClassVar[str] = ""
    """Name of the prompt of a head that is a chat model."""
    jobs: ClassVar[tuple[tuple[str, frozenset[str]], ...]] = ()
    """Jobs of its workers, each with the control verbs that go with it."""

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
        self.thinker = thinker
        self.hire = hire
        self.grounder = grounder
        self.memory = memory
        self.planner_role = planner_role
        self.grounder_role = grounder_role
        self.budget = budget or Budget()
        self._brief = Brief("", {})

    @property
    def modalities(self) -> frozenset[Modality]:
        """What has to be captured: all that the head or the grounder is granted."""
        return self.planner_role.modalities | self.grounder_role.modalities

    def identity(self) -> dict[str, str]:
        """Hashes of the prompts of the head and of each job."""
        parts: dict[str, object] = {"head": self.thinker}
        parts |= {job: self.hire(job, control) for job, control in self.jobs}
        return {job: told for job, part in parts.items() if (told := ".".join(prompt_hashes(part).values()))}

    def begin(self, brief: Brief) -> None:
        """Forget the last episode and read the brief."""
        self._brief = brief
        self.memory.clear()
        self.thinker.begin(brief)

    def learn(self, turn: Turn) -> None:
        """Give the ended turn to the memory."""
        self.memory.record(turn)

    def _think(self, situation: Situation) -> Thought:
        """The head's words on everything that it may see."""
        request = self._request(self._brief, situation, self.planner_role)
        extra = tuple(situation.extra)
        return self.thinker.think(
            replace(request, recalled=(*request.recalled, *extra), feedback=tuple(situation.feedback))
        )

    def _request(self, brief: Brief, situation: Situation, role: Role) -> Request:
        """What a role is given to decide on: its part of the screens, of memory, and of the marks."""
        seen = {
            name: observation.only(role.modalities)
            for name, observation in situation.observations.items()
            if role.sees(name)
        }
        recalled = self.memory.recall(self._brief.instruction, self.budget, role, tuple(seen))
        shown = (*recalled, *self._annotated(seen, situation.turn))
        return Request(brief, situation.turn, seen, shown, left=situation.left)

    def _annotated(self, seen: Mapping[str, Observation], turn: int) -> Iterator[Recalled]:
        for name, observation in seen.items():
            if self.grounder_role.sees(name):
                for part in shown_by(self.grounder, observation.only(self.grounder_role.modalities)):
                    yield Recalled(part, "marks", name, observation.time, turn)

    def _ground_all(self, moves: Sequence[Move], situation: Situation) -> Iterator[Proposal]:
        for number, move in enumerate(moves):
            if problem := self._barred(number, move):
                yield Proposal(move, None, Outcome("rejected", problem))
            else:
                yield ground(move, situation, self.grounder, self.grounder_role, fresh=number > 0)

    def _barred(self, number: int, move: Move) -> str:  # noqa: ARG002
        """Why a move of the decision is not its role's to make; "" where it is."""
        return ""


def untold(brief: Brief, envs: Sequence[str], control: frozenset[str]) -> Brief:
    """The brief of a worker: what its environments can do, and nothing of the task."""
    kept = {name: verbs for name, verbs in brief.envs.items() if name in envs}
    return replace(brief, instruction="", intent="", demonstration=None, envs=kept, control=control)


def asked(worker: Planner, request: Request, spent: Usage, who: str) -> Decision:
    """A worker's decision.

    Raises:
        MalformedReply: its reply cannot be read; charged with what the turn cost before.
    """
    try:
        return worker.plan(request)
    except MalformedReply as error:
        raise MalformedReply(f"{who}: {error}", spent + error.usage) from None


def blind(feedback: Sequence[Feedback]) -> tuple[Feedback, ...]:
    """Feedback for a worker that sees nothing: what is wrong with its calls, and nothing of what a screen shows."""
    return tuple(
        told
        if told.outcome.result in ("malformed", "rejected")
        else replace(told, outcome=replace(told.outcome, message=""))
        for told in feedback
    )


def skips(move: Move) -> bool:
    """Whether a worker's move is to do nothing: no step of the team, and no action."""
    return isinstance(move.intent, Noop)


def skipped(moves: Sequence[Move]) -> tuple[Feedback, ...]:
    """What became of skipping: nothing, as was wanted."""
    return tuple(Feedback(move, Outcome("control")) for move in moves)
