"""Proof that a task cannot be solved without asking its user, but by chance."""

from __future__ import annotations

from itertools import permutations

from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.envs import AskUser
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Move

TWINS = 4
"""Values of what is untold that are compared; a task has at least so many, each as likely as the others."""


def asking_is_needed(suite: Duet, task_id: str, instance: int) -> list[str]:
    """The defects of a task that has a user.

    Its twins differ in what the user knows and in nothing else: instruction, seed and the whole state of the world are
    equal, and so is all that is seen and heard at the start. Worlds are deterministic, so every policy that does not
    ask does the same in all of them, whatever it does. The demonstration asks before anything else that differs, what
    the user says differs, and each twin's moves solve that twin and no other. So a policy that does not ask, and acts
    once, solves a share of the twins of at most one in their number.

    Raises:
        ConfigError: what is untold has fewer than four values.
    """
    tasks = [suite.instantiate(task_id, instance, twin) for twin in range(TWINS)]
    if tasks[0].user is None:
        return []
    states = [suite.composed(task_id, instance, twin).state for twin in range(TWINS)]
    trials = [Rehearsal(task) for task in tasks]
    looks = [{name: env.observe(ALL_MODALITIES, 0.0) for name, env in trial.world.envs.items()} for trial in trials]
    if any(trial.instruction != trials[0].instruction for trial in trials):
        return ["the instruction tells what only the user knows"]
    if any(state != states[0] for state in states) or any(look != looks[0] for look in looks):
        return ["the world tells what only the user knows"]
    ways: list[list[Move]] = []
    said: list[str] = []
    for task, trial in zip(tasks, trials, strict=True):
        assert task.solution is not None and task.user is not None
        ways.append(list(task.solution(trial.world)))
        questions = [move.intent.text for move in ways[-1] if isinstance(move.intent, AskUser)]
        if not (questions and isinstance(ways[-1][0].intent, AskUser)):
            return ["the demonstration does not ask first"]
        said.append("\n".join(map(task.user.answer, questions)))
    wrong = []
    if len(set(said)) < TWINS:
        wrong.append(f"the user says the same to several twins: {said}")
    for one, other in permutations(range(TWINS), 2):
        if not Rehearsal(tasks[other]).play(ways[one]).missing:
            wrong.append(f"the moves of twin {one} solve twin {other} too")
    return wrong
