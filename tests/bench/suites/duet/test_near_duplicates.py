"""Who takes a near-duplicate for what is meant is noticed by the judge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from omnipilot.bench import Case, GraphEvaluator, JudgeGraph
from omnipilot.bench.suites.duet.kit.play import seek, try_move
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.synthesis.compose import compose
from omnipilot.envs import Click, LongPress, Ref
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

KINDS = {"notes": "documents", "clock": "alarms"}
CASES = [(id, n) for id in ("append-note", "delete-note", "read-note", "shift-alarm", "delete-alarm") for n in range(3)]


def near(state: WorldState, kind: str, meant: str) -> str:
    """The id of the note whose name, or of the alarm whose label and time, come nearest."""
    items = {item.id: item for item in getattr(state.account, kind) if kind == "alarms" or item.folder == "Notes"}

    def like(id: str) -> tuple[int, int]:
        one, other = items[meant], items[id]
        if kind == "alarms":
            apart = abs(one.hour * 60 + one.minute - other.hour * 60 - other.minute)
            return -sum(a == b for a, b in zip(one.label, other.label, strict=False)), apart
        return -sum(a == b for a, b in zip(one.name, other.name, strict=False)), len(other.name)

    return min((id for id in items if id != meant), key=like)


def meant_by(moves: Sequence[Move]) -> str:
    """The id of the item whose row the moves press."""
    found = re.search(r"(notes/notes|clock/alarms)/((document|alarm)-\d+)", str(moves))
    assert found is not None
    return found.group(2)


def turned(move: Move, old: str, new: str) -> Move:
    """The move on the near-duplicate's row."""
    intent = move.intent
    if isinstance(intent, Click | LongPress) and isinstance(intent.at, Ref):
        return replace(move, intent=replace(intent, at=Ref(re.sub(rf"/{old}\b", f"/{new}", intent.at.id))))
    return move


def solved(world: SimWorld, graph: JudgeGraph, moves: Sequence[Move]) -> bool:
    """Whether the moves, each brought into sight first, reach all nodes."""
    evaluator, start = GraphEvaluator(graph), world.state()
    for move in moves:
        seek(world, move)
        assert try_move(world, move), move
        evaluator.step(Case(world, start))
    return evaluator.success


@pytest.mark.parametrize(("template", "instance"), CASES)
def test_a_near_duplicate_does_not_count(template: str, instance: int) -> None:
    item = book().templates[template]
    composed = compose([item], quiet(initial_world(instance)), "near", instance)
    moves = [move for solution in composed.solutions() for move in solution(composed.state)]
    meant = meant_by(moves)
    other = near(composed.state, KINDS[item.app], meant)
    outcomes = []
    for taken in (meant, other):
        world = SimWorld()
        world.reset(instance)
        world.prepare(lambda _: composed.state)
        outcomes.append(solved(world, composed.graph, [turned(move, meant, taken) for move in moves]))
    assert outcomes == [True, False]


def test_a_near_duplicate_of_the_note_that_is_read_has_a_number_too() -> None:
    item = book().templates["read-note"]
    for instance in range(5):
        composed = compose([item], quiet(initial_world(instance)), "near", instance)
        texts = [note.text for note in composed.state.account.notes if "Membership: " in note.text]
        assert len(texts) >= 2 and len({text.rpartition(" ")[2] for text in texts}) == len(texts)
