"""Twins: the same instance with a different fact, which can only be heard or seen in motion."""

from __future__ import annotations

from itertools import zip_longest

from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.envs import Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Move

STILL = (Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT)
"""What shows one moment only, and so nothing that is heard or moves."""
LEAST = 4
"""Values that a fact can take."""


def twins_differ(suite: Duet, task_id: str, instance: int) -> list[str]:
    """The defects of a task that claims to be AV-critical.

    There are at least four twins, so that a guess is right once in four at most. A task and its twin have equal
    instructions. Up to the first move in which their demonstrations differ, every screenshot, element and context of
    both devices is equal byte for byte, while what was heard or seen in motion is not. The one's demonstration does
    not solve the other.

    Raises:
        ConfigError: a fact has fewer than four values.
    """
    suite.composed(task_id, instance, LEAST - 1)
    tasks = [suite.instantiate(task_id, instance, twin) for twin in (0, 1)]
    trials = [Rehearsal(task) for task in tasks]
    if trials[0].instruction != trials[1].instruction:
        return ["the twins' instructions differ"]
    ways = []
    for task, trial in zip(tasks, trials, strict=True):
        assert task.solution is not None
        ways.append(list(task.solution(trial.world)))
    decision = next((at for at, pair in enumerate(zip_longest(*ways)) if pair[0] != pair[1]), None)
    if decision is None:
        return ["the twins' right moves are the same"]
    wrong = _until(decision, trials, ways[0])
    for way, task, name in ((ways[0], tasks[1], "twin"), (ways[1], tasks[0], "task")):
        if not Rehearsal(task).play(way).missing:
            wrong.append(f"the other's moves solve the {name} too")
    return wrong


def _until(decision: int, trials: list[Rehearsal], way: list[Move]) -> list[str]:
    told = False
    since = 0.0
    for at in range(decision + 1):
        if at:
            for trial in trials:
                trial.play([way[at - 1]], ended=False)
        for env in trials[0].world.envs:
            first, second = (
                trial.world.envs[env].observe(STILL if told else ALL_MODALITIES, since) for trial in trials
            )
            for name in STILL:
                if getattr(first, name) != getattr(second, name):
                    return [
                        f"the twins' {name} on the {env} differ before move {at + 1}, the decision is {decision + 1}"
                    ]
            told = told or (first.audio, first.video) != (second.audio, second.video)
        since = trials[0].world.now
    return [] if told else ["before the decision nothing that differs was heard or seen"]
