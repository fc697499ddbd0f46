"""Duet tasks played by an agent in the embedded world and judged: for wrappers, with planners that are at fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from omnipilot.agents.base import Agent, Proposal, Situation
from omnipilot.agents.critic import Verdict
from omnipilot.agents.limits import Ending, Limits
from omnipilot.agents.loop import episode
from omnipilot.agents.single import SingleAgent
from omnipilot.bench.graph import GraphEvaluator
from omnipilot.bench.judges import Case
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.task import Task
from omnipilot.envs.actions import Done
from omnipilot.envs.base import Thinking
from omnipilot.envs.observation import ALL_MODALITIES, Modality
from omnipilot.envs.sim.world import SimWorld
from omnipilot.grounders.elements import ElementsGrounder
from omnipilot.memory.base import Role
from omnipilot.memory.trace import Move, Step, Turn
from omnipilot.memory.window import WindowMemory
from omnipilot.planners.base import Brief, Decision, Planner, Request, Verbs

LEGIBLE = frozenset({Modality.ELEMENTS, Modality.CONTEXT})
"""Enough for planners that are scripted and for a grounder that reads elements, and quick to observe."""


@lru_cache(maxsize=1)
def duet() -> Duet:
    return Duet()


@dataclass
class Played:
    """What came of an episode: the judges' verdict at its end, why it ended, and every step."""

    success: bool
    ending: Ending
    steps: list[Step]


def stage(task_id: str, instance: int = 0) -> tuple[SimWorld, Task, Brief]:
    """A world at the start of a task, and the brief with its demonstration."""
    task = duet().instantiate(task_id, instance)
    world = SimWorld(Thinking())
    instruction = task.setup(world)
    envs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    assert task.solution is not None
    return world, task, Brief(instruction, envs, demonstration=tuple(task.solution(world)))


def run(agent: Agent, task_id: str, instance: int = 0, limits: Limits | None = None, retries: int = 3) -> Played:
    """Play a task to the agent's own end; the judges look on and do not end it, as the runner's would."""
    world, task, brief = stage(task_id, instance)
    evaluator = GraphEvaluator(task.graph)
    start, answers, steps = world.state(), [], []
    driven = episode(world, agent, brief, limits or Limits(turns=90, actions=120), retries)
    while True:
        try:
            steps.append(next(driven))
        except StopIteration as stop:
            evaluator.step(Case(world, start, tuple(answers)), ended=True)
            return Played(evaluator.success, stop.value, steps)
        evaluator.step(Case(world, start, tuple(answers)))


def single(planner: Planner) -> SingleAgent:
    """One planner with a grounder that knows elements by their ids."""
    return SingleAgent(planner, ElementsGrounder(), WindowMemory(), Role("planner", LEGIBLE), Role("grounder", LEGIBLE))


Fault = Callable[[Sequence[Move]], Sequence[Move]]


class FaultyPlanner:
    """Plays a demonstration with a fault in it, and mends the fault once it is told of one.

    Args:
        fault: makes the faulty script from the demonstration.
        mended: what it plays from then on when a move was vetoed (or when a word of `cue` is among what it is shown),
            made of the demonstration and of how many of its moves were carried out; by default what is left of the
            demonstration.
    """

    def __init__(
        self,
        fault: Fault,
        mended: Callable[[Sequence[Move], int], Sequence[Move]] | None = None,
        cue: str = "",
    ) -> None:
        self.fault = fault
        self.mended = mended
        self.cue = cue

    def begin(self, brief: Brief) -> None:
        assert brief.demonstration is not None
        self.right = brief.demonstration
        self.script = list(self.fault(self.right))
        self.next = 0
        self.carried: list[Move] = []
        self.told: list[str] = []

    def plan(self, request: Request) -> Decision:
        self.carried += [one.move for one in request.feedback if one.move and one.outcome.result in ("done", "control")]
        vetoes = [one.outcome.message for one in request.feedback if one.outcome.result == "vetoed"]
        cues = [
            str(one.part)
            for one in request.recalled
            if self.cue and one.source == "advice" and self.cue in str(one.part)
        ]
        if (vetoes or cues) and not self.told:
            done = self._done()
            self.script = list(self.mended(self.right, done) if self.mended else self.right[done:])
            self.next = 0
        self.told += [*vetoes, *cues]
        move = self.script[self.next] if self.next < len(self.script) else Move("", Done("success"))
        self.next += 1
        return Decision((move,))

    def _done(self) -> int:
        """How many moves of the demonstration were carried out in order, whatever else was in between."""
        count = 0
        for move in self.carried:
            if count < len(self.right) and move == self.right[count]:
                count += 1
        return count


@dataclass
class Onlooker:
    """A critic that only writes down what another would have vetoed."""

    critic: object
    alarms: list[tuple[Move, str]] = field(default_factory=list)
    checked: int = 0

    def begin(self, brief: Brief) -> None:
        self.critic.begin(brief)  # type: ignore[attr-defined]

    def check(self, proposal: Proposal, situation: Situation) -> Verdict:
        verdict = self.critic.check(proposal, situation)  # type: ignore[attr-defined]
        self.checked += 1
        if not verdict.ok:
            self.alarms.append((proposal.move, verdict.why))
        return Verdict(True)

    def learn(self, turn: Turn) -> None:
        self.critic.learn(turn)  # type: ignore[attr-defined]


SEEING = Role("critic", ALL_MODALITIES - {Modality.SCREENSHOT, Modality.VIDEO, Modality.AUDIO})
