"""Proofs that the tasks of `duet` measure what they claim to. Each is a function that lists defects; () means proved.

The criterion of the mutation proof: when a move of the demonstration is left out, some node of its own sub-task is
not reached. Exempt are looks (waiting, scrolling, opening an app that may be open already, questions to the user): they
may turn out to be unneeded, because they change no data; that questions are needed has a proof of its own. Scrolls that
the player adds are no part of the demonstration's moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from omnipilot.bench.suites.duet.kit.play import pieces
from omnipilot.bench.suites.duet.proofs.other_media import DUBS, Dubbed, other_facts
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.proofs.twins import STILL, twins_differ
from omnipilot.bench.suites.duet.proofs.unasked import asking_is_needed
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.envs import Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move

LOOKS = frozenset({"ask_user", "wait", "scroll", "swipe", "move", "screenshot", "open_app"})
IDLE_SECONDS, IDLE_STEP = 600, 20
Proof: TypeAlias = Callable[[Duet, str, int], list[str]]


def demonstration_passes(suite: Duet, task_id: str, instance: int) -> list[str]:
    """No node holds at the start, every move can be carried out, and all nodes are reached within half the turns."""
    trial = Rehearsal(suite.instantiate(task_id, instance))
    if trial.evaluator.completed:
        return [f"holds at the start: {sorted(set(trial.evaluator.states()) - set(trial.missing))}"]
    moves = moves_of(suite, task_id, instance)
    trial.play(moves)
    wrong = [f"cannot be done: {move}" for move in trial.failed]
    wrong += [f"not reached by the demonstration: {name}" for name in trial.missing]
    limits = suite.instantiate(task_id, instance).limits
    most = limits.turns if limits and limits.turns else 30
    if len(moves) >= most:
        wrong.append(f"the demonstration needs {len(moves)} of {most} turns")
    return wrong


def doing_nothing_fails(suite: Duet, task_id: str, instance: int) -> list[str]:
    """Ten minutes of waiting reach no node."""
    trial = Rehearsal(suite.instantiate(task_id, instance))
    trial.play([Move("", Wait(IDLE_STEP))] * (IDLE_SECONDS // IDLE_STEP))
    return [
        f"reached by waiting: {name}" for name, state in trial.evaluator.states().items() if state.value == "completed"
    ]


def every_step_is_needed(suite: Duet, task_id: str, instance: int) -> list[str]:
    """If any one move other than a look is omitted, a node of its sub-task is not reached."""
    composed = suite.composed(task_id, instance)
    trial = Rehearsal(suite.instantiate(task_id, instance))
    parts = pieces(trial.world, composed.solutions())
    moves = [(number, move) for number, part in enumerate(parts) for move in part]
    stands = []
    for _, move in moves:
        stands.append(trial.stand())
        trial.play([move], ended=False)
    wrong = []
    for at, (number, move) in enumerate(moves):
        if move.intent.kind in LOOKS:
            continue
        trial.back(stands[at])
        trial.play([later for _, later in moves[at + 1 :]])
        own = {judge.name for judge in composed.parts[number].graph.nodes}
        if not trial.missing:
            wrong.append(f"unneeded: move {at + 1}, {move}")
        elif not own & set(trial.missing):
            wrong.append(f"move {at + 1}, {move}, is missed by others alone: {trial.missing}")
    return wrong


def other_ways_pass(suite: Duet, task_id: str, instance: int) -> list[str]:
    """The alternative solution of each sub-task, if it has one, reaches all nodes too."""
    composed = suite.composed(task_id, instance)
    wrong = []
    for number, part in enumerate(composed.parts):
        if part.piece.alternative is None:
            continue
        ways = list(composed.solutions())
        ways[number] = part.piece.alternative
        trial = Rehearsal(suite.instantiate(task_id, instance))
        trial.play([move for moves in pieces(trial.world, ways) for move in moves])
        name = part.template.id
        wrong += [f"other way of {name}: cannot be done: {move}" for move in trial.failed]
        wrong += [f"other way of {name}: not reached: {node}" for node in trial.missing]
    return wrong


def level_holds(suite: Duet, task_id: str, instance: int) -> list[str]:
    """AV-critical: twins differ; AV-present: media do not matter. AV-supportive makes neither claim."""
    level = suite.about(task_id).level
    if level == "AV-critical":
        return twins_differ(suite, task_id, instance)
    return media_do_not_matter(suite, task_id, instance) if level == "AV-present" else []


def media_do_not_matter(suite: Duet, task_id: str, instance: int) -> list[str]:
    """With all sounds exchanged, and with recordings, films and signals that tell other things, the same moves pass
    on the same screens."""
    moves = moves_of(suite, task_id, instance)
    task = suite.instantiate(task_id, instance)
    before = _screens(Rehearsal(task), moves)
    wrong = []
    trials = {what: Rehearsal(task, Dubbed(dub)) for what, dub in DUBS.items()}
    trials["other facts"] = Rehearsal(task)
    trials["other facts"].world.prepare(lambda state: other_facts(state, suite.seed(task_id, instance)))
    for what, trial in trials.items():
        if _screens(trial, moves) != before:
            wrong.append(f"{what}: the screens differ")
        trial.judge(ended=True)
        wrong += [f"{what}: not reached: {name}" for name in trial.missing]
    return wrong


def _screens(trial: Rehearsal, moves: list[Move]) -> list[object]:
    shown: list[object] = []
    for move in [None, *moves]:
        if move is not None:
            trial.play([move], ended=False)
        shown += [screen_of(trial.world, name) for name in trial.world.envs]
    return shown


def screen_of(world: SimWorld, env: str) -> tuple[object, ...]:
    """The static content of a screen: the picture, the elements and the context."""
    seen = world.envs[env].observe(STILL, world.now)
    return seen.screenshot, seen.elements, seen.context


def moves_of(suite: Duet, task_id: str, instance: int, twin: int = 0) -> list[Move]:
    """The moves of a task's demonstration."""
    task = suite.instantiate(task_id, instance, twin)
    world = SimWorld()
    task.setup(world)
    assert task.solution is not None
    return list(task.solution(world))


PROOFS: Mapping[str, Proof] = {
    "the demonstration passes": demonstration_passes,
    "doing nothing fails": doing_nothing_fails,
    "every step is needed": every_step_is_needed,
    "other ways pass": other_ways_pass,
    "the dependency level holds": level_holds,
    "asking is needed": asking_is_needed,
}
