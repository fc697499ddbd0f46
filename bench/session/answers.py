"""What a session answers: how a task opens, what came of a verb, and the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from omnipilot.agents import Limits
from omnipilot.bench.tasks.graph import Change, NodeState
from omnipilot.envs import Action
from omnipilot.memory import Turn
from omnipilot.planners import Verbs

Result: TypeAlias = Literal["done", "control", "rejected", "not_found", "malformed", "denied"]


@dataclass(frozen=True, slots=True)
class Opening:
    """What is told when a task is opened.

    Attributes:
        task, instance, trial: which it is. intent: why the user wants it; "" if the suite does not say.
        envs: what each environment can do, by name.
        limits: of the session on this task.
        past: turns that were played before the start and that an agent may remember, oldest first; empty for most.
        asks: whether somebody answers questions, asked by the verb `ask_user`.
    """

    task: str
    instance: int
    trial: int
    instruction: str
    intent: str
    envs: Mapping[str, Verbs]
    limits: Limits
    past: tuple[Turn, ...] = ()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of a verb.

    Attributes:
        result: "done" by an environment, "control" by the session (to wait, answer, ask, or be done), or why nothing
            was done: "rejected" (the message says what is possible instead), "not_found" (a place is not on the
            screen), "malformed" (it is no verb, and the message says what is wrong with it), "denied" by the guard.
        message: for whoever acts: what to do instead, or what the user answered.
        action: what was carried out, with points for places; None if nothing was.
        changes: what the judges found.
        completion: share of the sub-goals that are reached, 0..1. Its increases add up to 1 exactly on success.
        ended: why the episode is over: "success", "done", "unjudged", "world", or the limit that was reached ("turns",
            "actions", "seconds", …); "" while it goes on.
    """

    result: Result
    message: str
    action: Action | None = None
    changes: tuple[Change, ...] = ()
    completion: float = 0.0
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How far a task has been solved, as if the episode ended now.

    Attributes:
        success: every sub-goal is reached. completed, total: sub-goals reached, and all of them.
        nodes: the state of each sub-goal, by name.
        judged: false for a task of which only a person can say whether it was solved.
    """

    success: bool
    completed: int
    total: int
    nodes: Mapping[str, NodeState]
    judged: bool = True

    @property
    def completion(self) -> float:
        """Share of the sub-goals that are reached, 0..1."""
        return self.completed / self.total

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "success": self.success,
            "completed": self.completed,
            "total": self.total,
            "completion": self.completion,
            "nodes": {name: str(state) for name, state in self.nodes.items()},
            "judged": self.judged,
        }
