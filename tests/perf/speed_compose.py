"""How fast task graphs are composed, of the processor's time of one core: those of a whole pool, over all cells."""

from __future__ import annotations

import time
from dataclasses import dataclass

from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.stage import cell_counts
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph, subtask_type
from omnipilot.bench.suites.pool.templates import hand_written_subtasks

GRAPHS = 36_076
"""As many as OmniBench has tasks."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What was measured. `cells` of the 67 possible ones have a graph; `alike` is the number of equal keys."""

    seconds: float
    cells: int
    alike: int


def composing_seconds(count: int = GRAPHS, seed: int = 0) -> Composed:
    """Compose graphs of duet's hand-written templates."""
    types = TypeGraph([subtask_type(record) for record in hand_written_subtasks()])
    began = time.process_time()
    graphs = list(Composer(types, seed).graphs(count))
    seconds = time.process_time() - began
    filled = sum(number > 0 for number in cell_counts(graphs).values())
    return Composed(seconds, filled, len(graphs) - len({graph.key for graph in graphs}))
