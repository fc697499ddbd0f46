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

    def hear(self, worker: WorkerProcess, message: Mapping[str, Any]) -> bool:
        """Take a message of a worker; false if it is of something else."""
        if message["worker"] == "asks":
            endpoint = EndpointId(**message["endpoint"])
            self._broker.ask(Ask(worker, message["permit"], endpoint, message["tokens"]))
        elif message["worker"] == "returns":
            self._broker.tell(worker, message["permit"], RequestOutcome(**message["outcome"]), self._clock())
        else:
            return False
        return True

    def forget(self, worker: WorkerProcess) -> None:
        """Take back the permits of a worker that is dead."""
        self._broker.drop(worker, self._clock())

    def grant(self) -> None:
        """Tell the workers that may ask now."""
        for ask in self._broker.grant(self._clock()):
            ask.owner.permit(ask.number)  # type: ignore[attr-defined]

    def patience(self, most: float) -> float:
        """Seconds until `grant` has to be called again, at most so many."""
        left = self._broker.next_grant(self._clock())
        return most if left is None else min(most, left)
