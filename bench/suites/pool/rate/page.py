"""The page on which a person rates tasks: served on the loopback interface, to this machine alone.

What is asked stands beside the instruction, the intent and a strip of the demonstration; the graph is hidden until it
is asked for. Each answer is written at once, so that a rater may stop and go on.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from importlib.resources import files
from typing import Any

from omnipilot.bench import PageContent, PersonalPage
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.rate.questions import QUESTIONS
from omnipilot.bench.suites.pool.records import GraphRecord, Rating, TaskRecord
from omnipilot.envs import ConfigError

STAGE = "rate"


class RatingPage(PersonalPage):
    """Serves the page. Use it as a context manager, or call `close`.

    Args:
        tasks: those to be rated, in order. rater: who rates. port: 0 for a free one.

    Attributes:
        url: of the page.
    """

    def __init__(self, pool: PoolFolder, tasks: Sequence[TaskRecord], rater: str, port: int = 0, seed: int = 0) -> None:
        self.pool = pool
        self.tasks = tasks
        self.rater = rater
        self.seed = seed
        self._writing = threading.Lock()
        super().__init__(port)

    @cached_property
    def _graphs(self) -> Mapping[str, GraphRecord]:
        return {graph.id: graph for graph in self.pool.graphs.read()}

    @cached_property
    def _strips(self) -> Mapping[str, Sequence[str]]:
        return {one.task_id: one.observations for one in self.pool.trajectories.read() if one.task_id}

    def tasks_shown(self) -> dict[str, Any]:
        """What the page shows, as JSON values."""
        mine = {rating.task: asdict(rating) for rating in self.pool.ratings.read() if rating.rater == self.rater}
        shown = []
        for task in self.tasks:
            graph = self._graphs.get(task.graph)
            shown.append(
                {
                    "id": task.id,
                    "intent": task.intent,
                    "instruction": task.instruction,
                    "subtasks": list(graph.subtasks) if graph else [],
                    "edges": [list(edge) for edge in graph.edges] if graph else [],
                    "pictures": list(self._strips.get(task.id, ())),
                    "rated": mine.get(task.id),
                }
            )
        return {"rater": self.rater, "questions": dict(QUESTIONS), "tasks": shown}

    def take(self, path: str, values: Any) -> object:
        """Write what was answered for one task.

        Raises:
            ConfigError: it is no rating of one of the tasks.
        """
        if (
            path != "ratings"
            or not isinstance(values, dict)
            or values.get("task") not in {task.id for task in self.tasks}
        ):
            raise ConfigError("this is no rating of one of the tasks")
        accepted, reasons, seconds = values.get("accepted"), values.get("reasons", []), values.get("seconds", 0)
        if not isinstance(accepted, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e6:
            raise ConfigError("a rating says whether the task is accepted, and the seconds that it took")
        if not isinstance(reasons, list) or any(reason not in QUESTIONS for reason in reasons):
            raise ConfigError(f"reasons are some of {', '.join(QUESTIONS)}")
        rating = Rating(values["task"], self.rater, accepted, tuple(reasons), float(seconds))
        with self._writing:
            self.pool.ratings.append([rating], stage=STAGE, seed=self.seed)
        return asdict(rating)

    def content(self, path: str) -> PageContent | None:
        """The page, and what it shows."""
        if path == "":
            return PageContent(files(__package__).joinpath("page.html").read_bytes())
        if path == "tasks":
            return PageContent.json(self.tasks_shown())
        name = path.removeprefix("media/")
        known = any(name in pictures for pictures in self._strips.values())
        file = self.pool.media / name
        if known and file.is_file() and file.resolve().is_relative_to(self.pool.media.resolve()):
            return PageContent(file.read_bytes(), "image/png")
        return None
