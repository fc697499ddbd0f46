"""A process that has loaded what a run's workers need, and from which they are forked: they share its memory.

It takes orders from the run's process on a socket, one after the other: `fork` comes with the two pipes of a new
worker, `bury` waits for one that has ended. It plays nothing itself, and never outlives the run.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.bench.run.executors import worker
from omnipilot.envs.schema import parse_json

NOT_FORKED = ("torch", "tensorflow", "jax", "onnxruntime", "playwright", "Xlib", "gi")
"""Packages with threads, devices or connections of their own that a fork would break."""
LONGEST_ORDER = 1 << 10


def main(arguments: list[str]) -> None:
    """Load what the run needs, say whether workers may be forked, and fork them until the run hangs up.

    Args:
        arguments: the file descriptor of the socket, and the run's process id.
    """
    descriptor, parent = map(int, arguments)
    worker.die_with(parent)
    for number in (signal.SIGINT, signal.SIGTERM):
        # The run ends in order, and this process after its workers: it would take them along.
        signal.signal(number, lambda *_: None)
    with socket.socket(fileno=descriptor) as pipe:
        try:
            load(_first_line(pipe))
            why = unsafe()
        except BaseException as error:
            # A worker that is started by itself meets the same, and tells it as the run's error.
            why = f"{type(error).__name__}: {error}"
        # What is loaded stays: the collector of cycles need not look at it, which would copy its pages.
        gc.collect()
        gc.freeze()
        _send(pipe, {"warm": not why, "why": why})
        while not why and (order := _order(pipe)) is not None:
            _send(pipe, _carry_out(pipe, *order))
    os._exit(0)


def load(start: Mapping[str, Any]) -> None:
    """Import what workers import, and make what they make once, so that its modules and caches are there.

    Nothing is connected and no world is made.

    Args:
        start: the first order to each worker.
    """
    from omnipilot.agents.assembly.examine import examine
    from omnipilot.bench.episode import runner  # noqa: F401
    from omnipilot.bench.registry import load_suite
    from omnipilot.bench.spec import RunSpec

    spec = RunSpec.from_json(start["spec"])
    load_suite(spec.suite).preload()
    for model in examine(spec.agent).models:
        model.preload()


def unsafe() -> str:
    """Why this process may not be forked; "" if it may."""
    if sys.platform != "linux":
        return "only Linux keeps a process whole that was forked"
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        return f"this system has no handles of processes ({error.strerror})"
    if found := [name for name in NOT_FORKED if name in sys.modules]:
        return f"{found[0]} is loaded"
    if len(running := threading.enumerate()) > 1:
        return f"it has threads: {', '.join(thread.name for thread in running)}"
    return ""


def _first_line(pipe: socket.socket) -> dict[str, Any]:
    with pipe.makefile("rb", buffering=0) as lines:
        start: dict[str, Any] = parse_json(lines.readline())
    return start


def _order(pipe: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """The next order, with the pipes that came with it; None once the run has hung up."""
    content, handles, _, _ = socket.recv_fds(pipe, LONGEST_ORDER, 2)
    return (parse_json(content), handles) if content else None


def _carry_out(pipe: socket.socket, order: Mapping[str, Any], handles: list[int]) -> dict[str, Any]:
    if order["do"] == "bury":
        return {"code": os.waitstatus_to_exitcode(os.waitpid(order["process"], 0)[1])}
    with _closing(handles):
        home = os.getpid()
        try:
            process = os.fork()
        except OSError as error:
            return {"error": str(error)}
        if not process:
            _become_worker(pipe, handles, home)
    return {"process": process}


def _become_worker(pipe: socket.socket, handles: list[int], home: int) -> None:
    """Be a worker from here on, to the end of this process."""
    try:
        pipe.close()
        os.setsid()
        worker.main([*map(str, handles), str(home)])
    finally:
        os._exit(1)


@contextlib.contextmanager
def _closing(handles: list[int]) -> Iterator[None]:
    try:
        yield
    finally:
        for handle in handles:
            os.close(handle)


def _send(pipe: socket.socket, message: Mapping[str, Any]) -> None:
    pipe.sendall(json.dumps(message).encode() + b"\n")
