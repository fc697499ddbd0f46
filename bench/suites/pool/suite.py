"""The suite `pool`: the tasks of a pool, in the world that it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.pool_folder import VERSION, PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.compose import Composition, compose
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo, seed_of
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world


class PoolSuite(Suite):
    """The tasks of a pool, but for those whose words do not say their graph. A task that was told is told so.

    Args:
        data: the pool's folder.

    Raises:
        ConfigError: no folder is named, or it has no graphs.
    """

    name = "pool"
    version = VERSION

    def __init__(self, data: str = "") -> None:
        if not data:
            raise ConfigError("name the folder of the pool: --data POOL; omnipilot synth makes one")
        self._folder = PoolFolder(Path(data))
        self._told = {task.graph: task for task in self._folder.tasks.read()}
        self._graphs = {
            graph.id: graph
            for graph in self._folder.graphs.require()
            if graph.id not in self._told or self._told[graph.id].checked in ("", "kept")
        }

    @cached_property
    def _templates(self) -> Mapping[str, Template]:
        return templates_of(self._folder)

    def tasks(self) -> Sequence[TaskInfo]:
        """All tasks of the pool."""
        return [self._info(graph) for graph in self._graphs.values()]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task with the content of an instance.

        Raises:
            ConfigError: no such task.
        """
        if task_id not in self._graphs:
            raise ConfigError(describe_unknown("task of the pool", task_id, list(self._graphs)))
        graph = self._graphs[task_id]
        composed = self._compose(graph, instance)
        seed = seed_of(graph.seed, graph.id, instance)
        told = self._told.get(task_id)
        instruction = told.instruction if told and told.instance == instance else composed.instruction

        def setup(world: SimWorld) -> str:
            world.reset(seed)
            world.prepare(lambda _: composed.state)
            return instruction

        return Task(
            task_id,
            instance,
            setup,
            composed.graph,
            lambda world: demonstration(world, composed.solutions()),
            tags=self._info(graph).tags,
            intent=self._intent(graph),
        )

    def world(self, thinking: Thinking) -> World:
        """A phone and a desktop."""
        return SimWorld(thinking)

    def _compose(self, graph: GraphRecord, instance: int) -> Composition:
        return compose_graph(graph, self._templates, instance)

    def _info(self, graph: GraphRecord) -> TaskInfo:
        templates = [self._templates[id] for id in graph.subtasks]
        envs = tuple(dict.fromkeys(env for template in templates for env in template.env.split("+")))
        tags = {
            **{name: str(figure) for name, figure in graph.figures.items()},
            "app": "+".join(dict.fromkeys(template.app for template in templates)),
            "capability": "+".join(graph.capabilities),
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


def compose_graph(graph: GraphRecord, templates: Mapping[str, Template], instance: int) -> Composition:
    """A graph with the content of an instance.

    Args:
        templates: of the pool's subtasks, by id.

    Raises:
        ConfigError: a subtask finds nothing that it could use in this world.
    """
    seed = seed_of(graph.seed, graph.id, instance)
    chosen = [templates[id] for id in graph.subtasks]
    joined = {(join.node, join.input): join.source for join in graph.joins}
    given = {(number, name): joined.get((number, name)) for number, one in enumerate(chosen) for name in one.inputs}
    return compose(chosen, quiet(initial_world(seed)), seed, given=given)
