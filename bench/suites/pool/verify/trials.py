"""Plays moves on an instance of a subtask, with or without judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from omnipilot.bench.judges import note_action
from omnipilot.bench.suites.duet.kit.play import ground_move, try_move
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.bench.suites.pool.verify.outcomes import DEVICES, StateOutcome, outcome_of
from omnipilot.bench.tasks.graph import GraphEvaluator, JudgeGraph
from omnipilot.bench.tasks.judges import Case, ExecutedAction
from omnipilot.envs import ActionRejected, Answer, NotFound
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import Move

View: TypeAlias = tuple[str, str, str, str]
"""Device, application, view, and what the view is about."""


@dataclass(frozen=True, slots=True)
class WorldEdit:
    """An item that is deleted behind the agent's back: a stand-in for an unwanted effect of what it does."""

    kind: str
    item: str

    def apply(self, state: WorldState) -> WorldState:
        """The state without the item."""
        found = state.account.find(self.kind, self.item)
        return state if found is None else state.own(state.account.drop(found))


@dataclass(frozen=True, slots=True)
class Trace:
    """What came of playing some moves.

    Attributes:
        end: the state at the end. outcome: what differs from the start.
        visited: the views that were in front after each move, without repetitions.
        failed: moves that could not be carried out.
        accepted: whether the judges accepted it; False without judges.
        missing: names of nodes that were not reached, in order. reason: why the first of them was not.
        actions: what was carried out.
    """

    end: WorldState
    outcome: StateOutcome
    visited: tuple[View, ...]
    failed: tuple[Move, ...]
    accepted: bool = False
    missing: tuple[str, ...] = ()
    reason: str = ""
    actions: tuple[ExecutedAction, ...] = ()


def play_moves(
    instance: SubtaskInstance,
    moves: Sequence[Move],
    graph: JudgeGraph | None = None,
    world: SimWorld | None = None,
    edit: tuple[int, WorldEdit] | None = None,
) -> Trace:
    """Play moves on a fresh instance; a move that is impossible is noted and skipped.

    Args:
        graph: judges after each move and at the end, as in an episode.
        world: another world to play in, which has been set up.
        edit: a change of the world before the move of this number.
    """
    world = world or instance.world()
    start = world.state()
    evaluator = GraphEvaluator(graph) if graph is not None else None
    looks = graph is not None and any(judge.reads_controls for judge in graph.nodes)
    actions: list[ExecutedAction] = []
    answers: list[str] = []
    visited: list[View] = []
    failed: list[Move] = []

    def judge(ended: bool = False) -> None:
        for view in views_of(world.state()):
            if view not in visited:
                visited.append(view)
        if evaluator is not None:
            evaluator.step(_case(world, start, answers, actions), ended)

    judge()
    for number, move in enumerate(moves):
        if edit is not None and edit[0] == number:
            world.change(edit[1].apply, 0.0)
        executed = _executed(world, move, looks)
        if isinstance(move.intent, Answer):
            answers.append(move.intent.text)
        elif not try_move(world, move):
            failed.append(move)
        elif executed is not None:
            actions.append(executed)
        judge()
    judge(ended=True)
    missing, reason = _missing(evaluator, _case(world, start, answers, actions))
    return Trace(
        world.state(),
        outcome_of(start, world.state()),
        tuple(visited),
        tuple(failed),
        evaluator is not None and evaluator.success,
        missing,
        reason,
        tuple(actions),
    )


def views_of(state: WorldState) -> list[View]:
    """What is in front on each device."""
    found = []
    for device in DEVICES:
        window = state.device(device).front  # type: ignore[arg-type]
        if window is not None:
            found.append((device, window.app, window.view.name, window.view.arg))
    return found


def _case(world: SimWorld, start: WorldState, answers: Sequence[str], actions: Sequence[ExecutedAction]) -> Case:
    return Case(world, start, tuple(answers), tuple(actions), since_time=start.time)


def _executed(world: SimWorld, move: Move, looks: bool) -> ExecutedAction | None:
    if move.intent.kind in CONTROL_VERBS:
        return None
    try:
        action = ground_move(world, move)
    except (NotFound, ActionRejected):
        return None
    return note_action(world, move.env, action) if looks else ExecutedAction(move.env, action)


def _missing(evaluator: GraphEvaluator | None, case: Case) -> tuple[tuple[str, ...], str]:
    if evaluator is None or evaluator.success:
        return (), ""
    states = evaluator.states()
    missing = tuple(name for name in evaluator.graph.order() if states[name].value != "completed")
    first = next(node for node in evaluator.graph.nodes if node.name == missing[0])
    return missing, f"{missing[0]}: {first(case).reason}"
