"""A head and workers that do what a test tells them, and write down what they were asked."""

from __future__ import annotations

from collections.abc import Callable

from scripted import Scripted, ScriptedGrounder, ScriptedPlanner

from omnipilot.envs.observation import ALL_MODALITIES, Absent, Observation
from omnipilot.memory.base import Role
from omnipilot.memory.trace import Move
from omnipilot.memory.transcript import Usage
from omnipilot.memory.window import WindowMemory
from omnipilot.planners.base import Brief, Decision, Request, Thought


class ScriptedThinker:
    """Says its lines, one a turn, the last one again and again; an exception is raised."""

    def __init__(self, *lines: str | Exception) -> None:
        self.lines = lines
        self.begun: list[Brief] = []
        self.requests: list[Request] = []

    def begin(self, brief: Brief) -> None:
        self.begun.append(brief)
        self.requests = []

    def think(self, request: Request) -> Thought:
        line = self.lines[min(len(self.requests), len(self.lines) - 1)]
        self.requests.append(request)
        if isinstance(line, Exception):
            raise line
        return Thought(line, Usage(1, 100, 10))


class Staff:
    """Hires scripted workers.

    Args:
        scripts: of the workers, in the order in which they are hired.

    Attributes:
        hired: jobs with their control verbs. workers: in the same order.
    """

    def __init__(self, *scripts: tuple[Scripted, ...]) -> None:
        self.scripts = scripts
        self.hired: list[tuple[str, frozenset[str]]] = []
        self.workers: list[ScriptedPlanner] = []

    def __call__(self, job: str, control: frozenset[str]) -> ScriptedPlanner:
        self.workers.append(ScriptedPlanner(*self.scripts[len(self.workers)]))
        self.hired.append((job, control))
        return self.workers[-1]


def team(
    kind: Callable, thinker: object, staff: Staff, grounder=None, sees=ALL_MODALITIES, envs=None, memory=None
) -> object:
    roles = Role("planner", sees, envs), Role("grounder")
    return kind(thinker, staff, grounder or ScriptedGrounder(), memory or WindowMemory(), *roles)


def saying(*moves: Move, **more: object) -> Decision:
    """A worker's decision, which costs something."""
    return Decision(moves, usage=Usage(1, 50, 5), **more)  # type: ignore[arg-type]


def shows(seen: Observation) -> set[str]:
    """What an observation holds."""
    names = ("screenshot", "elements", "audio", "video", "context")
    return {name for name in names if not isinstance(getattr(seen, name), Absent)}
