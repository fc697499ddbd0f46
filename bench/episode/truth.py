"""The truth about the running episode, for gold and graded parts and for the verdicts on pointing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from omnipilot.bench.episode.course import Course
from omnipilot.bench.tasks.graph import NodeState
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import (
    Absent,
    ActionRejected,
    Box,
    Capability,
    ConfigError,
    Element,
    Elements,
    Env,
    Heard,
    Observation,
    Point,
    Size,
    World,
)
from omnipilot.envs.types.actions import Described
from omnipilot.envs.types.element_reading import lies_on, read_target
from omnipilot.memory import Move, NeededFact
from omnipilot.memory.truth import Draws


class EpisodeTruth:
    """Follows the episodes of one runner; implements `omnipilot.memory.truth.Truth`."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._task: Task | None = None
        self._draws = Draws(0)
        self._demonstration: tuple[Move, ...] | None = None
        self._course: Course | None = None
        self._screens: dict[str, Elements | Absent] = {}
        self._sizes: dict[str, Size] = {}

    def begin(self, world: World, task: Task, seed: int) -> None:
        """Follow an episode from its start, at which the task has been set up."""
        self._world, self._task, self._draws = world, task, Draws(seed)
        self._demonstration, self._course, self._screens = None, None, {}

    def follow(self, course: Course) -> None:
        """Follow what judges find in the episode."""
        self._course = course

    def end(self) -> None:
        """Forget the episode."""
        self._world, self._task, self._demonstration, self._course, self._screens = None, None, None, None, {}

    def looked(self, observation: Observation) -> None:
        """Keep the elements of the screen that was just observed.

        They are read now, because a page goes on by itself while an agent thinks about what it saw.
        """
        device = self._device(observation.env)
        self._sizes[observation.env] = observation.size
        tells = device is not None and Capability.UI_TREE in device.capabilities
        self._screens[observation.env] = device.ui_tree() if device is not None and tells else _listed(observation)

    def elements(self, env: str) -> Elements | Absent:
        """Every element on the screen that was observed last: what judges read, or else what the capture lists."""
        return self._screens.get(env, Absent("unsupported", f"nothing was observed of {env}"))

    def meaning(self, env: str, target: Described) -> Element | Absent | str:
        """The element that a described place means, or why that cannot be told."""
        elements = self.elements(env)
        return elements if isinstance(elements, Absent) else read_target(elements, target)

    def lies_on(self, env: str, element: Element, point: Point) -> bool:
        """Whether the pixel at a point lies on an element of the screen."""
        elements = self.elements(env)
        if isinstance(elements, Absent):
            return False
        return lies_on(elements, element, point.pressed(self._sizes[env]))

    def draw(self, part: str, question: str) -> Random:
        """Random numbers for a part's answer to a question."""
        return self._draws.draw(part, question)

    def transcript(self, env: str, start: float, end: float) -> tuple[Heard, ...] | Absent:
        """What an environment sounds, as far as it says so to judges; never what replaces it for the agent."""
        device = self._device(env)
        if device is not None and Capability.TRANSCRIPT in device.capabilities:
            return device.transcript(start, end)
        return Absent("unsupported", f"nothing knows what is heard on {env}")

    def texts(self, env: str) -> Elements | Absent:
        """What is written on the screen: what the environment says to judges, or else the names and values of its
        elements, which need not all be drawn."""
        device = self._device(env)
        if device is not None and Capability.WRITTEN_TEXTS in device.capabilities:
            return device.written_texts()
        elements = self.elements(env)
        if isinstance(elements, Absent):
            return Absent("unsupported", f"nothing knows what is written on {env}")
        return Elements(tuple(_texts(elements)), elements.truncated, elements.detail)

    def demonstration(self, anew: bool = False) -> tuple[Move, ...]:
        """The moves that solve the task from the state in which they are first asked for, computed once an episode.

        Args:
            anew: compute them again, from the state as it is now.

        Raises:
            ConfigError: the task has no solution. ActionRejected: none leads on from what was done before.
        """
        if self._demonstration is None or anew:
            if self._world is None or self._task is None or self._task.solution is None:
                told = "there is no episode" if self._task is None else f"{self._task.id!r} has none"
                raise ConfigError(f"{told}; leave the task out with --tasks, or choose another planner")
            done = self._course is not None and bool(self._course.actions)
            try:
                if done and self._task.rest is not None:
                    self._demonstration = tuple(self._task.rest(self._world, self._reached()))
                else:
                    self._demonstration = tuple(self._task.solution(self._world))
            except ValueError as error:
                if not done:
                    raise
                # Such as a wait until tomorrow, for an alarm that has rung.
                raise ActionRejected(f"no demonstration leads on from here: {error}") from error
        return self._demonstration

    def open_goals(self) -> tuple[str, ...]:
        """Names of the sub-goals that are not reached, in the order of the task's graph."""
        if self._course is None:
            return ()
        reached = self._reached()
        return tuple(name for name in self._course.task.graph.order() if name not in reached)

    def _reached(self) -> frozenset[str]:
        states = {} if self._course is None else self._course.evaluator.states()
        return frozenset(name for name, state in states.items() if state is NodeState.COMPLETED)

    def facts(self) -> tuple[NeededFact, ...]:
        """What the running task says must be known from before the episode."""
        if self._task is None or self._task.facts is None:
            told = "there is no episode" if self._task is None else f"{self._task.id!r} states no facts to remember"
            raise ConfigError(f"{told}; run tasks that do: `omnipilot list suites` says which are for memories")
        return tuple(self._task.facts())

    def _device(self, env: str) -> Env | None:
        return None if self._world is None else self._world.envs.get(env)


def _texts(elements: Elements) -> Iterator[Element]:
    """The names and values of the elements on the screen; of nested elements with the same words, the innermost."""
    shown = [element for element in elements if "offscreen" not in element.states]
    places: dict[str, list[Box]] = {}
    for element in shown:
        for words in _words(element):
            places.setdefault(words, []).append(element.box)
    for element in shown:
        for words in _words(element):
            if not any(box != element.box and element.box.encloses(box) for box in places[words]):
                yield Element("text", words, element.box)


def _listed(observation: Observation) -> Elements | Absent:
    """The elements of an observation, if they are more than what was recognised on its screenshot."""
    listed = observation.elements
    if isinstance(listed, Absent) or any(element.source != "tree" for element in listed):
        return Absent("unsupported", f"nothing knows the true elements of {observation.env}")
    return listed


def _words(element: Element) -> list[str]:
    """The name and the value, each once, unless it is blank."""
    return [words for words in dict.fromkeys((element.name.strip(), element.value.strip())) if words]
