"""The suite `pool`: the tasks of a pool, in the world that it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.compose.cells import MEASURES
from omnipilot.bench.suites.pool.compose.instances import compose_graph as compose_graph
from omnipilot.bench.suites.pool.compose.instances import limits_of, task_of
from omnipilot.bench.suites.pool.compose.splits import Split, held_out_subtasks, split_of
from omnipilot.bench.suites.pool.compose.subtask_types import category_of
from omnipilot.bench.suites.pool.pool_folder import VERSION, PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks import REVIEWS, grade_of, read_reviews
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.sim import SimWorld

if TYPE_CHECKING:
    import networkx

Choice: TypeAlias = Literal["all", "dev", "test"]


class PoolSuite(Suite):
    """The tasks of a pool, but for those whose words do not say their graph. A task that was told is told so.

    Args:
        data: the pool's folder.
        split: which tasks are run: those for development, those of the test, or all. No subtask that is held out for
            the test occurs in a task for development.

    Raises:
        ConfigError: no folder is named, or it has no graphs; or no such split.
    """

    name = "pool"
    version = VERSION
    declares_split = True

    def __init__(self, data: str = "", split: Choice = "all") -> None:
        if not data:
            raise ConfigError("name the folder of the pool: --data POOL; omnipilot synth makes one")
        if split not in get_args(Choice):
            raise ConfigError(describe_unknown("split", split, get_args(Choice)))
        self._choice = split
        self._folder = PoolFolder(Path(data))
        reviews = self._folder.root / f"{REVIEWS}.jsonl"
        if reviews.exists():
            self.reviews = read_reviews(reviews)
        self._told = {task.graph: task for task in self._folder.tasks.read()}
        self._graphs = {
            graph.id: graph
            for graph in self._folder.graphs.require()
            if graph.id not in self._told or self._told[graph.id].checked in ("", "kept")
        }

    @cached_property
    def _templates(self) -> Mapping[str, Template]:
        return templates_of(self._folder)

    @cached_property
    def _categories(self) -> Mapping[str, str]:
        return {subtask.id: category_of(subtask) for subtask in self._folder.subtasks.require()}

    @cached_property
    def _held_out(self) -> frozenset[str]:
        return held_out_subtasks(self._categories)

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of the chosen split."""
        return [info for info in self.every() if self._choice in ("all", info.tags["split"])]

    def every(self) -> Sequence[TaskInfo]:
        """The tasks of both splits."""
        return [self._info(graph) for graph in self._graphs.values()]

    def split_of(self, task_id: str) -> Split:
        """Whether a task is for development or for the test.

        Raises:
            ConfigError: no such task.
        """
        return split_of(self._graph(task_id).subtasks, self._held_out)

    def templates_of(self, task_id: str) -> frozenset[str]:
        """The subtasks of a task.

        Raises:
            ConfigError: no such task.
        """
        return frozenset(self._graph(task_id).subtasks)

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task with the content of an instance.

        Raises:
            ConfigError: no such task, or one of the split that was not chosen.
        """
        graph = self._graph(task_id)
        split = self.split_of(task_id)
        if self._choice not in ("all", split):
            raise ConfigError(f"{task_id} belongs to the {split} split; to run it, add --option suite.split={split}")
        told = self._told.get(task_id)
        return task_of(
            graph,
            compose_graph(graph, self._templates, instance),
            instance,
            instruction=told.instruction if told and told.instance == instance else "",
            tags=self._info(graph).tags,
            intent=self._intent(graph),
            limits=limits_of(graph),
        )

    def graph(self, task_id: str) -> networkx.DiGraph:
        """The graph of a task; see `to_networkx`.

        Raises:
            ConfigError: no such task.
            MissingExtra: networkx is not installed.
        """
        from omnipilot.bench.suites.pool.compose.networkx_graphs import to_networkx

        return to_networkx(self._graph(task_id))

    def world(self, thinking: Thinking) -> World:
        """A phone and a desktop."""
        return SimWorld(thinking)

    def _graph(self, task_id: str) -> GraphRecord:
        if task_id not in self._graphs:
            raise ConfigError(describe_unknown("task of the pool", task_id, list(self._graphs)))
        return self._graphs[task_id]

    def _info(self, graph: GraphRecord) -> TaskInfo:
        templates = [self._templates[id] for id in graph.subtasks]
        envs = tuple(dict.fromkeys(env for template in templates for env in template.env.split("+")))
        tags = {
            **{name: grade_of(name, figure).value for name, figure in graph.figures.items()},
            **{MEASURES[name]: str(figure) for name, figure in graph.figures.items()},
            "app": "+".join(dict.fromkeys(template.app for template in templates)),
            "category": "+".join(dict.fromkeys(self._categories[id] for id in graph.subtasks)),
            "capability": "+".join(graph.capabilities),
            "scenario": graph.scenario,
            "network": "yes" if graph.network else "no",
            "template": "+".join(dict.fromkeys(graph.subtasks)),
            "count": "subtasks",
            "split": split_of(graph.subtasks, self._held_out),
        }
        return TaskInfo(
            graph.id,
            ", then ".join(template.instruction for template in templates),
            envs,
            tags,
            intent=self._intent(graph),
        )

    def _intent(self, graph: GraphRecord) -> str:
        told = self._told.get(graph.id)
        return told.intent if told and told.intent else graph.intent
