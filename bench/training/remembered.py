"""Demonstrations of `duet-memory` for the small planner: a past is played, and then a fact of it is asked for.

What a prompt shows as recalled is what a real memory recalls in that turn: it takes in the past and the demonstrated
turns as it does in an episode. Where that tells the fact, the fact is typed; where it does not, the demonstration gives
up (`infeasible`) rather than inventing one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from omnipilot.agents import PartSpec, SingleAgent, Situation
from omnipilot.agents.assembly import MEMORIES
from omnipilot.agents.wrappers.readers import GoldReader, ReadingAgent
from omnipilot.bench.episode.prologue import BrokenPrologue, play_prologue
from omnipilot.bench.suites.duet.kit.play import ground_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.tasks.task import seed_of
from omnipilot.bench.training.demonstrations import SHOWN, Demonstration, Sample, check_instance
from omnipilot.envs import Action, ActionRejected, Modality, NotFound, Observation, TypeText, Wait
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.grounders import ElementsGrounder
from omnipilot.memory import Memory, Move, NeededFact, Outcome, Role, Step, Turn, Usage
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.planners import Brief, Decision, Planner, Request
from omnipilot.planners.mini.planner import take_in, thought_of

MOST_RECALLED = 6
"""Lines of what was recalled that a prompt shows."""
DISTANCES = (4, 6, 8, 10, 12, 16, 24, 40)
"""Turns since the fact was told; short ones cost little time."""
MEMORY_SHARES: Mapping[str, int] = {"episodic": 7, "keyframes": 1, "window": 1, "none": 1}
"""How often each memory is demonstrated, of ten times."""


def demonstrate_memory(suite: DuetMemory, task: str, instance: int, slips: float = 0.05) -> list[Sample]:
    """The samples of one episode; none if the demonstration, with its slips, does not solve the task, if what was
    recalled misleads, or if the past of this instance cannot be played.

    Args:
        slips: probability of a slip before each move.

    Raises:
        ConfigError: see `check_instance`.
    """
    check_instance(suite, task, instance)
    try:
        return MemoryDemonstration(suite, task, instance, slips).play()
    except BrokenPrologue:
        return []


class _GivesUp(Exception):
    """Nothing that was recalled tells the fact that is needed now."""


class _Misled(Exception):
    """What was recalled tells another value, and nothing tells that it is wrong."""


class _Onlooker(Planner):
    """In the planner's place: keeps what it is asked, and decides nothing."""

    reads = SHOWN
    takes_notes = True
    request = Request(Brief("", {}), 0, {})

    def begin(self, brief: Brief) -> None:
        """Nothing to forget."""

    def plan(self, request: Request) -> Decision:
        """Keep the request."""
        self.request = request
        return Decision(())


class _Unrecorded:
    """A recorder of the past that records nothing."""

    modalities: frozenset[Modality] = frozenset()

    def past(self, turn: Turn, observations: Mapping[str, Observation]) -> None:
        """Do nothing."""

    def remembered(self, turn: int, events: Sequence[TimelineEvent]) -> None:
        """Do nothing."""


class MemoryDemonstration(Demonstration):
    """One episode of `duet-memory`, demonstrated.

    Args:
        memory: the name of one; "" to draw one. distance: turns since the fact was told; 0 to draw a number.
    """

    most_recalled = MOST_RECALLED
    suite: DuetMemory

    def __init__(
        self, suite: DuetMemory, task: str, instance: int, slips: float, memory: str = "", distance: int = 0
    ) -> None:
        (drawn,) = _dice(task, instance).choices(list(MEMORY_SHARES), list(MEMORY_SHARES.values()))
        self.memory = memory or drawn
        self.distance = distance or _dice(task, instance, "distance").choice(DISTANCES)
        self.onlooker = _Onlooker()
        self.turn = -1
        self.steps: list[Step] = []
        self.facts: Sequence[NeededFact] = ()
        super().__init__(suite, task, instance, slips)

    def _reader(self, readers: str) -> GoldReader:  # noqa: ARG002
        reader = GoldReader()
        reader.take_truth(self.truth)
        return reader

    def _begin(self) -> Rehearsal:
        """Play the past, which the memory takes in."""
        told = self.suite.instantiate(self.task, self.instance, distance=self.distance)
        assert told.prologue is not None and told.facts is not None
        instruction = told.setup(self.world)
        self.truth.begin(self.world, told, 0)
        memory: Memory = MEMORIES.make(PartSpec(self.memory))
        sees = Role("planner", SHOWN)
        single = SingleAgent(self.onlooker, ElementsGrounder(), memory, sees, Role("grounder", SHOWN))
        single.granted = ALL_MODALITIES
        self.agent = ReadingAgent(single, self.reader, Role("readers", frozenset()))
        self.agent.begin(Brief(instruction, {}))
        past = play_prologue(told.prologue, self.world, self.world, self.agent, _Unrecorded(), self.truth)
        self.since = dict(past.since)
        self.facts = told.facts()
        start = self.world.snapshot()

        def setup(world: object) -> str:  # noqa: ARG001
            self.world.restore(start)
            return instruction

        return Rehearsal(replace(told, setup=setup), self.world)

    def play(self) -> list[Sample]:
        """The samples; none if the task is not solved, or what was recalled misleads."""
        try:
            return super().play()
        except _GivesUp:
            self._say("infeasible")
            return self.samples
        except _Misled:
            return []

    def _do(self, move: Move) -> None:
        """Demonstrate one move, unless it takes a fact that nothing tells."""
        if isinstance(move.intent, TypeText):
            for fact in self.facts:
                if re.search(rf"(?<!\w){re.escape(fact.value)}(?!\w)", move.intent.text):
                    self._need(fact)
        super()._do(move)

    def _need(self, fact: NeededFact) -> None:
        told = {value for line in self.session.lines for value in line.values}
        shown = {one.text for one in self._prompt().references.all}
        if fact.value in told & shown:
            return
        if any(one.value in told for one in fact.candidates):
            raise _Misled
        raise _GivesUp

    def _execute(self, move: Move) -> bool:
        action: Action | None = None
        start = self.world.now
        try:
            action = move.intent if isinstance(move.intent, Wait) else ground_move(self.world, move)
        except (NotFound, ActionRejected):
            return False
        if not super()._execute(move):
            return False
        seen = self.seen.get(move.env)
        number = len(self.steps)
        done = Step(number, self.turn, move, action, Outcome("done"), seen, start=start, end=self.world.now)
        self.steps.append(done)
        return True

    def _look(self) -> None:
        """Let the memory take in what was done, and see what it recalls now."""
        if self.turn >= 0:
            if not self.steps:
                return
            said = self.samples[-1].reply if self.samples else ""
            thought = thought_of(self.session.clause, [said])
            self.agent.learn(Turn(self.turn, self.seen, thought, (), tuple(self.steps), Usage()))
        self.turn, self.steps = self.turn + 1, []
        self.seen = {name: env.observe(SHOWN, self.since[name]) for name, env in self.world.envs.items()}
        for name, observation in self.seen.items():
            self.truth.looked(observation)
            self.since[name] = observation.time
        self.agent.decide(Situation(self.turn, self.seen, self.seen.__getitem__))
        take_in(self.session, self.onlooker.request)


def _dice(*of: object) -> Random:
    return Random(seed_of("mini", "memory", *of))
