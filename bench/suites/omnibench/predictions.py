"""Outcomes of OmniBench's tasks from task trajectories, `evaluation_results.json`, or a run directory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, StepTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Record
from omnipilot.bench.scoring.data.source import records_of
from omnipilot.bench.scoring.row_problems import Trials
from omnipilot.bench.suites.omnibench.dag import completion_order
from omnipilot.bench.suites.omnibench.metrics.action_match import FunctionCall
from omnipilot.bench.suites.omnibench.metrics.execution import Execution
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph
from omnipilot.bench.suites.omnibench.metrics.loop import JudgedStep, follow
from omnipilot.envs import ConfigError

ORDERS = ("executed", "executed_order", "topological_order")
"""Fields of a trajectory that may hold the completed subtasks, in the order of completion; the first that is there."""


@dataclass(frozen=True, slots=True)
class OmniBenchEpisode:
    """One episode of a task.

    Attributes:
        execution: what was completed, None where only the outcome is known.
        solved: every subtask complete.
        scores: the released completion and coherence, as the file has them.
    """

    task: str
    instance: int
    trial: int
    execution: Execution | None
    solved: bool
    void: bool = False
    scores: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Attempts:
    """All episodes.

    Attributes:
        bad: predictions that cannot be read. extra: tasks that the data does not have.
        notes: on tasks with several predictions.
    """

    items: tuple[OmniBenchEpisode, ...]
    bad: tuple[Bad, ...] = ()
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_file(path: Path, graphs: Mapping[str, TaskGraph]) -> Attempts:
    """Read task trajectories (a list or JSON lines) or `evaluation_results.json` (an object keyed by task).

    A trajectory whose task is known and whose order cannot be is an episode in which nothing was completed.
    Trajectories of one task that differ are its trials.

    Raises:
        ConfigError: the file cannot be read.
    """
    items: list[OmniBenchEpisode] = []
    bad: list[Bad] = []
    extra: list[str] = []
    repeated = Trials("trajectories")
    for record in records_of(path):
        task, trial = "", None
        try:
            outcome = record.has("outcome") and not record.has("task_id")
            task = record.record if outcome else record.text("task_id")
            if task not in graphs:
                extra.append(task)
                continue
            trial = repeated.trial(task, record)
            if trial is not None:
                one = _outcome(record, task, trial) if outcome else _trajectory(record, graphs[task], task, trial)
                items.append(one)
        except BadRecord as error:
            bad.append(error.bad)
            if trial is not None:
                items.append(OmniBenchEpisode(task, 0, trial, Execution(graphs[task]), False))
    return Attempts(tuple(items), tuple(bad), tuple(extra), repeated.notes())


def _outcome(record: Record, task: str, trial: int) -> OmniBenchEpisode:
    scores = None
    if record.has("score") and isinstance(record.raw("score"), Mapping):
        score = record.table("score")
        scores = score.number("completion"), score.number("coherence")
    return OmniBenchEpisode(task, 0, trial, None, record.text("outcome") == "Success", scores=scores)


def _trajectory(record: Record, graph: TaskGraph, task: str, trial: int) -> OmniBenchEpisode:
    field = next((name for name in ORDERS if record.has(name)), ORDERS[-1])
    order = record.items(field)
    if not all(isinstance(name, str) for name in order):
        raise record.wrong(field, "expected a list of subtask ids")
    try:
        execution = Execution(graph, tuple(order))
    except ConfigError as error:
        raise record.wrong(field, str(error)) from None
    return OmniBenchEpisode(task, 0, trial, execution, execution.success)


def read_actions(path: Path) -> dict[str, list[tuple[FunctionCall | None, ...]]]:
    """The actions of each task's trajectories in a file; None in place of an action that cannot be read.

    Trajectories without a task or without actions are left out.

    Raises:
        ConfigError: the file cannot be read.
    """
    found: dict[str, list[tuple[FunctionCall | None, ...]]] = {}
    for record in records_of(path):
        # A record that is no trajectory is told of by whoever reads the outcomes.
        with contextlib.suppress(BadRecord):
            if record.has("task_id") and record.has("actions") and record.items("actions"):
                calls = tuple(map(_call, record.items("actions")))
                found.setdefault(record.text("task_id"), []).append(calls)
    return found


def _call(action: object) -> FunctionCall | None:
    """An action as the benchmark writes it; None if it is none."""
    if not isinstance(action, Mapping) or not isinstance(action.get("function"), str):
        return None
    args, rect = action.get("args", {}), action.get("rect")
    whole = isinstance(rect, list) and len(rect) == 4 and all(isinstance(side, int | float) for side in rect)
    if not isinstance(args, Mapping) or not (rect is None or whole):
        return None
    return FunctionCall(action["function"], args, None if rect is None else tuple(rect))


def read_run(folder: Path, graphs: Mapping[str, TaskGraph], variant: str) -> Attempts:
    """The episodes of a run directory, using each one's last complete attempt.

    The released variant follows its evaluation loop through the recorded steps: its limits, its one pass in the order
    of the file. What held after one step is taken to hold after the next.

    Raises:
        JournalError: there is no journal.
    """
    begun: dict[tuple[str, int], tuple[EpisodeStarted, list[StepTaken]]] = {}
    found: dict[str, OmniBenchEpisode] = {}
    extra: dict[str, None] = {}
    for event in read(folder):
        if isinstance(event, EpisodeStarted):
            begun[event.key, event.attempt] = event, []
        elif isinstance(event, StepTaken) and (event.key, event.attempt) in begun:
            begun[event.key, event.attempt][1].append(event)
        elif isinstance(event, EpisodeEnded) and (event.key, event.attempt) in begun:
            start, steps = begun.pop((event.key, event.attempt))
            if (graph := graphs.get(start.task)) is None:
                extra[start.task] = None
                continue
            execution = execution_of(graph, steps, event, variant)
            found[event.key] = OmniBenchEpisode(
                start.task, start.instance, start.trial, execution, execution.success, event.void
            )
    return Attempts(tuple(found.values()), (), tuple(extra))


def execution_of(graph: TaskGraph, steps: Iterable[StepTaken], end: EpisodeEnded, variant: str) -> Execution:
    """The subtasks that an episode completed, in the order of completion."""
    reached = [({c["node"] for c in step.changes if c["completed"]}, _finish(step)) for step in steps]
    late = {change["node"] for change in end.changes if change["completed"]}
    if late and reached:
        reached[-1] = reached[-1][0] | late, reached[-1][1]
    void = end.void
    if variant == "release":
        held: frozenset[str] = frozenset()
        judged = []
        for new, finish in reached:
            held |= new
            judged.append(JudgedStep(held, finish))
        return Execution(graph, follow(graph, judged).execution.executed, void)
    done: list[str] = []
    for new, _ in reached:
        done += completion_order(graph, done, new)
    return Execution(graph, tuple(done), void)


def _finish(step: StepTaken) -> bool:
    return step.result == "control" and step.executed is not None and step.executed.get("kind") == "done"
