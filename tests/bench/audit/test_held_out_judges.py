"""The judges that were held out from making the auditor: what they accept; what the auditor says of them is slow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from held_out_flaws import FLAWS, HeldOutJudge
from held_out_sound import SOUND

from omnipilot.bench.judges import note_action
from omnipilot.bench.suites.duet.kit.play import ground_move
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case, ExecutedAction
from omnipilot.envs import Thinking, Wait

SUITE = Duet(memo=2000, pieces=64)
TASKS = sorted({one.task for one in (*FLAWS, *SOUND)})


def _demonstrate(task: str, judges: list[HeldOutJudge]) -> tuple[set[str], set[str]]:
    """Names of the judges that hold at the start, and of those that the demonstration satisfies."""
    world = SUITE.world(Thinking("frozen"))
    played = SUITE.instantiate(task, 0)
    played.setup(world)
    case = Case(world, world.state())
    graphs = {one.name: GraphEvaluator(one.graph) for one in judges}
    for graph in graphs.values():
        graph.step(case)
    early = {name for name, graph in graphs.items() if graph.success}
    assert played.solution is not None
    for move in played.solution(world):
        if isinstance(move.intent, Wait):
            done = ExecutedAction(move.env, move.intent)
            world.wait(move.intent.seconds)
        else:
            action = ground_move(world, move)
            done = note_action(world, move.env, action)
            world.envs[move.env].act(action)
        case = replace(case, actions=(*case.actions, done))
        for graph in graphs.values():
            graph.step(case)
    world.close()
    return early, {name for name, graph in graphs.items() if graph.success}


def test_there_are_enough_of_them() -> None:
    assert len(FLAWS) == len({(one.task, one.name) for one in FLAWS}) >= 40
    assert len(SOUND) == len({(one.task, one.name) for one in SOUND}) >= 40


@pytest.mark.parametrize("task", TASKS)
def test_the_demonstration_satisfies_each_and_a_sound_one_not_at_the_start(task: str) -> None:
    flaws = [replace(one, name=f"flaw: {one.name}") for one in FLAWS if one.task == task]
    sound = [one for one in SOUND if one.task == task]
    early, satisfied = _demonstrate(task, [*flaws, *sound])
    assert satisfied == {one.name for one in (*flaws, *sound)}
    assert not early & {one.name for one in sound}
