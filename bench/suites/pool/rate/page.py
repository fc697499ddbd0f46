"""The page on which a person rates tasks: served on the loopback interface, to this machine alone.

What is asked stands beside the instruction, the intent and a strip of the demonstration; the graph is hidden until it
is asked for. Each answer is written at once, so that a rater may stop and go on.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from omnipilot.bench import LocalPage
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.rate.questions import QUESTIONS
from omnipilot.bench.suites.pool.records import GraphRecord, Rating, TaskRecord
from omnipilot.envs import ConfigError

MOST = 100_000
"""Bytes of a rating that are read."""
STAGE = "rate"


class RatingPage(LocalPage):
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

    def content(self) -> dict[str, Any]:
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

    def take(self, values: Any) -> Rating:
        """Write what was answered for one task.

        Raises:
            ConfigError: it is no rating of one of the tasks.
        """
        if not isinstance(values, dict) or values.get("task") not in {task.id for task in self.tasks}:
            raise ConfigError("this is no rating of one of the tasks")
        accepted, reasons, seconds = values.get("accepted"), values.get("reasons", []), values.get("seconds", 0)
        if not isinstance(accepted, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e6:
            raise ConfigError("a rating says whether the task is accepted, and the seconds that it took")
        if not isinstance(reasons, list) or any(reason not in QUESTIONS for reason in reasons):
            raise ConfigError(f"reasons are some of {', '.join(QUESTIONS)}")
        rating = Rating(values["task"], self.rater, accepted, tuple(reasons), float(seconds))
        with self._writing:
            self.pool.ratings.append([rating], stage=STAGE, seed=self.seed)
        return rating

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """The page, and what it shows."""
        path = urlsplit(request.path).path
        if not self._is_own(request):
            self._answer(request, 421, "text/plain", b"another host")
        elif path == "/":
            page = files(__package__).joinpath("page.html").read_bytes()
            self._answer(request, 200, "text/html; charset=utf-8", page)
        elif path == "/tasks":
            self._answer(request, 200, "application/json", json.dumps(self.content()).encode())
        elif path.startswith("/media/"):
            self._picture(request, path.removeprefix("/media/"))
        else:
            self._answer(request, 404, "text/plain", b"there is no such page")

    def _picture(self, request: BaseHTTPRequestHandler, name: str) -> None:
        known = any(name in pictures for pictures in self._strips.values())
        file = self.pool.media / name
        if known and file.is_file() and file.resolve().is_relative_to(self.pool.media.resolve()):
            self._answer(request, 200, "image/png", file.read_bytes())
        else:
            self._answer(request, 404, "text/plain", b"there is no such picture")

    def post(self, request: BaseHTTPRequestHandler) -> None:
        """Take what was entered."""
        length = int(request.headers.get("Content-Length") or 0)
        # A form of another page cannot send JSON without asking first.
        if not self._is_own(request) or request.headers.get("Content-Type") != "application/json" or length > MOST:
            self._answer(request, 400, "text/plain", b"a rating is JSON, sent by this page")
            return
        try:
            self.take(json.loads(request.rfile.read(length)))
        except (ValueError, ConfigError) as error:
            self._answer(request, 400, "text/plain", str(error).encode())
        else:
            self._answer(request, 200, "application/json", b"{}")

    def _is_own(self, request: BaseHTTPRequestHandler) -> bool:
        host = (request.headers.get("Host") or "").rpartition(":")[0]
        return host in ("127.0.0.1", "localhost")

    def _answer(self, request: BaseHTTPRequestHandler, status: int, kind: str, body: bytes) -> None:
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.send_header("Cache-Control", "no-store")
        request.end_headers()
        request.wfile.write(body)
