"""One planner over all environments, one grounder, one memory."""

from __future__ import annotations

from collections.abc import Iterator

from omnipilot.agents.base import Choice, Proposal, Situation
from omnipilot.envs.actions import Described, described, resolve
from omnipilot.envs.errors import ActionRejected, NotFound
from omnipilot.envs.geometry import Point
from omnipilot.envs.observation import Modality, Observation
from omnipilot.grounders.base import Abstention, Grounder
from omnipilot.memory.base import Budget, Memory, Role
from omnipilot.memory.trace import Move, Outcome, Pointed, Turn
from omnipilot.memory.transcript import Usage
from omnipilot.planners.base import Brief, Decision, Planner, Request


class SingleAgent:
    """The planner sees every environment it is granted; the grounder finds each place that it describes.

    Args:
        planner_role, grounder_role: what each of the two may see.
        budget: how much memory may recall for a decision.
    """

    def __init__(
        self,
        planner: Planner,
        grounder: Grounder,
        memory: Memory,
        planner_role: Role,
        grounder_role: Role,
        budget: Budget | None = None,
    ) -> None:
        self.planner = planner
        self.grounder = grounder
        self.memory = memory
        self.planner_role = planner_role
        self.grounder_role = grounder_role
        self.budget = budget or Budget()
        self._brief = Brief("", {})

    @property
    def modalities(self) -> frozenset[Modality]:
        """What has to be captured: all that one of the two roles is granted."""
        return self.planner_role.modalities | self.grounder_role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode and read the brief."""
        self._brief = brief
        self.memory.clear()
        self.planner.begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """Ask the planner; its moves are grounded one by one as the loop asks for them."""
        role = self.planner_role
        seen = {
            name: observation.only(role.modalities)
            for name, observation in situation.observations.items()
            if role.sees(name)
        }
        recalled = self.memory.recall(self._brief.instruction, self.budget, role, tuple(seen))
        request = Request(self._brief, situation.turn, seen, recalled, tuple(situation.feedback), situation.left)
        decision = self.planner.plan(request)
        return Choice(decision, self._ground_all(decision, situation))

    def learn(self, turn: Turn) -> None:
        """Give the ended turn to the memory."""
        self.memory.record(turn)

    def _ground_all(self, decision: Decision, situation: Situation) -> Iterator[Proposal]:
        for number, move in enumerate(decision.moves):
            yield ground(move, situation, self.grounder, self.grounder_role, fresh=number > 0)


def ground(move: Move, situation: Situation, grounder: Grounder, role: Role, fresh: bool) -> Proposal:
    """Ground one move on the turn's observation of its environment, or on a fresh one.

    Args:
        role: of the grounder; it is shown no more than that.
        fresh: look again first, as for every move of a turn but the first.
    """
    intent = move.intent
    if not described(intent):
        return Proposal(move, resolve(intent, _nothing))
    names = tuple(situation.observations)
    env = move.env or (names[0] if len(names) == 1 else "")
    if env not in names:
        problem = Outcome("rejected", f"there is no environment {env!r}; there are {', '.join(names)}")
        return Proposal(move, None, problem)
    observation = situation.look(env) if fresh else situation.observations[env]
    finder = _Finder(grounder, observation.only(role.modalities if role.sees(env) else ()))
    try:
        action = resolve(intent, finder)
    except NotFound as error:
        problem = Outcome("not_found", str(error))
        return Proposal(move, None, problem, observation, fresh, tuple(finder.pointed), finder.usage)
    except ActionRejected as error:
        problem = Outcome("rejected", str(error))
        return Proposal(move, None, problem, observation, fresh, tuple(finder.pointed), finder.usage)
    return Proposal(move, action, None, observation, fresh, tuple(finder.pointed), finder.usage)


def _nothing(target: Described) -> Point:
    raise AssertionError(f"nothing is described, yet {target!r} was asked for")


class _Finder:
    """Asks the grounder for one place after another and keeps what it said."""

    def __init__(self, grounder: Grounder, observation: Observation) -> None:
        self.grounder = grounder
        self.observation = observation
        self.pointed: list[Pointed] = []
        self.usage = Usage()

    def __call__(self, target: Described) -> Point:
        found = self.grounder.ground(self.observation, target)
        self.usage += found.usage
        label = target if isinstance(target, str) else f"#{target.id}"
        if isinstance(found, Abstention):
            raise NotFound(f"{label!r} was not found on {self.observation.env} ({found.reason}): {found.detail}")
        self.pointed.append(Pointed(label, found.point, found.box, type(self.grounder).__name__))
        return found.point
