"""Workers in a Ray cluster: one actor for each, which Ray never restarts: a run counts attempts itself.

Ray is imported when a run asks for a cluster, and never otherwise.
"""

from __future__ import annotations

import contextlib
import os
import socket
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.run.cluster.node_worker import NodeWorker
from omnipilot.bench.run.cluster.remote_process import FetchedMedia, NodeLost, RemoteProcess
from omnipilot.bench.run.cluster.same_code import code_here
from omnipilot.bench.run.executors.processes import ChildProcess
from omnipilot.envs import ConfigError
from omnipilot.envs.types import require

TOKEN = (
    "Ray wants the same token on all machines: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN here as where "
    "`ray start` was called, or RAY_AUTH_MODE=disabled on all of them"
)

CONNECTS = 15.0
"""Seconds in which a cluster's head has to take a connection."""


@contextlib.contextmanager
def ray_workers(
    address: str, media: Path, resources: Mapping[str, float]
) -> Iterator[Callable[[tuple[int, int]], ChildProcess]]:
    """What begins the process of a worker in a Ray cluster, from its pipes for orders and events.

    Args:
        media: the run's folder of media. Machines that see it write there; others send what it lacks.
        resources: what each worker holds of its machine, see `Suite.resources`.

    Raises:
        MissingExtra: Ray is not installed. ConfigError: there is no such cluster, or it refuses this process.
    """
    ray = require("ray", "ray")
    _connect(ray, address)
    try:
        with _marked(media) as mark:
            actor = _actor(ray, resources)
            captures, ours = FetchedMedia(media), code_here()
            yield lambda handles: RemoteProcess(RayNode(ray, actor.remote(mark)), handles, ours, captures)
    finally:
        ray.shutdown()


class RayNode:
    """A worker's actor, as `omnipilot.bench.run.cluster.remote_process.ClusterNode`.

    Args:
        ray: the package. actor: made of `NodeWorker`; its machine may not be there yet.
    """

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor

    def about(self) -> Mapping[str, Any]:
        """See `NodeWorker`."""
        found: Mapping[str, Any] = self._call("about")
        return found

    def order(self, line: bytes) -> None:
        """See `NodeWorker`."""
        self._call("order", line)

    def read(self) -> list[tuple[bytes, list[str]]] | None:
        """See `NodeWorker`."""
        lines: list[tuple[bytes, list[str]]] | None = self._call("read")
        return lines

    def medium(self, name: str) -> bytes:
        """See `NodeWorker`."""
        content: bytes = self._call("medium", name)
        return content

    def bury(self) -> int:
        """See `NodeWorker`."""
        return int(self._call("bury"))

    def kill(self) -> None:
        """End the actor; its worker ends with it."""
        with contextlib.suppress(Exception):
            self._ray.kill(self._actor, no_restart=True)

    def _call(self, method: str, *given: Any) -> Any:
        try:
            return self._ray.get(getattr(self._actor, method).remote(*given))
        except self._ray.exceptions.RayTaskError:
            # What was called has failed there: a bug, or a full disk.
            raise
        except (self._ray.exceptions.RayError, ConnectionError, RuntimeError) as error:
            raise NodeLost(str(error).strip().partition("\n")[0] or type(error).__name__) from error


def _actor(ray: Any, resources: Mapping[str, float]) -> Any:
    """What makes actors: spread over machines, with threads for orders, lines and media."""
    named = {name: value for name, value in resources.items() if name not in ("CPU", "GPU")}
    return ray.remote(NodeWorker).options(
        num_cpus=resources.get("CPU", 1),
        num_gpus=resources.get("GPU", 0),
        resources=named,
        max_restarts=0,
        max_task_retries=0,
        max_concurrency=4,
        scheduling_strategy="SPREAD",
    )


def _connect(ray: Any, address: str) -> None:
    answers = False
    try:
        if address != "auto":
            # Ray itself would try for minutes.
            host, _, port = address.removeprefix("ray://").rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), CONNECTS).close()
            answers = True
        ray.init(address=address, log_to_driver=True, configure_logging=False)
    except Exception as error:
        why = str(error).strip()
        if "token" in why.lower() or "auth" in why.lower():
            why = f"{TOKEN}; it says: {why}"
        elif answers:
            # What a wrong token looks like from here: Ray tells only its log of it.
            why = f"{why}; something listens there: it has another token, or is no Ray head. {TOKEN}"
        raise ConfigError(f"--cluster {address}: no connection to Ray: {why}") from error


@contextlib.contextmanager
def _marked(media: Path) -> Iterator[str]:
    """A file that shows to other machines that they see a folder of media."""
    folder = media.resolve() / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / f"{uuid.uuid4().hex}-{os.getpid()}"
    mark.touch()
    try:
        yield str(mark)
    finally:
        mark.unlink(missing_ok=True)
