"""What a pool's tasks are told and shown for training: any instance, in several wordings, in the graph's orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from omnipilot.bench.suites.pool.compose.drawn_graph import topological_orders
from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT, compose_graph, task_of
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.tell.clauses import TaskClause, clauses_of
from omnipilot.bench.suites.pool.tell.intents import intent_of, parts_of
from omnipilot.bench.suites.pool.tell.topology import edges_of
from omnipilot.bench.suites.pool.tell.wordings import plain_wording
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.tasks.task import Task, seed_of
from omnipilot.envs import ConfigError
from omnipilot.planners.mini.session import split_clauses

Form: TypeAlias = Literal["composed", "told", "ordered"]
FORMS: tuple[Form, ...] = ("composed", "told", "ordered")
"""What composing makes, a clause for each subtask; what `synth tell` writes; the same in another order of the graph."""


class NotTold(Exception):
    """An instance that cannot be put into words clause by clause, or has no content."""


@dataclass(frozen=True, slots=True)
class PoolLesson:
    """An instance of a task, in words and in an order.

    Attributes:
        composed: the composition. order: of its nodes, as they are told and demonstrated.
        counts: clauses of the instruction for each node of the order. intent: the purpose, "" for none.
    """

    graph: GraphRecord
    composed: Composition
    instance: int
    instruction: str
    order: tuple[int, ...]
    counts: tuple[int, ...]
    intent: str = ""

    def task(self) -> Task:
        """The instance as a task."""
        return task_of(
            self.graph, self.composed, self.instance, order=self.order, instruction=self.instruction, intent=self.intent
        )


class PoolLessons:
    """The instances of a pool's tasks, for demonstrations.

    Args:
        folder: the pool's. intents: whether lessons have an intent, where a frame fits.
    """

    name = "pool"

    def __init__(self, folder: Path, intents: bool = False) -> None:
        pool = PoolFolder(folder)
        self._templates = templates_of(pool)
        self._effects = {subtask.id: subtask.effect for subtask in pool.subtasks.read()}
        self._graphs = {graph.id: graph for graph in pool.graphs.require()}
        self._intents = intents

    def lesson(self, task: str, instance: int, form: Form | None = None) -> PoolLesson:
        """One instance of a task.

        Args:
            form: how it is told; drawn where it is left out.

        Raises:
            ConfigError: the pool has no such task.
            NotTold: the world has no content for it, or its words cannot be told apart.
        """
        if task not in self._graphs:
            raise ConfigError(f"the pool has no task {task}")
        graph = self._graphs[task]
        random = Random(seed_of("lesson", task, instance))
        form = form or random.choice(FORMS)
        try:
            composed = compose_graph(graph, self._templates, instance, played=False)
        except NO_CONTENT:
            raise NotTold("no content") from None
        clauses, order = clauses_of(composed, self._effects), tuple(range(len(graph.subtasks)))
        if form == "ordered":
            order = random.choice(list(topological_orders(len(order), graph.edges, random, 3)))
        instruction = composed.instruction if form == "composed" else plain_wording(clauses, order).text(clauses)
        counts = _counts(clauses, order, instruction)
        intent = intent_of(parts_of(clauses), edges_of(graph), seed_of(task, instance)) if self._intents else None
        return PoolLesson(graph, composed, instance, instruction, order, counts, intent.sentence if intent else "")


def _counts(clauses: Sequence[TaskClause], order: Sequence[int], instruction: str) -> tuple[int, ...]:
    """Clauses of an instruction for each node.

    Raises:
        NotTold: there are others in it.
    """
    counts = tuple(len(split_clauses(clauses[node].filled({}))) for node in order)
    if sum(counts) != len(split_clauses(instruction)):
        raise NotTold("words cannot be told apart")
    return counts
