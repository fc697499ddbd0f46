"""What is exported of a pool: its tasks with their graphs and templates, and which of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT, draw_content
from omnipilot.bench.suites.pool.compose.splits import held_out_subtasks, split_of
from omnipilot.bench.suites.pool.compose.subtask_types import category_of
from omnipilot.bench.suites.pool.export.orders import Order, chosen_orders
from omnipilot.bench.suites.pool.export.playing import PlayedTask, play_task
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, SubtaskRecord, TaskRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class ExportTask:
    """A task to be exported: a graph with the content of an instance, and its words.

    Attributes:
        told: the task in words; None where the pool has none, so that its instruction follows from its subtasks.
    """

    id: str
    graph: GraphRecord
    instance: int = 0
    told: TaskRecord | None = None

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of its nodes: ids of subtasks, the second of one kind with `#2`, and so on."""
        found: list[str] = []
        for number, id in enumerate(self.graph.subtasks):
            times = self.graph.subtasks[: number + 1].count(id)
            found.append(id if times == 1 else f"{id}#{times}")
        return tuple(found)


@dataclass(frozen=True)
class ExportSource:
    """A pool as it is exported.

    Attributes:
        templates: by id. subtasks: by id. tasks: in the order of the pool, or drawn by a seed. held_out: subtasks that
            occur in no task for development, so that nothing with them is trained on; see the suite `pool`.
        orders: how many topological orders of each are played. seed: of random orders and of what is drawn.
    """

    folder: PoolFolder
    templates: Mapping[str, Template]
    subtasks: Mapping[str, SubtaskRecord]
    tasks: Sequence[ExportTask]
    orders: int = 2
    seed: int = 0
    held_out: frozenset[str] = frozenset()
    _played: dict[tuple[str, bool], list[PlayedTask]] = field(default_factory=dict)

    @classmethod
    def open(
        cls, folder: PoolFolder, sample: int = 0, orders: int = 2, seed: int = 0, levels: Sequence[str] = ()
    ) -> ExportSource:
        """The tasks of a pool that were told, but for those whose words do not say their graph.

        Where nothing has been told yet: instance 0 of each graph for which the world has content, with the instruction
        that follows from its subtasks.

        Args:
            sample: so many of them, drawn at random; 0 for all.
            levels: only tasks with a subtask of one of these levels; empty for all.

        Raises:
            ConfigError: it has no graphs or no subtasks, a task's graph is gone, or no task has one of the levels.
        """
        graphs = {graph.id: graph for graph in folder.graphs.require()}
        told = folder.tasks.read()
        lost = [one.graph for one in told if one.graph not in graphs]
        if lost:
            raise ConfigError(
                f"tasks of {folder.root} have the graph {lost[0]}, which is gone; run omnipilot synth tell"
            )
        tasks = [ExportTask(one.id, graphs[one.graph], one.instance, one) for one in told if not one.is_dropped]
        if not told:
            tasks = [ExportTask(graph.id, graph) for graph in graphs.values()]
        subtasks = {record.id: record for record in folder.subtasks.require()}
        if levels:
            known = {record.level for record in subtasks.values()}
            if unknown := [level for level in levels if level not in known]:
                raise ConfigError(describe_unknown("level", unknown[0], sorted(known)))
            tasks = [task for task in tasks if {subtasks[id].level for id in task.graph.subtasks} & set(levels)]
            if not tasks:
                raise ConfigError(
                    f"no task has a subtask of {' or '.join(levels)}; compose some, or leave --levels out"
                )
        if sample and sample < len(tasks):
            chosen = set(Random(seed).sample(range(len(tasks)), sample))
            tasks = [task for number, task in enumerate(tasks) if number in chosen]
        templates = templates_of(folder)
        if not told:
            tasks = [task for task in tasks if _has_content(task, templates)]
        held_out = held_out_subtasks({id: category_of(record) for id, record in subtasks.items()})
        return cls(folder, templates, subtasks, tasks, orders, seed, held_out)

    def split_of(self, task: ExportTask) -> str:
        """`train` for a task for development, or `test` for one that has a subtask which is held out."""
        return "test" if split_of(task.graph.subtasks, self.held_out) == "test" else "train"

    def orders_of(self, task: ExportTask) -> list[Order]:
        """The topological orders of a task that are played: the most coherent first."""
        graph = task.graph
        apps = [self.templates[id].app for id in graph.subtasks]
        return chosen_orders(len(graph.subtasks), graph.edges, apps, self.orders, seed_of(self.seed, task.id))

    def play(self, task: ExportTask, clips: bool = False) -> list[PlayedTask]:
        """The orders of a task, played; whether each is solved is said in it."""
        if (task.id, clips) not in self._played:
            self._played[task.id, clips] = [
                play_task(task.graph, self.templates, task.instance, order, task.told, clips)
                for order in self.orders_of(task)
            ]
        return self._played[task.id, clips]

    def forget(self, task: ExportTask) -> None:
        """Drop what was played of a task, which holds pictures."""
        for clips in (False, True):
            self._played.pop((task.id, clips), None)


def _has_content(task: ExportTask, templates: Mapping[str, Template]) -> bool:
    """Whether some world has enough items for all subtasks of a task."""
    try:
        draw_content(task.graph, templates, task.instance)
    except NO_CONTENT:
        return False
    return True
