"""The suite `pool`: the tasks of a pool, in the world that it was made from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.experiments.studies import FORM, LEAST_WORDINGS, MATCH
from omnipilot.bench.scoring.data import Source
from omnipilot.bench.suites.duet.variations import LOOKS, WORDS, WorldVariation
from omnipilot.bench.suites.pool.compose.cells import MEASURES
from omnipilot.bench.suites.pool.compose.instances import compose_graph as compose_graph
from omnipilot.bench.suites.pool.compose.instances import limits_of, task_of
from omnipilot.bench.suites.pool.compose.splits import Split, held_out_subtasks, split_of
from omnipilot.bench.suites.pool.compose.subtask_types import category_of
from omnipilot.bench.suites.pool.evaluator_judges import accepted_evaluators, judged_by_evaluators
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, TaskRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks import REVIEWS, grade_of, read_reviews
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.sim import SimWorld

if TYPE_CHECKING:
    import networkx

Choice: TypeAlias = Literal["all", "dev", "test"]
Judging: TypeAlias = Literal["templates", "evaluators"]
VERSION = "2"
"""Of what judges of a pool's tasks ask for; since 2, also that it holds in the end and that no rival is beside it."""
ORDER = re.compile(r"order-(\d+)")
"""A wording in another order; `order-0` is the one in which the parts are told without being asked otherwise."""


