"""The suite duet as a cube, by the entry points `cube.benchmarks`; another suite is a subclass with another `SUITE`.

cube-standard is a pre-release and wants Python 3.12 or later: 0.1.0rc10 was used.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, ClassVar

from omnipilot.bench.doors.choice import playable_tasks, shared_suite
from omnipilot.bench.doors.words import describe_elements, introduce_task, outcome_words
from omnipilot.bench.session import Opening, Session
from omnipilot.bench.tasks import listed_tasks
from omnipilot.envs import Image
from omnipilot.envs.schema import tool_schema
from omnipilot.envs.types import require

require("cube.benchmark", "cube")

from cube.benchmark import Benchmark, BenchmarkConfig, BenchmarkMetadata  # noqa: E402
from cube.core import Action, ActionSchema, AgentStop, Content, Observation, StepError, TextContent  # noqa: E402
from cube.task import Task, TaskConfig, TaskMetadata  # noqa: E402
from cube.tool import AbstractTool, ToolConfig  # noqa: E402

SUITE = "duet"
STOP = "final_step"
"""The name by which cubes have what is our verb `done`."""
EVERYWHERE = ("wait", "answer", "ask_user")
"""Verbs that are no device's."""
_AT_WORK = threading.RLock()
"""Cubes are played in several threads; worlds of one process share what they draw, which is not for that."""


class OmnipilotTool(AbstractTool):
    """A session: every verb is an action, with the device as its first argument.

    Args:
        suite: by name. images: whether pictures of the screens are handed over, beside their elements.
    """

    def __init__(self, suite: str, images: bool) -> None:
        self._suite = shared_suite(suite, {})
        self._images = images
        self._session = Session(self._suite)
        self._opening: Opening | None = None

    def open(self, task: str, instance: int) -> Observation:
        """Begin a task; returns the instruction and the screens."""
        with _AT_WORK:
            self._opening = self._session.open(task, instance)
            return self._show(introduce_task(self._opening))

    @property
    def action_set(self) -> list[ActionSchema]:
        """The verbs of all devices; none before a task was opened."""
        if self._opening is None:
            return []
        devices = self._opening.envs
        kinds = {kind: [name for name, verbs in devices.items() if kind in verbs.kinds] for kind in _kinds(devices)}
        found = [_schema(kind, names) for kind, names in kinds.items() if kind != "custom"]
        return [*found, *(_schema(kind, []) for kind in EVERYWHERE), _stop()]

    def execute_action(self, action: Action) -> Observation:
        """Carry out a verb.

        Raises:
            AgentStop: the verb ends the episode.
        """
        with _AT_WORK:
            fields = dict(action.arguments)
            device = str(fields.pop("device", ""))
            kind = "done" if action.name == STOP else action.name
            acted = self._session.act({"kind": kind, **fields}, device)
            shown = self._show(outcome_words(acted))
        if action.name == STOP:
            raise AgentStop(shown)
        if acted.result not in ("done", "control"):
            shown.error = StepError(error_type=acted.result, exception_str=acted.message, stack_trace="")
        return shown

    def completion(self) -> float:
        """The share of the sub-goals that are reached, 0..1; 1 is success."""
        with _AT_WORK:
            return self._session.score().completion

    def ended(self) -> str:
        """Why the episode is over; "" while it goes on."""
        return self._session.ended

    def close(self) -> None:
        """Release the world. May be called twice."""
        with _AT_WORK:
            self._session.close()

    def _show(self, words: str) -> Observation:
        contents: list[Content] = [TextContent(data=words)]
        for name, seen in self._session.observe().items():
            contents.append(TextContent(data=describe_elements(seen)))
            if self._images and isinstance(seen.screenshot, Image):
                from PIL import Image as Pictures

                picture = Pictures.fromarray(seen.screenshot.array())
                contents.append(Content.from_data(picture, name=f"{name}, screenshot"))
        return Observation(contents=contents)


class OmnipilotToolConfig(ToolConfig):
    """How a tool is made."""

    suite: str = SUITE
    images: bool = True

    def make(self, container: Any = None) -> OmnipilotTool:  # noqa: ARG002
        """A session of the suite."""
        return OmnipilotTool(self.suite, self.images)


class OmnipilotTask(Task):
    """One task at one instance."""

    instance: int = 0

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Begin, or begin again."""
        return self.tool.open(self.metadata.id, self.instance), {"task": self.metadata.id, "instance": self.instance}

    def evaluate(self, obs: Observation | None = None) -> tuple[float, dict[str, Any]]:  # noqa: ARG002
        """The share of the sub-goals that are reached."""
        completion = self.tool.completion()
        return completion, {"completion": completion, "ended": self.tool.ended()}

    def finished(self, obs: Observation | None = None) -> bool:  # noqa: ARG002
        """Whether the task is solved, or a limit was reached."""
        return bool(self.tool.ended())


class OmnipilotTaskConfig(TaskConfig):
    """A task to be made; its seed is the instance."""

    def make(self, runtime_context: Any = None) -> OmnipilotTask:
        """The task."""
        return OmnipilotTask(
            metadata=self.metadata,
            tool_config=self.tool_config or OmnipilotToolConfig(),
            runtime_context=runtime_context,
            instance=self.seed or 0,
        )


class OmnipilotBenchmark(Benchmark):
    """Nothing is shared between tasks."""

    def _setup(self) -> None:
        """There is nothing to start."""

    def close(self) -> None:
        """There is nothing to stop."""


def _about() -> tuple[BenchmarkMetadata, dict[str, TaskMetadata]]:
    suite = shared_suite(SUITE, {})
    shown = set(playable_tasks(suite, deaf=False))
    tasks = {
        info.id: TaskMetadata(id=info.id, split="val", abstract_description=info.description)
        for info in listed_tasks(suite)
        if info.id in shown
    }
    about = BenchmarkMetadata(
        name=f"omnipilot-{SUITE}",
        version=suite.version,
        description="Tasks on an embedded phone and desktop, judged by graphs of sub-goals",
        num_tasks=len(tasks),
        tags=["phone", "desktop", "gui"],
    )
    return about, tasks


class OmnipilotBenchmarkConfig(BenchmarkConfig):
    """The tasks of the split for development that can be perceived without sound and film."""

    benchmark_metadata: ClassVar[BenchmarkMetadata]
    task_metadata: ClassVar[dict[str, TaskMetadata]]
    benchmark_metadata, task_metadata = _about()
    task_config_class: ClassVar[type[TaskConfig]] = OmnipilotTaskConfig
    benchmark_class: ClassVar[type[Benchmark]] = OmnipilotBenchmark


def _kinds(devices: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(kind for verbs in devices.values() for kind in sorted(verbs.kinds)))


def _schema(kind: str, devices: list[str]) -> ActionSchema:
    """A verb as an action; parameters that explain themselves are described by their names."""
    schema = tool_schema(kind, places="any", flat=True)
    parameters = dict(schema["parameters"])
    properties = {name: {"description": name, **one} for name, one in parameters.get("properties", {}).items()}
    if devices:
        device = {"type": "string", "enum": devices, "description": "The device."}
        properties = {"device": device, **properties}
        parameters["required"] = ["device", *parameters.get("required", [])]
    return ActionSchema(
        name=schema["name"], description=schema["description"], parameters={**parameters, "properties": properties}
    )


def _stop() -> ActionSchema:
    schema = _schema("done", [])
    return ActionSchema(name=STOP, description=schema.description, parameters=schema.parameters)
