"""The truth about the running episode, for gold and graded parts and for the verdicts on pointing."""

from __future__ import annotations

from collections.abc import Iterator

from omnipilot.bench.tasks.task import Task
from omnipilot.envs import (
    Absent,
    Box,
    ConfigError,
    Element,
    Elements,
    Heard,
    Observation,
    Transcript,
    UiTree,
    World,
    WrittenTexts,
)
from omnipilot.memory import Move


class EpisodeTruth:
    """Follows the episodes of one runner; implements `omnipilot.memory.truth.Truth`."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._task: Task | None = None
        self._seed = 0
        self._demonstration: tuple[Move, ...] | None = None
        self._seen: dict[str, Observation] = {}

    def begin(self, world: World, task: Task, seed: int) -> None:
        """Follow an episode from its start, at which the task has been set up."""
        self._world, self._task, self._seed = world, task, seed
        self._demonstration, self._seen = None, {}

    def end(self) -> None:
        """Forget the episode."""
        self._world, self._task, self._demonstration, self._seen = None, None, None, {}

    def looked(self, observation: Observation) -> None:
        """Keep what was last captured of an environment."""
        self._seen[observation.env] = observation

    @property
    def seed(self) -> int:
        """Of the episode."""
        return self._seed

    def elements(self, env: str) -> Elements | Absent:
        """Every element on the screen: what judges read, or else what the recording or the capture lists."""
        device = self._world.envs.get(env) if self._world is not None else None
        if isinstance(device, UiTree):
            return device.ui_tree()
        seen = self._seen.get(env)
        return Absent("unsupported", f"nothing knows the elements of {env}") if seen is None else seen.elements

    def transcript(self, env: str, start: float, end: float) -> tuple[Heard, ...] | Absent:
        """What an environment sounds, as far as it says so to judges; never what replaces it for the agent."""
        device = self._world.envs.get(env) if self._world is not None else None
        if isinstance(device, Transcript):
            return device.transcript(start, end)
        return Absent("unsupported", f"nothing knows what is heard on {env}")

    def texts(self, env: str) -> Elements | Absent:
        """What is written on the screen: what the environment says to judges, or else the names and values of its
        elements, which need not all be drawn."""
        device = self._world.envs.get(env) if self._world is not None else None
        if isinstance(device, WrittenTexts):
            return device.written_texts()
        elements = self.elements(env)
        if isinstance(elements, Absent):
            return Absent("unsupported", f"nothing knows what is written on {env}")
        return Elements(tuple(_texts(elements)), elements.truncated, elements.detail)

    def demonstration(self) -> tuple[Move, ...]:
        """The task's solution, computed once an episode, from the task's start."""
        if self._demonstration is None:
            if self._world is None or self._task is None or self._task.solution is None:
                told = "there is no episode" if self._task is None else f"{self._task.id!r} has no solution"
                raise ConfigError(f"{told}; leave the task out with --tasks, or choose another planner")
            self._demonstration = tuple(self._task.solution(self._world))
        return self._demonstration


def _texts(elements: Elements) -> Iterator[Element]:
    """The names and values of the elements on the screen; of nested elements with the same words, the innermost."""
    shown = [element for element in elements if "offscreen" not in element.states]
    places: dict[str, list[Box]] = {}
    for element in shown:
        for words in _words(element):
            places.setdefault(words, []).append(element.box)
    for element in shown:
        for words in _words(element):
            if not any(box != element.box and _lies_in(box, element.box) for box in places[words]):
                yield Element("text", words, element.box)


def _words(element: Element) -> list[str]:
    """The name and the value, each once, unless it is blank."""
    return [words for words in dict.fromkeys((element.name.strip(), element.value.strip())) if words]


def _lies_in(inner: Box, outer: Box) -> bool:
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom
