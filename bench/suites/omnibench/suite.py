"""The suite `omnibench`: OmniBench's task graphs as runnable tasks, with one judge for each subtask.

A table maps ids of subtasks to judges: that of the embedded world by default, or your own. OmniBench's evaluation
functions are code in the data set, which is never run; a folder of them can be read as judges instead of the table's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from omnipilot.agents import Limits
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab.adjacency import Adjacency
from omnipilot.bench.suites.crab.joining import Joined, join_subtasks
from omnipilot.bench.suites.crab.pool_tasks import PoolTasks
from omnipilot.bench.suites.omnibench.data import GET, OmniTask, load_data, version_of
from omnipilot.bench.suites.omnibench.functions import ReleasedFunctions
from omnipilot.bench.suites.omnibench.metrics.loop import MAX_STEPS
from omnipilot.bench.suites.subtasks.pool import Pool, check_subtask, load_pool
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Thinking, World

LIMITS = Limits(MAX_STEPS, MAX_STEPS)
"""Those of the released evaluator, which counts steps; the paper gives no limit."""

CURE = "its evaluation function is code of the data set and is not run; name a table, -o suite.evaluators=MODULE:POOL"


class OmniBenchSuite(Suite):
    """The suite.

    Args:
        data: the folder of subtasks and tasks, or `hf://OWNER/NAME`.
        evaluators: the table of judges, `module:attribute` of a `Pool`; "" for the embedded world's.
        functions: a folder of evaluation functions, `ID.py` or `ID.txt` for a subtask, that judge in place of the
            table's judges; a task with a function by which the world cannot be judged is in `bad`, with the reason.

    Raises:
        ConfigError: no data, no such table, or no functions in the folder.
    """

    name = "omnibench"
    version: str

    def __init__(self, data: str = "", evaluators: str = "", functions: str = "") -> None:
        source = Source.open(data, GET)
        self._pool = load_pool(evaluators)
        released = ReleasedFunctions(functions, self._begin) if functions else None
        self._tasks = PoolTasks(
            "omnibench", self._pool, load_data(source), partial(compose_task, released=released), _info
        )
        self.bad = self._tasks.bad
        self.version = version_of(source) + (f"-{released.version}" if released else "")

    def tasks(self) -> Sequence[TaskInfo]:
        """The playable tasks of all files; `bad` lists the others."""
        return self._tasks.tasks()

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task. All instances are equal, since the files contain the values.

        Raises:
            ConfigError: no such task, or its record is bad; the message says what is wrong with it.
        """
        return self._tasks.instantiate(task_id, instance, LIMITS)

    def world(self, thinking: Thinking) -> World:
        """The table's world."""
        return self._pool.world(thinking)

    def _begin(self) -> World:
        """The table's world as a task begins there."""
        world = self._pool.world(Thinking())
        try:
            self._pool.setup(world, self._pool.start())
        except BaseException:
            world.close()
            raise
        return world


def _info(task: OmniTask, found: Joined) -> TaskInfo:
    return TaskInfo(task.id, task.instruction, found.envs, task.tags(), seeded=False, intent=task.intent)


def compose_task(pool: Pool, task: OmniTask, released: ReleasedFunctions | None = None) -> Joined:
    """A task with one judge for each subtask, named by its id.

    Args:
        released: functions that judge in place of the table's judges.

    Raises:
        BadRecord: the table has no judge for a subtask, its parameters do not fit it, or the world cannot be judged by
            its function.
    """
    record = Record(task.file, task.id, {})
    uses = []
    for number, subtask in enumerate(task.subtasks):
        at, given = f"dag.nodes[{number}]", subtask.parameters_in(task.instruction)
        uses.append((check_subtask(pool, subtask.id, given, record, at, f"{at}.available_parameters", CURE), given, at))
    ids = task.graph.ids
    edges = tuple((ids.index(before), ids.index(after)) for before, after in task.graph.edges)
    found = join_subtasks(pool, uses, Adjacency(tuple(range(len(ids))), edges), record)
    nodes = []
    for piece, id, subtask, (_, given, at) in zip(found.pieces, ids, found.subtasks, uses, strict=True):
        try:
            own = released.graph_of(subtask.id, given, subtask.env) if released else None
        except ConfigError as error:
            raise record.wrong(at, str(error)) from None
        nodes.append(single_judge(piece.graph if own is None else own, id, subtask.env, own is not None))
    return replace(found, graph=JudgeGraph(tuple(nodes), task.graph.edges))


def single_judge(graph: JudgeGraph, name: str, env: str, every: bool = False) -> Judge:
    """One judge for a subtask's graph: reached when all sinks are, regardless of earlier nodes.

    Args:
        every: reached when all nodes are, at the same time.
    """
    last = [node for node in graph.nodes if every or node.name in graph.sinks]

    def ask(case: Case) -> Verdict:
        verdicts = [judge(case) for judge in last]
        reached = all(verdict.reached for verdict in verdicts)
        return Verdict(float(reached), "; ".join(verdict.reason for verdict in verdicts if verdict.reason))

    when: Literal["step", "end"] = "end" if any(judge.when == "end" for judge in last) else "step"
    group = object() if any(judge.group is not None for judge in last) else None
    return Judge(name, ask, when, env, group, any(judge.reads_controls for judge in last))
