"""A table of sub-tasks over the scripted counter, as a user would write one; importable as "counting_table:POOL"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toy_suite import ToyWorld

from omnipilot.bench.draw import Ledger
from omnipilot.bench.graph import JudgeGraph
from omnipilot.bench.judges import Judge
from omnipilot.bench.suites.crab_subtasks import Pool, SubTask
from omnipilot.bench.template import Piece
from omnipilot.envs.base import Thinking


def _count(given: Mapping[str, Any], state: Any, _: Ledger) -> Piece:
    to = int(given["to"])
    return Piece(JudgeGraph((Judge(f"counted to {to}", lambda case: case.state.count >= to),)), state, lambda _: [])


def _world(thinking: Thinking) -> ToyWorld:
    return ToyWorld(0.0, thinking)


def _setup(world: ToyWorld, _: Any) -> None:
    world.reset(0)


POOL = Pool(
    {"count": SubTask("count", "count to {to}", {"to": ("number",)}, "", _count, "toy", "counter")},
    _world,
    lambda: None,
    _setup,
)