class PoolSuite(Suite):
    """The tasks of a pool, but for those whose words do not say their graph. A task that was told is told so.

    Args:
        data: the pool's folder.
        split: which tasks are run: those for development, those of the test, or all. No subtask that is held out for
            the test occurs in a task for development.
        wording: which of the texts of `synth tell` a task is told in: "" for its instruction, "low", "high", or
            "order-0", "order-1", … for its parts in different orders. Tasks without it are left out. "order-0",
            "order-1" and "order-2" have the same tasks: those that are told in three orders.
        judges: "templates" for the judges that the subtasks' templates make, or "evaluators" for those that `synth
            verify` proved, wherever these can judge (see `evaluator_judges`).

    Raises:
        ConfigError: no folder is named, or it has no graphs; no such split, wording or judges; no task has the wording,
            or no evaluator was accepted.
    """

    name = "pool"
    declares_split = True
    embedded = True
    variations = MappingProxyType({**LOOKS, **WORDS})

    def __init__(self, data: str = "", split: Choice = "all", wording: str = "", judges: Judging = "templates") -> None:
        if not data:
            raise ConfigError("name the folder of the pool: --data POOL; omnipilot synth makes one")
        if split not in get_args(Choice):
            raise ConfigError(describe_unknown("split", split, get_args(Choice)))
        if wording not in ("", "low", "high") and not ORDER.fullmatch(wording):
            raise ConfigError(describe_unknown("wording", wording, ["low", "high", "order-0", "order-1", "order-2"]))
        if judges not in get_args(Judging):
            raise ConfigError(describe_unknown("kind of judges", judges, get_args(Judging)))
        self._choice = split
        self._variation = WorldVariation()
        self._wording = wording
        self._folder = PoolFolder(Path(data))
        self._evaluators = accepted_evaluators(self._folder) if judges == "evaluators" else None
        reviews = self._folder.root / f"{REVIEWS}.jsonl"
        if reviews.exists():
            self.reviews = read_reviews(reviews)
        self._told = {task.graph: task for task in self._folder.tasks.read()}
        self._graphs = {
            graph.id: graph
            for graph in self._folder.graphs.require()
            if graph.id not in self._told or not self._told[graph.id].is_dropped
        }
        self._forms = {
            graph: (one.id, role)
            for one in self._folder.matched.read()
            if one.kind == "chain and graph"
            for graph, role in zip(one.graphs, one.roles, strict=True)
        }
        self._worded = self._graphs
        if wording:
            self._worded = {id: graph for id, graph in self._graphs.items() if self._has_wording(id)}
            if not self._worded:
                raise ConfigError(self._why_no_wording())

    def vary(self, names: Sequence[str]) -> PoolSuite:
        """The suite with other looks or words; told tasks keep their names, which are in their texts."""
        varied = copy(self)
        varied._variation = WorldVariation(frozenset(names))
        return varied

    @cached_property
    def version(self) -> str:
        """The version of the judges, and a digest of what decides what a task is and how it is told."""
        folder = self._folder
        files = [folder.subtasks.path, folder.graphs.path, folder.matched.path, folder.tasks.path]
        if self._evaluators is not None:
            files += [folder.evaluators.path, folder.verdicts.path]
        source = Source(folder.root, "omnipilot synth makes a pool.")
        return f"{VERSION}-{source.digest(path for path in files if path.exists())}"

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
        return [self._info(graph) for graph in self._worded.values()]

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
            ConfigError: no such task, one of the split that was not chosen, or one without the chosen wording.
        """
        graph = self._graph(task_id)
        split = self.split_of(task_id)
        if self._choice not in ("all", split):
            raise ConfigError(f"{task_id} belongs to the {split} split; to run it, add --option suite.split={split}")
        composed = compose_graph(graph, self._templates, instance)
        if self._evaluators is not None:
            composed = judged_by_evaluators(composed, self._evaluators)
        instruction, told = self._instruction(task_id, instance), self._told.get(task_id)
        vary = self._variation
        made = task_of(
            graph,
            replace(composed, state=vary.show(composed.state)),
            instance,
            instruction=vary.reword(instruction or composed.instruction),
            tags=self._info(graph).tags,
            intent=self._intent(graph),
            limits=limits_of(graph),
        )
        return (
            replace(made, low=vary.reword(told.low))
            if told is not None and instruction and instruction == told.high
            else made
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

    def _instruction(self, task_id: str, instance: int) -> str:
        """What an agent is told; "" where that is the text that composing makes."""
        told = self._told.get(task_id)
        if not self._wording:
            return told.instruction if told and told.instance == instance else ""
        if told is None or not self._has_wording(task_id):
            raise ConfigError(f"{task_id} has no wording {self._wording}; {self._cure()}")
        if told.instance != instance:
            raise ConfigError(
                f"{task_id} was told for instance {told.instance} alone: leave out suite.wording, or run one instance"
            )
        if self._wording == "low":
            return told.low
        return told.high if self._wording == "high" else _texts_in_orders(told)[self._order()]

    def _has_wording(self, task_id: str) -> bool:
        told = self._told.get(task_id)
        if told is None:
            return False
        if self._wording in ("low", "high"):
            return bool(told.low if self._wording == "low" else told.high)
        return len(_texts_in_orders(told)) > max(self._order(), LEAST_WORDINGS - 1)

    def _order(self) -> int:
        found = ORDER.fullmatch(self._wording)
        return int(found[1]) if found else 0

    def _why_no_wording(self) -> str:
        if not self._told:
            return f"no task of {self._folder.root} is told yet; run omnipilot synth tell {self._folder.root} first"
        return f"no task of {self._folder.root} has a wording {self._wording}; {self._cure()}"

    def _cure(self) -> str:
        """What brings about the wording that a task lacks."""
        if not ORDER.fullmatch(self._wording):
            return "remove tasks.jsonl, and run omnipilot synth tell and synth check again"
        return (
            f"such tasks are told in at least {max(self._order() + 1, LEAST_WORDINGS)} orders: compose graphs that are "
            f"no chains, and run omnipilot synth tell --orders {max(self._order(), LEAST_WORDINGS - 1)} or more"
        )

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
            **(dict(zip((MATCH, FORM), self._forms[graph.id], strict=True)) if graph.id in self._forms else {}),
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


def _texts_in_orders(told: TaskRecord) -> tuple[str, ...]:
    """The texts of a task that differ in their order alone: the one of its reading order, then the others."""
    return (told.high if told.wording == "high" else told.low, *told.orders)
