"""OmniBench's evaluation loop as released: which subtasks count, in what order, and how an episode ends.

Its quirks are kept, because they decide about the executed order that both scores read:

* the limits are tested before anything is judged, so the action of the step that hits one is never judged;
* judging is one pass in the order of the task's file, so a subtask listed after what it waits for can be completed in
  the same step, and one listed before it cannot;
* without the status FINISH nothing succeeds: an episode with everything complete ends by waiting too long.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omnibench.metrics.execution import Execution
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph

MAX_STEPS, WAIT_LIMIT = 200, 20
Outcome: TypeAlias = Literal[
    "running",
    "Success",
    "Fail (exceeded max steps)",
    "Fail (waited too long)",
    "Fail (Agent finished before completing all subtasks)",
]


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """One action: the subtasks whose evaluation function holds after it, and whether the agent said FINISH with it."""

    holds: frozenset[str] = frozenset()
    finish: bool = False


@dataclass(frozen=True, slots=True)
class LoopEnding:
    """How the released loop ended; "running" if the steps ran out first. steps: the number it counted."""

    execution: Execution
    outcome: Outcome
    steps: int


def follow(
    graph: TaskGraph, steps: Iterable[JudgedStep], max_steps: int = MAX_STEPS, wait_limit: int = WAIT_LIMIT
) -> LoopEnding:
    """Judge recorded steps as the released evaluator would; steps after its end are ignored.

    Args:
        wait_limit: steps in a row that may pass without completing a subtask.
    """
    before = graph.predecessors()
    executed: list[str] = []
    waited = 0
    count = 0
    for count, step in enumerate(steps, 1):
        waited += 1
        if count > max_steps:
            return LoopEnding(Execution(graph, tuple(executed)), "Fail (exceeded max steps)", count)
        if waited > wait_limit:
            return LoopEnding(Execution(graph, tuple(executed)), "Fail (waited too long)", count)
        for name in graph.ids:
            if name in step.holds and name not in executed and before[name] <= set(executed):
                executed.append(name)
                waited = 0
        if step.finish:
            execution = Execution(graph, tuple(executed))
            unfinished: Outcome = "Fail (Agent finished before completing all subtasks)"
            return LoopEnding(execution, "Success" if execution.success else unfinished, count)
    return LoopEnding(Execution(graph, tuple(executed)), "running", count)
