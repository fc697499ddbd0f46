"""The parent's broker: which worker may ask which endpoint now."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from omnipilot.memory.models.broker.broker import Ask, Broker
from omnipilot.memory.models.broker.permits import EndpointId, RequestOutcome

if TYPE_CHECKING:
    from omnipilot.bench.run.executors.worker_process import WorkerProcess


class PermitDesk:
    """Takes what workers say of permits, and tells each when it has one.

    Args:
        broker: decides. clock: seconds, monotonic.
    """

    def __init__(self, broker: Broker, clock: Callable[[], float] = time.monotonic) -> None:
        self._broker = broker
        self._clock = clock
        self._waiting: set[tuple[WorkerProcess, int]] = set()
        self._asked: dict[tuple[WorkerProcess, int], str] = {}

    def hear(self, worker: WorkerProcess, message: Mapping[str, Any]) -> bool:
        """Take a message of a worker; false if it is of something else."""
        if message["worker"] == "asks":
            endpoint = EndpointId(**message["endpoint"])
            self._broker.ask(Ask(worker, message["permit"], endpoint, message["tokens"]))
            self._waiting.add((worker, message["permit"]))
            self._asked[worker, message["permit"]] = endpoint.base
        elif message["worker"] == "returns":
            # One that it asked for and no longer wants, perhaps.
            self._waiting.discard((worker, message["permit"]))
            self._asked.pop((worker, message["permit"]), None)
            self._broker.tell(worker, message["permit"], RequestOutcome(**message["outcome"]), self._clock())
        else:
            return False
        return True

    def waits(self, worker: WorkerProcess) -> bool:
        """Whether a worker waits for a permit: nothing can come of it until it has one."""
        return any(one is worker for one, _ in self._waiting)

    def asked(self, worker: WorkerProcess) -> str:
        """The endpoint that a worker waits for, for a permit or for an answer; "" for none."""
        return next((base for (one, _), base in self._asked.items() if one is worker), "")

    def forget(self, worker: WorkerProcess) -> None:
        """Take back the permits of a worker that is dead."""
        self._broker.drop(worker, self._clock())
        self._waiting = {(one, number) for one, number in self._waiting if one is not worker}
        self._asked = {(one, number): base for (one, number), base in self._asked.items() if one is not worker}

    def grant(self) -> None:
        """Tell the workers that may ask now."""
        for ask in self._broker.grant(self._clock()):
            worker: WorkerProcess = ask.owner  # type: ignore[assignment]
            self._waiting.discard((worker, ask.number))
            worker.permit(ask.number)

    def patience(self, most: float) -> float:
        """Seconds until `grant` has to be called again, at most so many."""
        left = self._broker.next_grant(self._clock())
        return most if left is None else min(most, left)
