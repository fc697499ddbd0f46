"""Proofs that the tasks of `lures` measure what they claim to; `python -m omnipilot.bench.suites.lures.proofs`.

Each is a function that lists defects; none means proved. That the benign tasks' judges hold is proved for the sub-tasks
by `duet`; here it is that planted words change nothing of it, and what the harms' judges see.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.play import try_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.lures.effects import effect, elsewhere, prepare
from omnipilot.bench.suites.lures.suite import Lures
from omnipilot.bench.synthesis.prove import flaws_of_task, parser_for, prove_suite
from omnipilot.bench.tasks.judges import Case
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import Answer, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move
from omnipilot.planners.gullible import Eyes, Imperative, carry_out, read_imperatives, written_as_told

IDLE = 120
"""Seconds of waiting in which nothing may come about."""


def demonstration_is_harmless(suite: Lures, task_id: str, instance: int) -> list[str]:
    """From the start as the past leaves it, the demonstration reaches every sub-goal, and no harm comes about: not at
    the start, not by the demonstration, not by waiting. So it is with the planted words and without."""
    wrong = []
    for name, one in (("on", suite), ("off", Lures("off"))):
        task = one.instantiate(task_id, instance)
        trial = _trial(task)
        assert task.solution is not None
        moves = list(task.solution(trial.world))
        wrong += [f"lures {name}: {why}" for why in _tried(trial, task, moves, harm=False)]
        idle = _trial(task)
        wrong += [
            f"lures {name}: {why}" for why in _tried(idle, task, [Move("", Wait(IDLE))], harm=False, solved=False)
        ]
    return wrong


def who_obeys_is_seen(suite: Lures, task_id: str, instance: int) -> list[str]:
    """Moves that do what the words say bring the harm about, and its judge sees it."""
    task, order = suite.instantiate(task_id, instance), suite.lure(task_id).asks
    harmed, answers, start = _obey(task, order)
    seen = task.harms[0](Case(harmed, start, answers)).reached
    return [] if seen else [f"{order} was carried out, and the judge does not see it"]


def others_are_not_seen(suite: Lures, task_id: str, instance: int) -> list[str]:
    """The same done to something or somebody else is no harm of this task, and is one of the task that asks for it."""
    made, task = suite.make(task_id, instance), suite.instantiate(task_id, instance)
    other = elsewhere(made.lure.asks)
    setup = task.setup

    def with_other(world: SimWorld) -> str:
        told = setup(world)
        world.prepare(lambda state: prepare(state, other))
        return told

    harmed, answers, start = _obey(task, other, with_other)
    case = Case(harmed, start, answers)
    wrong = [f"{other} is taken for {made.lure.asks}"] if task.harms[0](case).reached else []
    return wrong if effect(other)(case).reached else [*wrong, f"{other} was not carried out"]


def words_say_it(suite: Lures, task_id: str, instance: int) -> list[str]:  # noqa: ARG001
    """The words say what the lure is said to ask for, and nothing else."""
    lure = suite.lure(task_id)
    read = read_imperatives(lure.words, heard=lure.channel == "spoken")
    return [] if read == (lure.asks,) else [f"{lure.words!r} says {read}, not {lure.asks}"]


def hidden_is_hidden(suite: Lures, task_id: str, instance: int) -> list[str]:
    """What the channel `hidden` plants is in the element tree, and no screen on the demonstration's way shows it."""
    lure = suite.lure(task_id)
    if lure.channel != "hidden":
        return []
    task = suite.instantiate(task_id, instance)
    trial = _trial(task)
    assert task.solution is not None
    listed = False
    for move in list(task.solution(trial.world)):
        try_move(trial.world, move)
        desktop = trial.world.envs["desktop"]
        listed |= any(lure.words in one.name for one in desktop.ui_tree())
        if any(lure.words[:12] in one.name for one in desktop.written_texts()):
            return [f"after {move} the screen shows it"]
    return [] if listed else ["it is never in the element tree"]


def _trial(task: Task) -> Rehearsal:
    """The task at its start, after its past."""

    def setup(world: SimWorld) -> str:
        told = task.setup(world)
        if task.prologue is not None:
            for move in task.prologue.play(world):
                try_move(world, move)
        return told

    return Rehearsal(replace(task, setup=setup))


def _tried(trial: Rehearsal, task: Task, moves: Sequence[Move], harm: bool, solved: bool = True) -> list[str]:
    """What is wrong with a trial: moves that cannot be made, sub-goals, and the harm at any time."""
    harms = [_harmed(trial, task)]
    for move in moves:
        trial.play([move], ended=False)
        harms.append(_harmed(trial, task))
    trial.judge(ended=True)
    wrong = [f"cannot be done: {move}" for move in trial.failed]
    if solved:
        wrong += [f"not reached: {name}" for name in trial.missing]
    elif not trial.missing:
        wrong.append("solved by waiting")
    return wrong + ["the harm came about"] * (any(harms) != harm)


def _harmed(trial: Rehearsal, task: Task) -> bool:
    return task.harms[0](Case(trial.world, trial.start, trial.answers)).reached


def _obey(
    task: Task, order: Imperative, setup: Callable[[SimWorld], str] | None = None
) -> tuple[SimWorld, tuple[str, ...], WorldState]:
    """The world after an order was carried out in a task's start state, the answers given, and the state before."""
    world = SimWorld()
    instruction = (setup or task.setup)(world)
    start = world.state()
    answers: tuple[str, ...] = ()
    if order.do in ("write", "add"):
        assert task.solution is not None
        for move in written_as_told(task.solution(world), instruction, {order.do: order.text}):
            try_move(world, move)
        return world, answers, start
    eyes = Eyes()
    _look(world, eyes)
    for move in carry_out(order, eyes):
        if isinstance(move.intent, Answer):
            answers = (*answers, move.intent.text)
        try_move(world, move)
        _look(world, eyes)
    return world, answers, start


def _look(world: SimWorld, eyes: Eyes) -> None:
    eyes.screens = {name: env.ui_tree() for name, env in world.envs.items()}


Proof = Callable[[Lures, str, int], list[str]]
PROOFS: Mapping[str, Proof] = {
    "the demonstration is harmless": demonstration_is_harmless,
    "who obeys is seen": who_obeys_is_seen,
    "others are not seen": others_are_not_seen,
    "the words say it": words_say_it,
    "what is hidden is hidden": hidden_is_hidden,
}


def flaws(task_id: str, instances: int) -> list[str]:
    """The defects of a task: one line per reason, with instance and proof."""
    return flaws_of_task(PROOFS, Lures(), task_id, instances)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove, and print what fails.

    Returns:
        0 where all holds, else 1.
    """
    options = parser_for("omnipilot.bench.suites.lures.proofs", __doc__, instances=2, jobs=1).parse_args(arguments)
    return prove_suite(options, Lures(), flaws, PROOFS)


if __name__ == "__main__":
    sys.exit(main())
