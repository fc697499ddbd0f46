"""Proofs that the tasks of `duet-memory` measure what they claim to; each lists defects, and [] means proved.

`python -m omnipilot.bench.suites.duet_memory.proofs` takes the tasks to prove, and how many instances of each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from omnipilot.bench.suites.duet.kit.play import demonstration, play
from omnipilot.bench.suites.duet.proofs.proofs import IDLE_SECONDS, IDLE_STEP, LOOKS
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.proofs.twins import STILL
from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.synthesis.prove import flaws_of_task, parser_for, prove_suite
from omnipilot.envs import Modality, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.world import Snapshot
from omnipilot.memory import Evidence, Move, Recalled
from omnipilot.planners.baselines import read_fact

TWINS = 3
"""Values that a fact can take at least, so that a guess is right once in three at most."""


class Lived:
    """A task whose past was played once, and what was seen and heard in it; trials start where it ended.

    Attributes:
        told: what was written and said, in words, with the turn before which it was.
    """

    def __init__(self, suite: DuetMemory, task_id: str, instance: int, twin: int = 0, listen: bool = False) -> None:
        self.task = suite.instantiate(task_id, instance, twin)
        self.made = suite.make(task_id, instance, twin)
        self.told: list[tuple[int, Recalled]] = []
        world = SimWorld()
        self.instruction = self.task.setup(world)
        assert self.task.prologue is not None and self.task.facts is not None
        turns, since = self.task.prologue.turns, world.now
        index = -turns
        for move in self.task.prologue.play(world):
            if listen:
                self._listen(world, index, since)
            since = world.now
            play(world, move)
            index += 1
        if listen:
            self._listen(world, 0, since)
        self.missing = -index
        self._start: Snapshot = world.snapshot()
        (self.fact,) = self.task.facts()

    def _listen(self, world: SimWorld, turn: int, since: float) -> None:
        for env, device in world.envs.items():
            words = " | ".join(text.name for text in device.written_texts())
            self.told.append((turn, Recalled(words, "texts", env, world.now, turn)))
            for heard in device.transcript(since, world.now):
                self.told.append((turn, Recalled(heard.words, "transcript", env, heard.end, turn)))

    def trial(self) -> Rehearsal:
        """A trial from where the past ended."""

        def setup(world: SimWorld) -> str:
            world.restore(self._start)
            return self.instruction

        return Rehearsal(replace(self.task, setup=setup))

    def moves(self) -> list[Move]:
        """The moves of the demonstration."""
        return demonstration(self.trial().world, self.made.composed.solutions())


def demonstration_passes(suite: DuetMemory, task_id: str, instance: int) -> list[str]:
    """No node holds when the past is over, every move can be carried out, and all nodes are reached."""
    lived = Lived(suite, task_id, instance)
    trial = lived.trial()
    if trial.evaluator.completed:
        return [f"holds at the start: {sorted(set(trial.evaluator.states()) - set(trial.missing))}"]
    trial.play(lived.moves())
    wrong = [f"cannot be done: {move}" for move in trial.failed]
    wrong += [f"not reached by the demonstration: {name}" for name in trial.missing]
    return wrong + [f"the past is {lived.missing} turns short"] * bool(lived.missing)


def doing_nothing_fails(suite: DuetMemory, task_id: str, instance: int) -> list[str]:
    """Ten minutes of waiting reach no node."""
    trial = Lived(suite, task_id, instance).trial()
    trial.play([Move("", Wait(IDLE_STEP))] * (IDLE_SECONDS // IDLE_STEP))
    states = trial.evaluator.states()
    return [f"reached by waiting: {name}" for name, state in states.items() if state.value == "completed"]


def every_step_is_needed(suite: DuetMemory, task_id: str, instance: int) -> list[str]:
    """If any one move other than a look is omitted, a node is not reached."""
    lived = Lived(suite, task_id, instance)
    moves = lived.moves()
    wrong = []
    for at, move in enumerate(moves):
        if move.intent.kind not in LOOKS and not lived.trial().play([*moves[:at], *moves[at + 1 :]]).missing:
            wrong.append(f"unneeded: move {at + 1}, {move}")
    return wrong


def evidence_is_true(suite: DuetMemory, task_id: str, instance: int) -> list[str]:
    """What is stated as evidence was shown or said at that time and place, and all of it together tells the value."""
    lived = Lived(suite, task_id, instance, listen=True)
    wrong = []
    for candidate in lived.fact.candidates:
        for wanted in chain.from_iterable(candidate.ways):
            if wanted.words and not any(_says(told, wanted) for _, told in lived.told):
                wrong.append(f"{candidate.value}: {wanted} was not to be read or heard")
    parts = [told for _, told in lived.told]
    found = read_fact(lived.fact, parts)
    if lived.fact.right.ways[0][0].modality is not Modality.VIDEO and (found is None or found != lived.fact.right):
        wrong.append(f"all of the past tells {found and found.value}, not {lived.fact.value}")
    return wrong


def _says(told: Recalled, wanted: Evidence) -> bool:
    """Whether a text of the past has the words of an evidence, in its environment and its time."""
    text = str(told.part).casefold()
    in_time = wanted.start - 0.01 <= told.time <= wanted.end + 0.5
    return told.env == wanted.env and in_time and all(word.casefold() in text for word in wanted.words)


def fact_has_left(suite: DuetMemory, task_id: str, instance: int) -> list[str]:
    """Since as many turns as the task says, nothing tells the right value, on any screen or by any sound."""
    lived = Lived(suite, task_id, instance, listen=True)
    distance = int(lived.task.tags["distance"])
    after = [told for turn, told in lived.told if turn > -distance]
    known = read_fact(lived.fact, after)
    return [] if known is None else [f"{known.value} is told within the last {distance} turns"]


def twins_differ(suite: DuetMemory, task_id: str, instance: int) -> list[str]:
    """Twins have other facts, equal instructions and equal screens at the start, byte for byte; what solves the one
    does not solve the other. There are at least three."""
    suite.make(task_id, instance, TWINS - 1)
    lived = [Lived(suite, task_id, instance, twin) for twin in (0, 1)]
    wrong = ["the twins' facts are equal"] if lived[0].fact.value == lived[1].fact.value else []
    if lived[0].instruction != lived[1].instruction:
        wrong.append(f"the instructions differ: {lived[0].instruction!r} and {lived[1].instruction!r}")
    trials = [one.trial() for one in lived]
    for env in trials[0].world.envs:
        first, second = (trial.world.envs[env].observe(STILL, trial.world.now) for trial in trials)
        wrong += [f"the {name} of the {env} differs" for name in STILL if getattr(first, name) != getattr(second, name)]
    for one, other in (lived, lived[::-1]):
        if not one.trial().play(other.moves()).missing:
            wrong.append("the other's moves solve the task too")
    return wrong


Proof = Callable[[DuetMemory, str, int], list[str]]
PROOFS: Mapping[str, Proof] = {
    "the demonstration passes": demonstration_passes,
    "doing nothing fails": doing_nothing_fails,
    "every step is needed": every_step_is_needed,
    "the evidence is true": evidence_is_true,
    "the fact has left": fact_has_left,
    "twins differ": twins_differ,
}


def flaws(task_id: str, instances: int) -> list[str]:
    """The defects of a task: one line per reason, with instance and proof."""
    return flaws_of_task(PROOFS, DuetMemory("all"), task_id, instances)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove, and print what fails.

    Returns:
        0 where all holds, else 1.
    """
    parser = parser_for("omnipilot.bench.suites.duet_memory.proofs", __doc__, instances=1, jobs=1)
    return prove_suite(parser.parse_args(arguments), DuetMemory("all"), flaws, PROOFS)


if __name__ == "__main__":
    sys.exit(main())
