"""How fast task graphs are composed, of the processor's time of one core: those of a whole pool, over all cells.

`discovered_subtasks.jsonl` holds the types of 369 subtasks that `omnipilot synth explore` and `synth subtasks` found
in the embedded world: what takes what, and nothing else.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.garbage import collecting_seldom
from omnipilot.bench.suites.pool.compose.stage import cell_counts
from omnipilot.bench.suites.pool.compose.subtask_types import SubtaskType, TypeGraph, subtask_type
from omnipilot.bench.suites.pool.templates import hand_written_subtasks

GRAPHS = 36_076
"""As many as OmniBench has tasks."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What was measured. `cells` of the 67 possible ones have a graph; `alike` is the number of equal keys;
    `most_used` is how often the most used subtask occurs, as a multiple of the mean."""

    seconds: float
    cells: int
    alike: int
    most_used: float


def composing_seconds(subtasks: Sequence[SubtaskType], count: int = GRAPHS, seed: int = 0) -> Composed:
    """Compose graphs of these subtasks, over all cells, as `synth compose` does before it plays them."""
    with collecting_seldom():
        began = time.process_time()
        composer = Composer(TypeGraph(subtasks), seed)
        graphs = list(composer.graphs(count))
        seconds = time.process_time() - began
    filled = sum(number > 0 for number in cell_counts(graphs).values())
    alike = len(graphs) - len({graph.key for graph in graphs})
    return Composed(seconds, filled, alike, max(composer.use) * len(composer.use) / sum(composer.use))


def subtask_pools() -> dict[str, list[SubtaskType]]:
    """Pools to compose from: the hand-written subtasks, and those that were discovered."""
    found = []
    for line in Path(__file__).with_name("discovered_subtasks.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        inputs = tuple((name, kind) for name, kind in one["inputs"])
        effect = None if one["effect"] is None else tuple(one["effect"])
        found.append(SubtaskType(**{**one, "inputs": inputs, "effect": effect}))
    return {"hand-written": [subtask_type(record) for record in hand_written_subtasks()], "discovered": found}
